from __future__ import annotations

import json

import pytest

import varves
from tests.figures import full_size
from tests.protocols.deliberation.runners import (
    LIMIT,
    Buses,
    Counted,
    Runner,
    fill,
    message,
    ranges,
)
from varves.errors import Refused, UsageError
from varves.protocols.deliberation.findings import Decided, Raised
from varves.values.instants import FixedClock


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-01")
def test_what_was_agreed_at_message_five_is_in_the_context_at_message_two_hundred(buses: Buses):
    bus = buses.open(Runner("They talked of the weather."))
    fill(bus, 5)
    agreed = bus.add_message(message("cid", "We agreed to keep all sessions in Redis."))
    assert agreed.index == 5
    bus.add_message(message("cid", "I propose we measure the cache first."))
    fill(bus, 193)
    assert bus.drain(LIMIT)
    assert bus.get_memory_stats().total_messages == 200
    assert agreed not in bus.get_recent_messages(15)
    assert "keep all sessions in Redis" in bus.get_memory_context()
    assert '- cid: "' in bus.get_memory_context()
    assert "## Your Previous Position" in bus.get_memory_context("cid")


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-01")
def test_a_fact_that_nobody_decided_lives_on_in_its_summary(buses: Buses):
    bus = buses.open(summary_interval=12, summaries_shown=20)
    fill(bus, 5)
    bus.add_message(message("cid", "The backup server in Oslo holds the only signing keys."))
    fill(bus, 194 if full_size() else 54)
    assert bus.drain(LIMIT)
    assert (
        "[cid] The backup server in Oslo holds the only signing keys." in bus.get_memory_context()
    )


def test_a_memory_alone_takes_messages_and_tells_what_it_holds():
    memory = varves.ConversationMemory(clock=FixedClock(0), ids=Counted())
    kept = memory.process_message(message("ada", "I propose we measure the cache first."))
    assert (kept.index, kept.timestamp) == (0, "1970-01-01T00:00:00.000Z")
    given = message("ben", "Fine.", id="m-7", timestamp="2026-01-02T00:00:00.000Z", index=99)
    kept = memory.process_message(given)
    assert kept == given.replace(index=1)
    stats = memory.get_stats()
    assert (stats.total_messages, stats.agent_count, stats.proposal_count) == (2, 2, 1)
    assert memory.get_memory_context().startswith("## Active Proposals")
    assert memory.summarise() == ()
    assert memory.failures == ()


@pytest.mark.parametrize(("agent", "content"), [("", "x"), ("ada", "\n")])
def test_a_memory_refuses_what_says_nothing(agent, content):
    memory = varves.ConversationMemory()
    with pytest.raises(Refused):
        memory.process_message(message(agent, content))
    assert memory.get_stats().total_messages == 0


def test_another_extractor_may_stand_in_the_place_of_the_published_one():
    class Shouts:
        name = "shouts"

        def read(self, message, state):
            if message.content.isupper():
                return (Decided(topic="shout", outcome=message.content),)
            return (Raised(content=message.content),)

    memory = varves.ConversationMemory(None, Shouts())
    memory.process_message(message("ada", "quiet"))
    memory.process_message(message("ben", "LOUD"))
    assert memory.get_brief_context() == (
        "## Key Decisions Made\n\n- **shout**: LOUD\n\n"
        '## Active Proposals\n\n- ada: "quiet" (0 reactions)'
    )


def test_a_state_that_lacks_its_open_messages_goes_on_at_the_next_full_chunk():
    memory = varves.ConversationMemory({"summary_interval": 4})
    memory.restore({"processedMessageCount": 10, "summaries": []})
    with varves.MessageBus(memory) as bus:
        fill(bus, 7)
        assert bus.drain(LIMIT)
        found = ranges(bus)
        assert bus.messages[-1].index == 16
    assert found == [(10, 11), (12, 15)]  # of what is not there any more nothing is told


def test_what_is_no_state_is_refused_and_changes_nothing():
    memory = varves.ConversationMemory()
    memory.process_message(message("ada", "Hello."))
    before = json.dumps(memory.get_state())
    with pytest.raises(UsageError):
        memory.restore(["no", "state"])
    assert json.dumps(memory.get_state()) == before
