"""The table of a published record's fields: files are written, read, checked and merged by it."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from tests.unit.commands.rows import memory
from varves.errors import UsageError
from varves.protocols.records import (
    PublishedField,
    RecordTable,
    is_count,
    is_unit,
    is_word,
    listed,
    moment,
    one_of,
    only,
    seconds,
    unit,
    unless,
)
from varves.protocols.threeway import ABSENT, counted
from varves.protocols.unreadable import Unreadable


def _refused(value):
    raise UsageError(f"no {value}", "give another")


def _too_long(value, most):
    return f"longer than {most}" if len(value) > most else ""


TABLE = RecordTable(
    PublishedField(key="id"),
    PublishedField(key="kind", name="type", read=only(is_word), default="note"),
    PublishedField(key="when", name="created_at", read=moment, show=seconds),
    PublishedField(key="owner", name="owner", read=_refused),
    PublishedField(
        key="name",
        name="text",
        faults=(("R-1", unless(is_word, "blank")), ("R-2", _too_long)),
    ),
    PublishedField(key="count", merge=counted),
    rule="R-0",
)
PUBLISHED = {
    "id": "n-1",
    "kind": "note",
    "when": "2026-11-15T06:20:00Z",
    "owner": None,
    "name": "Use Zod",
    "count": 3,
}


def test_a_record_is_shown_with_its_keys_in_order():
    one = memory(type="note", extra={"unknown": {"b": 1, "name": "as found", "a": 2}})
    given = {"id": "n-1", "name": "Use Zod", "count": 3}
    shown = TABLE.encode(one, given, {"more": True})
    assert shown == {**PUBLISHED, "more": True, "b": 1, "a": 2}
    assert list(shown) == [*PUBLISHED, "more", "b", "a"]


def test_a_value_that_cannot_be_recorded_is_shown_as_found():
    found = TABLE.decode({**PUBLISHED, "kind": 7, "owner": "Ada"})
    assert found.said["type"] == "note"
    assert "owner" not in found.said
    assert found.invalid == ("kind", "owner")
    assert found.unknown == {"kind": 7, "owner": "Ada"}
    extra = {"unknown": found.unknown}
    assert TABLE.encode(memory(extra=extra), {})["kind"] == 7


def test_a_value_that_would_be_shown_differently_is_recorded_and_shown_as_found():
    found = TABLE.decode({"when": "2026-11-15T07:20:00+01:00"})
    assert found.said["created_at"] == "2026-11-15T06:20:00.000Z"
    assert found.unknown == {"when": "2026-11-15T07:20:00+01:00"}
    assert found.invalid == ()


def test_a_caller_may_know_a_better_default():
    assert TABLE.decode({}).said == {"type": "note"}
    assert TABLE.decode({}, type="fact").said == {"type": "fact"}
    assert TABLE.decode({"kind": ""}, type="fact").said == {"type": "fact"}


def test_a_derived_key_is_not_read():
    found = TABLE.decode({"id": "n-9", "count": 9})
    assert (found.said, found.unknown) == ({"type": "note"}, {})


def test_only_the_first_broken_rule_of_a_value_is_named():
    assert list(TABLE.faults({"name": " " * 9}, 5)) == [("R-1", "blank")]
    assert list(TABLE.faults({"name": "Use Zod"}, 5)) == [("R-2", "longer than 5")]
    assert list(TABLE.faults({"name": "Use Zod"}, 7)) == []
    assert list(TABLE.faults({}, 7)) == []


@each_row(
    ("one", "expected"),
    [
        (PUBLISHED, []),
        ({"id": "n-1", "kind": "note"}, [("R-0", "without when, owner, name, count")]),
        (["n-1"], [("R-0", "not an object")]),
    ],
)
def test_all_keys_are_required(one, expected):
    assert list(TABLE.missing(one)) == expected


def test_each_key_merges_by_its_own_rule():
    base, ours, theirs = {"count": 2, "name": "a"}, {"count": 5, "name": "a"}, {"count": 3}
    merged = TABLE.merge()(base, ours, {**theirs, "name": "b"}, 0)
    assert merged == {"count": 6, "name": "b"}


@each_row(
    ("fits", "value", "expected"),
    [
        (is_word, "a", True),
        (is_word, " ", False),
        (is_word, 1, False),
        (is_unit, 0, True),
        (is_unit, 1.0, True),
        (is_unit, True, False),
        (is_unit, 1.1, False),
        (is_unit, "1", False),
        (is_count, 0, True),
        (is_count, False, False),
        (is_count, -1, False),
        (is_count, 1.0, False),
    ],
)
def test_what_a_value_is(fits, value, expected):
    assert fits(value) is expected


@each_row(
    ("read", "value", "expected"),
    [
        (unit, 1, 1.0),
        (unit, None, ABSENT),
        (moment, "2026-02-15", "2026-02-15T00:00:00.000Z"),
        (moment, "0001-01-01T00:00:00+14:00", ABSENT),
        (moment, 5, ABSENT),
        (_refused, 5, ABSENT),
    ],
)
def test_what_a_record_stores_of_a_value(read, value, expected):
    assert PublishedField(key="a", name="a", read=read).take(value) == expected


def test_a_fault_names_the_key_and_the_words():
    fault = one_of("type", ("a", "b"))
    assert fault("a", None) == ""
    assert fault(["a"], None) == "type is not one of a, b"


@each_row(
    ("document", "message"),
    [
        ({}, "entries is not a list"),
        ({"entries": {}}, "entries is not a list"),
        ({"entries": [{"content": "a"}, 5]}, "entry 2 is not an object whose content is text"),
        ({"entries": [{"content": 5}]}, "entry 1 is not an object whose content is text"),
        (
            {"entries": [{"content": "é" * (5 << 20)}]},
            "the content of entry 1 is longer than 8 MiB",
        ),
    ],
)
def test_a_list_of_records_has_texts(document, message):
    with pytest.raises(Unreadable) as raised:
        listed(document, "entries", "entry")
    assert raised.value.message == message
