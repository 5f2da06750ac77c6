from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from tests.unit.protocols.hivemind.records import NOW, memory
from varves.protocols.hivemind.codec import HivemindCodec
from varves.protocols.hivemind.documents import KEYS
from varves.protocols.hivemind.options import HivemindOptions
from varves.protocols.port import Stock, Touched
from varves.protocols.unreadable import Unreadable

FOLDER = "memory/projects/shop"


def stock(*memories, counts=None):
    return Stock(memories=memories, counts=counts or {}, events=(), checkout="main")


def rendered(*memories, touched=None, counts=None, options=None):
    return HivemindCodec(options).render(stock(*memories, counts=counts), touched)


def document(files, path):
    return json.loads(files[f"{FOLDER}/{path}"])


def test_an_entry_has_the_published_keys_in_their_order():
    files = rendered(memory(), counts={"mem_aaaaaaaaaaaa": (3, NOW)})
    content = files[f"{FOLDER}/mem_aaaaaaaaaaaa.json"]
    assert tuple(json.loads(content)) == KEYS[:16]
    assert content.startswith(b'{\n  "id": "mem_aaaaaaaaaaaa",\n')
    assert content.endswith(b"}\n")
    assert json.loads(content)["access_count"] == 3
    assert json.loads(content)["last_accessed"] == "2026-11-15T06:20:00Z"


def test_links_and_unknown_keys_stand_behind_the_published_ones():
    one = memory(
        links={"supersedes": ["mem_b", "mem_c"], "references": ["mem_d"]},
        extra={"unknown": {"x": 1, "id": "no"}},
    )
    shown = document(rendered(one), "mem_aaaaaaaaaaaa.json")
    assert list(shown)[16:] == ["supersedes", "x"]
    assert shown["supersedes"] == "mem_c"
    assert shown["references"] == [
        {"type": "memory", "id": "mem_b", "relationship": "supersedes"},
        {"type": "memory", "id": "mem_d", "relationship": "references"},
    ]


def test_what_is_retired_moves_to_the_archive_and_what_is_forgotten_goes():
    name = "mem_aaaaaaaaaaaa.json"
    touched = Touched(memories=frozenset(["mem_aaaaaaaaaaaa"]))
    old = rendered(memory(status="superseded"), touched=touched)
    assert old[f"{FOLDER}/{name}"] is None
    assert old[f"{FOLDER}/archive/{name}"]
    assert document(old, "_index.json")["entry_count"] == 0
    assert document(old, "archive/_index.json")["entry_count"] == 1
    gone = rendered(memory(status="forgotten"), touched=touched)
    assert gone[f"{FOLDER}/{name}"] is gone[f"{FOLDER}/archive/{name}"] is None
    assert gone[f"{FOLDER}/archive/_index.json"] is None


def test_of_two_that_want_one_name_the_older_has_it():
    one = memory("mem_bbbbbbbbbbbb", extra={"file": "context.json"})
    two = memory("mem_aaaaaaaaaaaa", extra={"file": "Context.json"})
    index = document(rendered(one, two), "_index.json")
    assert [line["file_path"] for line in index["entries"]] == [
        "context.json",
        "mem_aaaaaaaaaaaa.json",
    ]


def test_a_name_that_becomes_free_goes_to_the_next_who_wants_it():
    one = memory("mem_bbbbbbbbbbbb", status="archived", extra={"file": "context.json"})
    two = memory("mem_aaaaaaaaaaaa", extra={"file": "context.json"})
    files = rendered(one, two, touched=Touched(memories=frozenset(["mem_bbbbbbbbbbbb"])))
    assert document(files, "context.json")["id"] == two.id
    assert document(files, "archive/context.json")["id"] == one.id
    assert files[f"{FOLDER}/mem_aaaaaaaaaaaa.json"] is None


def test_only_what_was_touched_is_rendered():
    files = rendered(
        memory(),
        memory("mem_bbbbbbbbbbbb"),
        memory("mem_cccccccccccc", scope="team:qa"),
        touched=Touched(memories=frozenset(["mem_aaaaaaaaaaaa"])),
    )
    assert {path for path, content in files.items() if content} == {
        f"{FOLDER}/_index.json",
        f"{FOLDER}/mem_aaaaaaaaaaaa.json",
    }


def test_an_index_is_cut_before_it_has_so_many_entries():
    many = [memory(f"mem_{n:012}") for n in range(7)]
    files = rendered(*many, options=HivemindOptions(split_at=4))
    first = document(files, "_index.json")
    assert first["parts"] == ["_index-2.json", "_index-3.json"]
    assert first["entry_count"] == 7
    parts = [first, *(document(files, name) for name in first["parts"])]
    assert [len(part["entries"]) for part in parts] == [3, 3, 1]
    fewer = [one.replace(status="forgotten") for one in many[:4]] + many[4:]
    files = rendered(*fewer, options=HivemindOptions(split_at=4))
    assert "parts" not in document(files, "_index.json")
    assert files[f"{FOLDER}/_index-2.json"] is files[f"{FOLDER}/_index-3.json"] is None


def test_of_a_scope_that_a_memory_may_have_left_every_part_is_rendered():
    here = [memory(f"mem_{n:012}") for n in range(7)]
    gone = memory("mem_zzzzzzzzzzzz", scope="team:qa")
    scopes = frozenset(("project:shop", "team:qa"))
    names = frozenset((gone.id,))
    parts = {f"{FOLDER}/{name}" for name in ("_index.json", "_index-2.json", "_index-3.json")}
    for born, wanted in ((frozenset(), parts), (names, parts - {f"{FOLDER}/_index-2.json"})):
        touched = Touched(memories=names, scopes=scopes, born=born)
        files = rendered(*here, gone, touched=touched, options=HivemindOptions(split_at=4))
        assert {path for path in parts if files.get(path)} == wanted


TAGS = st.lists(st.sampled_from(["api", "login", "db", "ui"]), unique=True)
TYPES = st.sampled_from(["factual", "procedural", "episodic", "semantic", "working"])
RECORDS = st.lists(
    st.tuples(TAGS, TYPES, st.sampled_from(["active", "archived", "forgotten", "flagged"])),
    max_size=12,
)


@given(RECORDS, st.sampled_from([3, 1000]))
def test_an_index_counts_and_maps_exactly_what_is_there(records, split_at):
    made = [
        memory(f"mem_{n:012}", tags=tuple(tags), type=kind, status=status)
        for n, (tags, kind, status) in enumerate(records)
    ]
    files = rendered(*made, options=HivemindOptions(split_at=split_at))
    for place, statuses in (("", ("active", "flagged")), ("archive/", ("archived",))):
        here = [one for one in made if one.status in statuses]
        if not files.get(f"{FOLDER}/{place}_index.json"):
            assert not here
            continue
        index = document(files, f"{place}_index.json")
        entries = list(index["entries"])
        for part in index.get("parts", ()):
            entries += document(files, f"{place}{part}")["entries"]
        assert [one["id"] for one in entries] == [one.id for one in here]
        assert index["entry_count"] == len(here)
        for table, carried in (("tag_index", "tags"), ("type_index", "type")):
            expected: dict[str, list[str]] = {}
            for one in here:
                value = getattr(one, carried)
                for key in (value,) if isinstance(value, str) else value:
                    expected.setdefault(key, []).append(one.id)
            assert index[table] == expected


def test_a_long_content_is_shown_short_with_the_whole_beside_it():
    text = "\u00e9\x01" * 5000
    files = rendered(memory(text=text))
    shown = document(files, "mem_aaaaaaaaaaaa.json")
    assert len(json.dumps(shown["content"], ensure_ascii=False).encode()) < 10_240
    assert shown["references"] == [
        {"type": "file", "id": "mem_aaaaaaaaaaaa.full.json", "relationship": "part_of"}
    ]
    assert document(files, "mem_aaaaaaaaaaaa.full.json")["content"] == {"text": text}


@each_row(
    ("content", "reason"),
    [
        (b"{", "not JSON, line 1"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "not a JSON object"),
        (b'{"id": "mem_aaaaaaaaaaaa"}', "no content"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_entry_cannot_be_read(content, reason):
    with pytest.raises(Unreadable, match=reason):
        HivemindCodec().parse(f"{FOLDER}/mem_aaaaaaaaaaaa.json", content)


def test_a_file_of_another_shape_is_left_to_its_owner():
    assert HivemindCodec().parse(f"{FOLDER}/package.json", b'{"name": "x"}') == []
