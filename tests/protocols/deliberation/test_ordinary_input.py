"""A discussion in ordinary sentences, and the published programs as they are written."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime

import pytest

import varves as package

LIMIT = 60
EVE = package.Persona(id="eve", name="Eve", system_prompt="You are Eve.")

# S4-01: what was said long ago


FACTS = (
    "The load test showed that the queue drops messages above 300 per second.",
    "Our contract with the bank ends in October.",
)


@pytest.mark.full_size
@pytest.mark.requirement("S4-01")
def test_a_fact_of_message_5_is_in_the_context_at_message_200(project, varves):
    texts = [f"The build took a while today, number {number}." for number in range(200)]
    texts[4:6] = FACTS
    lines = [
        json.dumps({"agent": ("ada", "ben")[number % 2], "content": text})
        for number, text in enumerate(texts)
    ]
    (project / "talk.jsonl").write_text("\n".join(lines), encoding="utf-8")
    varves("deliberation", "replay", "talk.jsonl", "--name", "talk")
    context = varves("deliberation", "context", "--agent", "ben").out
    assert all(text[:30] in context for text in FACTS)


# S4-02: repeated ideas


def repeats(talk, first, second):
    """Let one agent propose the first and another the second; return whether it is linked."""
    one, two = talk.hold(("ada", first), ("ben", second))
    assert [said.found[0].kind for said in (one, two)] == ["proposal", "proposal"]
    assert two.found[0].repeats in (None, one.found[0].id)
    return two.found[0].repeats is not None


SAME_IDEA = (
    ("I propose that sessions live in Redis", "What if we keep the sessions in Redis?"),
    (
        "I propose to use Redis for the session cache",
        "My suggestion: using Redis as the session cache",
    ),
    ("I propose to use Kafka for the order events", "What if we published order events by Kafka?"),
    ("I propose a dark theme for the settings page", "Let's consider a dark settings page theme"),
    ("I propose that we write the docs in German too", "What if we also had the docs in German?"),
    ("I propose to freeze the code on Thursdays", "What if we had a code freeze every Thursday?"),
    (
        "What if we store the invoices as PDF in the archive bucket?",
        "My suggestion: archive invoices in the bucket as PDF files",
    ),
)
OTHER_IDEA = (
    ("I propose to drop IPv4", "I propose to add IPv6"),
    ("I propose to drop support for IPv4", "I propose to add support for IPv6"),
    ("I propose to enable caching on the API", "I propose to disable caching on the API"),
    ("I propose to raise the prices in May", "I propose to lower the prices in May"),
    ("I propose to move to the cloud", "I propose to move out of the cloud"),
    ("I propose to hire a designer", "What if we raise the prices in May?"),
    ("I propose to log in JSON", "I propose to log as plain text"),
)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-02")
@pytest.mark.parametrize(("first", "second"), SAME_IDEA)
def test_the_same_idea_in_other_words_is_linked(talk, first, second):
    assert repeats(talk, first, second)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-02")
@pytest.mark.parametrize(("first", "second"), OTHER_IDEA)
def test_an_opposite_or_other_idea_is_not_linked(talk, first, second):
    assert not repeats(talk, first, second)


# S4-20: a runner whose query is a coroutine


class Awaited:
    """Answers as an asynchronous client does: what query returns is to be awaited."""

    def __init__(self):
        self.asked = []

    def query(self, **asked):
        self.asked.append(self.answer(asked))
        return self.asked[-1]

    async def answer(self, asked):
        await asyncio.sleep(0)
        return {"response": f"They met; {len(asked)} things were asked."}

    def evaluate(self, *, eval_prompt):
        return {"respond": bool(eval_prompt)}


@pytest.fixture
def awaited():
    """Give such a runner; what nobody awaited is closed."""
    runner = Awaited()
    yield runner
    for one in runner.asked:
        one.close()


@pytest.mark.requirement("S4-20")
def test_a_summary_comes_from_a_runner_whose_query_is_a_coroutine(ledger, awaited):
    ledger.deliberation.begin("talk")
    with ledger.deliberation.bus(runner=awaited) as bus:
        for number in range(12):
            bus.add_message(package.Message(agent_id="ada", content=f"Point {number}."))
        assert bus.drain(LIMIT)
        contents = [one.content for one in bus.memory.state.summaries]
    assert [text.startswith("They met") for text in contents] == [True]


@pytest.mark.requirement("S4-20")
def test_an_answer_comes_from_a_runner_whose_query_is_a_coroutine(ledger, awaited):
    ledger.deliberation.begin("talk")
    with ledger.deliberation.bus() as bus:
        bus.add_message(package.Message(agent_id="ada", content="What do you think, Eve?"))
        answer = package.AgentListener(EVE, bus, awaited).generate_response()
    assert answer.startswith("They met")


# S4-41, S4-51, S4-54: names and shapes as published


@pytest.fixture
def bus(ledger):
    """Give a bus over a conversation of the ledger."""
    ledger.deliberation.begin("talk")
    with ledger.deliberation.bus() as opened:
        yield opened


CAMEL_CASE = {
    package.MessageBus: (
        "addMessage",
        "getMemoryContext",
        "getEvalMemoryContext",
        "getRecentMessages",
        "getMemoryState",
        "restoreMemory",
        "getMemoryStats",
    ),
    package.ConversationMemory: ("processMessage", "getMemoryContext", "getBriefContext"),
    package.AgentListener: ("evaluateReaction", "generateResponse"),
}


@pytest.mark.requirement("S4-41", "S4-51")
@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, names in CAMEL_CASE.items() for name in names]
)
def test_the_published_names_are_there(bus, kind, name):
    objects = {
        package.MessageBus: bus,
        package.ConversationMemory: bus.memory,
        package.AgentListener: package.AgentListener(EVE, bus, Awaited()),
    }
    assert callable(getattr(objects[kind], name, None))


@pytest.mark.requirement("S4-41")
def test_a_message_is_made_from_agent_and_content(bus):
    posted = bus.add_message(package.Message("ada", "I propose a cache"))
    assert (posted.agent_id, posted.content) == ("ada", "I propose a cache")


@pytest.mark.requirement("S4-41")
def test_a_subscriber_is_given_message_and_from_agent(bus):
    heard = []
    bus.subscribe("message:new", heard.append)
    posted = bus.add_message(package.Message(agent_id="ada", content="I propose a cache"))
    assert bus.drain(LIMIT)
    assert [(one["message"], one["fromAgent"]) for one in heard] == [(posted, "ada")]


@pytest.mark.requirement("S4-51")
def test_a_state_saved_as_json_restores_what_was_decided(bus, ledger):
    bus.add_message(package.Message(agent_id="ada", content="We decided to use Redis for sessions"))
    assert bus.drain(LIMIT)
    state = json.loads(json.dumps(bus.get_memory_state()))
    ledger.deliberation.restore(state, name="again")
    assert ledger.deliberation.stats().decision_count == 1


@pytest.mark.requirement("S4-51", "S4-54")
def test_a_datetime_survives_json(buses):
    bus = buses.open()
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    said = package.Message(agent_id="ada", content="I propose a cache", timestamp=moment)
    bus.add_message(said)
    assert bus.drain(LIMIT)
    state = json.loads(json.dumps(bus.get_memory_state()))
    assert [one["timestamp"] for one in state["proposals"]] == ["2026-01-02T03:04:05.000Z"]


# S4-55: statistics


@pytest.fixture
def said(varves):
    """Hold a short discussion by the command line; return how to go on with it."""
    assert varves("deliberation", "new", "sessions", "--agents", "ada,ben").code == 0

    def say(agent, text):
        answer = varves("deliberation", "say", agent, text, "--json")
        assert answer.code == 0, answer
        return answer.json

    say("ada", "We decided to use Redis for sessions")
    return say


PUBLISHED = {
    "summaryCount": 0,
    "decisionCount": 1,
    "proposalCount": 1,
    "agentCount": 2,
    "totalMessages": 2,
}
OURS = {
    "summary_count": 0,
    "decision_count": 1,
    "proposal_count": 1,
    "agent_count": 2,
    "total_messages": 2,
}


@pytest.mark.requirement("S4-55")
def test_the_statistics_have_the_published_keys_beside_ours(varves, said):
    said("ben", "I propose that we measure it first")
    assert varves("deliberation", "stats", "--json").json == {**PUBLISHED, **OURS}


# S4-59: citing a decision


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-59")
@pytest.mark.parametrize(
    "text",
    [
        "As we decided earlier, sessions live in Redis.",
        "As we agreed, Redis holds the sessions.",
        "We decided on Redis earlier, remember?",
        "Like we've decided last week, the session store is Redis.",
    ],
)
def test_citing_a_decision_creates_none(varves, said, text):
    said("ben", text)
    assert varves("deliberation", "stats", "--json").json["decision_count"] == 1


@pytest.mark.requirement("S4-59")
def test_a_decision_is_found_by_the_words_of_its_outcome(varves, said):
    said("ben", "Thanks.")
    [hit, *_] = varves("recall", "where do sessions live?", "--json").json["hits"]
    assert hit["text"] == "to use Redis for sessions"


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-59")
@pytest.mark.parametrize(
    ("topic", "outcome"),
    [("password rules", "At least 14 characters"), ("expiry", "One day"), ("hosting", "Frankfurt")],
)
def test_a_decision_is_found_by_its_subject(varves, said, topic, outcome):
    said("ben", "Thanks.")
    assert varves("deliberation", "decide", topic, outcome, "--agent", "ada").code == 0
    hits = varves("recall", topic, "--json").json["hits"]
    assert outcome in [one["text"] for one in hits]
