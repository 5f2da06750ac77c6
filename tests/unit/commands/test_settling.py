"""Resolve and undo: what each decides from the rows it is given."""

from __future__ import annotations

import pytest

from tests.unit.commands.rows import ACT, Rows, event, memory
from varves.commands import resolve, undo
from varves.errors import NotFound, Refused, Rejected

ONE = memory("mem_aaaaaaaaaaaa", "Use Valibot")
OTHER = memory("mem_bbbbbbbbbbbb", "Use Yup", status="flagged", version="evt_2")
MERGED = "mem_cccccccccccc"


def settled(rows=None, **choice):
    wish = resolve.Resolve(conflict="cfl_1", members=(ONE, OTHER), id=MERGED, **choice)
    decision = resolve.decide(rows or Rows(ONE, OTHER), wish, ACT)
    return decision.memory, decision.drafts[0]


def test_keeping_one_rejects_the_others_text():
    about, draft = settled(keep=OTHER.id)
    assert about == OTHER.id
    assert draft.data == {
        "conflict": "cfl_1",
        "memories": [ONE.id, OTHER.id],
        "keep": OTHER.id,
        "drop": [{"memory": ONE.id, "text": "Use Valibot", "scope": "project"}],
    }
    assert draft.cause == ("evt_1", "evt_2")


def test_keeping_a_rejected_value_lifts_its_rejection():
    _, draft = settled(Rows(ONE, OTHER).reject("Use Yup", "evt_r"), keep=OTHER.id)
    assert draft.data["lifts"] == ["evt_r"]


def test_merging_records_a_text_in_the_place_of_all():
    about, draft = settled(merge="Use Valibot, Yup for forms")
    assert about == MERGED
    assert draft.data["keep"] == MERGED
    assert draft.data["record"]["text"] == "Use Valibot, Yup for forms"
    assert [part["memory"] for part in draft.data["drop"]] == [ONE.id, OTHER.id]


def test_merging_to_what_one_of_them_says_does_not_reject_that_text():
    _, draft = settled(merge="use yup")
    assert draft.data["drop"] == [
        {"memory": ONE.id, "text": "Use Valibot", "scope": "project"},
        {"memory": OTHER.id},
    ]


def test_merging_to_a_value_rejected_elsewhere_is_refused():
    with pytest.raises(Rejected):
        settled(Rows(ONE, OTHER).reject("Use Zod", "evt_r"), merge="Use Zod")


def test_deleting_one_leaves_the_other():
    about, draft = settled(delete=ONE.id)
    assert about == ONE.id
    assert "keep" not in draft.data
    assert [part["memory"] for part in draft.data["drop"]] == [ONE.id]


@pytest.mark.parametrize("choice", ["keep", "delete"])
def test_a_memory_that_is_no_member_is_not_found(choice):
    with pytest.raises(NotFound, match="not a member of cfl_1"):
        settled(**{choice: "mem_zzzzzzzzzzzz"})


RECORD = {"memory": ONE.id, "text": "Use Valibot", "scope": "project"}


def undone(*events, target="evt_1"):
    rows = Rows(ONE, events=events)
    return undo.decide(rows, undo.Undo(event=target), ACT)


def test_undo_names_the_event_and_what_it_touched_in_the_same_log():
    decision = undone(event("evt_1", "memory.recorded", "private", **RECORD))
    (draft,) = decision.drafts
    assert decision.log == "private"
    assert draft.kind == "event.undone"
    assert draft.data == {"event": "evt_1", "kind": "memory.recorded", "memories": [ONE.id]}


def test_undoing_a_sharing_takes_it_back_as_such():
    (draft,) = undone(event("evt_1", "memory.shared", **RECORD)).drafts
    assert draft.kind == "memory.unshared"


def test_an_undone_event_is_not_undone_again_until_that_is_undone():
    first = event("evt_1", "memory.recorded", **RECORD)
    second = event("evt_2", "event.undone", event="evt_1", memories=[ONE.id])
    with pytest.raises(Refused, match="already undone"):
        undone(first, second)
    third = event("evt_3", "event.undone", event="evt_2", memories=[ONE.id])
    assert undone(first, second, third).drafts


@pytest.mark.parametrize("kind", ["memory.purged", "segment.closed", "unheard.of"])
def test_what_changes_no_memory_or_erases_one_cannot_be_undone(kind):
    with pytest.raises(Refused, match="cannot be undone"):
        undone(event("evt_1", kind, memory=ONE.id))


def test_an_event_that_is_not_here_is_not_found():
    with pytest.raises(NotFound):
        undone()
