"""Shared conversations in two clones: after a merge both see all of it; private ones stay."""

from __future__ import annotations

import json

import pytest


def state(one, name="talk"):
    path = one.root / f"deliberations/{name}/memory.json"
    return json.loads(path.read_text(encoding="utf-8"))


def speak(one, moment, *posts):
    verbs = one.at(moment).deliberation
    return [verbs.say(agent, text, conversation="talk") for agent, text in posts]


def begun(clone, *, shared=True):
    first = clone()
    first.at("2026-01-01T00:00:00Z").deliberation.begin("talk", shared=shared)
    speak(first, "2026-01-01T00:01:00Z", ("ada", "We decided on 'the store': Redis."))
    first.commit()
    return first, clone("second", first)


def test_a_clone_sees_a_shared_conversation_at_once(clone):
    first, second = begun(clone)

    told = second.at("2026-01-02T00:00:00Z").deliberation.context(conversation="talk")
    assert "- **the store**: Redis" in told.text
    [said] = speak(second, "2026-01-02T00:01:00Z", ("ben", "The sky is blue."))
    assert said.index == 1
    assert state(second)["decisions"] == state(first)["decisions"]


def test_both_sides_of_a_merge_are_one_conversation(clone):
    first, second = begun(clone)
    speak(
        first,
        "2026-01-02T00:00:00Z",
        ("ada", "I propose a nightly backup."),
        ("ada", "The sky is blue."),
    )
    speak(
        second,
        "2026-01-02T00:00:30Z",
        ("ben", "We decided on 'deploys': on Mondays."),
        ("ben", "The ice is thin."),
    )
    first.commit()
    second.commit()

    second.git("pull", "--quiet", "--no-rebase", "--no-edit", str(first.root))
    second.at("2026-01-03T00:00:00Z").rebuild()
    first.git("pull", "--quiet", "--no-rebase", "--no-edit", str(second.root))
    first.at("2026-01-03T00:00:00Z").rebuild()

    assert state(first) == state(second)
    found = state(first)
    assert found["processedMessageCount"] == 5
    assert [one["index"] for one in found["pendingMessages"]] == [0, 1, 2, 3, 4]
    assert {one["topic"] for one in found["decisions"]} == {"the store", "deploys"}
    assert [one["content"] for one in found["proposals"]] == ["a nightly backup"]
    [said] = speak(first, "2026-01-03T00:01:00Z", ("noa", "Hello there."))
    assert said.index == 5


def merged(first, second):
    """Merge two clones both ways; return what each summary covers, in the numbers of the merge."""
    first.commit()
    second.commit()
    second.git("pull", "--quiet", "--no-rebase", "--no-edit", str(first.root))
    second.at("2026-01-03T00:00:00Z").rebuild()
    first.git("pull", "--quiet", "--no-rebase", "--no-edit", str(second.root))
    first.at("2026-01-03T00:00:00Z").rebuild()
    assert state(first) == state(second)
    return spoken_in(first)


def spoken_in(one):
    """Return the messages of each summary."""
    verbs = one.at("2026-01-04T00:00:00Z").deliberation
    held = verbs.state(conversation="talk")
    shown = [verbs.show(said.id, conversation="talk") for said in held.summaries]
    return [[message.content for message in said.messages] for said in shown]


@pytest.mark.requirement("S4-06")
def test_messages_that_two_clones_summarised_are_summarised_once(clone):
    """Both clones had eleven messages and one of their own, so each made a summary of twelve."""
    first, second = begun(clone)
    common = [("ben", f"The bridge has {number} spans.") for number in range(2, 12)]
    speak(first, "2026-01-01T00:02:00Z", *common)
    first.commit()
    second.git("pull", "--quiet", "--no-rebase", "--no-edit", str(first.root))
    speak(first, "2026-01-02T00:00:00Z", ("ada", "The toll rises in May."))
    speak(second, "2026-01-02T00:00:30Z", ("noa", "The ferry stops in June."))
    for one in (first, second):
        assert len(state(one)["summaries"]) == 1

    (told,) = merged(first, second)
    assert len(told) == 12
    waiting = [one["content"] for one in state(first)["pendingMessages"]]
    assert sorted(told[-1:] + waiting) == ["The ferry stops in June.", "The toll rises in May."]

    speak(first, "2026-01-05T00:00:00Z", *[("ada", f"Lamp {n} is dim.") for n in range(12)])
    once = [text for some in spoken_in(first) for text in some]
    assert len(once) == len(set(once)) == 24


@pytest.mark.requirement("S4-06")
def test_the_rest_of_a_conversation_is_summarised_once_by_two_clones(clone):
    first, second = begun(clone)
    for one, moment in ((first, "2026-01-02T00:00:00Z"), (second, "2026-01-02T00:00:30Z")):
        one.at(moment).deliberation.summarise(conversation="talk", rest=True)
    assert merged(first, second) == [["We decided on 'the store': Redis."]]


def test_a_branch_in_anothers_place_is_noticed_though_as_much_was_said_there(clone):
    first, _ = begun(clone)
    ledger = first.at("2026-01-02T00:00:00Z")
    verbs = ledger.deliberation
    first.git("checkout", "--quiet", "-b", "side")
    verbs.say("ben", "I think tea is best.", conversation="talk")
    first.commit()
    first.git("checkout", "--quiet", "-")
    verbs.say("noa", "I think milk is best.", conversation="talk")
    first.commit()
    assert sorted(verbs.state(conversation="talk").agent_states) == ["ada", "noa"]

    first.git("checkout", "--quiet", "side")

    assert sorted(verbs.state(conversation="talk").agent_states) == ["ada", "ben"]
    assert verbs.say("eve", "Hello there.", conversation="talk").index == 2
    assert sorted(verbs.state(conversation="talk").agent_states) == ["ada", "ben", "eve"]


def test_a_private_conversation_stays_where_it_is(clone):
    first, second = begun(clone, shared=False)

    assert first.git("ls-files", "deliberations") == ""
    assert second.at("2026-01-02T00:00:00Z").deliberation.list() == ()
    assert list(second.at("2026-01-02T00:00:00Z").recall("store Redis")) == []


def test_a_clone_without_private_events_takes_nothing_for_lost(clone):
    _, second = begun(clone)
    ledger = second.at("2026-01-02T00:00:00Z")
    ledger.rebuild()
    before = len(ledger.log())

    ledger.deliberation.context(conversation="talk")
    assert ledger.deliberation.core.notes == []
    ledger.deliberation.save(conversation="talk")

    assert ledger.deliberation.core.notes == []
    assert len(ledger.log()) == before
