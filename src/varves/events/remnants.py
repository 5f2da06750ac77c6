"""Finds the events that contain a memory's content, and the parts that remain after a purge.

An event may be about two memories, like a correction, or lift the rejection of another memory's
value. Purging one memory must not change any other memory. So a new event, the stand-in, repeats
the effects of the erased event on other memories.

The conversation events that the memory was made from are purged too. The purge names each of them
together with an event that proves the connection. The proof is the event that created the memory:
its causes stay readable after its content is erased.
"""

from __future__ import annotations

from varves.events.blobs import places
from varves.events.event import Draft
from varves.events.kinds import (
    BARRING,
    BIRTHS,
    FOLLOWS,
    IDS,
    RESTORED,
    STANCE,
    TALK,
    TIE,
    birth,
    named,
    touches,
)
from varves.values.memory import TRUSTWORTHY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from collections.abc import Set as AbstractSet
    from typing import Any

    from varves.events.event import Event

_SILENT, _TYING = named("purge", says=IDS), named("purge", says=TIE)
_SAID = ("text", "blob", "scope", "reason")
_TEXTS = {"text", "blob"}
# how the kind of a purge is written in a line
PURGE_MARKS = {f'"kind":"{kind}"'.encode("ascii") for kind in BARRING}
# the kinds of conversation events: a memory may be made from them, but they are not memories
TALKS = named("purge", says=TALK)
SOURCES = (*TALKS, *named("purge", says=FOLLOWS))


def purged_by(events: Iterable[Event]) -> set[str]:
    """Return the ids of the memories that are purged, given all events about them."""
    return {event.data["memory"] for event in in_force(events)}


def in_force(events: Iterable[Event]) -> list[Event]:
    """Return the events that purged a memory, given all events about the memory."""
    return [event for event in events if event.kind in BARRING and is_purge(event)]


def is_purge(event: Event) -> bool:
    """Return whether an event can purge a memory: it is a trusted, well-formed purge."""
    return event.kind in BARRING and event.trust >= TRUSTWORTHY and bool(touches(event))


def covers(purge: Event, find: Callable[[str], Event | None]) -> set[str]:
    """Return the ids of the conversation events that a purge covers.

    These events are in the purge's own log.

    Each source must be proven by the event that created the memory. If that event is purged, it no
    longer names the memory, and it is enough that it names the source.
    """
    found: set[str] = set()
    for name, by in claims(purge):
        source, proof = find(name), find(by)
        if source is None or proof is None or source.log != purge.log:
            continue
        if source.kind == STANCE:
            proven = by in found and by in source.cause
        else:
            proven = source.kind in TALKS and proves(proof, source, purge.data["memory"])
        if proven:
            found.add(name)
    return found


def claims(purge: Event) -> list[tuple[str, str]]:
    """Return (source, proof) for each source that a purge claims to cover, as ids of events."""
    given = purge.data.get("sources")
    pairs = given if isinstance(given, list) else ()
    return [
        (one[0], one[1])
        for one in pairs
        if isinstance(one, list) and [type(part) for part in one] == [str, str]
    ]


def proves(event: Event, source: Event, memory: str) -> bool:
    """Return whether an event created a memory and states that it was made from a source."""
    if source.id not in event.cause or event.trust < min(source.trust, TRUSTWORTHY):
        return False
    if event.purged:
        return event.kind in (*BIRTHS, *_TYING)
    return memory in touches(event) and (birth(event) or {}).get("memory") == memory


def holds(event: Event, barred: AbstractSet[str]) -> bool:
    """Return whether an event, well formed or not, contains content of a purged memory.

    Args:
        event: any event.
        barred: purged memories, and the events that their purges cover.
    """
    if event.kind in BARRING:
        return False
    content = event.data
    if event.kind in SOURCES and event.id in barred and content:
        return True
    about = [place for place in places(content) if _of(place, barred)]
    if about and isinstance(content.get("set"), dict) and _of(content, barred):
        about.append(content["set"])
    if event.kind in _SILENT:
        return any(not _TEXTS.isdisjoint(place) for place in about)
    if event.kind in _TYING and touches(event):
        return without(event, barred) != content
    return any(place.keys() - {"memory"} for place in about)


def mentioned(event: Event) -> set[str]:
    """Return the ids of the memories that an event, well formed or not, is about."""
    return {str(place.get("memory")) for place in places(event.data)}


def without(event: Event, barred: AbstractSet[str]) -> dict[str, Any]:
    """Return an event's content without the parts about the memories in `barred`."""
    content = dict(event.data)
    if _of(content, barred):
        content = {key: part for key, part in content.items() if key not in _SAID}
    if _of(content.get("record"), barred):
        content["brought"] = content.pop("record")["memory"]
    if isinstance(content.get("drop"), list):
        content["drop"] = [
            {"memory": part["memory"]} if _of(part, barred) else part for part in content["drop"]
        ]
    return content


def _of(part: Any, barred: AbstractSet[str]) -> bool:
    """Return whether a part of an event's content is about a memory in `barred`."""
    return isinstance(part, dict) and str(part.get("memory")) in barred


def stands_for(event: Event) -> str | None:
    """Return the id of the purged event that this event replaces (as a stand-in), if any."""
    place = event.data.get("instead")
    return place.get("event") if isinstance(place, dict) else None


def lasts(event: Event) -> bool:
    """Return whether an event has effects that must stay in force after its text was erased."""
    return bool(touches(event)) and (event.kind in _TYING or "lifts" in event.data)


def remnant(event: Event, barred: AbstractSet[str]) -> tuple[str, dict[str, Any]]:
    """Return the kind and content of an event with the same effects, without purged text."""
    content = without(event, barred)
    if event.kind in _TYING:
        return event.kind, content
    return RESTORED, {"memory": content["memory"], "lifts": content["lifts"]}


def masked(event: Event, barred: AbstractSet[str]) -> Event:
    """Return an event for display; purged content that is not erased yet is left out."""
    if not holds(event, barred):
        return event
    fields = {key: part for key, part in event.fields.items() if key not in ("data", "salt")}
    if lasts(event):
        fields["kind"], fields["data"] = remnant(event, barred)
    shown = type(event)({**fields, "purged": True}, event.log)
    shown.branch = event.branch
    return shown


def instead(event: Event, barred: AbstractSet[str], *, actor: str, session: str | None) -> Draft:
    """Return a draft that takes the place of a purged event, with its effects on other memories."""
    hlc, writer, name = event.order
    place = {"event": name, "hlc": hlc, "writer": writer, "time": event.time, "actor": event.actor}
    if event.session is not None:
        place["session"] = event.session
    kind, content = remnant(event, barred)
    return Draft(
        kind=kind,
        data={**content, "instead": event.data.get("instead", place)},
        cause=(event.id,),
        protocol=event.protocol,
        actor=actor,
        session=session,
        origin=event.origin,
        trust=event.trust,
    )
