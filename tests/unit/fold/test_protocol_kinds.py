"""The kinds that protocols add to a memory's life: proposed, revised, promoted, linked, counted."""

from __future__ import annotations

import pytest

from tests.properties.lines import line_of
from tests.properties.world import rows_of
from varves.events.codec import decode
from varves.events.tellings import accesses

MEMORY, OTHER = "mem_aaaaaaaaaaaa", "mem_bbbbbbbbbbbb"
RECORD = {"memory": MEMORY, "scope": "project:p", "text": "Use Zod", "type": "decision"}
WHEN = "2026-11-15T08:00:00.000Z"


def event(number: int, kind: str, content: dict, *, log: str = "project", **fields):
    stamp = {"id": f"evt_{number}", "seq": number, "hlc": f"{number:016x}", **fields}
    return decode(line_of(kind=kind, data=content, **stamp), log)


def test_what_is_proposed_is_not_current_until_it_is_recorded_in_its_own_log():
    proposed = event(1, "memory.proposed", RECORD, log="private")
    assert rows_of([proposed])[MEMORY]["status"] == "proposed"
    recorded = event(2, "memory.recorded", {**RECORD, "number": 15})
    for events in ([proposed, recorded], [recorded, proposed]):
        row = rows_of(events)[MEMORY]
        assert (row["status"], row["kept"], row["extra"]["number"]) == ("active", "project", 15)


def test_a_proposal_recorded_in_the_log_it_was_made_in_is_current_too():
    both = [
        event(1, "memory.proposed", RECORD, log="private"),
        event(2, "memory.recorded", RECORD, log="private"),
    ]
    assert rows_of(both)[MEMORY]["status"] == "active"


def test_a_rejected_proposal_is_dropped_and_its_value_stays_rejected_where_it_was_meant_for():
    proposed = event(1, "memory.proposed", RECORD, log="private")
    dropped = event(2, "memory.rejected", {"memory": MEMORY, "reason": "no"}, log="private")
    value = {"memory": MEMORY, "text": "Use Zod", "scope": "project:p"}
    rejected = event(3, "memory.rejected", value)
    again = event(4, "memory.recorded", {**RECORD, "memory": OTHER})
    rows = rows_of([proposed, dropped, rejected, again])
    assert rows[MEMORY]["status"] == "forgotten"
    assert rows[OTHER]["status"] == "flagged"
    assert "evt_3" in rows[OTHER]["reason"]


def test_a_revision_may_change_what_a_memory_says_and_what_a_protocol_adds():
    recorded = event(1, "memory.recorded", {**RECORD, "type": "factual", "number": 3})
    changes = {"text": "Use Yup", "number": 4, "body": {"x": 1}, "type": "semantic"}
    revised = event(2, "memory.revised", {"memory": MEMORY, "set": changes})
    row = rows_of([recorded, revised])[MEMORY]
    assert (row["text"], row["type"], row["nature"]) == ("Use Yup", "semantic", "semantic")
    assert (row["extra"]["number"], row["extra"]["body"]) == (4, {"x": 1})
    claims = [["0000000000000001", "forger.main", "evt_1", 3]]
    claims.append(["0000000000000002", "forger.main", "evt_2", 4])
    assert row["extra"]["numbers"] == claims


@pytest.mark.parametrize("changes", [{"text": 1}, {"body": "x"}, {"number": "4"}, {"status": "x"}])
def test_a_revision_that_says_nonsense_changes_nothing(changes):
    recorded = event(1, "memory.recorded", RECORD)
    revised = event(2, "memory.revised", {"memory": MEMORY, "set": changes})
    assert rows_of([recorded, revised]) == rows_of([recorded])


def test_a_subtype_is_the_category():
    record = {**RECORD, "type": "episodic", "subtype": "error"}
    row = rows_of([event(1, "memory.recorded", record)])[MEMORY]
    assert (row["nature"], row["category"]) == ("episodic", "error")


def test_a_promoted_memory_stays_and_both_name_each_other():
    events = [
        event(1, "memory.recorded", RECORD),
        event(2, "memory.recorded", {**RECORD, "memory": OTHER, "scope": "team:core"}),
        event(3, "memory.promoted", {"memory": MEMORY, "by": OTHER}),
    ]
    rows = rows_of(events)
    assert {row["status"] for row in rows.values()} == {"active"}
    assert rows[MEMORY]["links"] == {"promoted_to": [OTHER]}
    assert rows[OTHER]["links"] == {"promoted_from": [MEMORY]}


def test_one_event_may_promote_a_memory_and_bring_the_copy_and_one_undo_takes_both_back():
    copy = {**RECORD, "memory": OTHER, "scope": "team:core"}
    events = [
        event(1, "memory.recorded", RECORD),
        event(2, "memory.promoted", {"memory": MEMORY, "by": OTHER, "record": copy}),
    ]
    rows = rows_of(events)
    assert (rows[OTHER]["status"], rows[OTHER]["scope"]) == ("active", "team:core")
    assert rows[MEMORY]["links"] == {"promoted_to": [OTHER]}
    undone = {"event": "evt_2", "kind": "memory.promoted", "memories": [MEMORY, OTHER]}
    rows = rows_of([*events, event(3, "event.undone", undone)])
    assert (rows[MEMORY]["status"], rows[OTHER]["status"]) == ("active", "forgotten")
    assert rows[MEMORY]["links"] == {}


GAINS = {
    "add_tags": ["b", "a"],
    "links": {"merged_from": [MEMORY]},
    "references": [{"id": "x"}, {"id": "y"}],
}


@pytest.mark.parametrize("given", [None, "nonsense", [{"id": "x"}]])
def test_a_merge_gives_what_it_says_and_one_undo_takes_all_of_it_back(given):
    other = {**RECORD, "memory": OTHER, "tags": ["a"]} | ({"references": given} if given else {})
    events = [
        event(1, "memory.recorded", RECORD),
        event(2, "memory.recorded", other),
        event(3, "memory.merged", {"memory": MEMORY, "by": OTHER, "rule": "r", **GAINS}),
    ]
    row = rows_of(events)[OTHER]
    assert row["tags"] == ("a", "b")
    assert row["links"] == {"supersedes": [MEMORY], "merged_from": [MEMORY]}
    assert row["extra"]["references"] == GAINS["references"]
    assert row["version"] == "evt_3"
    undone = {"event": "evt_3", "kind": "memory.merged", "memories": [MEMORY, OTHER]}
    row = rows_of([*events, event(4, "event.undone", undone)])[OTHER]
    assert (row["tags"], row["links"]) == (("a",), {})
    assert row["extra"].get("references") == given


@pytest.mark.parametrize(
    "gains", [{"add_tags": [""]}, {"links": {"x": 1}}, {"links": []}, {"references": ["x"]}]
)
def test_a_merge_that_says_nonsense_changes_nothing(gains):
    both = [event(1, "memory.recorded", RECORD)]
    both.append(event(2, "memory.recorded", {**RECORD, "memory": OTHER}))
    said = {"memory": MEMORY, "by": OTHER, **gains}
    assert rows_of([*both, event(3, "memory.merged", said)]) == rows_of(both)


def test_an_untrusted_merge_gives_nothing():
    both = [event(1, "memory.recorded", RECORD)]
    both.append(event(2, "memory.recorded", {**RECORD, "memory": OTHER}))
    said = {"memory": MEMORY, "by": OTHER, **GAINS}
    assert rows_of([*both, event(3, "memory.merged", said, trust=1)]) == rows_of(both)


def test_links_are_added_once():
    events = [
        event(1, "memory.recorded", {**RECORD, "links": {"references": [OTHER]}}),
        event(2, "memory.linked", {"memory": MEMORY, "links": {"references": [OTHER, "mem_c"]}}),
    ]
    assert rows_of(events)[MEMORY]["links"] == {"references": [OTHER, "mem_c"]}


def test_an_archived_memory_can_be_restored():
    events = [
        event(1, "memory.recorded", RECORD),
        event(2, "memory.archived", {"memory": MEMORY, "reason": "unused for 90 days"}),
    ]
    row = rows_of(events)[MEMORY]
    assert (row["status"], row["reason"]) == ("archived", "unused for 90 days")
    events.append(event(3, "memory.restored", {"memory": MEMORY}))
    assert rows_of(events)[MEMORY]["status"] == "active"


def test_what_was_accessed_counts_only_if_it_is_well_said_and_trusted():
    said = {"accessed": {MEMORY: [3, WHEN], OTHER: [0, WHEN], "x": [1, WHEN], "mem_c": "1"}}
    assert accesses(event(1, "memory.accessed", said)) == {MEMORY: (3, WHEN)}
    assert accesses(event(1, "memory.accessed", said, trust=1)) == {}
    assert accesses(event(1, "memory.accessed", {"accessed": [MEMORY]})) == {}


def test_what_was_accessed_ties_no_memories_together():
    said = {"accessed": {MEMORY: [3, WHEN], OTHER: [1, WHEN]}}
    recorded = event(1, "memory.recorded", RECORD)
    assert rows_of([recorded, event(2, "memory.accessed", said)]) == rows_of([recorded])
