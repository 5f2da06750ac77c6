"""Drawings over time: events by day, the life of a memory, confidence over sessions, a talk.

They are as wide as the page: places are shares of the width, and letters keep their size.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

from varves.drawing.svg import block, disc, escaped, figure, label, line, link, path, placed, share
from varves.values.text import counted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_TALL = 72  # the height of the highest bar
_LEAST = 3
_LABELS = 5  # the most labels beneath the bars: so many have room on a telephone
_ROOM = 0.6  # a text that begins right of this part of the width is written to the left
_LAYER = 26  # the height of one layer of a life
_ROW = 40  # the height of a lane with its name
_COURSE = 96  # the height of a chart of confidence
_SCALE = "-8"  # where the words at a scale end: left of the drawing


class DayBar(Value):
    """One day of a histogram."""

    text: str
    count: int
    href: str | None = None


def histogram(name: str, title: str, days: Sequence[DayBar], *, what: str = "event") -> str:
    """Draw how many events each day has; the height is by the square root of the number."""
    most = max(days, key=lambda day: day.count, default=None)
    if most is None or not most.count:
        return figure(name, (title, f"no {what} on any day"), (), height=_TALL)
    total = sum(day.count for day in days)
    said = f"{counted(total, what)} on {counted(len(days), 'day')}; the most on {most.text}:"
    parts, each = [line(("0%", "100%"), (_TALL, _TALL), "line")], 1 / len(days)
    step = -(-len(days) // _LABELS)
    for place, day in enumerate(days):
        tall = max(_LEAST, _TALL * sqrt(day.count / most.count)) if day.count else 0.0
        x, words = share(place * each), f"{day.text}: {counted(day.count, what)}"
        if tall:
            size = (share(each * 0.8), tall)
            parts.append(link(day.href, block(x, _TALL - tall, size, "edge", title=words)))
        if place % step == 0:
            parts.append(label(x, _TALL + 16, day.text))
    return figure(name, (title, f"{said} {most.count}"), parts, height=_TALL + 22)


class Layer(Value):
    """One version of a memory, from when it was written until it was replaced."""

    start: float
    """Places are parts of the whole time, from 0 to 1."""
    end: float
    text: str
    current: bool = False


class TimeMark(Value):
    """Something that happened at one place."""

    at: float
    text: str


def life(
    name: str,
    said: tuple[str, str],
    layers: Sequence[Layer],
    *,
    days: Iterable[TimeMark] = (),
    shown: Sequence[TimeMark] = (),
    evidence: Sequence[TimeMark] = (),
) -> str:
    """Draw the life of a memory: a layer for each version, and what happened to it.

    Args:
        name: a name that no other drawing of the page has.
        said: the title and the description.
        layers: the versions, oldest first.
        days: the labels of the axis.
        shown: when it was shown to agents, drawn as ticks beneath.
        evidence: when its evidence changed, drawn as triangles above.
    """
    top = 20 + (16 if evidence else 0)
    low = top + _LAYER * len(layers)
    height = low + (22 if shown else 6)
    parts = [part for day in days for part in _day(day, height)]
    parts += _marks(evidence, top - 6, path("M-4 0h8l-4 -8z", "warn"))
    for place, one in enumerate(layers):
        y = top + _LAYER * place
        parts += _layer(one, y)
        if place:
            parts.append(line((share(one.start),) * 2, (y - 8, y + _LAYER), "accent"))
    parts += _marks(shown, low + 14, path("M0 2v-10", "accent"))
    return figure(name, said, parts, height=height)


def _day(day: TimeMark, height: float) -> Iterator[str]:
    x = share(day.at)
    yield line((x, x), (0, height), "line")
    yield placed(x, 0, label("4", 12, day.text))


def _layer(one: Layer, y: float) -> Iterator[str]:
    end, look = one.start > _ROOM, "ink" if one.current else ""
    at = label("-6" if end else "6", 11, one.text, look=look, anchor="end" * end)
    size = (share(max(0.004, one.end - one.start)), 10)
    yield placed(share(one.end if end else one.start), y, at)
    yield block(share(one.start), y + 16, size, "ink" if one.current else "mute", title=one.text)


def _marks(marks: Sequence[TimeMark], y: float, shape: str) -> Iterator[str]:
    """Yield marks, with the words of the last one beside it."""
    for one in marks:
        yield placed(share(one.at), y, f"{shape}")
    if marks:
        last = marks[-1]
        end = last.at > _ROOM
        at = label("-8" if end else "8", 2, last.text, anchor="end" * end)
        yield placed(share(last.at), y, at)


class Point(Value):
    """The confidence of a memory from a session on."""

    session: int
    """The first session is 1."""
    confidence: float
    why: str
    """recorded, used, idle or changed"""


class Course(Value):
    """The confidence of one memory over the sessions of its agent."""

    text: str
    points: tuple[Point, ...]
    last: int
    """The last session in which the memory counted."""
    ended: bool = False


def courses(
    name: str, said: tuple[str, str], lines: Sequence[Course], *, sessions: int, floor: float
) -> str:
    """Draw the confidence of an agent's memories, one line for each, over its sessions."""
    scale = _Scale(sessions, min([floor, *(one.confidence for row in lines for one in row.points)]))
    parts = [part for level in (1.0, 0.5) for part in scale.level(level, "line")]
    parts += scale.level(floor, "bad dashed")
    for one in lines:
        parts += scale.course(one)
    for number in sorted({1, sessions}):
        end = "end" if number > 1 else ""
        parts.append(label(scale.x(number), _COURSE + 16, f"session {number}", anchor=end))
    return figure(name, said, parts, height=_COURSE + 22, look="to-scale")


_POINTS = {"recorded": "ring", "used": "accent"}


class _Scale:
    """The places of sessions and of confidence, from a little below the lowest one up to 1."""

    def __init__(self, sessions: int, lowest: float) -> None:
        self._sessions = sessions
        self._lowest = max(0.0, lowest - 0.1)

    def x(self, session: int) -> str:
        part = (session - 1) / max(1, self._sessions - 1)
        return share(0.99 * part)

    def y(self, confidence: float) -> float:
        return 6 + (_COURSE - 6) * (1 - confidence) / (1 - self._lowest)

    def level(self, level: float, look: str) -> Iterator[str]:
        yield label(_SCALE, self.y(level) + 4, f"{level:.1f}", anchor="end")
        yield line(("0%", "100%"), (self.y(level),) * 2, look)

    def course(self, one: Course) -> Iterator[str]:
        """Yield a line that is level until a session changes the confidence."""
        look = "old" if one.ended else "edge"
        ends = (*one.points, one.points[-1].replace(session=one.last))
        for here, after in pairwise(ends):
            x, y = self.x(after.session), self.y(here.confidence)
            if here.session != after.session:
                yield line((self.x(here.session), x), (y, y), f"course {look}")
            if here.confidence != after.confidence:
                yield line((x, x), (y, self.y(after.confidence)), f"course {look}")
        for point in one.points:
            shape = _POINTS.get(point.why, look)
            says = f"{point.confidence:.2f} in session {point.session}, {point.why}"
            x, y = self.x(point.session), self.y(point.confidence)
            size = 3.5 if shape == "accent" else 2.5
            yield disc(x, y, shape, radius=size, title=f"{one.text}: {says}")
        if one.ended:
            low = self.y(one.points[-1].confidence)
            yield placed(self.x(one.last), low, path("M-4 -4l8 8M-4 4l8 -8", "cross"))


class TalkMark(Value):
    """What somebody did at one place."""

    at: float
    look: str
    """proposes, agrees, disagrees, decides or says"""
    text: str


class TalkLane(Value):
    """What one participant did."""

    name: str
    marks: tuple[TalkMark, ...]


_SHAPES = {
    "proposes": path("M-5 -5h10v10h-10z", "ink"),
    "agrees": path("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z", "ink"),
    "disagrees": path("M-4 -4l8 8M-4 4l8 -8", "cross"),
    "decides": path("M0 -7l7 7l-7 7l-7 -7z", "accent"),
    "says": path("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "ring"),
}


def lanes(
    name: str, said: tuple[str, str], rows: Sequence[TalkLane], *, ends: tuple[str, str] = ("", "")
) -> str:
    """Draw a talk: a lane for each participant, with a shape for what they did.

    Args:
        name: a name that no other drawing of the page has.
        said: the title and the description.
        rows: the lanes.
        ends: the words beneath the beginning and the end.
    """
    parts: list[str] = []
    for place, row in enumerate(rows):
        y = 14.0 + _ROW * place
        parts.append(label("0", y, row.name, look="ink"))
        parts.append(line(("0%", "100%"), (y + 16, y + 16), "line"))
        for mark in row.marks:
            title = f"<title>{escaped(mark.text)}</title>"
            shape = f"<g>{title}{_SHAPES[mark.look]}</g>"
            parts.append(placed(share(0.01 + 0.98 * mark.at), y + 16, shape))
    low = 14.0 + _ROW * len(rows)
    parts.append(label("0%", low + 4, ends[0]))
    parts.append(label("100%", low + 4, ends[1], anchor="end"))
    return figure(name, said, parts, height=low + 10)


def symbol(look: str) -> str:
    """Return the shape of a lane beside the word for it, in a legend."""
    room = 'width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true"'
    return f'<svg class="draw sym" {room}>{_SHAPES[look]}</svg>'
