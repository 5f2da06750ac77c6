"""R9: replay is a function of the set of events, whatever their order, number or grouping."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tests.figures import add_figure
from tests.properties.world import (
    HOUR,
    PROJECTION,
    START,
    dump_of,
    many,
    meet_all,
    play,
    scripts,
    skews,
    union,
)
from varves.events.codec import decode
from varves.fold.base import replay

seeds = st.integers(0, 2**32)


@many
@given(scripts, skews, seeds)
def test_any_order_and_any_repetition_of_a_set_fold_to_one_dump(script, skew, seed):
    events = list(union(*(one.events.values() for one in play(script, skew))).values())
    chance = random.Random(seed)
    shuffled = [*events, *chance.choices(events, k=len(events))] if events else []
    chance.shuffle(shuffled)
    for now in (START, START + HOUR):
        assert dump_of(shuffled, now) == dump_of(events, now)
    add_figure("R9", examples=1, other_states=0)


@many
@given(scripts, seeds)
def test_merging_two_sets_in_either_direction_gives_one_dump(script, seed):
    left, right, third = play(script)
    chance = random.Random(seed)
    more = [event for event in third.events.values() if chance.random() < 0.5]
    there = [*left.events.values(), *right.events.values(), *more]
    back = [*more, *right.events.values(), *left.events.values()]
    assert dump_of(there) == dump_of(back)
    add_figure("R9", examples=1, other_states=0)


@many
@given(scripts, seeds)
def test_folding_in_any_portions_gives_what_a_fold_from_nothing_gives(script, seed):
    """Looking at a state between portions must not change it either."""
    events = list(union(*(one.events.values() for one in play(script))).values())
    chance = random.Random(seed)
    chance.shuffle(events)
    state, done = PROJECTION.empty(), []
    while events:
        for _ in range(chance.randint(1, 6)):
            if events:
                done.append(events.pop())
                PROJECTION.apply(state, done[-1])
        first = PROJECTION.dump(state, START, hold_back=False)
        assert first == PROJECTION.dump(state, START, hold_back=False) == dump_of(done)


@many
@given(scripts, skews)
def test_replicas_that_have_met_show_the_same_memories(script, skew):
    group = play(script, skew)
    meet_all(*group)
    published = [
        dump_of([event for event in one.events.values() if event.log != "private"]) for one in group
    ]
    assert published[0] == published[1] == published[2]


@given(scripts)
def test_events_read_back_from_their_lines_fold_the_same(script):
    for one in play(script):
        read = [decode(line, one.events[name].log) for name, line in one.lines.items()]
        assert dump_of(read) == dump_of(one.events.values())


@given(scripts, seeds)
def test_a_purged_line_wins_over_its_original_in_any_order(script, seed):
    from tests.properties.lines import purged

    ada = play(script)[0]
    chance = random.Random(seed)
    events = list(ada.events.values())
    gone = [
        decode(purged(ada.lines[event.id]), event.log) for event in events if chance.random() < 0.3
    ]
    kept = union(events, gone).values()
    both = [*events, *gone]
    chance.shuffle(both)
    assert dump_of(both) == dump_of(kept)
    assert len(replay(PROJECTION, both).events) == len(events)
