"""A session, folded from its events by one rule for every protocol.

A session starts with an event, is active with each later one, and runs until an event ends it, or
recovers it after a crash. It belongs to one checkout. Each protocol has its own subclass, with its
additional fields and the kinds of events to which the rule applies.
"""

from __future__ import annotations

from varves.events import kinds
from varves.values.instants import instant
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import Any, ClassVar, Self, TypeVar

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.port import Core

    Kept = TypeVar("Kept", bound="Session")

STARTED = kinds.SESSION_STARTED
CONTINUED = kinds.SESSION_CONTINUED
ARCHIVED = kinds.SESSION_ARCHIVED
ENDED = kinds.SESSION_ENDED
RECOVERED = kinds.SESSION_RECOVERED
PRIVATE, PROJECT = "private", "project"
RUNNING, UNSTARTED = "running", "unstarted"
HOUR_MS = 3_600_000


class Session(Value):
    """One session; a subclass adds the fields of its protocol."""

    name: str
    """Its name, by which its events name it; two clones may give two sessions the same name."""
    start: str
    """The id of its first event."""
    order: tuple[str, str, str]
    """The place of its first event."""
    log: str
    checkout: str
    actor: str
    """Who acted in it last; ending it does not count."""
    began: str
    active: str
    """The time of its newest event."""
    version: str
    """The id of its newest event."""
    state: str
    """`running`, or how it was closed: `ended`, `archived`, `recovered`; `unstarted` if none of its
    events started it."""

    _starts: ClassVar[tuple[str, ...]] = (STARTED,)
    """The kinds of events with which a session begins to run."""
    _restarts: ClassVar[tuple[str, ...]] = ()
    """The kinds of events by which a closed session runs again."""
    _ends: ClassVar[tuple[str, ...]] = (ENDED, RECOVERED)
    """The kinds of events that close a session."""

    @property
    def running(self) -> bool:
        """Whether nothing has closed it."""
        return self.state == RUNNING

    @classmethod
    def key(cls, event: Event) -> Hashable | None:
        """Return the key that identifies the session of an event; None if it belongs to none."""
        return event.session

    @classmethod
    def blank(cls, event: Event) -> Self | None:
        """Return the session that begins with an event; None if none begins with it."""
        return cls._begun(event) if event.kind in cls._starts else None

    @classmethod
    def _begun(cls, event: Event, **own: Any) -> Self:
        return cls(
            name=event.session or event.id,
            start=event.id,
            order=event.order,
            log=event.log,
            checkout=str(event.data.get("checkout", "")),
            actor=event.actor,
            began=event.time,
            active=event.time,
            version=event.id,
            state=RUNNING if event.kind in cls._starts else UNSTARTED,
            **own,
        )

    def after(self, event: Event) -> Self:
        """Return the session after one more of its events, which may be its first."""
        now = {"version": event.id, "active": event.time}
        if event.kind in self._ends:
            now["state"] = event.kind.partition(".")[2]
        else:
            now["actor"] = event.actor
            if event.kind in self._restarts:
                now["state"] = RUNNING
        return self.replace(**{**now, **self.changes(event)})

    def changes(self, event: Event) -> dict[str, Any]:  # noqa: ARG002 - for subclasses
        """Return the protocol's own fields that an event changes."""
        return {}


def fold(form: type[Kept], events: Iterable[Event]) -> list[Kept]:
    """Return the sessions of the given events, in order of their start."""
    found: dict[Hashable, Kept] = {}
    for event in events:
        key = form.key(event)
        held = None if key is None else found.get(key) or form.blank(event)
        if held is not None:
            found[key] = held.after(event)
    return list(found.values())


def current(
    found: Iterable[Kept], checkout: str, *, named: str | None = None, actor: str | None = None
) -> Kept | None:
    """Return a checkout's current session: the named one, or else the last that runs.

    Args:
        found: the sessions, in order of their start.
        checkout: the checkout.
        named: the name that a caller gave.
        actor: whose running sessions count; by default everybody's.
    """
    here = [one for one in found if one.checkout == checkout]
    if named is not None:
        here = [one for one in here if one.name == named]
    else:
        here = [one for one in here if one.running and actor in (None, one.actor)]
    return here[-1] if here else None


def abandoned(
    found: Iterable[Kept],
    core: Core,
    hours: float,
    *,
    last: Callable[[Kept], str],
    replaced: Callable[[Kept], bool] | None = None,
) -> list[Kept]:
    """Return the running sessions that were abandoned, so that nobody will end them.

    Args:
        found: the sessions.
        core: the ledger.
        hours: how long a session of this checkout may be idle.
        last: the time of a session's last activity.
        replaced: whether the session that starts now takes the place of one in this checkout; by
            default of none.
    """
    return [
        one
        for one in found
        if one.running
        and (
            (replaced is not None and replaced(one)) or is_idle(last(one), core.now, hours)
            if one.checkout == core.checkout
            else not core.is_there(one.checkout)
        )
    ]


def is_idle(last: str, now: int, hours: float) -> bool:
    """Return whether the last activity was at least this many hours ago."""
    return now - instant(last) >= hours * HOUR_MS


def draft(core: Core, act: Act, kind: str, content: dict[str, Any], *cause: str) -> Draft:
    """Return the draft of a session's event; it names this checkout."""
    return act.draft(kind, {"checkout": core.checkout, **content}, *cause)
