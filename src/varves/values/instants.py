"""Instants, durations and the hybrid logical clock.

An instant is stored as milliseconds since 1970 and written `2026-11-15T06:20:00.123Z`. Events are
ordered not by instants but by the hybrid logical clock: 48 bits of milliseconds and a 16-bit
counter in sixteen hex digits. A new stamp is always above every stamp that this process has read.
"""

from __future__ import annotations

import time

from varves.errors import UsageError
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Clock(Protocol):
        """A source of the time in milliseconds since 1970."""

        fixed: bool

        def now(self) -> int:
            """Return the current instant."""
            ...


DAY_MS = 86_400_000
HOUR = len("2026-11-15T06")  # the characters of an ISO instant that name its hour
MINUTE = len("2026-11-15T06:12")
LONGEST_MS = 1000 * 365 * DAY_MS  # an expiry time further away would not fit into a four-digit year
AHEAD_MS = DAY_MS  # an event further in the future than this is held back

_AS_ZERO = dict.fromkeys(map(ord, "123456789"), "0")
_UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": DAY_MS, "w": 7 * DAY_MS}
_CALENDAR_DAYS = {
    "Y": 365,
    "M": 30,
    "W": 7,
    "D": 1,
}  # a duration has no starting date, so a month counts as 30 days
PERMANENT = "permanent"  # for protocols that use this word for "no expiry"


class SystemClock:
    """The machine's own clock."""

    fixed = False

    def now(self) -> int:
        """Return the current instant."""
        return time.time_ns() // 1_000_000


class FixedClock:
    """A clock that does not move, for tests and replays."""

    fixed = True

    def __init__(self, ms: int) -> None:
        self.ms = ms

    def now(self) -> int:
        """Return the instant it was set to."""
        return self.ms


# the last second that `iso` wrote, and its text
_second: tuple[int, str] = (0, "1970-01-01T00:00:00.")


def iso(ms: int) -> str:
    """Write an instant as ISO-8601 in UTC with milliseconds."""
    global _second  # noqa: PLW0603 - a write stamps several events within one second
    seconds, rest = divmod(ms, 1000)
    last, text = _second
    if last != seconds:
        p = time.gmtime(seconds)
        text = f"{p[0]:04}-{p[1]:02}-{p[2]:02}T{p[3]:02}:{p[4]:02}:{p[5]:02}."
        _second = (seconds, text)
    return f"{text}{rest:03}Z"


def instant(text: str) -> int:
    """Read an ISO-8601 instant.

    Without a time zone, it is read as UTC. A date without a time is the start of that day.
    """
    from datetime import UTC, datetime

    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(
            f"not an instant: {quoted(text)}", "write it as 2026-11-15T06:20:00Z"
        ) from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return round(when.timestamp() * 1000)


def is_instant(text: str) -> bool:
    """Return whether a text is an instant in the form that `iso` writes."""
    return text.isascii() and text.translate(_AS_ZERO) == "0000-00-00T00:00:00.000Z"


def duration(text: str) -> int:
    """Read a duration such as `30d`, `12h` or `P30D`, and return it in milliseconds."""
    word = text.strip()
    total = None
    if word.isascii() and len(word) < 64:
        if word[-1:] in _UNITS and word[:-1].isdigit():
            total = int(word[:-1]) * _UNITS[word[-1]]
        else:
            total = _iso_duration(word.upper())
    if total is None or total > LONGEST_MS:
        raise UsageError(f"not a duration: {quoted(text)}", "write it as 30d, 12h or P30D")
    return total


def _iso_duration(word: str) -> int | None:
    if len(word) < 3 or word[0] != "P" or word[-1] == "T":
        return None
    date, _, clock = word[1:].partition("T")
    days = _sum_parts(date, {unit: count * DAY_MS for unit, count in _CALENDAR_DAYS.items()})
    rest = _sum_parts(clock, {"H": _UNITS["h"], "M": _UNITS["m"], "S": _UNITS["s"]})
    return None if days is None or rest is None else days + rest


def _sum_parts(text: str, units: dict[str, int]) -> int | None:
    total, number, allowed = 0.0, "", list(units)
    for letter in text:
        if letter.isdigit() or letter == ".":
            number += letter
        elif letter in allowed and number.replace(".", "", 1).isdigit():
            total += float(number) * units[letter]
            allowed = allowed[allowed.index(letter) + 1 :]
            number = ""
        else:
            return None
    return None if number else round(total)


def first_held(now: int | None) -> str:
    """Return the lowest stamp so far in the future that an event with it has no effect yet.

    Events with this stamp or a higher one are held back. Without an instant, the result is above
    every stamp.
    """
    return "g" if now is None else f"{now + AHEAD_MS + 1:012x}"


def stamp_at(ms: int) -> str:
    """Return the highest stamp of an event at an instant whose clock was right."""
    return f"{ms:012x}ffff"


class Hlc:
    """The hybrid logical clock of one process.

    Its stamps are above every stamp that it has read.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.latest = 0

    def read(self, stamp: str) -> None:
        """Advance the clock beyond a stamp found in a log, if it is not too far in the future."""
        value = int(stamp, 16)
        if value > self.latest and (self.clock.fixed or not self.held(stamp)):
            self.latest = value

    def held(self, stamp: str) -> bool:
        """Return whether a stamp is so far in the future that its event is held back."""
        return not self.clock.fixed and int(stamp[:12], 16) > self.clock.now() + AHEAD_MS

    def tick(self, ms: int) -> str:
        """Return the next stamp for an event at this instant."""
        self.latest = max(self.latest + 1, ms << 16)
        return f"{self.latest:016x}"
