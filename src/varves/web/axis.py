"""The axis of time at the top of every page: quiet stretches are folded, busy ones keep their room.

Hours with events, or minutes where there are few hours, are put into equal steps, the smallest of
`_STEPS` that needs at most `_MOST` columns. A step without events gets no column; a stretch of them
is one narrow gap. So a day, a year and a hundred thousand events use the same width, and every
event has its place.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from itertools import pairwise
from math import sqrt

from varves.values.instants import instant, iso
from varves.values.value import Value
from varves.web.words import short_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH = 1000.0  # the units of the axis; the right end is now
FEW = 24  # with fewer hours than that, the axis needs minutes
_MINUTE_MS = 60_000
_HOUR_MS = 60 * _MINUTE_MS
_MINUTES = (1, 5, 15)
_STEPS = tuple(hours * _HOUR_MS for hours in (1, 3, 6, 12, 24, 7 * 24, 28 * 24, 364 * 24))
_START = "0000-01-01T00:00:00Z"
_WIDEST = 40.0  # of a bar
_MOST = 120
_GAP = 0.6  # the width of a folded stretch, in columns
_TALL = 32  # the height of the highest bar
_LOW = 4
_MONTH_MS = 28 * 24 * _HOUR_MS
_ROOM = 96.0  # the least distance between two labels
_NARROW = 180.0  # the same on a phone, where a label has the same size on a third of the width


class Column(Value):
    """One step with events: its time, the number of events, and its place on the axis."""

    start: int
    end: int
    count: int
    left: float
    right: float


class Label(Value):
    """A day beneath the axis."""

    x: float
    text: str
    minor: bool
    """Whether it is left out on a narrow screen."""


class Axis:
    """The axis for the times at which events were recorded.

    Args:
        times: (hour or minute, number of events), in order.
        now: the present, in milliseconds; it is the right end.
    """

    def __init__(self, times: Sequence[tuple[str, int]], now: int) -> None:
        self.now = now
        self.total = sum(count for _, count in times)
        counts = [(instant(f"{time}{_START[len(time) :]}"), count) for time, count in times]
        fine = (
            [minutes * _MINUTE_MS for minutes in _MINUTES] if times and ":" in times[0][0] else []
        )
        self.columns = _columns(counts, (*fine, *_STEPS))
        self._starts = [one.start for one in self.columns]
        self._lefts = [one.left for one in self.columns]

    def place(self, moment: int) -> float:
        """Return the place of an instant on the axis."""
        at = bisect_right(self._starts, moment) - 1
        if at < 0:
            return 0.0
        if moment >= self.now:
            return WIDTH
        one = self.columns[at]
        share = min(1.0, (moment - one.start) / (one.end - one.start))
        return one.left + share * (one.right - one.left)

    def moment(self, place: float) -> int | None:
        """Return the instant at a place; None for the right end, which is now."""
        if place >= WIDTH or not self.columns:
            return None
        one = self.columns[max(0, bisect_right(self._lefts, place) - 1)]
        share = max(0.0, min(1.0, (place - one.left) / (one.right - one.left)))
        return min(self.now, round(one.start + share * (one.end - one.start)))

    @property
    def bars(self) -> str:
        """The histogram as the path of an SVG; the height is by the square root of the count."""
        most = max((one.count for one in self.columns), default=1)
        parts = []
        for one in self.columns:
            tall = max(_LOW, round(_TALL * sqrt(one.count / most)))
            wide = max(1.5, min(_WIDEST, (one.right - one.left) * 0.8))
            parts.append(f"M{one.left:.1f} 36v-{tall}h{wide:.1f}v{tall}z")
        return "".join(parts)

    @property
    def labels(self) -> list[Label]:
        """The days beneath the axis, as many as have room; the last one ends at the right.

        Within one day they are times of that day.
        """
        named: list[tuple[float, str]] = []
        for one in self.columns:
            then = time.localtime(one.start / 1000)
            text = _clock(then) if self._is_one_day else short_day(then, far=self._is_long)
            if not named or text != named[-1][1]:
                named.append((one.left, text))
        if not named:
            return []
        last = Label(x=WIDTH, text=named[-1][1], minor=False)
        found: list[Label] = []
        free = 0.0  # where the next label on a phone may begin
        for x, text in named[:-1]:
            if x > WIDTH - 2 * _ROOM:
                break
            if not found or x - found[-1].x >= _ROOM:
                minor = not free <= x <= WIDTH - 2 * _NARROW
                found.append(Label(x=x, text=text, minor=minor))
                free = free if minor else x + _NARROW
        return [*found, last]

    @property
    def _is_one_day(self) -> bool:
        ends = (self.columns[0], self.columns[-1])
        return len({time.localtime(one.start / 1000)[:3] for one in ends}) == 1

    @property
    def _is_long(self) -> bool:
        return bool(self.columns) and self.columns[-1].end - self.columns[0].start > _MONTH_MS

    @property
    def ticks(self) -> str:
        """The places and instants of the columns, for the script that names what is dragged to."""
        return " ".join(
            f"{one.left:.1f},{one.start},{one.right:.1f},{one.end}" for one in self.columns
        )

    def after(self, moment: int) -> Iterator[tuple[str, str]]:
        """Yield the beginning and end of the step that has an instant, and of those after it."""
        yield from (_span(one) for one in self.columns if one.end > moment)


def _span(one: Column) -> tuple[str, str]:
    return iso(one.start), iso(one.end - 1)


def _clock(then: time.struct_time) -> str:
    return time.strftime("%H:%M", then)


def _columns(counts: Sequence[tuple[int, int]], steps: Sequence[int]) -> list[Column]:
    for step in steps:
        found = _gathered(counts, step)
        gaps = _gaps(found, step)
        if len(found) + _GAP * gaps <= _MOST or step == steps[-1]:
            return _placed(found, step)
    return []


def _gathered(counts: Sequence[tuple[int, int]], step: int) -> list[tuple[int, int]]:
    """Return (start, number of events) of the steps with events, begun at local midnight."""
    found: dict[int, int] = {}
    for start, count in counts:
        offset = time.localtime(start / 1000).tm_gmtoff * 1000
        begun = (start + offset) // step * step - offset
        found[begun] = found.get(begun, 0) + count
    return sorted(found.items())


def _gaps(found: Sequence[tuple[int, int]], step: int) -> int:
    return sum(later[0] - one[0] > step for one, later in pairwise(found))


def _placed(found: Sequence[tuple[int, int]], step: int) -> list[Column]:
    width = WIDTH / max(1.0, len(found) + _GAP * _gaps(found, step))
    placed, left, before = list[Column](), 0.0, None
    for start, count in found:
        if before is not None and start - before > step:
            left += _GAP * width
        end = left + width
        placed.append(Column(start=start, end=start + step, count=count, left=left, right=end))
        left, before = end, start
    shift = WIDTH - left  # the newest is at the right end
    return [one.replace(left=one.left + shift, right=one.right + shift) for one in placed]
