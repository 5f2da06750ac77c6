"""The events of a memory's life, and the few questions a fold asks of them.

Every event carries what its fold needs (texts, scopes, ids) in its own data: nothing is ever read
through `cause`, because the event named there may not be in this clone.
"""

from __future__ import annotations

from varves.events.event import TRUSTWORTHY
from varves.events.shapes import well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.events.event import Event

RECORDED = "memory.recorded"
PROPOSED = "memory.proposed"
REVISED = "memory.revised"
REINFORCED = "memory.reinforced"
SUPERSEDED = "memory.superseded"
MERGED = "memory.merged"
PROMOTED = "memory.promoted"
LINKED = "memory.linked"
DECAYED = "memory.decayed"
FORGOTTEN = "memory.forgotten"
ARCHIVED = "memory.archived"
RESTORED = "memory.restored"
SHARED = "memory.shared"
UNSHARED = "memory.unshared"
TRUSTED = "memory.trusted"
FLAGGED = "memory.flagged"
REJECTED = "memory.rejected"
PURGED = "memory.purged"
RESOLVED = "conflict.resolved"
UNDONE = "event.undone"
CLOSED = "segment.closed"
INJECTED = "context.injected"
ACCESSED = "memory.accessed"
DETECTED = "conflict.detected"
LOGGED = "log.entry"
LOG_ALTERED = "log.altered"
LOG_AMENDED = "log.amended"
LOG_ARCHIVED = "log.archived"
SUMMARISED = "summary.created"
RAISED = "proposal.raised"
REACTED = "proposal.reacted"
SETTLED = "proposal.resolved"

BIRTHS = (RECORDED, PROPOSED, SHARED, LOGGED, SUMMARISED, RAISED)


def touches(event: Event) -> tuple[str, ...]:
    """Return the ids of the memories an event acts on; none if it is not well formed."""
    if event.touched is None:
        event.touched = _touches(event.kind, event.data)
    return event.touched


def _touches(kind: str, content: dict[str, Any]) -> tuple[str, ...]:
    if not well_formed(kind, content):
        return ()
    if kind in BIRTHS and "document" not in content:
        return (content["memory"],)
    found: list[str] = []
    if "memory" in content:
        found.append(content["memory"])
    if kind in (
        SUPERSEDED,
        MERGED,
        PROMOTED,
    ):  # also one that was there before takes the other's place
        found.append(content["by"])
    if "record" in content:
        found.append(content["record"]["memory"])
    found.extend(content.get("memories", ()))
    return tuple(dict.fromkeys(found))


def precedence(event: Event) -> tuple[bool, bool, str, str, str]:
    """Return the key by which one of several lines with the same id counts: the lowest."""
    untrusted = event.trust < TRUSTWORTHY
    return untrusted, not event.purged, event.hlc, event.writer, event.digest


def birth(event: Event) -> dict[str, Any] | None:
    """Return the record an event brings into being, if it does."""
    if event.kind in BIRTHS:
        return event.data or None
    return event.data.get("record")


def rejections(event: Event) -> Iterator[tuple[str, str, str]]:
    """Yield (memory, scope, text) for each value an event rejects."""
    content = event.data
    if event.kind in (SUPERSEDED, FORGOTTEN, REJECTED) and "text" in content:
        yield content["memory"], content["scope"], content["text"]
    for dropped in content.get("drop", ()) if event.kind == RESOLVED else ():
        if "text" in dropped:
            yield dropped["memory"], dropped["scope"], dropped["text"]


def lifts(event: Event) -> tuple[str, ...]:
    """Return the ids of the rejecting events whose rejection this event lifts."""
    return tuple(event.data.get("lifts", ()))


def numbered(extra: dict[str, Any], event: Event, said: dict[str, Any]) -> dict[str, Any]:
    """Add the number an event gives a record, with the event's place: numbers are claims."""
    if "number" not in said:
        return extra
    return {**extra, "numbers": [*extra.get("numbers", ()), [*event.order, said["number"]]]}
