"""What a conversation came to is a memory like any other: recalled, dated, corrected, undone."""

from __future__ import annotations

import subprocess

import pytest

from tests.tables import each_row
from varves.protocols.deliberation.saved_state import to_json

SAID = (
    ("ada", "I propose a nightly backup of the ledger."),
    ("ben", "We decided on 'the store': sessions live in Redis."),
    ("noa", "The walrus colony moved north, because the ice is thin."),
)


@pytest.fixture
def lively(talk):
    """Give a talk of four messages with a proposal, a decision and a summary."""
    talk.settings("summary_interval = 4")
    talk.hold(*SAID)
    talk.fill(1)
    return talk


@each_row(
    ("query", "type"),
    [
        ("where do sessions live", "decision"),
        ("nightly backup", "proposal"),
        ("walrus colony", "summary"),
    ],
)
def test_a_later_session_recalls_it_without_asking_for_it(lively, query, type):
    lively.again(session="a-later-day")

    hits = list(lively.ledger.recall(query))

    assert type in [hit.memory.type for hit in hits]
    [one] = [hit.memory for hit in hits if hit.memory.type == type]
    assert (one.protocol, one.session, one.scope) == ("deliberation", "talk", "session:talk")
    assert one.category == type


def test_who_said_it_and_where_is_kept(lively):
    decision = lively.ledger.show(lively.file()["decisions"][0]["id"])

    assert (decision.speaker, decision.turn, decision.origin) == ("ben", 1, "agent")
    assert decision.at == "2026-01-01T00:02:00.000Z"
    outright = lively.verbs.decide("deploys", "On Mondays", agent="ada")
    assert lively.ledger.show(outright.id).origin == "direct"


def test_a_context_as_of_every_message(talk):
    talk.settings("summary_interval = 4")
    talk.begin()
    states, contexts = [], []
    posts = [*SAID, ("ben", "I propose three regions."), ("ada", "We decided on 'ice': melt it.")]
    for agent, text in posts:
        talk.say(agent, text)
        states.append(to_json(talk.verbs.state()))
        contexts.append(talk.context("ada"))

    for index in range(len(posts)):
        assert to_json(talk.verbs.state(message=index)) == states[index]
        assert talk.context("ada", message=index) == contexts[index]
        assert talk.verbs.stats(message=index).total_messages == index + 1
    assert talk.context("ada", as_of="2026-01-01T00:02:30Z") == contexts[1]
    assert talk.context("ada", as_of="2025-01-01") == ""


def test_the_conversations_and_their_messages_at_any_moment(talk, varves):
    talk.hold(*SAID[:2])
    between = talk.now
    talk.say(*SAID[2])
    talk.begin("second")

    def listed(**options):
        return [(one.conversation, one.messages) for one in talk.verbs.list(**options)]

    assert listed() == [("talk", 3), ("second", 0)]
    assert listed(as_of=between) == [("talk", 2)]
    assert listed(as_of="2025-01-01") == []
    said = talk.verbs.messages(conversation="talk", as_of=between)
    assert [one.content for one in said] == [text for _, text in SAID[:2]]
    assert len(talk.verbs.messages(conversation="talk")) == 3
    told = varves("--as-of", between, "deliberation", "list", "--json").json["conversations"]
    assert [one["messages"] for one in told] == [2]


def test_a_message_that_was_not_said_is_not_found(lively, varves):
    for word, code in (("99", 4), ("x", 2)):
        answer = varves("deliberation", "context", "--message", word)
        assert (answer.code, answer.out) == (code, "")


def test_a_forgotten_decision_leaves_context_and_file(lively):
    name = lively.file()["decisions"][0]["id"]

    lively.ledger.forget(name, reason="it was a joke")
    assert lively.file()["decisions"] == []
    assert "Redis" not in lively.brief()

    lively.ledger.restore(name)
    assert [one["id"] for one in lively.file()["decisions"]] == [name]
    assert "Redis" in lively.brief()


def test_a_corrected_decision_keeps_its_topic_and_supporters(lively):
    before = lively.file()["decisions"][0]

    lively.ledger.correct(before["id"], "sessions live in Valkey")

    [after] = lively.file()["decisions"]
    assert after == {**before, "outcome": "sessions live in Valkey"}
    assert "- **the store**: sessions live in Valkey" in lively.brief()
    lively.say("ada", "I agree, sessions live in Valkey.", reply_to="1")
    assert lively.file()["decisions"][0]["supportingAgents"] == ["ben", "ada"]


def test_a_corrected_proposal_keeps_its_reactions(lively):
    name = lively.file()["proposals"][0]["id"]
    lively.verbs.react("ben", name, "support")

    lively.ledger.correct(name, "a weekly backup")
    lively.verbs.react("noa", name, "oppose")

    [after] = lively.file()["proposals"]
    assert (after["content"], after["proposer"]) == ("a weekly backup", "ada")
    assert [one["agentId"] for one in after["reactions"]] == ["ben", "noa"]
    lively.verbs.resolve(name, "accepted")
    assert lively.file()["proposals"][0]["status"] == "accepted"


def test_a_decision_is_undone(lively):
    event = lively.events("memory.recorded")[0].id

    lively.ledger.undo(event)

    assert lively.file()["decisions"] == []
    assert "Redis" not in lively.brief()


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("status", ["accepted", "rejected", "modified"])
def test_a_resolution_is_undone(lively, status):
    name = lively.file()["proposals"][0]["id"]
    settled = lively.verbs.resolve(name, status)
    assert "backup" not in lively.brief()

    lively.ledger.undo(settled.event)

    assert lively.file()["proposals"][0]["status"] == "active"
    assert "backup" in lively.brief()


def test_a_reaction_is_undone(lively):
    name = lively.file()["proposals"][0]["id"]
    lively.verbs.react("ben", name, "support")
    answered = lively.verbs.react("ben", name, "oppose")

    lively.ledger.undo(answered.event)

    assert lively.file()["proposals"][0]["reactions"] == [{"agentId": "ben", "reaction": "support"}]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("kind", ["decisions", "proposals", "summaries"])
def test_what_was_purged_is_in_no_file_and_neither_is_the_message_it_came_from(lively, kind):
    one = lively.file()[kind][0]
    [summary] = lively.file()["summaries"]
    sources = [said.id for said in lively.verbs.show(one["id"]).messages]

    done = lively.ledger.purge(one["id"], reason="private")

    assert lively.file()[kind] == []
    assert one["id"] not in lively.path().read_text(encoding="utf-8")
    assert lively.say("ada", "The sky is blue.").index == 4
    assert lively.file()[kind] == []
    gone = {event.id for event in lively.ledger.log(kind="message.posted") if event.purged}
    if kind != "summaries":
        assert gone == set(sources)
        assert done.same == (summary["id"],)
    else:  # those it quotes; the others are named
        assert gone
        assert {said.split()[0] for said in done.sources} == set(sources) - gone


def test_a_rejected_outcome_is_not_decided_again_by_the_way(lively, varves):
    one = lively.file()["decisions"][0]
    lively.ledger.forget(one["id"], reason="it was a joke")

    answer = varves("deliberation", "decide", "the store", one["outcome"])

    assert (answer.code, answer.out) == (3, "")
    again = lively.verbs.decide("the store", one["outcome"], again=True)
    assert [held["id"] for held in lively.file()["decisions"]] == [again.id]


def test_a_later_decision_on_a_topic_stands_first_and_keeps_the_other(lively):
    first = lively.file()["decisions"][0]
    made = lively.verbs.decide("the store", "Valkey", support=("ada", "noa"))

    assert made.replaces == first["id"]
    assert lively.brief().splitlines()[2:4] == [
        "- **the store**: Valkey",
        f"- **the store**: {first['outcome']} (replaced)",
    ]
    assert lively.file()["decisions"][1]["replaces"] == first["id"]
    assert lively.file()["decisions"][1]["supportingAgents"] == ["ada", "noa"]


def test_a_decision_resolves_a_proposal(lively):
    name = lively.file()["proposals"][0]["id"]

    lively.verbs.decide("backups", "every night", resolves=name, agent="ben")

    assert lively.file()["proposals"][0]["status"] == "accepted"


@each_row("verb", ["react", "resolve", "decide"])
def test_what_is_not_there_is_not_found(lively, varves, verb):
    words = {
        "react": ("ben", "mem_000000000000", "support"),
        "resolve": ("mem_000000000000", "accepted"),
        "decide": ("a", "b", "--resolves", "mem_000000000000"),
    }
    before = len(lively.ledger.log())

    answer = varves("deliberation", verb, *words[verb])

    assert (answer.code, answer.out) == (4, "")
    assert len(lively.ledger.log()) == before


def test_only_an_active_proposal_of_another_takes_reactions(lively, varves):
    name = lively.file()["proposals"][0]["id"]
    assert varves("deliberation", "react", "ada", name, "support").code == 3
    lively.verbs.resolve(name, "accepted")
    assert varves("deliberation", "react", "ben", name, "support").code == 3
    assert lively.file()["proposals"][0]["reactions"] == []


def test_the_history_of_a_proposal_tells_its_life(lively):
    name = lively.file()["proposals"][0]["id"]
    lively.verbs.react("ben", name, "support")
    lively.verbs.resolve(name, "rejected", reason="too dear")

    kinds = [event.kind for event in lively.ledger.history(name)]

    assert kinds == ["proposal.raised", "proposal.reacted", "proposal.resolved"]
    assert lively.ledger.show(name).reason == "too dear"


READS = (
    ("context", "--agent", "ada"),
    ("brief",),
    ("stats",),
    ("show",),
    ("list",),
    ("validate",),
)


@each_row("words", READS)
def test_reading_changes_nothing(lively, varves, words):
    def seen():
        lively.close()
        status = subprocess.run(
            ["git", "status", "--porcelain"], cwd=lively.root, capture_output=True, check=True
        )
        files = {path: path.read_bytes() for path in lively.path().parent.parent.rglob("*.json")}
        return status.stdout, files, len(lively.ledger.log())

    before = seen()
    assert varves("deliberation", *words).code == 0
    assert seen() == before


def test_what_a_context_told_an_agent_is_on_record_with_the_next_write(talk):
    """X-26: reading writes nothing; who was told what stands in the session's next write."""
    talk.verbs.begin("design")
    [made] = talk.verbs.say("ada", "We've decided on Redis for the cache.").found[:1]
    before = len(talk.ledger.log())
    assert "Redis" in talk.verbs.context("ben").text
    talk.verbs.context("ben", message=0)  # the past is told to nobody
    assert len(talk.ledger.log()) == before
    talk.verbs.say("ada", "Good.")
    [event] = talk.ledger.log(kind=("context.injected",))
    [told] = event.data["told"]
    assert made.id in repr(told)
    assert "deliberation context" in repr(told)
    assert "ben" in repr(told)
