"""Instants, durations and the hybrid logical clock, without reading any clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.errors import UsageError
from varves.values.instants import AHEAD_MS, DAY_MS, FixedClock, Hlc, duration, instant, iso

NOON = instant("2026-11-15T12:00:00Z")
YEAR_9999 = 253_402_300_799_999
HOUR = 3_600_000


class Running:
    """A clock that is set by hand and is not a fixed one."""

    fixed = False

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def now(self) -> int:
        return self.ms


@each_row(
    ("text", "ms"),
    [
        ("0s", 0),
        ("45s", 45_000),
        ("90m", 90 * 60_000),
        ("12h", 12 * HOUR),
        ("30d", 30 * DAY_MS),
        ("2w", 14 * DAY_MS),
        (" 30d ", 30 * DAY_MS),
        ("P30D", 30 * DAY_MS),
        ("p30d", 30 * DAY_MS),
        ("P1Y", 365 * DAY_MS),
        ("P2M", 60 * DAY_MS),
        ("P1W", 7 * DAY_MS),
        ("PT36H", 36 * HOUR),
        ("PT1H30M", 90 * 60_000),
        ("P1DT12H", DAY_MS + 12 * HOUR),
        ("PT0.5S", 500),
        ("P0.5D", DAY_MS // 2),
    ],
)
def test_a_duration_is_read_in_either_notation(text, ms):
    assert duration(text) == ms


@each_row(
    "text",
    [
        *("", " ", "d", "30", "-30d", "+30d", "3.5d", "30 d", "30x", "30D", "thirty days", "²d"),
        *("P", "PT", "P30", "P1DT", "PD", "P1H", "PT1D", "P1D1Y", "PT1S1M", "P1.2.3D", "P-1D"),
        *("P1D P1D", "P1D\0", "٣d", "P²D", "P٣D"),
        *("1001Y", "P1001Y", "9" * 20 + "d", "9" * 5000 + "d", "P" + "9" * 400 + "D"),
    ],
)
def test_an_invalid_duration_is_a_usage_error_with_an_example(text):
    with pytest.raises(UsageError, match="not a duration") as told:
        duration(text)
    assert "30d" in told.value.hint


@given(st.integers(min_value=0, max_value=YEAR_9999))
def test_an_instant_written_and_read_again_is_the_same(ms):
    assert instant(iso(ms)) == ms


@given(st.lists(st.integers(min_value=0, max_value=YEAR_9999), min_size=2, max_size=5))
def test_written_instants_sort_like_the_instants(many):
    assert [iso(ms) for ms in sorted(many)] == sorted(iso(ms) for ms in many)


@each_row(
    ("text", "written"),
    [
        ("2026-11-15", "2026-11-15T00:00:00.000Z"),
        ("2026-11-15T06:20:00", "2026-11-15T06:20:00.000Z"),
        ("2026-11-15T06:20:00Z", "2026-11-15T06:20:00.000Z"),
        ("2026-11-15 06:20", "2026-11-15T06:20:00.000Z"),
        ("2026-11-15T06:20:00.1236Z", "2026-11-15T06:20:00.124Z"),
        ("2026-11-15T06:20:00+02:00", "2026-11-15T04:20:00.000Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
    ],
)
def test_an_instant_without_zone_is_utc_and_a_date_its_first_moment(text, written):
    assert iso(instant(text)) == written


@each_row("text", ["", "now", "yesterday", "2026-13-01", "2026-02-30", "15.11.2026"])
def test_an_invalid_instant_is_a_usage_error(text):
    with pytest.raises(UsageError, match="not an instant"):
        instant(text)


def test_a_stamp_is_48_bits_of_time_and_a_counter_in_sixteen_hex_digits():
    stamp = Hlc(FixedClock(NOON)).tick(NOON)
    assert stamp == f"{NOON:012x}0000"


@given(st.lists(st.tuples(st.booleans(), st.integers(-HOUR, HOUR)), max_size=40))
def test_stamps_only_ever_rise_above_all_that_was_read(steps):
    """Whatever the wall clock does, and whatever another clone's stamps say."""
    hlc = Hlc(Running(NOON))
    highest = ""
    for reads, offset in steps:
        if reads:
            stamp = f"{NOON + offset:012x}0007"
            hlc.read(stamp)
        else:
            stamp = hlc.tick(NOON + offset)
            assert stamp > highest
        highest = max(highest, stamp)


def test_a_stamp_more_than_a_day_ahead_is_held_and_does_not_move_the_clock():
    clock = Running(NOON)
    hlc = Hlc(clock)
    ahead = f"{NOON + AHEAD_MS + 1:012x}0000"
    assert hlc.held(ahead)
    hlc.read(ahead)
    assert hlc.tick(NOON) == f"{NOON:012x}0000"
    clock.ms += 1
    assert not hlc.held(ahead)


def test_a_stamp_exactly_a_day_ahead_counts():
    hlc = Hlc(Running(NOON))
    edge = f"{NOON + AHEAD_MS:012x}0000"
    assert not hlc.held(edge)
    hlc.read(edge)
    assert hlc.tick(NOON) > edge


def test_a_fixed_clock_holds_nothing_back():
    """A fixed clock is for replays, where the future is no forgery."""
    hlc = Hlc(FixedClock(NOON))
    far = f"{NOON + 365 * DAY_MS:012x}0000"
    assert not hlc.held(far)
    hlc.read(far)
    assert hlc.tick(NOON) > far
