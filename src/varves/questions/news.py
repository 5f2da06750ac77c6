"""Finds the events that arrived since a position, however they arrived.

An index numbers events in the order in which it reads them, so an old event that a merge brings is
new too. A position names the index, the last number, and the highest stamp. If the index was
rebuilt meanwhile, its numbers say nothing, and the events with higher stamps are new.
"""

from __future__ import annotations

from varves.context.history import unsaid
from varves.errors import UsageError
from varves.questions.lists import events_asked
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.values.options import LogFilters

MOST = 1000  # the most events that are read at once


class News(Value):
    """Events that arrived since a position, and the position after them."""

    position: str
    """Where the next call continues; a word without spaces."""
    events: tuple[Event, ...]
    """At most 1,000 of the arrived events, in order."""
    counts: dict[str, int]
    """The numbers of these events, by kind."""
    more: int
    """How many events arrived after these."""


def news(view: View, position: str | None, **filters: Unpack[LogFilters]) -> News:
    """Return the events that pass the filters of `log` and arrived since a position."""
    index = view.index
    name, last = index.logs().arrived()
    wish, until = events_asked(view, **filters), last
    found: list[Event] = []
    if position is not None:
        before, number, stamp = _read(position)
        if before != name:
            found = index.events(wish.replace(after=stamp))
        elif number < last:
            until = min(last, number + MOST)
            found = index.events(wish.replace(arrived=(number, until)))
    counts: dict[str, int] = {}
    for event in found:
        counts[event.kind] = counts.get(event.kind, 0) + 1
    position = f"{name}.{until}.{index.latest_hlc()}"
    return News(position=position, events=unsaid(index, found), counts=counts, more=last - until)


def _read(position: str) -> tuple[str, int, str]:
    """Return the parts of a position: the index, the last number, the highest stamp."""
    try:
        name, number, stamp = position.split(".")
        return name, int(number), stamp
    except (AttributeError, ValueError):
        raise UsageError(
            f"{quoted(str(position))} is not a position", "pass the position of an earlier answer"
        ) from None
