"""The measuring of conversations: what is said in them, and which growth is missed."""

from __future__ import annotations

import pytest

from benchmarks.deliberation import AGENTS, grown, level, messages
from benchmarks.measure import Samples
from varves.protocols.deliberation.findings import Decided, Raised, Reacted
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.pattern_extractor import published
from varves.protocols.deliberation.state import Message, State
from varves.protocols.deliberation.transitions import after


@pytest.mark.parametrize(
    ("times", "met"),
    [((1.0, 1.5, 1.5), [None, True, True]), ((1.0, 1.0, 1.6), [None, True, False])],
    ids=["flat", "grows"],
)
def test_a_message_may_cost_half_as_much_again_and_no_more(times, met):
    found = {size: Samples((time,)) for size, time in zip((100, 1000, 9000), times, strict=True)}
    assert [row.met for row in grown("x", found)] == met
    assert [row.met for row in grown("x", found, held=False)] == [None, None, None]


def test_what_the_bounds_hold_may_not_grow_with_them_reached():
    assert [row.met for row in level("x", {1: 10, 2: 100, 3: 120})] == [None, None, True]
    assert [row.met for row in level("x", {1: 100, 2: 100, 3: 121})] == [None, None, False]


def test_the_talk_is_the_same_every_time_and_has_something_to_find():
    said = list(messages(200, seed=3))
    assert said == list(messages(200, seed=3))
    assert said != list(messages(200, seed=4))
    assert {agent for agent, _ in said} == set(AGENTS)
    options, state = DeliberationOptions(), State()
    found = []
    for number, (agent, text) in enumerate(said):
        message = Message(agent_id=agent, content=text, id=f"m{number}", index=number)
        findings = published(options).read(message, state)
        found += [type(one) for one in findings]
        ids = iter(f"{number}-{place}" for place in range(9))
        state = after(state, message, findings, make_id=ids.__next__, options=options)
    assert found.count(Decided) >= 20
    assert found.count(Raised) >= 20
    assert found.count(Reacted) >= 10
