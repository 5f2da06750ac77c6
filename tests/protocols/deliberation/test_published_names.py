"""The publication's own programs, with its names, and what they are given."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime

import pytest

import varves as package
from tests.protocols.deliberation.runners import LIMIT
from varves.errors import UsageError
from varves.protocols.deliberation import published
from varves.protocols.deliberation.names import camel

PROPOSES = "I propose that we rotate the keys weekly"


class Published:
    """A runner as the publication writes one: asynchronous, with its parameter names."""

    async def query(self, prompt, systemPrompt, model="none"):  # noqa: N803 - published
        await asyncio.sleep(0)
        return {"response": f"{model}, {systemPrompt.split('.')[0]}, {len(prompt) > 0}"}

    async def evaluate(self, options):
        await asyncio.sleep(0)
        return {"respond": True, "asked": options["evalPrompt"].splitlines()[-1]}


@pytest.mark.requirement("S4-41", "S4-51")
def test_a_bus_is_used_with_the_published_names():
    heard = []
    with package.MessageBus() as bus:
        bus.on("message:new", lambda event: heard.append((event["fromAgent"], event.fromAgent)))
        bus.addMessage({"agentId": "ada", "content": PROPOSES})
        bus.emit("message:new", {"message": package.Message("ben", "Hello."), "fromAgent": "ben"})
        assert bus.drain(LIMIT)
        state = json.loads(json.dumps(bus.getMemoryState()))
    other = package.MessageBus()
    other.restoreMemory(state)
    stats = other.getMemoryStats()
    other.close()

    assert heard == [("ada", "ada"), ("ben", "ben")]
    assert (stats["proposalCount"], stats.proposalCount, stats.proposal_count) == (1, 1, 1)
    assert other.memory.proposals[0].content == "we rotate the keys weekly"
    assert other.memory.agentStates["ada"].lastPosition == PROPOSES


def test_a_memory_takes_a_plain_message_as_a_bus_does():
    memory = package.ConversationMemory()
    at = "2026-01-01T00:00:00Z"
    memory.processMessage({"agentId": "ada", "content": PROPOSES, "timestamp": at})
    [raised] = memory.proposals
    assert (raised.proposer, raised.content) == ("ada", "we rotate the keys weekly")
    assert raised.timestamp == at
    with pytest.raises(UsageError):
        memory.processMessage({"agentId": "ada"})


@pytest.mark.requirement("S4-20", "S4-45", "S4-47")
def test_a_listener_is_awaited_inside_a_loop_and_outside():
    async def talk():
        async with package.MessageBus() as bus:
            await bus.post(package.Message("ada", PROPOSES))
            eve = package.Persona(id="eve", name="Eve", systemPrompt="You are Eve.")
            listener = package.AgentListener(eve, bus, Published())
            said = await listener.evaluateReaction(), await listener.generateResponse()
            return *said, listener.generate_response()

    evaluated, answered, waited = asyncio.run(talk())

    assert evaluated == {"respond": True, "asked": "Should Eve respond?"}
    assert answered == waited == "none, You are Eve, True"


@pytest.mark.requirement("S4-54")
@pytest.mark.parametrize("zone", [UTC, None], ids=["zone", "local"])
def test_a_datetime_is_an_instant(zone):
    moment = datetime(2026, 5, 6, 7, 8, 9, tzinfo=zone)
    said = package.Message("ada", PROPOSES, timestamp=moment)
    expected = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    with package.MessageBus() as bus:
        assert bus.add_message(said).timestamp == expected


def test_the_published_functions_find_what_a_message_says():
    moment = datetime(2026, 5, 6, tzinfo=UTC)
    said = package.Message("ada", "We've decided on hosting: Frankfurt.", timestamp=moment)
    decided = published.extractDecisions(said)
    raised = published.extractProposal({"agentId": "ben", "content": PROPOSES})
    held = [raised, {"proposer": "ben", "content": raised.content, "status": "active"}]
    published.trackReaction(package.Message("noa", f"I agree: {raised.content}"), held)

    assert (decided.topic, decided.outcome) == ("hosting", "Frankfurt")
    assert (decided.supportingAgents, decided.timestamp) == (("ada",), "2026-05-06T00:00:00.000Z")
    assert [dict(one) for one in held[0].reactions] == held[1]["reactions"]
    assert held[1]["reactions"] == [{"agentId": "noa", "reaction": "support"}]
    assert published.extractDecisions(package.Message("ada", "Good morning.")) is None
    assert published.extractTopic("We agreed on naming: kebab case") == "naming"
    assert published.detectReaction("That won't work.") == "oppose"
    assert published.SUMMARY_INTERVAL == 12


def test_a_chunk_is_summarised_by_the_published_function():
    said = [package.Message("ada", PROPOSES), package.Message("ben", "I agree.")]
    summary = asyncio.run(published.summarizeChunk(said, Published()))
    assert summary == "haiku, You summarize discussions concisely, True"
    assert published.formatMessages(said) == f"[ada]: {PROPOSES}\n\n[ben]: I agree."


def test_a_name_that_nobody_published_is_missing(ledger):
    ledger.deliberation.begin("talk")
    with ledger.deliberation.bus() as bus:
        assert not hasattr(bus, "addMessages")
    with pytest.raises(AttributeError, match="extractNothing"):
        published.extractNothing  # noqa: B018 - the access is what is tested
    with pytest.raises(TypeError, match="twice"):
        package.Message("ada", "Hello.", agentId="ben")


@pytest.mark.requirement("S4-31")
def test_agreement_that_quotes_a_proposal_proposes_nothing(buses):
    bus = buses.open()
    bus.add_message(package.Message("ada", "I propose to insulate the cellar with cork"))
    bus.add_message(package.Message("ben", "Great idea: insulate the cellar with cork"))
    [proposal] = bus.memory.proposals
    assert [dict(one) for one in proposal.reactions] == [{"agentId": "ben", "reaction": "support"}]


def test_a_star_import_brings_both_spellings():
    there: dict[str, object] = {}
    exec("from varves.protocols.deliberation.published import *", there)  # noqa: S102
    assert there["getMemoryContext"] is there["get_memory_context"] is published.getMemoryContext
    assert {camel(name) for name in there if name[0].islower()} <= there.keys()
    assert there["SUMMARY_INTERVAL"] == 12


REACTION_PATTERNS = {
    "support": [r"I\s+agree", r"great\s+idea", r"let's\s+do\s+it"],
    "oppose": [r"I\s+disagree", r"won't\s+work", r"problem\s+with"],
}


def test_a_reaction_is_detected_by_the_patterns_of_the_caller():
    detect = published.detectReaction
    assert detect("Great idea!", REACTION_PATTERNS) == "support"
    assert detect("That won\u2019t work.", REACTION_PATTERNS) == "oppose"
    assert detect("Sounds lovely.", REACTION_PATTERNS) == "neutral"
    assert detect("I agree", {"support": ["bravo"], "oppose": []}) == "neutral"
    assert detect("Bravo!", {"support": "bravo"}) == "support"
    assert detect("BRAVO", {"support": [re.compile("bravo")]}) == "neutral"
    assert detect("I agree", {}) == "neutral"


def test_a_wrong_pattern_of_the_caller_is_named():
    with pytest.raises(UsageError, match="not a regular expression"):
        published.detectReaction("I agree", {"support": ["("]})
    with pytest.raises(UsageError, match="no reaction"):
        published.detectReaction("I agree", {"favour": ["agree"]})
