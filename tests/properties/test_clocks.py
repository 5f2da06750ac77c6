"""R12: clocks may be wrong, go back or lie; what was seen still comes before what answers it."""

from __future__ import annotations

import os
import tempfile

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import varves
from tests.figures import add_figure
from tests.properties.lines import line_of
from tests.properties.shelf import Shelf, assert_filled_alike, index_dump
from tests.properties.world import (
    HOUR,
    PROJECTION,
    START,
    SeededIds,
    Watchmaker,
    play,
    replicas,
    scripts,
    skews,
)
from varves.errors import NotFound
from varves.fold.base import replay
from varves.index.sqlite.index import SqliteIndex
from varves.values.instants import Hlc, iso

DAY = 24 * HOUR
steps = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(("write", "write", "meet", "jump")),
        st.integers(-HOUR, HOUR),
    ),
    min_size=5,
    max_size=40,
)


@given(steps, skews)
def test_what_was_seen_sorts_before_what_saw_it_whatever_the_clocks_do(plan, skew):
    """Skew of an hour either way, clocks set back between two writes: no inversion."""
    group = replicas("ada", "bob", "cyd", skews=skew)
    pairs = 0
    for place, what, number in plan:
        here = group[place]
        if what == "meet":
            here.meet(group[number % 3])
        elif what == "jump":
            here.wait(number)
        else:
            seen = list(here.events.values())
            _, event = here.remember(f"Fact {len(seen)} of {place}")
            assert all(one.order < here.events[event].order for one in seen)
            pairs += len(seen)
    add_figure("R12", examples=1, pairs_of_cause_and_effect=pairs, inversions=0)


@given(scripts, skews)
def test_no_command_of_any_history_sorts_before_what_it_names(script, skew):
    for here in play(script, skew):
        for event in here.events.values():
            for cause in event.cause:
                if cause in here.events:
                    assert here.events[cause].order < event.order


@given(st.lists(st.integers(-HOUR, HOUR), min_size=1, max_size=60))
def test_stamps_of_one_process_only_go_up(jumps):
    clock = Watchmaker()
    hlc, last = Hlc(clock), ""
    for jump in jumps:
        clock.ms += jump
        stamp = hlc.tick(clock.now())
        assert stamp > last
        assert len(stamp) == 16
        last = stamp


@given(st.integers(-3 * DAY, 3 * DAY), st.booleans())
@example(DAY, False)
@example(DAY + 1, False)
@example(DAY + 1, True)
def test_a_stamp_too_far_ahead_never_moves_the_clock(ahead, fixed):
    clock = Watchmaker(fixed=fixed)
    hlc = Hlc(clock)
    hlc.read(f"{(clock.ms + ahead) << 16:016x}")
    moved = hlc.latest > 0
    assert moved == (fixed or ahead <= DAY)


def stamped(ms: int, number: int = 0, **fields) -> bytes:
    content = {"memory": f"mem_{number:012}", "text": f"Fact {number}", "scope": "project"}
    given = {"id": f"evt_{number:026}", "hlc": f"{(ms << 16) + number:016x}", "time": iso(ms)}
    return line_of(**given, seq=number + 1, data=content, **fields)


class House:
    """A ledger whose clock the test holds, and a hand to lay lines into its log."""

    def __init__(self, root: str, *, fixed: bool = False) -> None:
        self.root = root
        self.clock = Watchmaker(fixed=fixed)
        self.ledger = self.open(self.clock)

    def open(self, clock: Watchmaker) -> varves.Ledger:
        return varves.open(self.root, home=f"{self.root}/home", clock=clock, ids=SeededIds(5))

    def lay(self, *lines: bytes) -> None:
        folder = f"{self.root}/.varves/log/2026-09"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/20260921-other-0000000000.jsonl", "ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))


@pytest.fixture
def house(tmp_path, home):
    made = House(str(tmp_path))
    made.ledger.init()
    yield made
    made.ledger.close()


NAME = "mem_000000000000"


def test_an_event_more_than_a_day_ahead_is_left_out_until_the_clock_comes_near(house):
    house.lay(stamped(START + 25 * HOUR))
    with pytest.raises(NotFound):
        house.ledger.show(NAME)
    assert house.ledger.recall("Fact").hits == ()
    assert house.ledger.status()["held"] == 1
    [finding] = house.ledger.doctor()
    assert finding.rule == "ahead"

    own = house.ledger.remember("Said meanwhile").event
    [event] = [one for one in house.ledger.log() if one.id == own]
    assert event.hlc[:12] == f"{START:012x}", "it has not moved our clock"

    house.clock.ms += HOUR - 1
    with pytest.raises(NotFound):
        house.ledger.show(NAME)
    house.clock.ms += 1
    assert house.ledger.show(NAME).text == "Fact 0", "it counts by itself, nothing was written"
    assert house.ledger.status()["held"] == 0
    assert house.ledger.doctor()[0].rule == "clock"


def test_once_it_counts_what_we_write_comes_after_it(house):
    """Regression: the stamp of an event that had waited was not read."""
    house.lay(stamped(START + 25 * HOUR))
    assert house.ledger.list() == ()
    house.clock.ms += 2 * HOUR
    first = house.ledger.show(NAME)
    house.ledger.edit(NAME, tag=["seen"])
    before, after = house.ledger.history(NAME)
    assert before.id == first.version
    assert after.order > before.order
    assert house.ledger.show(NAME).tags == ("seen",)


def test_one_event_ahead_does_not_hide_the_others_of_its_writer(house):
    """Regression: when a file went, the writer's waiting event became its head."""
    house.lay(stamped(START + HOUR, 0), stamped(START + 48 * HOUR, 1))
    assert [memory.id for memory in house.ledger.list()] == [NAME]
    path = f"{house.root}/.varves/log/2026-09/20260921-other-0000000000.jsonl"
    with open(path, "rb") as file:
        content = file.read()
    os.unlink(path)
    assert house.ledger.list() == ()
    house.lay(*content.split(b"\n")[:-1])
    house.ledger.edit(NAME, tag=["seen"])
    assert house.ledger.show(NAME).tags == ("seen",)
    before, after = house.ledger.history(NAME)
    assert after.order > before.order


def test_under_a_fixed_clock_the_rule_is_off(tmp_path, home):
    house = House(str(tmp_path), fixed=True)
    house.ledger.init()
    house.lay(stamped(START + 1000 * DAY))
    assert house.ledger.show(NAME).text == "Fact 0"
    house.ledger.close()


def test_a_look_under_a_fixed_clock_does_not_change_what_others_see(house):
    """Regression: once counted under VARVES_NOW, the event counted for everybody."""
    house.lay(stamped(START + 48 * HOUR))
    assert house.ledger.list() == ()
    house.ledger.close()
    with house.open(Watchmaker(START + 96 * HOUR)) as looking:
        assert looking.show(NAME)
    assert house.ledger.list() == ()
    assert house.ledger.status()["held"] == 1


def test_a_clock_set_back_holds_again_what_it_had_let_in(house):
    house.clock.ms += 48 * HOUR
    house.lay(stamped(START + 48 * HOUR))
    assert house.ledger.show(NAME)
    house.clock.ms = START
    assert house.ledger.list() == ()
    house.clock.ms += 48 * HOUR
    assert house.ledger.show(NAME)


@given(
    st.lists(st.integers(-72, 72), min_size=1, max_size=8),
    st.lists(st.integers(-96, 96), min_size=1, max_size=6),
)
def test_what_counts_depends_on_the_clock_alone_not_on_when_it_was_read(stamps, looks):
    """The index, caught up at many moments, equals a replay at each of them."""
    lines = [stamped(START + hours * HOUR, n) for n, hours in enumerate(stamps)]
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(folder)
        shelf.add("project", "20260921-for-0000000000.jsonl", lines)
        shelf.show(shelf.segments[0], len(shelf.segments[0].content))
        state = replay(PROJECTION, shelf.events())
        for hours in looks:
            now = START + hours * HOUR
            shelf.catch_up(now, hold_back=True)
            assert index_dump(shelf.index, now) == PROJECTION.dump(state, now)
            counted = [e.hlc for e in shelf.events() if int(e.hlc[:12], 16) <= now + DAY]
            assert shelf.index.latest_hlc() == max(counted, default="0" * 16)
            assert_filled_alike(shelf.sources, now, hold_back=True)
        fresh = Shelf(folder)
        fresh.segments, fresh.index = shelf.segments, SqliteIndex(None)
        fresh.catch_up(now, hold_back=True)
        assert index_dump(fresh.index, now) == index_dump(shelf.index, now)


@given(st.integers(-HOUR, HOUR), st.integers(-HOUR, HOUR))
def test_two_ledgers_with_wrong_clocks_on_one_folder_keep_cause_before_effect(one, other):
    """Through the real log: each sees the other's last word and answers it."""
    with tempfile.TemporaryDirectory() as root:
        houses = [
            varves.open(
                root, home=f"{root}/home", clock=Watchmaker(START + skew, fixed=False), actor=name
            )
            for name, skew in (("ada", one), ("bob", other))
        ]
        name = houses[0].remember("Zero").id
        for turn in range(4):
            name = houses[turn % 2].correct(name, f"Number {turn}").id
        order = [event.id for event in houses[0].log() if event.kind != "segment.closed"]
        causal = []
        for event in houses[1].log():
            if event.kind != "segment.closed":
                assert all(cause in causal for cause in event.cause)
                causal.append(event.id)
        assert order == causal
        assert [memory.text for memory in houses[1].list()] == ["Number 3"]
        for house in houses:
            house.close()
