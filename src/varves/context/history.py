"""Finds the events of a memory, at present or in the past, or the reason why there are none."""

from __future__ import annotations

from varves.errors import NotFound
from varves.events.remnants import masked
from varves.index.where import EventWhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.live_index import View
    from varves.events.event import Event
    from varves.index.port import Index


def absent(view: View, name: str) -> NotFound:
    """Return the error to raise for a memory that does not exist or was purged."""
    if view.index.purges().barred(name):
        return NotFound(f"{name} was purged", f"varves why {name} shows who purged it")
    return NotFound(f"no memory {name}", "varves list shows all memories")


def lived(view: View, name: str) -> tuple[Event, ...]:
    """Return the events of a memory, in order; raise an error if there are none."""
    found = view.index.events(EventWhere(about=(name,)))
    if not found:
        raise absent(view, name)
    return unsaid(view.index, found)


def unsaid(index: Index, events: list[Event]) -> tuple[Event, ...]:
    """Return events for display; purged content that is not erased yet is masked."""
    barred = index.purges().barred()
    return tuple(masked(event, barred) for event in events) if barred else tuple(events)
