"""A person edits a conversation's saved state: what can be taken over is, and nothing is lost."""

from __future__ import annotations

import shutil

import pytest

from tests.places import forget_local

pytestmark = pytest.mark.requirement("U-07")


@pytest.fixture
def held(talk):
    """Give a conversation with two decisions and a proposal."""
    talk.hold(
        ("ada", "[DECISION] Postgres for storage."),
        ("ben", "[DECISION] Redis for the queue."),
        ("ben", "I propose a nightly backup."),
    )
    return talk


def outcomes(talk):
    return [one["outcome"] for one in talk.file()["decisions"]]


def kinds(talk):
    return [event.kind for event in talk.ledger.log()]


def test_an_added_record_is_recorded_once_whoever_finds_it(held):
    more = {"topic": "logs", "outcome": "Journald for logs", "supportingAgents": ["noa"]}
    held.edit(lambda state: state["decisions"].append(more))
    edited = held.path().read_bytes()
    held.say("ada", "So be it.")
    held.path().write_bytes(edited)  # as an editor had it open
    held.again()
    held.say("ben", "So be it.")
    assert outcomes(held)[2:] == ["Journald for logs"]
    [one] = [one for one in held.ledger.list() if one.text == "Journald for logs"]
    assert (one.created_by, one.type, one.kept) == ("USER", "decision", "private")
    assert held.file()["processedMessageCount"] == 5


@pytest.mark.requirement("S4-09", "S4-10")
def test_an_edit_to_a_value_that_it_cannot_have_is_ignored_and_named(held):
    before = held.file()["proposals"]

    def change(state):
        state["proposals"][0]["status"] = "maybe"
        state["proposals"].append({"id": "x2", "content": "a pond", "reactions": [{"reaction": 1}]})

    held.edit(change)
    assert {one.rule for one in held.verbs.validate()} >= {"S4-09", "S4-10"}
    notes = " ".join(held.verbs.core.notes)
    assert "the status is not one of active" in notes
    assert "a reaction is not one of support" in notes
    held.say("ada", "So be it.")
    assert held.file()["proposals"] == before


def test_more_than_five_that_vanish_at_once_are_put_back_and_told(talk):
    words = ("fig", "pear", "plum", "lime", "date", "kiwi")
    talk.hold(*(("ada", f"[DECISION] {word} for {word[::-1]}.") for word in words))
    talk.edit(lambda state: state["decisions"].clear())
    talk.say("ada", "So be it.")
    [note] = talk.verbs.core.notes
    assert "6 records" in note
    assert len(outcomes(talk)) == 6
    assert talk.ledger.list(status="forgotten") == ()


def test_a_state_that_is_gone_is_made_again_and_nothing_is_forgotten(held):
    before, events = held.path().read_bytes(), kinds(held)
    shutil.rmtree(held.path().parent)
    held.again()
    held.ledger.rebuild()
    assert (held.path().read_bytes(), kinds(held)) == (before, events)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("lost", [True, False], ids=["without local", "with local"])
def test_a_state_that_is_older_than_what_git_brought_is_no_edit(clone, lost):
    ours = clone()
    verbs = ours.at("2026-11-15T08:00:00Z").deliberation
    verbs.begin("shared", shared=True)
    verbs.say("ada", "[DECISION] Postgres for storage.")
    ours.commit("begin")
    theirs = clone("theirs", ours)
    theirs.at("2026-11-15T08:30:00Z").rebuild()
    theirs.close()
    if lost:
        forget_local(theirs.root)
    verbs = ours.at("2026-11-15T09:00:00Z").deliberation
    verbs.say("ada", "[DECISION] Redis for the queue.")
    ours.commit("more")
    theirs.git("pull", "--quiet", "--no-edit", ours.root, "main")

    theirs.at("2026-11-15T10:00:00Z").rebuild()

    path = "deliberations/shared/memory.json"
    assert (theirs.root / path).read_bytes() == (ours.root / path).read_bytes()
    assert theirs.git("status", "--porcelain") == ""
