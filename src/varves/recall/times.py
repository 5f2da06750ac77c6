"""Dates and time expressions in a question: "in May", "on 5 August", "last week", "3 days ago".

The parts of a calendar date are compared separately, because people often omit the year. An
expression relative to now is a range of days.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTH = {name: place for place, name in enumerate(_MONTHS, 1)}
_MONTH |= {name[:3]: place for place, name in enumerate(_MONTHS, 1) if name != "may"} | {"sept": 9}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LENGTHS = {"day": 1, "week": 7, "month": 30, "year": 365}
_COUNTED = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    "twelve",
)
_NUMBERS = {word: count for count, word in enumerate(_COUNTED, 1)} | {"a": 1, "an": 1}
_BEFORE_MONTH = frozenset(
    ("in", "on", "of", "since", "during", "by", "until", "before", "after", "this", "last", "early",
     "late", "mid", "from", "to")
)  # fmt: skip
_NEAR = 2  # this many days outside a range still count for half
_PARTS = {"month": 0.4, "year": 0.15, "day": 0.45}  # how much each equal part of a date adds


class Times(Value):
    """The time that a question asks about."""

    years: frozenset[str]
    months: frozenset[int]
    days: frozenset[int]
    spans: tuple[tuple[int, int], ...]

    def match(self, at: str) -> float:
        """Return how well an instant matches the time asked about, from 0 to 1."""
        if len(at) < 10 or not (at[:4] + at[5:7] + at[8:10]).isdecimal():
            return 0.0
        year, month, day = at[:4], int(at[5:7]), int(at[8:10])
        found = 0.0
        if month in self.months:
            found += _PARTS["month"]
            if self.days:
                off = min(abs(day - one) for one in self.days)
                found += _PARTS["day"] * (1.0 if off == 0 else 0.5 if off <= _NEAR else 0.0)
        if year in self.years:
            found += _PARTS["year" if self.months else "month"]  # the question names only a year
        if self.spans:
            then = ordinal(int(year), month, day)
            found = max(found, *(_within(then, *span) for span in self.spans))
        return found


def times(said: list[str], now: str) -> Times | None:
    """Return the time that a question asks about; None if it has no time expression."""
    months, days, years = set(), set(), set()
    for place, word in enumerate(said):
        if _is_month(said, place):
            months.add(_MONTH[word])
            days |= {_day(one) for one in said[max(0, place - 2) : place + 3]} - {0}
        elif len(word) == 4 and word.isdecimal() and word[:2] in ("19", "20"):
            years.add(word)
    spans = tuple(_spans(said, now))
    if not (months or years or spans):
        return None
    return Times(
        years=frozenset(years), months=frozenset(months), days=frozenset(days), spans=spans
    )


def ordinal(year: int, month: int, day: int) -> int:
    """Return the number of days from a fixed day to a date of the Gregorian calendar."""
    year, month = (year, month) if month > 2 else (year - 1, month + 12)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month - 457) // 5 + day


def _within(then: int, first: int, last: int) -> float:
    if first <= then <= last:
        return 1.0
    slack = _NEAR + (last - first) // 7
    return 0.5 if first - slack <= then <= last + slack else 0.0


def _is_month(said: list[str], place: int) -> bool:
    word = said[place]
    if word not in _MONTH:
        return False
    if word not in ("may", "march", "mar", "dec", "sep", "jan", "jun", "oct"):
        return True
    before, after = said[place - 1] if place else "", "".join(said[place + 1 : place + 2])
    if before in _BEFORE_MONTH or after == "of":
        return True
    return any(_day(one) or one.isdecimal() for one in (before, after))


def _day(word: str) -> int:
    """Return the day of the month that a word means; 0 if it means none."""
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    return int(digits) if digits.isdecimal() and len(digits) <= 2 and int(digits) <= 31 else 0


def _spans(said: list[str], now: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of days that are given relative to now, as (first, last)."""
    today = ordinal(int(now[:4]), int(now[5:7]), int(now[8:10]))
    weekday = (today + 1) % 7  # 0 is Monday
    for place, word in enumerate(said):
        before = said[place - 1] if place else ""
        if word in ("today", "tonight"):
            yield today, today
        elif word == "yesterday":
            yield today - 1, today - 1
        elif word in _DAYS and before in ("last", "on", "this", "since"):
            then = today - ((weekday - _DAYS.index(word)) % 7 or 7)
            yield then, today if before == "since" else then
        elif word in ("week", "month", "year", "weekend") and before in ("this", "last", "past"):
            yield _stretch(word, before, now, today)
        elif word == "ago" and place >= 2:
            length = _LENGTHS.get(before.rstrip("s"), 0)
            count = _NUMBERS.get(said[place - 2]) or _whole(said[place - 2])
            if length and count:
                middle = today - length * count
                yield middle - length // 2, middle + length // 2


def _whole(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 4 else 0


def _stretch(unit: str, which: str, now: str, today: int) -> tuple[int, int]:
    """Return the first and the last day of this or the last week, weekend, month or year."""
    year, month = int(now[:4]), int(now[5:7])
    weekday = (today + 1) % 7
    if unit == "weekend":
        saturday = today - (weekday + 2) % 7 - (7 if which == "last" and weekday > 4 else 0)
        return saturday, saturday + 1
    if which == "past":
        return today - _LENGTHS[unit], today
    if unit == "week":
        monday = today - weekday - (7 if which == "last" else 0)
        return monday, monday + 6
    if unit == "month":
        first = ordinal(year, month, 1)
        if which == "this":
            return first, today
        return ordinal(*((year, month - 1) if month > 1 else (year - 1, 12)), 1), first - 1
    start = year - (which == "last")
    return ordinal(start, 1, 1), ordinal(start, 12, 31)


def age(then: str, now: str) -> float:
    """Return the number of days between two ISO instants; very large if one is invalid."""
    return max(0.0, days(now) - days(then))


def days(at: str) -> float:
    """Return an ISO instant as a number of days, with a fraction; 0 if it is invalid."""
    try:
        clock = int(at[11:13]) * 3600 + int(at[14:16]) * 60 + float(at[17:].rstrip("Z"))
        return ordinal(int(at[:4]), int(at[5:7]), int(at[8:10])) + clock / 86_400
    except ValueError:
        return 0.0
