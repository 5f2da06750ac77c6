"""Applies stand-ins: events that repeat what purged events did to other memories.

A purge erases the content of whole lines, but a line may also concern other memories. The effects
on those memories are repeated in a new event, the stand-in. It names the original event and its
place in the order. The fold applies the stand-in at that place and under the original id, so the
purge changes no other memory.
"""

from __future__ import annotations

from varves.events.event import Event
from varves.events.kinds import touches
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

_PLACE = ("hlc", "writer", "time", "actor", "session")


class StandIn(Event):
    """A stand-in that was moved to the place of the event that it replaces."""

    __slots__ = ("said", "written")

    def __init__(self, event: Event) -> None:
        place = event.data["instead"]
        fields = {**event.fields, **{key: place.get(key) for key in _PLACE}}
        super().__init__({**fields, "id": place["event"]}, event.log)
        self.said = event.id
        """The stand-in's own id."""
        self.written = event.writer
        """The stand-in's own writer."""


def in_place(events: list[Event], barred: AbstractSet[str]) -> list[Event]:
    """Return the events with each stand-in moved to the place of the purged event."""
    again = [event for event in events if "instead" in event.data]
    if not again:
        return events
    found = {event.id: event for event in events if "instead" not in event.data}
    for event in sorted(again, key=lambda event: (event.trust < TRUSTWORTHY, *event.order)):
        name = event.data["instead"]["event"]
        held = found.get(name)
        # A stand-in has no effect if the original event still has its content and no purge concerns
        # it.
        if held is None or (not isinstance(held, StandIn) and _may_stand_in(event, held, barred)):
            found[name] = StandIn(event)
    return list(found.values())


def _may_stand_in(event: Event, held: Event, barred: AbstractSet[str]) -> bool:
    trusted = event.trust >= TRUSTWORTHY or held.trust < TRUSTWORTHY
    return trusted and not barred.isdisjoint(touches(held))


def writer_of(event: Event) -> str:
    """Return the writer (clone and lane) that is responsible for an event.

    For a stand-in, this is the writer of the original event if the same clone wrote both, otherwise
    the stand-in's own writer.
    """
    if not isinstance(event, StandIn):
        return event.writer
    same = event.written.partition(".")[0] == event.writer.partition(".")[0]
    return event.writer if same else event.written


def names_of(event: Event) -> tuple[str, ...]:
    """Return an event's ids: its own id and, for a stand-in, the id of the replaced event."""
    return (event.id, event.said) if isinstance(event, StandIn) else (event.id,)
