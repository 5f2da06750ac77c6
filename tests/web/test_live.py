"""News for open pages: the number of events, from one follower, and never a text."""

from __future__ import annotations

import asyncio
import json

import varves
from tests.rooms import room
from varves.context.follow_up import FollowUp
from varves.door import Door
from varves.questions.watch import Watch
from varves.web.live import Live


def test_events_are_counted_as_they_arrive_from_anywhere(project, ledger):
    watch = ledger.watch()
    assert watch.events() == 0
    ledger.remember("One")
    assert watch.events() == 1
    with varves.open(project, actor="ada") as other:
        other.remember_many({"text": f"Fact {n}"} for n in range(500))
        other.remember("Here alone", private=True)
    assert watch.events() == len(ledger.log()) == 502
    one = ledger.list()[0]
    ledger.forget(one.id, reason="x")
    ledger.purge(one.id, reason="y")
    assert watch.events() == len(ledger.log())


def test_a_look_folds_nothing(project):
    with varves.open(project) as ledger:
        ledger.remember("One")
    with room(project) as context:
        watch = Watch(Door(context, FollowUp(), None).guard)
        assert watch.events() == 1
        held = context.index.opened.changes()
        with varves.open(project, actor="ada") as other:
            other.remember_many({"text": f"Fact {n}"} for n in range(20))
        assert watch.events() == 21
        assert context.index.opened.changes()[2:] == held[2:]


def test_all_streams_share_one_follower_that_ends_with_the_last(ledger):
    looks = []
    counts = iter([3, 3, 5])

    def count():
        looks.append(1)
        return next(counts, 5)

    async def run():
        live = Live(count, every=0.01)
        streams = [live.stream() for _ in range(3)]
        first = [await anext(one) for one in streams]
        second = [await anext(one) for one in streams]
        for one in streams:
            await one.aclose()
        before = len(looks)
        await asyncio.sleep(0.05)
        return first, second, before == len(looks)

    first, second, stopped = asyncio.run(run())
    told = [json.loads(one.split("data: ")[1]) for one in first]
    assert told == [{"events": 3}] * 3
    assert [json.loads(one.split("data: ")[1]) for one in second] == [{"events": 5}] * 3
    assert stopped
    assert len(looks) < 30


def test_a_server_that_ends_is_not_held_by_an_open_page():
    async def run():
        live = Live(lambda: 1, every=0.01)
        stream = live.stream()
        await anext(stream)
        live.end()
        return [part async for part in stream]

    assert asyncio.run(asyncio.wait_for(run(), 5)) == []
