"""Corners of the fold that the laws in properties/ seldom come to."""

from __future__ import annotations

import pytest

from tests.properties.lines import line_of
from tests.properties.world import rows_of
from varves.events.codec import decode
from varves.projections.purging import in_place

MEMORY, OTHER = "mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb"
RECORD = {"memory": MEMORY, "scope": "project", "text": "Use Zod"}


def event(number: int, kind: str, content: dict, **fields):
    stamp = {"id": f"evt_{number}", "seq": number, "hlc": f"{number:016x}", **fields}
    return decode(line_of(kind=kind, data=content, **stamp), "project")


def test_what_was_made_elsewhere_was_said_when_it_was_made_unless_it_says_otherwise():
    made = "2026-01-01T00:00:00.000Z"
    shared = event(1, "memory.shared", {**RECORD, "created_at": made})
    assert rows_of([shared])[MEMORY]["at"] == made
    said = event(1, "memory.shared", {**RECORD, "created_at": made, "at": "2025-01-01"})
    assert rows_of([said])[MEMORY]["at"] == "2025-01-01"


def test_a_record_with_one_more_word_keeps_it():
    row = rows_of([event(1, "memory.recorded", {**RECORD, "tags": ["web"]})])[MEMORY]
    assert row["tags"] == ("web",)


@pytest.mark.parametrize(("trust", "stands"), [(3, True), (2, True), (1, False)])
def test_only_a_trusted_event_stands_in_for_one_that_is_trusted(trust, stands):
    held = event(
        1, "memory.superseded", {**RECORD, "by": OTHER, "record": {**RECORD, "memory": OTHER}}
    )
    place = {"event": held.id, "hlc": held.hlc, "writer": held.writer, "time": held.time}
    place |= {"actor": held.actor, "session": None}
    again = event(
        2, "memory.superseded", {"memory": MEMORY, "by": OTHER, "instead": place}, trust=trust
    )
    [left] = in_place([held, again], {OTHER})
    assert (left.data == again.data) is stands
    assert left.id == held.id


def test_nothing_stands_in_for_an_event_that_no_purge_concerns():
    held = event(1, "memory.forgotten", {"memory": MEMORY, "reason": "old"})
    place = {"event": held.id, "hlc": held.hlc, "writer": held.writer, "time": held.time}
    again = event(2, "memory.restored", {"memory": OTHER, "instead": place | {"actor": "x"}})
    assert in_place([held, again], {OTHER}) == [held]
