from __future__ import annotations

import json
from threading import Event

import pytest

import varves
from tests.figures import full_size
from tests.protocols.deliberation.runners import LIMIT, Buses, Runner, fill, gather, message, ranges
from tests.tables import each_row
from varves.errors import Refused, UsageError


class Traced(varves.ConversationMemory):
    """A memory that notes when it is asked, and what the bus shows then."""

    def __init__(self) -> None:
        super().__init__({"summary_interval": 2})
        self.bus = None
        self.steps = []

    def process_message(self, message):
        self.steps.append(("memory", self.bus.messages[-1].content, self.state.total))
        return super().process_message(message)

    def summary_is_due(self, message):
        self.steps.append(("summary", message.content, self.state.total))
        return super().summary_is_due(message)


@pytest.mark.requirement("S4-41")
def test_a_message_is_stored_then_remembered_then_a_summary_looked_for_then_told():
    memory = Traced()
    with varves.MessageBus(memory) as bus:
        memory.bus = bus

        def hear(notice):
            memory.steps.append(("told", notice.message.content, memory.state.total))
            heard.append(notice)

        heard = []
        bus.subscribe("message:new", hear)
        posted = bus.add_message(message("ada", "Hello."))
        assert bus.drain(LIMIT)
        assert memory.steps[:3] == [
            ("memory", "Hello.", 0),
            ("summary", "Hello.", 1),
            ("told", "Hello.", 1),
        ]
        assert [(one.message, one.from_agent) for one in heard] == [(posted, "ada")]


@pytest.mark.requirement("S4-41")
def test_a_message_comes_back_with_its_place_id_and_instant(buses: Buses):
    bus = buses.open()
    heard = gather(bus)
    first, second = fill(bus, 2)
    assert bus.drain(LIMIT)
    assert (first.index, second.index) == (0, 1)
    assert first.id != second.id
    assert first.timestamp == second.timestamp == "2026-01-01T00:00:00.000Z"
    assert bus.messages == (first, second)
    assert [(one.message, one.from_agent) for one in heard] == [(first, "ada"), (second, "ben")]


@pytest.mark.requirement("S4-43")
def test_the_bus_gives_the_memorys_context(buses: Buses):
    bus = buses.open(summary_interval=3)
    bus.add_message(message("ada", "I propose we measure the cache first."))
    bus.add_message(message("ben", "We agreed to use Redis for the cache."))
    fill(bus, 3)
    assert bus.drain(LIMIT)
    for agent in (None, "ada", "nobody"):
        assert bus.get_memory_context(agent) == bus.memory.get_memory_context(agent)
    assert "## Earlier Discussion Summary" in bus.get_memory_context()
    assert "## Your Previous Position" in bus.get_memory_context("ada")
    assert bus.get_eval_memory_context() == bus.memory.get_brief_context()


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-49")
@pytest.mark.parametrize("wanted", [0, 3, 20])
def test_the_last_messages_are_given_all_where_there_are_fewer(buses: Buses, wanted):
    bus = buses.open()
    said = fill(bus, 7)
    given = bus.get_recent_messages(wanted)
    assert given == tuple(said)[max(0, 7 - wanted) :]
    assert len(given) == {0: 0, 3: 3, 20: 7}[wanted]


@pytest.mark.requirement("S4-50")
def test_one_of_three_subscribers_fails_and_the_others_hear_everything(buses: Buses, caplog):
    bus = buses.open()
    before, after = gather(bus), []

    def fail(notice):
        raise ValueError(f"not {notice.message.index}")

    bus.subscribe("message:new", fail)
    bus.subscribe("message:new", after.append)
    fill(bus, 3)
    assert bus.drain(LIMIT)
    assert [one.message.index for one in before] == [0, 1, 2]
    assert [one.message.index for one in after] == [0, 1, 2]
    assert [one.error for one in bus.failures] == [f"ValueError: not {n}" for n in range(3)]
    assert all("fail" in one.part for one in bus.failures)
    assert [one.name for one in caplog.records] == ["varves.deliberation"] * 3

    assert bus.unsubscribe("message:new", fail)
    assert not bus.unsubscribe("message:new", fail)
    fill(bus, 1)
    assert bus.drain(LIMIT)
    assert len(bus.failures) == 3
    assert len(before) == len(after) == 4


@pytest.mark.requirement("S4-50")
def test_a_subscription_ends_when_what_it_returned_is_called(buses: Buses):
    bus = buses.open()
    heard = []
    end = bus.subscribe("message:new", heard.append)
    fill(bus, 1)
    assert bus.drain(LIMIT)
    assert end()
    assert not end()
    fill(bus, 1)
    assert bus.drain(LIMIT)
    assert [one.message.index for one in heard] == [0]


def test_a_subscriber_may_end_its_subscription_while_it_is_called():
    with varves.MessageBus() as bus:
        heard = []
        ready = Event()

        def once(notice):
            assert ready.wait(LIMIT)
            heard.append(notice.message.index)
            end()

        end = bus.subscribe("message:new", once)
        fill(bus, 5)
        ready.set()
        assert bus.drain(LIMIT)
        assert heard == [0]
        assert bus.failures == ()


def test_a_subscriber_may_post_and_may_subscribe_others():
    with varves.MessageBus() as bus:
        later = []

        def echo(notice):
            if notice.message.agent_id == "ada":
                bus.subscribe("message:new", later.append)
                bus.add_message(message("echo", "I heard that."))

        bus.subscribe("message:new", echo)
        bus.add_message(message("ada", "Anybody there?"))
        assert bus.drain(LIMIT)
        assert [one.agent_id for one in bus.messages] == ["ada", "echo"]
        assert [one.message.agent_id for one in later] == ["echo"]


def test_nobody_can_subscribe_to_what_is_no_event():
    with varves.MessageBus() as bus, pytest.raises(UsageError, match="message:old"):
        bus.subscribe("message:old", print)


@each_row(
    ("agent", "content"),
    [("", "Hello."), ("  ", "Hello."), ("ada", ""), ("ada", " \n\t")],
)
def test_an_empty_agent_or_text_is_refused_and_leaves_no_trace(buses: Buses, agent, content):
    bus = buses.open()
    heard = gather(bus)
    with pytest.raises(Refused):
        bus.add_message(message(agent, content))
    assert bus.drain(LIMIT)
    assert (bus.messages, heard) == ((), [])
    assert bus.get_memory_stats().total_messages == 0


@each_row(
    "given",
    ["Hello.", None, {"agentId": "ada"}, message("ada", None), message(5, "Hello.")],
)
def test_anything_but_a_message_is_refused_and_leaves_no_trace(buses: Buses, given):
    bus = buses.open()
    with pytest.raises(UsageError, match="not a message"):
        bus.add_message(given)
    assert bus.messages == ()
    assert bus.get_memory_stats().total_messages == 0


def test_a_message_the_memory_cannot_take_is_not_kept():
    class Torn:
        name = "torn"

        def read(self, message, state):
            raise RuntimeError("torn")

    with varves.MessageBus(varves.ConversationMemory(None, Torn())) as bus:
        with pytest.raises(RuntimeError):
            bus.add_message(message("ada", "Hello."))
        assert bus.messages == ()


@pytest.mark.requirement("S4-51")
def test_the_state_is_plain_json(buses: Buses):
    bus = buses.open(summary_interval=3)
    bus.add_message(message("ada", "I propose we measure the cache first."))
    bus.add_message(message("ben", "We agreed to use Redis for the cache."))
    fill(bus, 2)
    assert bus.drain(LIMIT)
    state = bus.get_memory_state()
    assert json.loads(json.dumps(state)) == state
    assert {"summaries", "decisions", "proposals", "agentStates"} <= state.keys()
    assert [len(state[key]) for key in ("summaries", "decisions", "proposals")] == [1, 1, 1]


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-53")
@pytest.mark.parametrize("cut", [1, 11, 12, 17, 24] if full_size() else [12, 17])
def test_a_conversation_that_was_saved_and_restored_goes_on_as_if_nothing_had_been(
    buses: Buses, cut
):
    texts = [f"Redis number {n} keeps the sessions of all our users." for n in range(30)]
    texts[4] = "I propose we measure the cache first."
    texts[20] = "We agreed to use Redis for the cache."
    whole, first, second = (buses.open(Runner("So it went.")) for _ in range(3))

    def post(bus, numbers):
        for n in numbers:
            bus.add_message(message(("ada", "ben")[n % 2], texts[n]))
        assert bus.drain(LIMIT)

    post(whole, range(30))
    post(first, range(cut))
    second.restore_memory(json.loads(json.dumps(first.get_memory_state())))
    assert second.get_memory_context("ada") == first.get_memory_context("ada")
    assert second.get_memory_stats() == first.get_memory_stats()
    post(second, range(cut, 30))
    assert second.get_memory_stats() == whole.get_memory_stats()
    for agent in (None, "ada", "ben"):
        assert second.get_memory_context(agent) == whole.get_memory_context(agent)
    assert ranges(second) == ranges(whole) == [(0, 11), (12, 23)]
    assert second.messages[-1].index == 29


def test_a_closed_bus_takes_no_messages_and_has_heard_everything():
    bus = varves.MessageBus()
    go, heard = Event(), []

    def slow(notice):
        assert go.wait(LIMIT)
        heard.append(notice.message.index)

    bus.subscribe("message:new", slow)
    fill(bus, 20)
    go.set()
    assert bus.close(LIMIT)
    assert heard == list(range(20))
    assert ranges(bus) == [(0, 11)]
    with pytest.raises(Refused, match="closed"):
        bus.add_message(message("ada", "Anybody there?"))
    assert bus.close(LIMIT)


def test_a_bus_that_cannot_end_in_time_says_so():
    bus = varves.MessageBus()
    go = Event()
    bus.subscribe("message:new", lambda _: go.wait(LIMIT))
    fill(bus, 2)
    assert not bus.drain(0)
    assert not bus.close(0)
    go.set()


def test_a_subscriber_may_close_the_bus_but_not_wait_for_itself():
    with varves.MessageBus() as bus:

        def last(notice):
            bus.close()
            bus.drain()

        bus.subscribe("message:new", last)
        fill(bus, 1)
        assert bus.drain(LIMIT)
        assert [one.error for one in bus.failures] == [
            "UsageError: drain inside a subscriber would wait for itself"
        ]
        with pytest.raises(Refused):
            fill(bus, 1)


def test_in_a_ledger_two_processes_hold_one_conversation(project):
    runner = Runner("So it went.")
    with varves.open(str(project)) as one, varves.open(str(project)) as other:
        one.deliberation.begin("talk")
        first = one.deliberation.bus("talk", runner=runner)
        second = other.deliberation.bus("talk", runner=runner)
        for n in range(6):
            for bus in (first, second):
                bus.add_message(message("ada", f"Number {n} of the {n} things I wanted to say."))
        assert first.get_recent_messages(5) == second.get_recent_messages(5)
        assert [one.index for one in second.messages] == list(range(12))
        assert first.close(LIMIT)
        assert second.close(LIMIT)
        assert ranges(first) == ranges(second) == [(0, 11)]
        assert first.get_memory_stats().total_messages == 12
