"""Digests prove that a line is unchanged, not that its writer meant well.

A branch can carry any JSON under right digests. Whatever it is, reading goes on, nothing crashes,
and what it does not name stays as it was. Spec: the hostile repository of the security goals (S12).
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from json import dumps

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import varves
from tests.figures import add_figure
from tests.properties.lines import FIELDS, forged
from tests.properties.shelf import index_dump
from tests.properties.world import START, SeededIds, Watchmaker, dump_of
from tests.rooms import room

few = settings(max_examples=max(12, settings.default.max_examples // 2))
KINDS = (
    *("memory.recorded", "memory.revised", "memory.reinforced", "memory.superseded"),
    *("memory.forgotten", "memory.restored", "memory.shared", "memory.unshared"),
    *("memory.trusted", "memory.flagged", "memory.rejected", "memory.purged"),
    *("memory.archived", "memory.expired", "memory.pruned", "memory.unheard_of"),
    *("conflict.resolved", "event.undone", "segment.closed", "message.posted", "", "memory."),
)
IDS = ("mem_hostile00001", "mem_hostile00002", "", "../../etc/passwd", "mem_hostile 0003")
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from((2**63, -(2**63) - 1, 2**64, 10**30, 0))
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from((*IDS, "project", "hostile words", "\x1f", "\0", "\ud800", "a" * 64))
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)
names = st.sampled_from(IDS)
dropped = st.fixed_dictionaries(
    {"memory": names}, optional={"text": scalars, "scope": scalars, "more": anything}
)
records = st.fixed_dictionaries(
    {"memory": names, "scope": st.just("project"), "text": st.just("hostile words")},
    optional={
        "blob": anything | st.fixed_dictionaries({"sha256": scalars, "bytes": scalars}),
        "confidence": scalars,
        "turn": scalars,
        "tags": anything | st.lists(scalars, max_size=2),
        "evidence": anything | st.lists(st.dictionaries(st.text(max_size=3), anything)),
        "links": anything | st.dictionaries(st.text(max_size=3), anything, max_size=2),
        **dict.fromkeys(
            ("summary", "type", "priority", "ttl", "expires_at", "speaker", "source", "at"),
            scalars,
        ),
        **dict.fromkeys(("session", "created_at", "created_by", "protocol", "unknown"), anything),
    },
)
contents = st.fixed_dictionaries(
    {},
    optional={
        "memory": names | anything,
        "by": names | anything,
        "text": st.just("hostile words") | anything,
        "scope": st.just("project") | anything,
        "record": records | anything,
        "set": st.dictionaries(
            st.sampled_from(("priority", "ttl", "expires_at", "scope", "confidence", "text")),
            scalars,
        ),
        "drop": st.lists(dropped, max_size=2) | anything,
        "keep": names | anything,
        "memories": st.lists(names, max_size=3) | anything,
        "event": st.sampled_from(("evt_hostile", FIELDS["id"])) | anything,
        "segment": scalars,
        "last": anything,
        **dict.fromkeys(("add_tags", "remove_tags", "lifts", "reason", "lines", "bytes"), anything),
    },
)
bodies = contents | records | st.dictionaries(st.text(max_size=4), anything, max_size=4)
envelopes = st.fixed_dictionaries(
    {},
    optional={
        "v": st.sampled_from((1, 2, 0, -1, 10**30)),
        "seq": st.integers() | st.just(10**30),
        "trust": st.integers() | st.just(10**30),
        "hlc": st.text("0123456789abcdefABCDEF_+-x ", min_size=16, max_size=16),
        "seen": st.lists(anything, max_size=2),
        "cause": st.lists(anything, max_size=2),
        "prev": st.none() | st.text(max_size=4),
        **dict.fromkeys(
            ("id", "time", "writer", "protocol", "actor", "origin"), st.text(max_size=6)
        ),
        "session": st.none() | st.text(max_size=6),
    },
)


@pytest.fixture(autouse=True)
def _own_home(home):
    """Let nothing of the caller's settings in."""


def lines_of(acts) -> list[bytes]:
    found = []
    for number, (kind, body, envelope) in enumerate(acts):
        fields = {"kind": kind, "id": f"evt_hostile{number}", "seq": number + 1, **envelope}
        found.append(forged(dumps(body, separators=(",", ":")).encode(), **fields))
    return found


@contextmanager
def house_with(content: bytes, name: str = "20260921-forger-0000000000.jsonl"):
    """Give a ledger with one good memory and a hostile file in its log."""
    with tempfile.TemporaryDirectory() as root:
        clock = Watchmaker(START)
        with varves.open(root, home=f"{root}/home", clock=clock, ids=SeededIds(3)) as ledger:
            good = ledger.remember("The victim stays as it is", tags=["kept"]).id
            before = ledger.show(good)
            folder = f"{root}/.varves/log/2026-09"
            os.makedirs(folder, exist_ok=True)
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
            yield ledger, before


def assert_unharmed(ledger, before) -> None:
    """Ask everything and write something; only the hostile memories themselves may look odd."""
    ledger.remember("Said before anything is read")
    ledger.recall("hostile words victim", include=("superseded", "forgotten", "flagged"))
    for memory in ledger.list(status="all"):
        assert ledger.show(memory.id).id == memory.id
        dumps(memory.as_dict(), allow_nan=False)
        assert ledger.history(memory.id)
    for conflict in ledger.conflicts():
        dumps(conflict.as_dict(), allow_nan=False)
    events = ledger.log()
    for event in events:
        dumps(event.as_dict(), allow_nan=False)
    ledger.status()
    ledger.doctor()
    ledger.verify(deep=True)
    ledger.list(as_of="2026-12-01")
    with room(ledger.root, home=f"{ledger.root}/home", clock=Watchmaker(START)) as seen:
        assert index_dump(seen.fresh().index, START) == dump_of(events)
    assert ledger.show(before.id) == before
    assert ledger.remember("Life goes on").status == "recorded"
    ledger.edit(before.id, tag=["more"])
    assert ledger.show(before.id).tags == ("kept", "more")


@few
@given(st.lists(st.tuples(st.sampled_from(KINDS), bodies, st.just({})), min_size=1, max_size=24))
def test_any_content_of_any_kind_harms_nobody(acts):
    with house_with(b"".join(line + b"\n" for line in lines_of(acts))) as (ledger, before):
        assert_unharmed(ledger, before)
    add_figure("S12", forged_events=len(acts), harmed=0)


@few
@given(st.lists(st.tuples(st.sampled_from(KINDS), bodies, envelopes), min_size=1, max_size=12))
def test_no_envelope_harms_anybody(acts):
    with house_with(b"".join(line + b"\n" for line in lines_of(acts))) as (ledger, before):
        assert_unharmed(ledger, before)


RECORD = {"memory": "mem_hostile00001", "scope": "project", "text": "hostile words"}
ACT = {"memory": "mem_hostile00001"}
BY = {**ACT, "by": "mem_hostile00002"}
NASTY = {
    "odd fields in every kind": [
        (kind, {**content, "event": "x", "memories": [], key: value})
        for kind in KINDS
        for content in (RECORD, BY)
        for key in ("record", "memories", "drop", "by", "memory", "event", "lifts", "set", "keep")
        for value in (5, [5], {}, None, {"memory": 5}, [{}], [[]], "x")
    ],
    "a reason that is none": [
        (kind, {**BY, "event": "x", "memories": [], "reason": reason})
        for kind in KINDS
        for reason in ([], {}, 0, False, 1.5)
    ],
    "fields that are almost empty": [
        ("memory.recorded", {**RECORD, key: value})
        for key in ("summary", "priority", "ttl", "expires_at", "speaker", "source", "turn", "at")
        for value in ([], {}, False, "", 0)
    ],
    "numbers no column holds": [
        ("memory.recorded", {**RECORD, key: value})
        for key in ("turn", "confidence")
        for value in (2**63, -(2**63) - 1, 10**40, 1e300, True)
    ],
    "a change to nothing": [
        (kind, {**ACT, "set": {key: value}})
        for kind in ("memory.revised", "memory.restored")
        for key in ("scope", "confidence", "ttl", "text", "status", "id", "hlc")
        for value in (None, 10**40, [], "x", False)
    ],
    "tags that break their column": [
        ("memory.recorded", {**RECORD, "tags": tags})
        for tags in (["\x1f"], [""], ["a\x1fb"], [1], "x", [None], [[]])
    ],
    "blobs that lead astray": [
        ("memory.recorded", {"memory": f"mem_hostile{n:05}", "scope": "project", "blob": blob})
        for n, blob in enumerate(
            [
                *({}, {"sha256": 5}, {"sha256": "\0"}, {"sha256": "../../../format.json"}),
                *({"sha256": "/etc/hostname"}, {"sha256": "x" * 5000}, {"sha256": "."}),
                *({"sha256": "\ud800"}, {"sha256": "0" * 64}, {"sha256": None}, 5, []),
            ]
        )
    ],
    "no text and a blob": [("memory.recorded", {**RECORD, "text": None, "blob": {"sha256": "x"}})],
    "settlements": [
        ("conflict.resolved", {"memories": [*IDS], "keep": keep, "drop": drop, "left": left})
        for keep in (None, [], {}, "mem_hostile00001", 5)
        for drop in ([], [ACT], [{}], [5], {}, [{**ACT, "text": "x"}], [{**RECORD, "text": 5}])
        for left in ([], ["mem_hostile00002"], 5, [5])
    ],
    "circles": [
        ("memory.recorded", RECORD),
        ("memory.superseded", {**ACT, "by": "mem_hostile00001"}),
        ("memory.superseded", BY),
        ("memory.superseded", {"memory": "mem_hostile00002", "by": "mem_hostile00001"}),
        ("memory.restored", ACT),
        ("event.undone", {"event": "evt_hostile5", "memories": ["mem_hostile00001"]}),
    ],
    "closings": [
        ("segment.closed", {"segment": segment, "lines": odd, "bytes": odd, "last": odd})
        for segment in (None, 5, "log/2026-09/20260921-forger-0000000000.jsonl", "x", {})
        for odd in (None, {}, [], -1, "x", 10**40)
    ],
    "links": [
        ("memory.recorded", {**RECORD, "links": links, "evidence": evidence})
        for links in ({}, {"superseded_by": []}, {"superseded_by": ["x"]}, {"": [""]}, {"a": 5}, 5)
        for evidence in ([], [{}], [{"path": "../../x"}], [5], {})
    ],
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("acts", NASTY.values(), ids=NASTY)
def test_known_ways_to_hurt_a_fold_do_not(acts):
    lines = lines_of([(kind, body, {}) for kind, body in acts])
    with house_with(b"".join(line + b"\n" for line in lines)) as (ledger, before):
        assert_unharmed(ledger, before)


heads = (
    anything.map(lambda one: dumps(one).encode())
    | st.fixed_dictionaries(
        {"pack": anything, "segments": st.lists(st.lists(anything, max_size=5), max_size=3)}
    ).map(lambda one: dumps(one).encode())
    | st.binary(max_size=30)
    | st.sampled_from(
        [
            *(b"[" * 100_000, b'{"segments":[["x",1e999,1,""]]}', b'{"segments":{"a":1}}'),
            *(b'{"pack":1,"segments":[["x",-5,-5,{}]]}', b'{"segments":[[[],1,1,[]]]}'),
        ]
    )
)


@few
@given(heads, st.lists(st.tuples(st.sampled_from(KINDS), bodies, st.just({})), max_size=3))
def test_no_first_line_of_a_pack_harms_anybody(head, acts):
    content = b"\n".join([head.replace(b"\n", b""), *lines_of(acts)]) + b"\n"
    with house_with(content, "20260921-forger-0000000000.pack.jsonl") as (ledger, before):
        assert_unharmed(ledger, before)


@few
@given(st.binary(max_size=300))
def test_no_bytes_in_a_segment_harm_anybody(content):
    with house_with(content + b"\n") as (ledger, before):
        assert_unharmed(ledger, before)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("content", [b"\xff\xfe", b"\0", b"", "\u00fc".encode()])
def test_a_blob_with_any_bytes_is_read_as_text(content):
    from hashlib import sha256

    digest = sha256(content).hexdigest()
    record = {"memory": "mem_hostile00001", "scope": "project", "blob": {"sha256": digest}}
    with house_with(lines_of([("memory.recorded", record, {})])[0] + b"\n") as (ledger, before):
        folder = f"{ledger.root}/.varves/log/blobs"
        os.makedirs(folder)
        with open(f"{folder}/{digest}", "wb") as file:
            file.write(content)
        assert ledger.show("mem_hostile00001").text == content.decode("utf-8", "replace")
        assert ledger.show(before.id) == before
        assert ledger.verify().ok
