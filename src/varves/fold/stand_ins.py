"""What a purge leaves for the fold.

A purge erases whole lines, and a line may also have spoken of other memories. What it said of those
was said again in an event that names the one it stands for, with that one's place in the order. The
fold lets it count there, under the old name, so that nothing else changes.
"""

from __future__ import annotations

from varves.events.event import Event
from varves.events.kinds import touches
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

SAID = "said"  # in the fields of an event that stands for another: its own id
_WRITTEN = "written"  # and who wrote it
_PLACE = ("hlc", "writer", "time", "actor", "session")


def in_place(events: list[Event], barred: AbstractSet[str]) -> list[Event]:
    """Let what was said again count in the place of the event that was purged."""
    again = [event for event in events if "instead" in event.data]
    if not again:
        return events
    found = {event.id: event for event in events if "instead" not in event.data}
    for event in sorted(again, key=lambda event: (event.trust < TRUSTWORTHY, *event.order)):
        name = event.data["instead"]["event"]
        held = found.get(name)
        # An event that is here whole and has nothing to do with a purge needs no stand-in.
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
    """Return who answers for an event: no clone can write in the name of another."""
    written: str = event.fields.get(_WRITTEN, event.writer)
    same = written.partition(".")[0] == event.writer.partition(".")[0]
    return event.writer if same else written


def names_of(event: Event) -> tuple[str, ...]:
    """Return the ids an event goes by: its own, and the one it stands for."""
    said = event.fields.get(SAID)
    return (event.id,) if said is None else (event.id, said)
