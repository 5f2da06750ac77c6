"""Correct, edit, forget, restore, share: what each decides from the rows it is given."""

from __future__ import annotations

import pytest

from tests.unit.commands.rows import ACT, Rows, memory
from varves.commands import correct, edit, forget, share
from varves.errors import NotFound, Refused, Rejected, Stale, UsageError

OLD = "mem_aaaaaaaaaaaa"
FRESH = "mem_bbbbbbbbbbbb"


def corrected(rows, text="Use Valibot", **options):
    command = correct.Correct(memory=OLD, id=FRESH, text=text, **options)
    return correct.decide(rows, command, ACT)


def test_a_correction_rejects_the_old_text_and_records_the_new_in_one_event():
    decision = corrected(Rows(memory(tags=("web",), ttl="1d")), reason="smaller")
    (draft,) = decision.drafts
    assert draft.kind == "memory.superseded"
    assert draft.cause == ("evt_1",)
    assert decision.memory == FRESH
    assert draft.data == {
        "memory": OLD,
        "by": FRESH,
        "reason": "smaller",
        "text": "Use Zod",
        "scope": "project",
        "record": {
            "memory": FRESH,
            "text": "Use Valibot",
            "scope": "project",
            "type": "note",
            "tags": ["web"],
            "ttl": "1d",
            "expires_at": "2026-11-16T06:20:00.000Z",
        },
    }


def test_a_correction_goes_to_the_log_that_keeps_the_memory():
    assert corrected(Rows(memory(kept="private"))).log == "private"


def test_a_change_of_case_alone_rejects_nothing():
    (draft,) = corrected(Rows(memory()), "use zod").drafts
    assert "text" not in draft.data
    assert draft.data["record"]["text"] == "use zod"


def test_correcting_to_what_another_memory_says_points_to_that_one():
    other = memory("mem_cccccccccccc", "Use Valibot")
    decision = corrected(Rows(memory(), other))
    assert decision.memory == other.id
    assert "record" not in decision.drafts[0].data


def test_correcting_to_a_rejected_value_needs_again():
    rows = Rows(memory()).reject("Use Valibot", "evt_r")
    with pytest.raises(Rejected, match="evt_r"):
        corrected(rows)
    assert corrected(rows, again=True).drafts[0].data["lifts"] == ["evt_r"]


@pytest.mark.parametrize("status", ["superseded", "forgotten"])
def test_what_is_no_longer_current_is_not_corrected(status):
    links = {"superseded_by": [FRESH]}
    with pytest.raises(Refused):
        corrected(Rows(memory(status=status, links=links)))


def test_correcting_to_the_very_same_text_is_refused():
    with pytest.raises(Refused, match="already"):
        corrected(Rows(memory()), "Use Zod")


CHANGES = [
    lambda rows, **seen: correct.decide(
        rows, correct.Correct(memory=OLD, id=FRESH, text="x", **seen), ACT
    ),
    lambda rows, **seen: edit.decide(
        rows, edit.Edit(memory=OLD, changes={"priority": "high"}, **seen), ACT
    ),
    lambda rows, **seen: forget.decide_forget(
        rows, forget.Forget(memory=OLD, reason="r", **seen), ACT
    ),
]


@pytest.mark.parametrize("change", CHANGES, ids=["correct", "edit", "forget"])
def test_every_change_needs_the_memory_and_the_version_the_caller_saw(change):
    with pytest.raises(NotFound):
        change(Rows())
    with pytest.raises(Stale, match="evt_1"):
        change(Rows(memory()), expect="evt_0")
    assert change(Rows(memory()), expect="evt_1").drafts


def test_restore_takes_an_expected_version_too():
    command = forget.Restore(memory=OLD, expect="evt_0")
    with pytest.raises(Stale):
        forget.decide_restore(Rows(memory(status="forgotten")), command, ACT)


def edited(rows, **options):
    own = {name: options.pop(name) for name in edit.Edit._fields if name in options}
    return edit.decide(rows, edit.Edit(memory=OLD, changes=options, **own), ACT).drafts[0].data


def test_an_edit_holds_only_what_really_changes():
    rows = Rows(memory(tags=("a", "b"), priority="low"))
    changes = edited(
        rows, add_tags=("b", "c"), remove_tags=("a", "z"), priority="low", confidence=0.5
    )
    assert changes == {
        "memory": OLD,
        "set": {"confidence": 0.5},
        "add_tags": ["c"],
        "remove_tags": ["a"],
    }


def test_an_edit_that_changes_nothing_is_a_usage_error():
    with pytest.raises(UsageError, match="nothing to change"):
        edited(Rows(memory(priority="low")), priority="low")


def test_a_scope_in_another_log_is_refused():
    with pytest.raises(Refused, match="project log"):
        edited(Rows(memory()), scope="global", scope_log="global")
    with pytest.raises(Refused):
        edited(Rows(memory(kept="private")), scope="global", scope_log="global")
    moved = edited(Rows(memory()), scope="agent:bob", scope_log="project")
    assert moved["set"] == {"scope": "agent:bob"}


def test_a_private_memory_may_have_any_scope_of_the_project_and_no_other_may_change_its_log():
    moved = edited(Rows(memory(kept="private")), scope="agent:bob", scope_log="project")
    assert moved["set"] == {"scope": "agent:bob"}
    with pytest.raises(Refused):
        edited(Rows(memory()), scope="team:web", scope_log="team:web")


def test_a_scope_in_which_the_value_was_rejected_is_refused():
    rows = Rows(memory()).reject("Use Zod", "evt_r", scope="agent:bob")
    with pytest.raises(Rejected):
        edited(rows, scope="agent:bob", scope_log="project")


def test_forgetting_rejects_the_text_and_happens_once():
    command = forget.Forget(memory=OLD, reason="outdated")
    (draft,) = forget.decide_forget(Rows(memory()), command, ACT).drafts
    assert draft.data == {
        "memory": OLD,
        "text": "Use Zod",
        "scope": "project",
        "reason": "outdated",
    }
    with pytest.raises(Refused, match="already"):
        forget.decide_forget(Rows(memory(status="forgotten")), command, ACT)


def restored(rows):
    return forget.decide_restore(rows, forget.Restore(memory=OLD), ACT).drafts[0]


def test_restoring_lifts_whatever_rejects_the_value():
    draft = restored(Rows(memory(status="forgotten")).reject("Use Zod", "evt_r"))
    assert draft.kind == "memory.restored"
    assert draft.data == {"memory": OLD, "lifts": ["evt_r"]}


def test_restoring_what_has_expired_takes_its_end_away():
    draft = restored(Rows(memory(ttl="1d", expires_at="2026-11-01T00:00:00.000Z")))
    assert draft.data["set"] == {"ttl": None, "expires_at": None}


def test_restoring_what_is_current_is_refused():
    with pytest.raises(Refused, match="current"):
        restored(Rows(memory()))


def shared(rows):
    return share.decide(rows, share.Share(memory=OLD), ACT)


def test_sharing_keeps_id_origin_and_trust_and_drops_the_private_history():
    private = memory(kept="private", origin="tool", trust=0, session="s-1", status="active")
    decision = shared(Rows(private))
    (draft,) = decision.drafts
    assert decision.log == "project"
    assert (draft.kind, draft.data["memory"]) == ("memory.shared", OLD)
    assert (draft.origin, draft.trust) == ("tool", 0)


def test_a_session_memory_is_shared_with_the_project():
    private = memory(kept="private", scope="session:s-1")
    assert shared(Rows(private)).drafts[0].data["scope"] == "project"


def test_only_current_private_memories_that_nobody_rejected_are_shared():
    with pytest.raises(Refused, match="not private"):
        shared(Rows(memory()))
    with pytest.raises(Refused, match="forgotten"):
        shared(Rows(memory(kept="private", status="forgotten")))
    with pytest.raises(Rejected):
        shared(Rows(memory(kept="private")).reject("Use Zod", "evt_r"))


def test_sharing_masks_what_only_this_clone_was_allowed_to_keep():
    token = "gh" + "p_" + "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6"
    (draft,) = shared(Rows(memory(kept="private", text=f"use {token}"))).drafts
    assert draft.data["text"] == "use [redacted:github-pat]"
    assert draft.data["redacted"] == ["github-pat"]
