"""The state of a conversation: the published keys, in the file and through every door."""

from __future__ import annotations

import json

import pytest

import varves
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.saved_state import from_json, to_json

LIVELY = (
    ("ada", "I propose a nightly backup of the ledger."),
    ("ben", 'I agree with "a nightly backup of the ledger".'),
    ("noa", "We decided that sessions live in Redis."),
    ("ada", "The build is green, because ben mended it."),
)


@pytest.fixture
def lively(talk):
    """Give a talk in which there is one of everything, 13 messages long."""
    talk.hold(*LIVELY)
    talk.fill(9)
    return talk


@pytest.mark.requirement("S4-04")
def test_the_state_holds_the_four_published_lists(lively):
    document = lively.file()

    assert list(document)[:4] == ["summaries", "decisions", "proposals", "agentStates"]
    assert [len(document[key]) for key in list(document)[:4]] == [1, 1, 1, 3]


@pytest.mark.requirement("S4-05")
def test_a_summary_has_the_published_keys(lively):
    [summary] = lively.file()["summaries"]

    assert {"timestamp", "messageRange", "content"} <= summary.keys()
    assert summary["messageRange"] == [0, 11]
    assert "sessions live in Redis" in summary["content"]


@pytest.mark.requirement("S4-07")
def test_a_decision_has_the_published_keys(lively):
    [decision] = lively.file()["decisions"]

    assert {"id", "timestamp", "topic", "outcome", "supportingAgents"} <= decision.keys()
    assert decision["supportingAgents"] == ["noa"]
    assert decision["timestamp"] == "2026-01-01T00:03:00.000Z"


@pytest.mark.requirement("S4-07")
def test_ids_are_distinct(talk):
    talk.begin()
    said = [talk.verbs.decide(f"topic {n}", f"outcome {n}") for n in range(12)]
    state = from_json({"decisions": [{"topic": "a", "outcome": str(n)} for n in range(1000)]})
    talk.verbs.restore(to_json(state), name="many")

    rows = talk.ledger.list(scope="session:many", type="decision")
    assert len({one.id for one in said}) == 12
    assert len(rows) == len({one.id for one in rows}) == 1000


@pytest.mark.requirement("S4-08")
def test_a_proposal_has_the_published_keys(lively):
    [proposal] = lively.file()["proposals"]

    wanted = {"id", "timestamp", "proposer", "content", "status", "reactions"}
    assert wanted <= proposal.keys()
    assert (proposal["proposer"], proposal["status"]) == ("ada", "active")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-09")
@pytest.mark.parametrize("status", ["accepted", "rejected", "modified"])
def test_a_proposal_has_one_of_four_statuses(lively, status):
    [proposal] = lively.file()["proposals"]

    lively.verbs.resolve(proposal["id"], status)
    assert [one["status"] for one in lively.file()["proposals"]] == [status]
    lively.verbs.resolve(proposal["id"], "active")
    assert [one["status"] for one in lively.file()["proposals"]] == ["active"]


@pytest.mark.requirement("S4-09")
def test_another_status_is_refused(lively, varves):
    name = lively.file()["proposals"][0]["id"]
    before = lively.path().read_bytes()

    answer = varves("deliberation", "resolve", name, "postponed")

    assert answer.code == 2
    assert "postponed" in answer.err
    assert lively.path().read_bytes() == before


@pytest.mark.requirement("S4-10")
def test_a_reaction_names_the_agent_and_one_of_three_sides(lively):
    [proposal] = lively.file()["proposals"]
    assert proposal["reactions"] == [{"agentId": "ben", "reaction": "support"}]

    for reaction in ("oppose", "neutral", "support", "oppose"):
        lively.verbs.react("noa", proposal["id"], reaction)

    assert lively.file()["proposals"][0]["reactions"] == [
        {"agentId": "ben", "reaction": "support"},
        {"agentId": "noa", "reaction": "oppose"},
    ]


@pytest.mark.requirement("S4-10")
def test_another_reaction_is_refused(lively, varves):
    name = lively.file()["proposals"][0]["id"]
    before = lively.path().read_bytes()

    answer = varves("deliberation", "react", "noa", name, "maybe")

    assert answer.code == 2
    assert "maybe" in answer.err
    assert lively.path().read_bytes() == before


@pytest.mark.requirement("S4-11")
def test_an_agent_state_has_the_published_keys(lively):
    agents = lively.file()["agentStates"]

    for one in agents.values():
        assert list(one) == ["lastPosition", "keyContributions", "messageCount"]
    assert {name: one["messageCount"] for name, one in agents.items()} == {
        "ada": 7,
        "ben": 5,
        "noa": 1,
    }


@pytest.mark.requirement("S4-51")
def test_the_state_is_plain_json(lively):
    document = to_json(lively.verbs.state())

    assert json.loads(json.dumps(document)) == document == lively.file()
    assert to_json(from_json(json.loads(json.dumps(document)))) == document


@pytest.mark.requirement("S4-54")
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"),
        ("2026-01-02T05:04:05.678+02:00", "2026-01-02T03:04:05.678Z"),
        (1767323045678, "2026-01-02T03:04:05.678Z"),
        ("yesterday", ""),
        (None, ""),
    ],
    ids=["text", "zone", "milliseconds", "word", "nothing"],
)
def test_dates_are_read_as_instants(talk, given, wanted):
    said = {"agentId": "ada", "content": "Hello.", "index": 0, "timestamp": given}
    talk.verbs.restore({"pendingMessages": [said]}, name="a")

    assert talk.file("a")["pendingMessages"][0]["timestamp"] == (wanted or talk.now)


@pytest.mark.requirement("S4-54")
def test_dates_survive_a_restored_conversation(talk):
    moment = "2026-01-02T05:04:05.678+02:00"
    talk.verbs.restore({"decisions": [{"id": "d", "outcome": "x", "timestamp": moment}]}, name="a")

    assert talk.file("a")["decisions"][0]["timestamp"] == "2026-01-02T03:04:05.678Z"


@pytest.mark.requirement("S4-54")
def test_a_partial_state_loads_with_defaults(talk):
    partial = {
        "summaries": [{"messageRange": [0, 11], "content": "It began."}],
        "proposals": [{"content": "a backup"}],
        "agentStates": {"ada": {"lastPosition": "for it"}},
    }

    talk.verbs.restore(partial, name="a")

    found = talk.file("a")
    assert found["agentStates"]["ada"] == {
        "lastPosition": "for it",
        "keyContributions": [],
        "messageCount": 0,
    }
    assert found["processedMessageCount"] == 12
    [proposal] = found["proposals"]
    assert (proposal["status"], proposal["reactions"], proposal["proposer"]) == ("active", [], "")
    assert found["decisions"] == found["pendingMessages"] == []


@pytest.mark.requirement("S4-54")
def test_an_empty_state_loads(talk):
    talk.verbs.restore({}, name="a")

    assert talk.file("a") == {
        "summaries": [],
        "decisions": [],
        "proposals": [],
        "agentStates": {},
        "processedMessageCount": 0,
        "pendingMessages": [],
    }


@pytest.mark.requirement("S4-55")
def test_statistics_count_what_there_is(lively):
    lively.verbs.propose("ben", "three regions")
    refused = lively.verbs.propose("noa", "four regions and a moon")
    lively.verbs.resolve(refused.id, "rejected")

    found = lively.verbs.stats()

    assert {name: found[name] for name in found.as_dict() if "_" in name} == {
        "summary_count": 1,
        "decision_count": 1,
        "proposal_count": 2,
        "agent_count": 3,
        "total_messages": 13,
    }


@pytest.mark.requirement("S4-56")
def test_the_total_counts_messages_that_were_pruned(talk):
    talk.settings("keep_messages = 5\nsummary_interval = 4\nkeep_summaries = 2")
    talk.begin()
    talk.fill(30)

    assert talk.verbs.stats().total_messages == 30
    assert [one["messageRange"] for one in talk.file()["summaries"]] == [[20, 23], [24, 27]]


@pytest.mark.requirement("S4-57")
def test_an_agent_state_is_its_latest_stance_and_its_contributions(talk):
    talk.hold(
        ("ada", "I propose a nightly backup."),
        ("ada", "The sky is blue today."),
        ("ben", "I disagree, the disk is too small."),
        ("moderator", "We decided nothing yet.", {"type": "system"}),
        ("ada", "I think a weekly one will do."),
    )

    agents = talk.file()["agentStates"]

    assert agents["ada"]["messageCount"] == 3
    assert agents["ada"]["keyContributions"] == ["a nightly backup"]
    assert "weekly" in agents["ada"]["lastPosition"]
    assert "disagree" in agents["ben"]["lastPosition"]
    assert "moderator" not in agents
    assert talk.file()["processedMessageCount"] == 5


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-62")
@pytest.mark.parametrize(("made", "kept"), [(19, 19), (20, 20), (25, 20)])
def test_old_summaries_leave_the_state_and_stay_in_the_ledger(talk, made, kept):
    talk.settings("summary_interval = 1")
    talk.begin()
    talk.fill(made)

    assert [one["messageRange"][0] for one in talk.file()["summaries"]] == list(
        range(made - kept, made)
    )
    rows = talk.ledger.list(scope="session:talk", type="summary")
    assert sorted(one.extra["range"][0] for one in rows) == list(range(made))


@pytest.mark.requirement("S4-63")
def test_old_decisions_leave_the_state_and_stay_in_the_ledger(talk):
    talk.settings("keep_decisions = 3")
    talk.begin()
    for number in range(5):
        talk.say("ada", f"We decided on 'topic {number}': outcome {number}.")

    assert [one["topic"] for one in talk.file()["decisions"]] == ["topic 2", "topic 3", "topic 4"]
    assert len(talk.ledger.list(scope="session:talk", type="decision")) == 5


@pytest.mark.requirement("S4-37", "S4-38", "S4-55")
def test_without_a_bound_every_decision_and_every_active_proposal_is_shown():
    memory = varves.ConversationMemory()
    for number in range(60):
        for text in (f"[DECISION] 'Room {number}': {number} chairs", f"[PROPOSAL] Lamp {number}"):
            memory.process_message(varves.Message(agent_id="ada", content=text))

    found = memory.get_stats()
    assert (found.decision_count, found.proposal_count) == (60, 60)
    shown = memory.get_memory_context()
    assert (shown.count("- **Room "), shown.count('- ada: "Lamp ')) == (60, 60)


@pytest.mark.requirement("S4-63")
def test_active_proposals_are_the_last_to_leave(talk):
    talk.settings("keep_proposals = 3")
    talk.begin()
    texts = ["a nightly backup", "three regions", "a moon base", "blue paint", "more tests"]
    names = []
    for place, text in enumerate(texts):
        names.append(talk.verbs.propose("ada", text).id)
        if place == 2:
            talk.verbs.resolve(names[1], "rejected")
        if place == 3:
            shown = [one["id"] for one in talk.file()["proposals"]]
            assert shown == [names[0], names[2], names[3]]

    assert [one["content"] for one in talk.file()["proposals"]] == [
        "a moon base",
        "blue paint",
        "more tests",
    ]
    talk.say("ben", "The sky is blue.")
    talk.verbs.resolve(names[4], "accepted")
    assert [one["id"] for one in talk.file()["proposals"]] == names[2:]


@pytest.mark.requirement("S4-63")
def test_nothing_leaves_below_a_bound(talk):
    talk.settings("keep_messages = 500\nsummary_interval = 200")
    talk.begin()
    talk.fill(27)

    bus = talk.verbs.bus("talk")
    with bus:
        assert len(bus.messages) == 27
    assert len(talk.file()["pendingMessages"]) == 27


def test_the_numbers_are_the_published_ones():
    bounds = DeliberationOptions()

    assert (bounds.keep_summaries, bounds.keep_decisions, bounds.keep_proposals) == (20, 0, 0)
    assert (bounds.keep_messages, bounds.summary_interval, bounds.summaries_shown) == (500, 12, 3)


@pytest.mark.requirement("S4-59")
def test_a_decision_is_looked_up_by_its_id(lively):
    name = lively.file()["decisions"][0]["id"]

    shown = lively.verbs.show(name)

    assert (shown.kind, shown.id) == ("decision", name)
    assert shown.content["outcome"] == lively.file()["decisions"][0]["outcome"]
    assert [one.content for one in shown.messages] == [LIVELY[2][1]]
    assert lively.ledger.show(name).text == shown.content["outcome"]


@pytest.mark.requirement("S4-58")
def test_a_summary_shows_its_source_messages(lively):
    name = lively.file()["summaries"][0]["id"]

    shown = lively.verbs.show(name)

    assert [one.index for one in shown.messages] == list(range(12))
    assert [one.content for one in shown.messages[:4]] == [text for _, text in LIVELY]
    assert shown.content["messageRange"] == [0, 11]


@pytest.mark.requirement("S4-60")
def test_a_modified_proposal_names_its_successor(talk):
    talk.begin()
    first = talk.verbs.propose("ada", "a nightly backup")
    second = talk.verbs.propose("ben", "a weekly backup, to tape")

    talk.verbs.resolve(first.id, "modified", successor=second.id)

    old, later = talk.file()["proposals"]
    assert (old["status"], old["successor"]) == ("modified", second.id)
    assert later["status"] == "active"
    assert "nightly" not in talk.brief()


def test_a_state_without_a_total_counts_what_it_names():
    pending = {"id": "m4", "agentId": "ada", "content": "And then?", "index": 4}
    rows = (
        ({}, 0),
        ({"summaries": [{"id": "s", "messageRange": [0, 11], "content": "It began."}]}, 12),
        ({"pendingMessages": [pending]}, 5),
        ({"agentStates": {"ada": {"messageCount": 2}, "ben": {"messageCount": 1}}}, 3),
        ({"pendingMessages": [pending], "processedMessageCount": 7}, 7),
    )
    for document, total in rows:
        assert from_json(document).total == total, document


def test_a_record_has_its_published_keys_then_those_it_came_with_and_no_empty_optional_ones():
    mood = {"mood": "fine"}
    document = {
        "summaries": [mood | {"content": "It began."}],
        "decisions": [mood | {"topic": "store", "outcome": "Redis"}],
        "proposals": [mood | {"content": "a backup", "proposer": "ada"}],
        "agentStates": {"ada": mood | {"messageCount": 1}},
    }
    shown = to_json(from_json(document))
    assert [list(shown[name][0]) for name in ("summaries", "decisions", "proposals")] == [
        ["id", "timestamp", "messageRange", "content", "mood"],
        ["id", "timestamp", "topic", "outcome", "supportingAgents", "mood"],
        ["id", "timestamp", "proposer", "content", "status", "reactions", "mood"],
    ]
    assert list(shown["agentStates"]["ada"]) == [
        *("lastPosition", "keyContributions", "messageCount", "mood")
    ]
