"""Shelve: what writing and deleting a document decides from the rows it is given."""

from __future__ import annotations

import pytest

from tests.unit.commands.rows import ACT, Rows, event, memory
from varves.commands import shelve
from varves.errors import Refused, Rejected, Stale

NAME = "mem_aaaaaaaaaaaa"
WISH = {
    "memory": NAME,
    "shelf": "notes",
    "key": "plan",
    "log": "project",
    "scope": "project",
    "source": "shelf:notes/plan",
}


def shelved(rows, text="Use Zod", act=ACT, **options):
    return shelve.decide(rows, shelve.Shelve(text=text, **WISH, **options), act)


def test_a_document_that_was_deleted_counts_as_absent():
    gone = Rows(memory(NAME, status="forgotten"))
    decision, answer = shelved(gone, expect=shelve.ABSENT)
    assert [draft.kind for draft in decision.drafts] == ["memory.restored"]
    assert not answer.existed
    with pytest.raises(Stale, match="does not exist"):
        shelved(gone, expect="evt_1")


def test_a_document_that_stands_is_written_over_at_its_version_only():
    held = Rows(memory(NAME, "Use Yup"))
    decision, answer = shelved(held, expect="evt_1")
    assert [draft.kind for draft in decision.drafts] == ["memory.revised"]
    assert answer.existed
    with pytest.raises(Stale, match="is now at version evt_1"):
        shelved(held, expect=shelve.ABSENT)


def test_a_rejected_text_is_written_only_when_it_is_asked_for_again():
    rows = Rows().reject("Use Zod", "evt_9")
    with pytest.raises(Rejected):
        shelved(rows)
    decision, _ = shelved(rows, again=True)
    assert decision.drafts[0].data["lifts"] == ["evt_9"]


def test_an_operation_is_on_record_with_whether_the_document_existed():
    for rows, existed in ((Rows(), False), (Rows(memory(NAME, "Use Yup")), True)):
        decision, _ = shelved(rows, operation={"id": "op-1"})
        content = decision.drafts[0].data
        about = content.get("set", content)["document"]
        assert about["operation"] == {"id": "op-1", "existed": existed}
    decision, _ = shelved(Rows())
    assert "operation" not in decision.drafts[0].data["document"]


def test_a_tool_cannot_write_over_what_is_trusted():
    act = ACT.replace(origin="tool", trust=0)
    with pytest.raises(Refused, match="cannot change a trusted memory"):
        shelved(Rows(memory(NAME, "Use Yup", trust=2)), act=act)
    shelved(Rows(memory(NAME, "Use Yup", trust=1)), act=act)


def test_what_only_another_worktree_holds_is_recorded_here_before_it_is_changed():
    held = memory(NAME, "Use Yup", branch="feature")
    decision, _ = shelved(Rows(held))
    assert [draft.kind for draft in decision.drafts] == ["memory.recorded"]
    known = event("evt_1", "memory.recorded", memory=NAME, text="Use Yup", scope="project")
    decision, _ = shelved(Rows(held, events=(known,)))
    assert [draft.kind for draft in decision.drafts] == ["memory.revised"]


def test_a_document_in_quarantine_exists_only_for_those_who_are_not_trusted_themselves():
    for trust, existed in ((1, True), (2, False), (3, False)):
        held = Rows(memory(NAME, "Use Yup", trust=1))
        _, answer = shelved(held, act=ACT.replace(trust=trust))
        assert answer.existed is existed
