"""Corners of the fold that the laws in properties/ seldom come to."""

from __future__ import annotations

import re

import pytest

from tests.properties.lines import line_of
from tests.properties.world import rows_of
from varves.events.codec import decode
from varves.fold.changes import resolve_proposal
from varves.fold.conflicts import conflict_id
from varves.fold.stand_ins import in_place, names_of, writer_of

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


@pytest.mark.parametrize(("trust", "text"), [(3, "Use Zod"), (2, "Use Zod"), (1, "Use Yup")])
def test_of_several_recordings_the_first_counts_unless_only_a_later_one_is_trusted(trust, text):
    first = event(1, "memory.recorded", RECORD, trust=trust)
    later = event(2, "memory.recorded", {**RECORD, "text": "Use Yup"})
    assert rows_of([first, later])[MEMORY]["text"] == text


def test_rivals_are_told_which_of_them_stands():
    known = event(1, "memory.recorded", RECORD)
    rivals = [
        event(
            number,
            "memory.superseded",
            {**RECORD, "by": name, "record": {**RECORD, "memory": name, "text": name}},
        )
        for number, name in ((2, "mem_000000000002"), (3, "mem_000000000003"))
    ]
    rows = rows_of([known, *rivals])
    assert rows["mem_000000000003"]["status"] == "active"
    assert rows["mem_000000000002"]["status"] == "flagged"
    assert "mem_000000000003" in rows["mem_000000000002"]["reason"]


@pytest.mark.parametrize(
    ("scope", "status"), [("agent:bob", "flagged"), ("agent:eve", "active"), ("project", "active")]
)
def test_a_rejected_value_is_rejected_in_its_own_scope(scope, status):
    act = {**RECORD, "scope": "agent:bob", "reason": "no longer true"}
    known = event(1, "memory.recorded", {**RECORD, "scope": "agent:bob"})
    rejected = event(2, "memory.rejected", act)
    again = event(3, "memory.recorded", {**RECORD, "memory": OTHER, "scope": scope}, writer="x.y")
    assert rows_of([known, rejected, again])[OTHER]["status"] == status


def test_an_event_goes_by_its_own_name_and_the_one_it_stands_for():
    plain = event(1, "memory.forgotten", {"memory": MEMORY})
    assert names_of(plain) == ("evt_1",)
    place = {"event": "evt_0", "hlc": "0" * 16, "writer": "w", "time": "t", "actor": "a"}
    [standing] = in_place(
        [event(2, "memory.forgotten", {"memory": MEMORY, "instead": place})], set()
    )
    assert names_of(standing) == ("evt_0", "evt_2")


def test_no_clone_can_write_in_another_ones_name():
    place = {"event": "evt_0", "hlc": "0" * 16, "time": "t", "actor": "a"}
    for writer, blamed in (("ours.main", "ours.main"), ("theirs.main", "ours.side")):
        content = {"memory": MEMORY, "instead": {**place, "writer": writer}}
        [standing] = in_place([event(2, "memory.forgotten", content, writer="ours.side")], set())
        assert writer_of(standing) == blamed


def test_a_proposal_that_was_modified_leads_to_what_it_became():
    row = {"extra": {}, "links": {}, "status": "active", "reason": None}
    resolve_proposal(row, {"status": "modified", "successor": OTHER})
    assert row["links"] == {"superseded_by": [OTHER]}
    assert row["extra"] == {"resolution": "modified", "successor": OTHER}


def test_a_conflict_is_named_by_what_it_is_about():
    names = {
        conflict_id(*about) for about in (("siblings", "a"), ("siblings", "b"), ("returned", "a"))
    }
    assert len(names) == 3
    assert all(re.fullmatch("cfl_[0-9a-f]{12}", name) for name in names)


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


@pytest.mark.parametrize("trust", [2, 3])
def test_an_untrusted_record_does_not_take_the_place_of_a_trusted_one_that_was_undone(trust):
    known = event(1, "memory.recorded", RECORD, trust=trust)
    other = event(2, "memory.recorded", {**RECORD, "text": "Use Yup"}, trust=1)
    undone = event(3, "event.undone", {"event": "evt_1", "memories": [MEMORY]}, trust=3)
    row = rows_of([known, other, undone]).get(MEMORY)
    assert row is None or (row["text"], row["status"]) == ("Use Zod", "forgotten")


@pytest.mark.parametrize(
    ("kind", "status"), [("memory.forgotten", "forgotten"), ("memory.restored", "active")]
)
def test_what_the_shared_log_says_after_an_undo_counts_where_it_was_proposed_too(kind, status):
    """The clone that proposed it must come to the row that a clone without the proposal has."""
    proposed = decode(
        line_of(kind="memory.proposed", data=RECORD, id="evt_1", seq=1, hlc=f"{1:016x}"), "private"
    )
    known = event(2, "memory.recorded", RECORD)
    undone = event(3, "event.undone", {"event": "evt_2", "memories": [MEMORY]})
    alone = rows_of([proposed, known, undone])[MEMORY]
    assert (alone["status"], alone["kept"]) == ("proposed", "private")
    last = event(4, kind, {"memory": MEMORY})
    here, there = rows_of([proposed, known, undone, last]), rows_of([known, undone, last])
    assert here[MEMORY]["status"] == there[MEMORY]["status"] == status
    assert here[MEMORY]["kept"] == there[MEMORY]["kept"] == "project"


def test_versions_of_a_document_that_replace_each_other_in_a_circle_can_be_undone():
    """No clone writes such a circle; a forged log may."""

    def version(number: int, over: list[str], text: str):
        changes = {"text": text, "document": {"shelf": "s", "key": "k", "over": over}}
        return event(number, "memory.revised", {"memory": MEMORY, "set": changes})

    known = event(1, "memory.recorded", {**RECORD, "document": {"shelf": "s", "key": "k"}})
    circle = [version(2, ["evt_3"], "Use Joi"), version(3, ["evt_2"], "Use Yup")]
    undone = [
        event(number, "event.undone", {"event": f"evt_{number - 2}", "memories": [MEMORY]})
        for number in (4, 5)
    ]
    last = version(6, ["evt_2"], "Use Ajv")
    row = rows_of([known, *circle, *undone, last])[MEMORY]
    assert row["extra"]["heads"] == ["evt_1", "evt_6"]
    assert row["text"] == "Use Ajv"


def test_a_memory_names_each_one_that_it_replaced_once_and_only_as_trusted_events_say():
    other = event(2, "memory.recorded", {**RECORD, "memory": OTHER})
    for trust, links in ((3, {"supersedes": [MEMORY]}), (2, {"supersedes": [MEMORY]}), (1, {})):
        known = event(1, "memory.recorded", RECORD, trust=trust)
        twice = [
            event(number, "memory.superseded", {"memory": MEMORY, "by": OTHER}, trust=trust)
            for number in (3, 4)
        ]
        rows = rows_of([known, other, *twice])
        assert rows[MEMORY]["status"] == "superseded"
        assert rows[OTHER]["links"] == links, trust
