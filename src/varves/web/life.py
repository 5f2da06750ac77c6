"""The life of a memory as a drawing: when each version was written, and when it was shown."""

from __future__ import annotations

import time

from markupsafe import Markup

from varves.drawing.charts import Layer, TimeMark, life
from varves.values.instants import DAY_MS, instant
from varves.values.value import Value
from varves.web.texts import cut
from varves.web.words import counted, short_day, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves import Event, Memory
    from varves.web.visit import Visit

_LABELS = 5
_CLOSE = 0.14  # labels nearer than this would cover each other on a narrow screen
_WORDS = 90
_TICKS = 60
_MONTH = 28


class Version(Value):
    """One version of a memory: a memory of its own, which may replace another."""

    memory: Memory
    before: Memory | None
    event: Event | None = None
    """The event that put it in the place of the one before."""


def drawn(visit: Visit, versions: Sequence[Version], shown: Memory) -> Markup:
    """Return the drawing; empty for a memory that was written only now."""
    oldest = [one.memory for one in reversed(versions)]
    at = None if visit.as_of is None else visit.window.moment_of(visit.as_of)
    start, end = instant(oldest[0].created_at), visit.now if at is None else at
    if end - start < 1000:
        return Markup()
    whole = end - start

    def place(moment: str) -> float:
        return min(1.0, max(0.0, (instant(moment) - start) / whole))

    layers = [
        Layer(
            start=place(one.created_at),
            end=1.0 if one.status in ("active", "flagged", "proposed") else place(one.updated_at),
            text=f"{one.created_by}: {cut(' '.join(one.titled.split()), _WORDS)}",
            current=one.id == shown.id and one.status == "active",
        )
        for one in oldest
    ]
    given = [one.at for one in visit.shown() if shown.id in one.ids]
    words = f"shown {counted(len(given), 'time')}"
    ticks = [TimeMark(at=place(one), text=words) for one in sorted(given)[-_TICKS:]]
    said = ", then ".join(f"{one.created_by} {when(one.created_at, visit.now)}" for one in oldest)
    name = ("The life of this memory", f"Written by {said}; {words}.")
    # the drawing escapes every text that it is given
    return Markup(life("life", name, layers, days=_days(start, end), shown=ticks))  # noqa: S704


def _days(start: int, end: int) -> list[TimeMark]:
    """Return the labels of the axis: the first of every so many days."""
    days = (end - start) // DAY_MS + 1
    step = -(-days // _LABELS) * DAY_MS
    offset = time.localtime(start / 1000).tm_gmtoff * 1000
    first = (start + offset) // DAY_MS * DAY_MS - offset
    marks = []
    for day in range(first, end + 1, step):
        text = short_day(time.localtime(day / 1000), far=days > _MONTH)
        marks.append(TimeMark(at=max(0.0, (day - start) / (end - start)), text=text))
    if len(marks) > 1 and marks[1].at < _CLOSE:
        del marks[0]
    return marks


def linked(memory: Memory, kind: str) -> list[str]:
    """Return the ids to which a memory's links of one kind lead."""
    found = memory.links.get(kind, ())
    return [found] if isinstance(found, str) else list(found)
