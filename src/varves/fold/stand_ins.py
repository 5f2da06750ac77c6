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

SAID = "said"  # the field of a moved stand-in that contains its own id
_WRITTEN = "written"  # the field of a moved stand-in that contains its own writer
_PLACE = ("hlc", "writer", "time", "actor", "session")


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
        if held is None or (SAID not in held.fields and _may_stand_in(event, held, barred)):
            found[name] = _standing_for(event)
    return list(found.values())


def _may_stand_in(event: Event, held: Event, barred: AbstractSet[str]) -> bool:
    trusted = event.trust >= TRUSTWORTHY or held.trust < TRUSTWORTHY
    return trusted and not barred.isdisjoint(touches(held))


def _standing_for(event: Event) -> Event:
    place = event.data["instead"]
    fields = {**event.fields, **{key: place.get(key) for key in _PLACE}}
    own = {SAID: event.id, _WRITTEN: event.writer}
    return Event({**fields, "id": place["event"], **own}, event.log)


def writer_of(event: Event) -> str:
    """Return the writer (clone and lane) that is responsible for an event.

    For a stand-in, this is the writer of the original event if the same clone wrote both, otherwise
    the stand-in's own writer.
    """
    written: str = event.fields.get(_WRITTEN, event.writer)
    same = written.partition(".")[0] == event.writer.partition(".")[0]
    return event.writer if same else written


def names_of(event: Event) -> tuple[str, ...]:
    """Return an event's ids: its own id and, for a stand-in, the id of the replaced event."""
    said = event.fields.get(SAID)
    return (event.id,) if said is None else (event.id, said)
