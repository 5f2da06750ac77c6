"""An entry of a file and its record, there and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.events.event import Event
from varves.protocols.port import Stock, Touched
from varves.protocols.scoped.codec import File, ScopedCodec
from varves.protocols.scoped.entries import ENTRY, entry, record
from varves.protocols.scoped.places import path_of, scope_in
from varves.protocols.unreadable import Unreadable
from varves.values.memory import Memory

GOOD = {
    "id": "mem-001",
    "type": "decision",
    "content": "Use Zod",
    "confidence": 0.95,
    "created_at": "2026-02-15T14:20:00Z",
    "accessed_count": 12,
}
VALUES = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-2, 2) | st.text(max_size=9)


def memory(content):
    said = record(content)
    moment = said.pop("created_at", "2026-11-15T06:20:00.000Z")
    unknown = said.pop("unknown")
    times = dict.fromkeys(("updated_at", "at"), moment)
    who = dict.fromkeys(("created_by", "updated_by"), "USER")
    extra = {"number": 1, "unknown": unknown} if unknown else {"number": 1}
    return Memory(
        id="mem_0", scope="project:p", created_at=moment, extra=extra, **said, **times, **who
    )


def test_a_good_entry_has_no_faults_and_comes_back_as_it_was():
    assert list(ENTRY.faults(GOOD)) == []
    assert entry(memory(GOOD), "mem-001", 12) == GOOD
    assert list(entry(memory(GOOD), "mem-001", 12)) == list(GOOD)


@given(
    st.fixed_dictionaries(
        {"content": st.text(min_size=1)},
        optional={
            **dict.fromkeys(("type", "confidence", "created_at"), VALUES),
            **dict.fromkeys(("owner", "note"), VALUES),
        },
    )
)
def test_whatever_a_person_wrote_is_shown_again(content):
    shown = entry(memory(content), "mem-001", 0)
    assert {key: shown[key] for key in content} == content
    again = record(shown)
    assert again["text"] == content["content"]
    assert entry(memory(shown), "mem-001", 0) == shown


@each_row(
    ("key", "value", "rule"),
    [
        ("type", "fact", "S2-13"),
        ("content", " ", "S2-14"),
        ("confidence", 1.1, "S2-15"),
        ("confidence", True, "S2-15"),
        ("created_at", "2026-02-15T14:20:00+00:00", "S2-16"),
        ("created_at", 7, "S2-16"),
        ("accessed_count", -1, "S2-17"),
        ("accessed_count", 1.0, "S2-17"),
    ],
)
def test_each_fault_is_named_by_its_rule(key, value, rule):
    [(broken, message)] = ENTRY.faults({**GOOD, key: value})
    assert broken == rule
    assert message.startswith(key)


@pytest.mark.parametrize(
    ("scope", "path"),
    [
        ("session:s1", "memory/sessions/s1.json"),
        ("project:shop", "memory/projects/shop/memory.json"),
        ("team:core", "memory/teams/core/memory.json"),
        ("global", "memory/global/memory.json"),
    ],
)
def test_scopes_and_paths(scope, path):
    assert path_of(scope) == path
    assert scope_in(path) == scope


@each_row(
    "path",
    [
        "memory/sessions/current.json",
        "memory/sessions/_index.json",
        "memory/sessions/archive/s1.json",
        "memory/projects/shop/_index.json",
        "memory/projects/shop/context.json",
        "memory/projects/memory.json",
        "memory/agents/ada/memory.json",
        "memory/global/user-profile.json",
        "memory/global/x/memory.json",
        "other/global/memory.json",
    ],
)
def test_files_of_others_are_not_ours(path):
    codec = ScopedCodec()
    assert not codec.is_state(path)
    assert not codec.is_derived(path)


def test_a_rendered_file_is_read_back():
    codec = ScopedCodec()
    content = File(records=[memory(GOOD)]).written({"mem_0": (12, "")})
    assert content.endswith(b"}\n")
    whole, only = codec.parse("memory/projects/p/memory.json", content)
    assert (whole.key, whole.content) == ("", {})
    assert (only.key, only.content) == ("mem-001", GOOD)


def test_keys_of_a_persons_own_stand_around_the_published_ones():
    keys = {"owner": "Ada", "$schema": "s.json", "about": None}
    content = File(records=[], keys=keys).written({})
    assert list(json.loads(content)) == ["$schema", "version", "entries", "about", "owner"]
    [whole] = ScopedCodec().parse("memory/projects/p/memory.json", content)
    assert (whole.key, whole.content) == ("", keys)


def test_keys_come_from_the_files_own_log_alone():
    path = "memory/projects/p/memory.json"

    def adopted(log, **content):
        fields = {"id": "e", "kind": "file.adopted", "session": None, "data": content}
        return Event(fields, log)

    events = (
        adopted("project", path=path, unknown={"a": 1, "b": 2}),
        adopted("private", path=path, unknown={"c": 3}),
        adopted("project", path=path, removed=["a", "version"], unknown={"version": "2.0"}),
        adopted("project", path="../memory.json", unknown={"d": 4}),
        adopted("project", path="memory/global/memory.json", unknown={"d": 4}),
        adopted("project", path=path, unknown=["e"], removed="b"),
        adopted("project"),
    )
    stock = Stock(memories=(), counts={}, events=events, checkout="")
    files = ScopedCodec().render(stock, None)
    assert {name: json.loads(content or b"") for name, content in files.items()} == {
        path: {"version": "1.0", "entries": [], "b": 2}
    }


def test_only_what_was_touched_is_rendered():
    one = memory(GOOD)
    other = one.replace(id="mem_1", scope="project:q")
    stock = Stock(memories=(one, other), counts={}, events=(), checkout="")
    codec = ScopedCodec()
    everything = codec.render(stock, None)
    assert set(everything) == {"memory/projects/p/memory.json", "memory/projects/q/memory.json"}
    by_memory = codec.render(stock, Touched(memories=frozenset(("mem_1",))))
    by_scope = codec.render(stock, Touched(scopes=frozenset(("project:q",))))
    assert (
        by_memory
        == by_scope
        == {"memory/projects/q/memory.json": everything["memory/projects/q/memory.json"]}
    )


def test_a_tracked_file_shows_nothing_of_another_log():
    private = memory(GOOD).replace(kept="private")
    stock = Stock(memories=(private,), counts={}, events=(), checkout="")
    assert ScopedCodec().render(stock, None) == {}


def test_ids_that_are_none_or_stand_twice_have_keys_of_their_own():
    entries = [GOOD, {**GOOD, "content": "b"}, {"content": "c"}, {**GOOD, "id": "seven"}]
    raw = json.dumps({"version": "1.0", "entries": entries}).encode()
    keys = [one.key for one in ScopedCodec().parse("", raw)]
    assert keys == ["", "mem-001", "#2", "#3", "#4"]


def test_nested_too_deeply_is_unreadable():
    raw = b'{"version": "1.0", "entries": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(Unreadable):
        ScopedCodec().parse("", raw)
