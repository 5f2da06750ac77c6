from __future__ import annotations

import asyncio
from threading import Event, get_ident

import pytest

import varves
from tests.protocols.deliberation.runners import LIMIT, Held, fill, gather, message, ranges
from varves.errors import Refused, UsageError


def test_messages_are_posted_in_the_order_of_the_calls():
    async def talk():
        async with varves.MessageBus() as bus:
            heard = gather(bus)
            posts = [bus.post(message("ada", f"Number {n}.")) for n in range(30)]
            posted = await asyncio.gather(*posts)
            assert await bus.drained(LIMIT)
            return posted, [one.message for one in heard], ranges(bus)

    posted, heard, found = asyncio.run(talk())
    assert [one.index for one in posted] == list(range(30))
    assert heard == posted
    assert found == [(0, 11), (12, 23)]


class Slow(varves.ConversationMemory):
    """Takes a message in only once it is let go."""

    def __init__(self):
        super().__init__()
        self.reached, self.go = Event(), Event()

    def process_message(self, message):
        self.reached.set()
        assert self.go.wait(LIMIT)
        return super().process_message(message)


def test_the_loop_goes_on_while_a_message_waits():
    async def talk():
        slow = Slow()
        async with varves.MessageBus(slow) as bus:
            waiting = asyncio.ensure_future(bus.post(message("ada", "Hello.")))
            assert await asyncio.to_thread(slow.reached.wait, LIMIT)
            assert not waiting.done()  # the loop is here, though the memory is not
            slow.go.set()
            return (await waiting).index

    assert asyncio.run(talk()) == 0


def test_what_a_post_raises_comes_to_whoever_awaits_it():
    async def talk():
        bus = varves.MessageBus()
        with pytest.raises(Refused):
            await bus.post(message("ada", " "))
        await bus.aclose(LIMIT)
        with pytest.raises(Refused, match="closed"):
            await bus.post(message("ada", "Hello."))
        return bus.failures

    assert asyncio.run(talk()) == ()


def test_async_subscribers_run_on_the_loop_they_came_from_one_message_after_the_other():
    async def talk():
        async with varves.MessageBus() as bus:
            here, heard, running = get_ident(), [], []

            async def hear(notice):
                running.append(notice.message.index)
                assert len(running) == 1
                await asyncio.sleep(0)
                assert get_ident() == here
                heard.append(running.pop())

            async def fail(notice):
                raise ValueError("not this")

            bus.subscribe("message:new", hear)
            bus.subscribe("message:new", fail)
            for n in range(5):
                await bus.post(message("ada", f"Number {n}."))
            assert await bus.drained(LIMIT)
            return heard, [one.error for one in bus.failures]

    heard, errors = asyncio.run(talk())
    assert heard == [0, 1, 2, 3, 4]
    assert errors == ["ValueError: not this"] * 5


def test_async_subscribers_of_a_bus_without_a_loop_are_awaited_too():
    with varves.MessageBus() as bus:
        heard = []

        async def hear(notice):
            await asyncio.sleep(0)
            heard.append(notice.message.index)

        bus.subscribe("message:new", hear)
        fill(bus, 3)
        assert bus.drain(LIMIT)
        assert heard == [0, 1, 2]


def test_waiting_on_the_loop_one_waits_for_is_refused():
    async def talk():
        async with varves.MessageBus() as bus:

            async def hear(notice):
                pass

            bus.subscribe("message:new", hear)
            for wait in (bus.drain, bus.close):
                with pytest.raises(UsageError, match="running event loop"):
                    wait()

    asyncio.run(talk())


def test_a_loop_that_is_gone_is_a_failure_and_stops_nobody():
    bus = varves.MessageBus()

    async def subscribe():
        async def hear(notice):
            pass

        bus.subscribe("message:new", hear)

    asyncio.run(subscribe())
    heard = gather(bus)
    fill(bus, 2)
    assert bus.close(LIMIT)
    assert [one.message.index for one in heard] == [0, 1]
    assert [one.error for one in bus.failures] == ["RuntimeError: Event loop is closed"] * 2


def test_a_post_that_is_cancelled_before_its_turn_posts_nothing():
    async def talk():
        slow = Slow()
        async with varves.MessageBus(slow) as bus:
            first = asyncio.ensure_future(bus.post(message("ada", "First.")))
            assert await asyncio.to_thread(slow.reached.wait, LIMIT)
            second = asyncio.ensure_future(bus.post(message("ada", "Second.")))
            await asyncio.sleep(0)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            slow.go.set()
            await first
            assert await bus.drained(LIMIT)
            return [one.content for one in bus.messages], bus.failures

    assert asyncio.run(talk()) == (["First."], ())


def test_a_post_that_had_not_its_turn_when_the_bus_was_closed_is_refused_not_forgotten():
    async def talk():
        slow = Slow()
        bus = varves.MessageBus(slow)
        first = asyncio.ensure_future(bus.post(message("ada", "First.")))
        assert await asyncio.to_thread(slow.reached.wait, LIMIT)
        second = asyncio.ensure_future(bus.post(message("ada", "Second.")))
        await asyncio.sleep(0)
        assert not await bus.aclose(0)
        with pytest.raises(Refused, match="closed"):
            await second
        slow.go.set()
        return (await first).index, [one.content for one in bus.messages]

    assert asyncio.run(talk()) == (0, ["First."])


def test_a_listener_with_a_slow_runner_leaves_the_loop_free():
    async def talk():
        runner = Held("Here.", says=True)
        persona = varves.Persona(id="eve", name="Eve", system_prompt="You are Eve.")
        async with varves.MessageBus() as bus:
            with varves.AgentListener(persona, bus, runner):
                await bus.post(message("ada", "Eve?"))
                assert await asyncio.to_thread(runner.asked.wait, LIMIT)
                await bus.post(message("ada", "Still here."))
                runner.go.set()
                assert await bus.drained(LIMIT)
            return [one.agent_id for one in bus.messages]

    assert asyncio.run(talk()) == ["ada", "ada", "eve", "eve"]
