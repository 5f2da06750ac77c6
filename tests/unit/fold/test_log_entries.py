"""The entries of a published log: born once, and what their file makes of them."""

from __future__ import annotations

import pytest

from tests.unit.fold.test_folding import MEMORY, RECORD, event, rows_of

ENTRY = {**RECORD, "type": "decision", "digest": "d1", "ordinal": 0}
BORN = event(1, "log.entry", ENTRY)
ALTERED = event(2, "log.altered", {"memory": MEMORY, "found": "d2", "reason": "altered"})


def row(*events):
    return rows_of(events)[MEMORY]


def test_an_entry_is_a_memory_with_its_digest():
    found = row(BORN)
    assert (found["status"], found["category"], found["nature"]) == (
        "active",
        "decision",
        "semantic",
    )
    assert found["extra"] == {"digest": "d1", "ordinal": 0}


def test_an_entry_that_two_recorded_is_one():
    again = event(2, "log.entry", {**ENTRY, "text": "the same, said elsewhere"}, writer="other.1")
    assert row(BORN, again)["text"] == "Use Zod"
    assert len(rows_of([BORN, again])) == 1


def test_an_altered_entry_is_flagged_until_it_is_back_or_the_change_is_accepted():
    assert (row(BORN, ALTERED)["status"], row(BORN, ALTERED)["reason"]) == ("flagged", "altered")
    back = event(3, "memory.restored", {"memory": MEMORY})
    assert row(BORN, ALTERED, back)["status"] == "active"
    changes = {"text": "Use Yup", "digest": "d2", "type": "change", "title": "Yup"}
    amended = row(BORN, ALTERED, event(3, "log.amended", {"memory": MEMORY, "set": changes}))
    assert (amended["status"], amended["text"], amended["category"]) == (
        "active",
        "Use Yup",
        "change",
    )
    assert amended["extra"] == {"digest": "d2", "ordinal": 0, "title": "Yup"}


@pytest.mark.parametrize(
    ("kind", "content"),
    [("log.amended", {"removed": True, "reason": "removed"}), ("log.archived", {})],
    ids=["removed", "archived"],
)
def test_an_entry_that_left_the_file_rests(kind, content):
    found = row(BORN, ALTERED, event(3, kind, {"memory": MEMORY, **content}))
    assert (found["status"], found["text"]) == ("archived", "Use Zod")


@pytest.mark.parametrize(
    "content",
    [{"memory": MEMORY, "set": {"text": 1}}, {"memory": MEMORY, "set": {"digest": None}}, {}],
    ids=["text", "digest", "empty"],
)
def test_a_malformed_amendment_changes_nothing(content):
    assert row(BORN, event(2, "log.amended", content)) == row(BORN)
