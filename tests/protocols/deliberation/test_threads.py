from __future__ import annotations

from threading import Barrier, Event, Thread, active_count

import pytest
from hypothesis import given
from hypothesis import strategies as st

import varves
from tests.protocols.deliberation.runners import (
    LIMIT,
    Buses,
    Held,
    Runner,
    fill,
    gather,
    message,
    ranges,
    tiles,
)


def together(*calls):
    """Run some calls at once, each on its own thread, and wait for all."""
    threads = [Thread(target=call, daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
        assert not thread.is_alive()


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-42")
def test_while_a_summary_is_made_messages_still_flow_and_none_is_lost(buses: Buses):
    runner = Held("So it went.")
    bus = buses.open(runner, summary_interval=4)
    heard = gather(bus)
    fill(bus, 4)
    assert runner.asked.wait(LIMIT)
    fill(bus, 26)  # all this while the runner is still thinking
    assert bus.get_memory_stats().total_messages == 30
    assert ranges(bus) == []
    runner.go.set()
    assert bus.drain(LIMIT)
    assert [one.message.index for one in heard] == list(range(30))
    assert tiles(ranges(bus), 30, 4)


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S4-42")
def test_one_failure_is_logged_and_the_messages_go_on(buses: Buses, caplog):
    bus = buses.open(Runner(TimeoutError("too slow"), "So it went."))
    fill(bus, 30)
    assert bus.drain(LIMIT)
    logged = [one for one in caplog.records if one.name == "varves.deliberation"]
    assert [one.getMessage() for one in logged] == ["summary 0-11 failed: TimeoutError: too slow"]
    assert [(one.part, one.error) for one in bus.failures] == [
        ("summary 0-11", "TimeoutError: too slow")
    ]
    assert bus.get_memory_stats().total_messages == 30
    assert tiles(ranges(bus), 30, 12)


@pytest.mark.requirement("S4-42")
def test_messages_that_the_history_lost_while_a_runner_was_slow_are_still_summarised():
    runner = Held(lambda asked: f"{asked['prompt'].count('The build')} messages.")
    with varves.MessageBus(runner=runner, options={"keep_summaries": 60}) as bus:
        fill(bus, 12)
        assert runner.asked.wait(LIMIT)
        fill(bus, 588)
        assert (len(bus.messages), bus.messages[0].index) == (500, 100)
        runner.go.set()
        assert bus.drain(LIMIT)
        assert tiles(ranges(bus), 600, 12)
        assert {one.content for one in bus.memory.state.summaries} == {"12 messages."}


@given(
    fails=st.lists(st.booleans(), max_size=60),
    interval=st.integers(1, 7),
    keep=st.sampled_from([1, 5, 500]),
    waits=st.sets(st.integers(0, 39)),
)
def test_whatever_fails_ranges_tile_the_conversation(fails, interval, keep, waits):
    script = iter(fails)

    def answer(asked):
        if next(script, False):
            raise OSError("no line")
        return "So it went."

    options = {"summary_interval": interval, "keep_messages": keep, "keep_summaries": 50}
    bus = varves.MessageBus(runner=Runner(answer), options=options)
    made = gather(bus, "summary:new")
    for n in range(40):
        fill(bus, 1)
        if n in waits:
            assert bus.drain(LIMIT)
    while len(bus.memory.state.pending) >= interval:  # each failing chunk is extracted in the end
        assert bus.drain(LIMIT)
    assert bus.close(LIMIT)
    assert tiles(ranges(bus), 40, interval)
    assert [one.message_range for one in made] == ranges(bus)
    assert len(bus.messages) == min(keep, 40)


def test_two_who_summarise_at_once_cover_a_chunk_once():
    both = Barrier(2)

    def answer(asked):
        both.wait(LIMIT)  # both are asked before either has answered
        return "So it went."

    memory = varves.ConversationMemory({"summary_interval": 4})
    for n in range(4):
        memory.process_message(message("ada", f"Number {n}."))
    made = []
    together(*[lambda: made.extend(memory.summarise(Runner(answer)))] * 2)
    assert [one.message_range for one in made] == [(0, 3)]
    assert [one.message_range for one in memory.state.summaries] == [(0, 3)]


def test_many_threads_post_at_once_and_every_subscriber_hears_one_order():
    with varves.MessageBus(options={"keep_summaries": 60}) as bus:
        first, second = gather(bus), gather(bus)
        start = Barrier(8)

        def post(agent):
            start.wait(LIMIT)
            for n in range(50):
                bus.add_message(message(agent, f"This is what {agent} says, number {n}."))

        together(*[lambda agent=f"agent-{n}": post(agent) for n in range(8)])
        assert bus.drain(LIMIT)
        assert [one.message.index for one in first] == list(range(400))
        assert first == second
        assert [one.message for one in first] == list(bus.messages)
        for n in range(8):
            own = [one.content for one in bus.messages if one.agent_id == f"agent-{n}"]
            assert own == [f"This is what agent-{n} says, number {m}." for m in range(50)]
        states = bus.memory.state.agent_states
        assert [states[f"agent-{n}"].message_count for n in range(8)] == [50] * 8
        assert tiles(ranges(bus), 400, 12)


def test_a_slow_subscriber_stops_neither_the_posting_nor_the_others():
    with varves.MessageBus() as bus:
        go, slow = Event(), []
        reached = Event()

        def wait(notice):
            assert go.wait(LIMIT)
            slow.append(notice.message.index)

        def hear(notice):
            if notice.message.index == 99:
                reached.set()

        bus.subscribe("message:new", wait)
        bus.subscribe("message:new", hear)
        fill(bus, 100)
        assert reached.wait(LIMIT)
        assert slow == []
        go.set()
        assert bus.drain(LIMIT)
        assert slow == list(range(100))


def test_a_subscriber_that_ends_its_thread_is_called_again_for_the_next_message():
    with varves.MessageBus() as bus:
        heard = []

        def leave(notice):
            heard.append(notice.message.index)
            raise SystemExit

        bus.subscribe("message:new", leave)
        fill(bus, 3)
        assert bus.drain(LIMIT)
        assert heard == [0, 1, 2]
        assert [one.error for one in bus.failures] == ["SystemExit"] * 3


def test_no_thread_is_left_behind():
    before = active_count()
    buses = [varves.MessageBus() for _ in range(20)]
    for bus in buses:
        gather(bus)
        fill(bus, 13)
    for bus in buses:
        assert bus.close(LIMIT)
    ended = Event()
    for _ in range(1000):
        if active_count() <= before:
            break
        ended.wait(0.01)  # a thread is counted until its last step
    assert active_count() <= before


def test_a_failure_is_logged_in_one_line(buses: Buses, caplog):
    bus = buses.open(Runner(TimeoutError("too slow"), "So it went."))
    with caplog.at_level("DEBUG", logger="varves.deliberation"):
        fill(bus, 12)
        assert bus.drain(LIMIT)
    logged = [one for one in caplog.records if one.name == "varves.deliberation"]
    assert [(one.levelname, bool(one.exc_info)) for one in logged] == [
        ("WARNING", False),
        ("DEBUG", True),
    ]
