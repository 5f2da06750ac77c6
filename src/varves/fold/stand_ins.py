"""Events that stand in for purged ones.

A purge erases the content of whole lines, and a line may also concern other memories. The content
about those is repeated in a new event, the stand-in, which names the original event and its place
in the order. The fold applies the stand-in at that place and under the original id, so the purge
changes no other memory.
"""

from __future__ import annotations

from varves.events.event import Event
from varves.events.kinds import touches
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

SAID = "said"  # in a stand-in's fields: its own id
_WRITTEN = "written"  # in a stand-in's fields: who wrote it
_PLACE = ("hlc", "writer", "time", "actor", "session")


def in_place(events: list[Event], barred: AbstractSet[str]) -> list[Event]:
    """Move each stand-in to the place of the purged event."""
    again = [event for event in events if "instead" in event.data]
    if not again:
        return events
    found = {event.id: event for event in events if "instead" not in event.data}
    for event in sorted(again, key=lambda event: (event.trust < TRUSTWORTHY, *event.order)):
        name = event.data["instead"]["event"]
        held = found.get(name)
        # An event whose content is still here and that no purge concerns needs no stand-in.
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
    """Return the writer responsible for an event: of a stand-in, the original's writer."""
    written: str = event.fields.get(_WRITTEN, event.writer)
    same = written.partition(".")[0] == event.writer.partition(".")[0]
    return event.writer if same else written


def names_of(event: Event) -> tuple[str, ...]:
    """Return the ids of an event: its own, and the one it stands in for."""
    said = event.fields.get(SAID)
    return (event.id,) if said is None else (event.id, said)
