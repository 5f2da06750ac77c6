"""The kinds of events: one row for each kind, and the queries that a fold makes.

For events of its kind, a row states: which content an event must have to act on memories, which
memories it acts on, whether it bars them (marks them as purged), what a purge leaves of it, and
whether a write must read it first. To add a kind, add a row, its effect in `varves.fold.family`,
and a line in docs/format.md.

Every event carries what its fold needs (texts, scopes, ids) in its own data. Nothing is ever read
through `cause`, because the event named there may not be in this clone.
"""

from __future__ import annotations

from varves.events import shapes
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from varves.events.event import Event

# What a purge does to an event that contains content of the purged memory:
WHOLE = "whole"  # erase it: all of its content is about that memory
IDS = "ids"  # leave it: events of this kind contain ids and no text
TIE = "tie"  # erase it, and repeat what it says about other memories
TALK = "talk"  # erase it if the memory was made from it; it is about no memory itself
FOLLOWS = "follows"  # erase it if its conversation event is erased


class Kind(Value):
    """One row of the table of event kinds."""

    shape: Callable[[Any], bool] | None = None
    """A function that returns whether the content is valid for acting on memories.

    None if events of this kind never act on memories.
    """
    birth: bool = False
    """Whether the content is the record of a memory."""
    by: bool = False
    """Whether the event acts on the memory in `by` as well as on the one in `memory`."""
    replaces: bool = False
    """Whether the memory in `by` replaces the one in `memory`."""
    rejects: bool = False
    """Whether the event rejects the texts in its content."""
    takes_back: bool = False
    """Whether the event cancels the effect of the event that it names."""
    status: str | None = None
    """The status that the event gives the memory; None if the event does not change it."""
    purge: str = WHOLE
    """What a purge of a memory does to an event of this kind."""
    bars: bool = False
    """Whether the event bars the memory that it names: content erased, id never used again."""
    plain: bool = False
    """Whether the event is plain: it only adds something, so a write need not read it first."""


KINDS: dict[str, Kind] = {}


def _kind(name: str, shape: Callable[[Any], bool] | None = None, **about: Any) -> str:
    KINDS[name] = Kind(shape=shape, **about)
    return name


# The life of a memory
RECORDED = _kind("memory.recorded", shapes.record, birth=True, plain=True)
PROPOSED = _kind("memory.proposed", shapes.record, birth=True)
SHARED = _kind("memory.shared", shapes.record, birth=True)
UNSHARED = _kind("memory.unshared", shapes.unshared, takes_back=True, purge=IDS)
REINFORCED = _kind("memory.reinforced", shapes.act, plain=True, purge=IDS)
REVISED = _kind("memory.revised", shapes.revised)
DECAYED = _kind("memory.decayed", shapes.revised)
LINKED = _kind("memory.linked", shapes.linked)
SUPERSEDED = _kind(
    "memory.superseded", shapes.superseded, by=True, replaces=True, rejects=True, purge=TIE
)
MERGED = _kind("memory.merged", shapes.merged, by=True, replaces=True, purge=TIE)
PROMOTED = _kind("memory.promoted", shapes.superseded, by=True, purge=TIE)
FORGOTTEN = _kind("memory.forgotten", shapes.act, status="forgotten", rejects=True)
REJECTED = _kind("memory.rejected", shapes.act, status="forgotten", rejects=True)
FLAGGED = _kind("memory.flagged", shapes.act, status="flagged")
ARCHIVED = _kind("memory.archived", shapes.act, status="archived")
EXPIRED = _kind("memory.expired", shapes.act, status="expired")
PRUNED = _kind("memory.pruned", shapes.act, status="pruned")
RESTORED = _kind("memory.restored", shapes.revised, status="active", purge=IDS)
TRUSTED = _kind("memory.trusted", shapes.act, purge=IDS)
PURGED = _kind("memory.purged", shapes.act, purge=IDS, bars=True)
ACCESSED = _kind("memory.accessed", shapes.act)
RESOLVED = _kind("conflict.resolved", shapes.resolved, rejects=True, purge=TIE)
DETECTED = _kind("conflict.detected")
UNDONE = _kind("event.undone", shapes.undone, takes_back=True, purge=IDS)

# The log, memories that were shown, and talks
CLOSED = _kind("segment.closed", plain=True, purge=IDS)
INJECTED = _kind("context.injected", plain=True)
SAID = _kind("talk.said", purge=TALK)
DROPPED = _kind("talk.dropped")
ASKED = _kind("model.asked")
CALLED = _kind("model.called")

# Memories that a protocol records in its own terms
LOGGED = _kind("log.entry", shapes.record, birth=True)
LOG_ALTERED = _kind("log.altered", shapes.act, status="flagged")
LOG_AMENDED = _kind("log.amended", shapes.revised, status="active")
LOG_ARCHIVED = _kind("log.archived", shapes.act, status="archived")
WAIVED = _kind("finding.waived")
WITHHELD = _kind("log.withheld")
SUMMARISED = _kind("summary.created", shapes.record, birth=True)
RAISED = _kind("proposal.raised", shapes.record, birth=True)
REACTED = _kind("proposal.reacted", shapes.reacted)
PROPOSAL_RESOLVED = _kind("proposal.resolved", shapes.proposal_resolved)

# Events of a protocol that act on no memory
SESSION_STARTED = _kind("session.started")
SESSION_CONTINUED = _kind("session.continued")
SESSION_NOTED = _kind("session.noted")
SESSION_REVISED = _kind("session.revised")
SESSION_ARCHIVED = _kind("session.archived")
SESSION_ENDED = _kind("session.ended")
SESSION_RECOVERED = _kind("session.recovered")
TASK_RECEIVED = _kind("task.received")
TASK_COMPLETED = _kind("task.completed")
TASK_FAILED = _kind("task.failed")
HANDED = _kind("handoff.created", purge=TALK)
CONSUMED = _kind("handoff.consumed")
POSTED = _kind("message.posted", purge=TALK)
STANCE = _kind("stance.changed", purge=FOLLOWS)
CONSOLIDATED = _kind("consolidation.run")
DETECTION = _kind("detection.run")
JOINED = _kind("participant.joined")
PARTICIPANT_REVISED = _kind("participant.revised")
OBSERVED = _kind("relation.observed")
FILE_ADOPTED = _kind("file.adopted")


def named(column: str, *, says: object = True) -> tuple[str, ...]:
    """Return the event kinds whose row in the table of kinds has the given value in a column."""
    return tuple([name for name, kind in KINDS.items() if getattr(kind, column) == says])


BIRTHS = named("birth")
BARRING = named("bars")
_NEWER, _FOREIGN = Kind(shape=shapes.act), Kind()
_BY = named("by")
_REJECTING = named("rejects")


def well_formed(kind: str, content: Any) -> bool:
    """Return whether an event of this kind may act on memories.

    An event of an unknown `memory.` kind, from a newer version, may do so if it names a memory.
    """
    known = KINDS.get(kind, _NEWER if kind.startswith("memory.") else _FOREIGN)
    shape = known.shape
    return shape is not None and isinstance(content, dict) and shape(content)


def touches(event: Event) -> tuple[str, ...]:
    """Return the ids of the memories that an event acts on; none for a malformed event."""
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
    if kind in _BY:  # the replacement may be a memory that existed before
        found.append(content["by"])
    if "record" in content:
        found.append(content["record"]["memory"])
    found.extend(content.get("memories", ()))
    return tuple(dict.fromkeys(found))


def precedence(event: Event) -> tuple[bool, bool, str, str, str]:
    """Return a sort key for several events with the same id.

    Only the event with the lowest key has an effect.
    """
    untrusted = event.trust < TRUSTWORTHY
    return untrusted, not event.purged, event.hlc, event.writer, event.digest


def birth(event: Event) -> dict[str, Any] | None:
    """Return the record from which an event creates a memory; None if the event has no record."""
    if event.kind in BIRTHS:
        return event.data or None
    return event.data.get("record")


def is_barred(history: Iterable[Event]) -> bool:
    """Return whether one of a memory's events purges the memory, so that its id is not reused."""
    return any(event.kind in BARRING for event in history)


def rejections(event: Event) -> Iterator[tuple[str, str, str]]:
    """Yield (id of the memory, scope, text) for each value that an event rejects."""
    content = event.data
    if event.kind not in _REJECTING:
        return
    for part in content.get("drop", ()) if event.kind == RESOLVED else (content,):
        if "text" in part:
            yield part["memory"], part["scope"], part["text"]


def lifts(event: Event) -> tuple[str, ...]:
    """Return the ids of the events whose rejections are lifted by this event."""
    return tuple(event.data.get("lifts", ()))


def numbered(extra: dict[str, Any], event: Event, said: dict[str, Any]) -> dict[str, Any]:
    """Add to `extra` the number that an event gives a record, such as 3 in `mem-003`.

    The event's place in the order is added too; it decides which number counts if events give
    different ones.
    """
    if "number" not in said:
        return extra
    return {**extra, "numbers": [*extra.get("numbers", ()), [*event.order, said["number"]]]}
