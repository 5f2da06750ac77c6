"""What a question says about time, read from its words."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.recall.times import age, ordinal, times
from varves.values.instants import DAY_MS, iso
from varves.values.text import words

SUNDAY = "2026-11-15T06:20:00.000Z"
MONDAY = "2026-11-16T06:20:00.000Z"
WEDNESDAY = "2026-11-18T06:20:00.000Z"
SATURDAY = "2026-11-21T06:20:00.000Z"
JANUARY = "2026-01-10T06:20:00.000Z"


def read(question, now=SUNDAY):
    return times(words(question), now)


def day(text):
    return ordinal(*map(int, text.split("-")))


@given(st.dates())
@example(date(1, 1, 1))
@example(date(1900, 2, 28))
@example(date(2000, 2, 29))
@example(date(2100, 3, 1))
@example(date(9999, 12, 31))
def test_days_are_counted_as_the_calendar_does(one):
    fixed = ordinal(1, 1, 1) - 1
    assert ordinal(one.year, one.month, one.day) - fixed == one.toordinal()


STRETCHES = [
    ("what did we do today", SUNDAY, "2026-11-15", "2026-11-15"),
    ("what is for dinner tonight", SUNDAY, "2026-11-15", "2026-11-15"),
    ("what broke yesterday", SUNDAY, "2026-11-14", "2026-11-14"),
    ("what broke yesterday", "2026-03-01T00:00:00.000Z", "2026-02-28", "2026-02-28"),
    ("who came last Monday", SUNDAY, "2026-11-09", "2026-11-09"),
    ("who came last Monday", MONDAY, "2026-11-09", "2026-11-09"),
    ("who came on Monday", WEDNESDAY, "2026-11-16", "2026-11-16"),
    ("who came this Sunday", WEDNESDAY, "2026-11-15", "2026-11-15"),
    ("what happened since Monday", WEDNESDAY, "2026-11-16", "2026-11-18"),
    ("what about last week", SUNDAY, "2026-11-02", "2026-11-08"),
    ("what about last week", MONDAY, "2026-11-09", "2026-11-15"),
    ("what about this week", WEDNESDAY, "2026-11-16", "2026-11-22"),
    ("what about the past week", WEDNESDAY, "2026-11-11", "2026-11-18"),
    ("what about last month", SUNDAY, "2026-10-01", "2026-10-31"),
    ("what about last month", JANUARY, "2025-12-01", "2025-12-31"),
    ("what about this month", SUNDAY, "2026-11-01", "2026-11-15"),
    ("what about the past month", SUNDAY, "2026-10-16", "2026-11-15"),
    ("what about this year", SUNDAY, "2026-01-01", "2026-12-31"),
    ("what about last year", SUNDAY, "2025-01-01", "2025-12-31"),
    ("where were we last weekend", MONDAY, "2026-11-14", "2026-11-15"),
    ("where were we last weekend", WEDNESDAY, "2026-11-14", "2026-11-15"),
    ("where were we last weekend", SATURDAY, "2026-11-14", "2026-11-15"),
    ("where were we last weekend", SUNDAY, "2026-11-07", "2026-11-08"),
    ("where are we this weekend", SATURDAY, "2026-11-21", "2026-11-22"),
    ("who called 3 days ago", SUNDAY, "2026-11-12", "2026-11-12"),
    ("who called a day ago", SUNDAY, "2026-11-14", "2026-11-14"),
    ("who called two weeks ago", SUNDAY, "2026-10-29", "2026-11-04"),
    ("who called ten days ago", SUNDAY, "2026-11-05", "2026-11-05"),
    ("who called a month ago", SUNDAY, "2026-10-01", "2026-10-31"),
]


@each_row(("question", "now", "first", "last"), STRETCHES)
def test_words_that_count_from_now_are_a_stretch_of_days(question, now, first, last):
    found = read(question, now)
    assert found.spans == ((day(first), day(last)),)
    assert found.match(f"{first}T00:00:00.000Z") == 1.0
    assert found.match(f"{last}T23:59:59.999Z") == 1.0
    assert found.match("2019-01-01T00:00:00.000Z") == 0.0


def test_a_day_beside_a_stretch_counts_for_half():
    found = read("who called 3 days ago")
    near = [found.match(f"2026-11-{n:02}T08:00:00.000Z") for n in range(9, 16)]
    assert near == [0.0, 0.5, 0.5, 1.0, 0.5, 0.5, 0.0]


def test_of_several_stretches_the_better_counts():
    found = read("was it yesterday or 9 days ago?")
    assert [found.match(f"2026-11-{n}T08:00:00.000Z") for n in ("14", "06")] == [1.0, 1.0]


DATES = [
    ("what was decided in May", {5}, set(), set()),
    ("what was decided on 5 August 2023", {8}, {5}, {"2023"}),
    ("what was decided on August 5th, 2023", {8}, {5}, {"2023"}),
    ("what did we do on the 21st of March", {3}, {21}, set()),
    ("who came on 3 dec", {12}, {3}, set()),
    ("the release of Sept 2024", {9}, set(), {"2024"}),
    ("from January to February", {1, 2}, set(), set()),
    ("what about May of 2021", {5}, set(), {"2021"}),
    ("what happened in 1999", set(), set(), {"1999"}),
    ("before the 32 december rush", {12}, set(), set()),
    ("what was decided in May \u00b2", {5}, set(), set()),
]


@each_row(("question", "months", "days", "years"), DATES)
def test_a_date_is_kept_by_its_parts(question, months, days, years):
    found = read(question)
    assert (found.months, found.days, found.years) == (months, days, years)
    assert found.spans == ()


TIMELESS = [
    "",
    "may I use tabs",
    "what may be null",
    "we may in the worst case retry",
    "did they march on Rome",
    "march through the list",
    "which port is 8080",
    "version 2.1 and build 2100",
    "how many days",
    "the last of us",
    "an hour ago",
    "long ago",
    "ago",
    "last",
    "10000 days ago",
    "\u00b2 days ago",
    "in \u0663\u0663\u0663\u0663",
]


@each_row("question", TIMELESS)
def test_what_only_looks_like_a_time_is_none(question):
    assert read(question) is None


def test_the_more_of_a_date_fits_the_better():
    found = read("what was decided on 5 August 2023")
    fits = [
        found.match(f"{at}T12:00:00.000Z")
        for at in ("2023-08-05", "2023-08-07", "2023-08-20", "2022-08-20", "2023-01-05")
    ]
    assert fits == sorted(fits, reverse=True)
    assert len(set(fits)) == len(fits)
    assert fits[0] == pytest.approx(1.0)
    assert found.match("2022-01-20T12:00:00.000Z") == 0.0


def test_a_month_counts_for_less_where_its_day_is_far_off():
    """A day within two of the one asked for counts for half of a day."""
    found = read("on 10 May")
    assert found.match("2026-05-12T00:00:00.000Z") > found.match("2026-05-13T00:00:00.000Z")
    assert found.match("2026-05-13T00:00:00.000Z") == read("in May").match("2026-05-13")


MALFORMED = [
    "",
    "x",
    "2023",
    "yesterday",
    "2023-5-1",
    "20\u00b2\u00b2-0\u00b9-01",
    "????-??-??",
    "-",
]


@each_row("at", MALFORMED)
def test_an_invalid_instant_matches_no_time_and_is_very_old(at):
    for question in ("on 5 August 2023", "last week"):
        assert read(question).match(at) == 0.0
    assert age(at, SUNDAY) > 365_000


@given(st.text(max_size=30), st.text(st.characters(categories=["Nd", "No", "Nl"]), max_size=4))
def test_no_text_is_too_odd_to_be_read(text, number):
    for question in (text, f"in May {number}", f"{number} may", f"{number} days ago {text}"):
        found = read(question)
        assert found is None or 0.0 <= found.match(text) <= 1.0
    assert age(text, SUNDAY) >= 0.0
    assert age(SUNDAY, text) == 0.0 or text[:4].strip().isdecimal()


@given(
    st.integers(min_value=0, max_value=7 * 10**12),
    st.integers(min_value=0, max_value=10**11),
)
def test_an_age_is_what_the_calendar_says(then, passed):
    assert age(iso(then), iso(then + passed)) == pytest.approx(passed / DAY_MS, abs=1e-6)


def test_what_lies_ahead_is_no_less_than_new():
    assert age(WEDNESDAY, SUNDAY) == 0.0
