"""People edit a saved state: each kind of record is taken over, and nothing is lost silently."""

from __future__ import annotations

import json

import pytest

from varves.protocols.deliberation.saved_state import to_json

LIVELY = (
    ("ada", "I propose a nightly backup of the ledger."),
    ("ben", 'I agree with "a nightly backup of the ledger".'),
    ("noa", "We decided on 'the store': sessions live in Redis."),
    ("ada", "I think the build is green, because ben mended it."),
)


@pytest.fixture
def lively(talk):
    """Give a talk in which there is one of everything."""
    talk.settings("summary_interval = 3")
    talk.hold(*LIVELY)
    return talk


def taken(talk):
    """Let a writing verb take the edits over; return the file then."""
    talk.verbs.save()
    return talk.file()


def test_a_decision_that_was_changed_is_revised(lively):
    def change(document):
        document["decisions"][0] |= {
            "outcome": "sessions live in Valkey",
            "topic": "where sessions live",
            "supportingAgents": ["noa", "ada"],
            "timestamp": "2026-01-05T10:00:00Z",
            "weight": 7,
        }

    lively.edit(change)
    [decision] = taken(lively)["decisions"]

    assert decision["outcome"] == "sessions live in Valkey"
    assert decision["topic"] == "where sessions live"
    assert decision["supportingAgents"] == ["noa", "ada"]
    assert decision["timestamp"] == "2026-01-05T10:00:00.000Z"
    assert decision["weight"] == 7
    assert "- **where sessions live**: sessions live in Valkey" in lively.brief()
    [event] = lively.events("memory.revised")
    assert (event.actor, event.origin) == ("USER", "direct")


def test_a_decision_that_was_added_is_recorded_once(lively):
    lively.edit(
        lambda document: document["decisions"].append({"topic": "deploys", "outcome": "On Mondays"})
    )
    read = lively.brief()
    taken(lively)
    again = taken(lively)

    assert "- **deploys**: On Mondays" in read
    assert [one["outcome"] for one in again["decisions"]][1:] == ["On Mondays"]
    assert again["decisions"][1]["id"].startswith("mem_")
    assert [hit.memory.text for hit in lively.ledger.recall("deploys Mondays")][:1] == [
        "On Mondays"
    ]


def test_a_decision_that_was_removed_is_forgotten_and_can_come_back(lively):
    name = lively.file()["decisions"][0]["id"]
    lively.edit(lambda document: document["decisions"].clear())

    assert taken(lively)["decisions"] == []
    gone = lively.ledger.show(name)
    assert (gone.status, gone.reason) == ("forgotten", "removed by hand")
    lively.ledger.restore(name)
    assert [one["id"] for one in taken(lively)["decisions"]] == [name]


def test_a_proposal_that_was_changed(lively):
    def change(document):
        document["proposals"][0] |= {
            "content": "a weekly backup of the ledger",
            "proposer": "noa",
            "status": "accepted",
            "reactions": [{"agentId": "ada", "reaction": "oppose"}],
        }

    lively.edit(change)
    [proposal] = taken(lively)["proposals"]

    assert proposal["content"] == "a weekly backup of the ledger"
    assert (proposal["proposer"], proposal["status"]) == ("noa", "accepted")
    assert proposal["reactions"] == [{"agentId": "ada", "reaction": "oppose"}]
    assert "Active Proposals" not in lively.brief()


def test_a_proposal_that_was_added_and_one_that_was_removed(lively):
    def change(document):
        document["proposals"][:] = [{"content": "three regions", "proposer": "ben"}]

    lively.edit(change)

    assert [one["content"] for one in taken(lively)["proposals"]] == ["three regions"]
    assert '- ben: "three regions" (0 reactions)' in lively.brief()


def test_only_a_proposal_that_was_modified_has_a_successor(lively):
    lively.say("noa", "I propose a weekly backup of the ledger.")
    earlier, later = lively.file()["proposals"]
    for status, successor in (("accepted", None), ("modified", later["id"])):

        def change(document, status=status):
            document["proposals"][0] |= {"status": status, "successor": later["id"]}

        lively.edit(change)
        proposal = taken(lively)["proposals"][0]
        assert (proposal["id"], proposal["status"]) == (earlier["id"], status)
        assert proposal.get("successor") == successor


def test_a_summary_that_was_changed(lively):
    lively.edit(lambda document: document["summaries"][0].update(content="It was about backups."))

    assert taken(lively)["summaries"][0]["content"] == "It was about backups."
    assert "It was about backups." in lively.context()
    name = lively.file()["summaries"][0]["id"]
    assert [one.index for one in lively.verbs.show(name).messages] == [0, 1, 2]


def test_a_summary_that_was_removed_is_not_made_again(lively):
    lively.edit(lambda document: document["summaries"].clear())
    assert taken(lively)["summaries"] == []

    lively.fill(2)

    assert [one["messageRange"] for one in lively.file()["summaries"]] == [[3, 5]]


def test_an_agents_state_that_was_changed(lively):
    def change(document):
        document["agentStates"]["ada"] = {
            "lastPosition": "weekly will do",
            "keyContributions": ["the backup"],
            "messageCount": 7,
        }
        document["agentStates"]["eve"] = {"lastPosition": "silent so far"}
        del document["agentStates"]["ben"]

    lively.edit(change)
    agents = taken(lively)["agentStates"]

    assert agents["ada"]["lastPosition"] == "weekly will do"
    assert agents["ada"]["messageCount"] == 7
    assert agents["eve"]["messageCount"] == 0
    assert "ben" not in agents
    assert lively.context("ada").endswith("weekly will do")
    lively.say("ada", "The sky is blue.")
    assert lively.file()["agentStates"]["ada"]["messageCount"] == 8


def test_unknown_keys_come_and_go(lively):
    lively.edit(lambda document: document.update(mood="fine", tone=[1]))
    assert taken(lively)["mood"] == "fine"
    lively.say("ada", "The sky is blue.")
    lively.edit(lambda document: document.pop("mood"))

    found = taken(lively)
    assert "mood" not in found
    assert found["tone"] == [1]


def test_what_was_said_is_not_changed(lively):
    def change(document):
        document["pendingMessages"][0]["content"] = "I said nothing."
        document["processedMessageCount"] = 99

    lively.edit(change)
    lively.verbs.save()
    notes, found = "\n".join(lively.verbs.core.notes), lively.file()

    assert found["pendingMessages"][0]["content"] == LIVELY[3][1]
    assert found["processedMessageCount"] == 4
    assert "recorded messages cannot be changed" in notes
    assert "the edit of processedMessageCount is ignored: it is the number of messages" in notes


def test_a_read_verb_answers_with_the_edit_and_records_nothing(lively, varves):
    lively.edit(lambda document: document["decisions"][0].update(outcome="Valkey it is"))
    before, events = lively.path().read_bytes(), len(lively.ledger.log())

    answer = varves("deliberation", "context")

    assert "Valkey it is" in answer.out
    assert answer.err
    assert lively.path().read_bytes() == before
    assert len(lively.ledger.log()) == events


def test_the_edit_wins_over_what_was_said_meanwhile(lively, tmp_path):
    document = lively.file()
    document["decisions"][0]["outcome"] = "Valkey it is"
    lively.verbs.decide("deploys", "On Mondays")
    lively.path().write_text(json.dumps(document), encoding="utf-8")

    found = taken(lively)

    assert [one["outcome"] for one in found["decisions"]] == ["Valkey it is", "On Mondays"]


def test_a_secret_written_by_hand_is_masked(lively):
    secret = "ghp_" + "a1B2" * 9
    lively.edit(lambda document: document["decisions"][0].update(outcome=f"use {secret}"))

    assert secret not in json.dumps(taken(lively))
    assert secret not in lively.path().read_text(encoding="utf-8")


def test_a_file_put_there_by_hand_is_a_conversation(talk):
    document = {
        "summaries": [{"id": "s", "messageRange": [0, 11], "content": "It began."}],
        "decisions": [{"id": "d-1", "topic": "store", "outcome": "Redis"}],
        "proposals": [{"id": "p-1", "content": "a backup", "proposer": "ada"}],
        "agentStates": {"ada": {"messageCount": 13, "lastPosition": "for it"}},
        "processedMessageCount": 13,
        "pendingMessages": [
            {"id": "m12", "agentId": "ada", "content": "And then?", "index": 12},
        ],
    }
    talk.path("found").parent.mkdir(parents=True)
    talk.path("found").write_text(json.dumps(document), encoding="utf-8")

    read = talk.verbs.context("ada", conversation="found").text
    said = talk.say("ada", "The sky is blue.", conversation="found")

    assert "- **store**: Redis" in read
    assert "for it" in read
    assert said.index == 13
    found = talk.file("found")
    assert found["agentStates"]["ada"]["messageCount"] == 14
    assert [one["index"] for one in found["pendingMessages"]] == [12, 13]
    assert [one["id"] for one in found["decisions"]] == ["d-1"]


def test_a_file_without_a_number_of_messages_counts_those_it_names(talk):
    waiting = [{"id": "m4", "agentId": "ada", "content": "And then?", "index": 4}]
    rows = [
        *(({"processedMessageCount": total}, 0) for total in (-1, "13", 2.5, None)),
        ({"processedMessageCount": 13}, 13),
        ({"pendingMessages": waiting}, 5),
    ]
    for number, (document, index) in enumerate(rows):
        path = talk.path(f"found-{number}")
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(document), encoding="utf-8")
        said = talk.say("ada", "The sky is blue.", conversation=f"found-{number}")
        assert said.index == index, document
        assert talk.file(f"found-{number}")["processedMessageCount"] == index + 1


def test_the_state_survives_the_loss_of_its_log(lively):
    before = lively.file()
    lively.close()
    private = lively.root / ".git/varves/private"
    for path in sorted(private.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()

    read = to_json(lively.verbs.state(conversation="talk"))
    said = lively.say("ada", "The sky is blue.", conversation="talk")

    assert read["decisions"][0]["outcome"] == before["decisions"][0]["outcome"]
    assert said.index == 4
    after = lively.file()
    for key in ("summaries", "decisions", "proposals"):
        assert after[key] == before[key]
    assert after["agentStates"]["ada"]["messageCount"] == 3
    assert after["processedMessageCount"] == 5


def test_a_purged_decision_does_not_come_back_by_a_file(lively):
    before = lively.path().read_text(encoding="utf-8")
    name = lively.file()["decisions"][0]["id"]
    lively.ledger.purge(name, reason="not for here")
    assert lively.file()["decisions"] == []

    lively.path().write_text(before + "\n", encoding="utf-8")

    assert taken(lively)["decisions"] == []


def test_the_newest_decision_taken_out_by_hand_is_forgotten(talk):
    """The file then says what an earlier version of it said."""
    talk.hold(("ada", "We decided on 'the store': sessions live in Redis."))
    taken(talk)
    talk.edit(
        lambda document: document["decisions"].append({"topic": "b", "outcome": "On Mondays"})
    )
    assert len(taken(talk)["decisions"]) == 2
    talk.edit(lambda document: document["decisions"].pop())

    assert [one["outcome"] for one in taken(talk)["decisions"]] == ["sessions live in Redis"]
    assert [one.text for one in talk.ledger.list(status="forgotten")] == ["On Mondays"]
