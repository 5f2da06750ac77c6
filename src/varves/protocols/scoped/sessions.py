"""Sessions, folded from their events.

A session belongs to one checkout and one actor. It runs from its first event until it was ended or
recovered; a later event of the same session lets it run again. One that still runs when its actor
starts another in the same checkout has crashed. Another actor's may well be at work: it has crashed
only if it was idle for hours.
"""

from __future__ import annotations

from varves.events import kinds
from varves.values.answers import Finding
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.events.event import Event

STARTED = kinds.SESSION_STARTED
CONTINUED = kinds.SESSION_CONTINUED
ENDED = kinds.SESSION_ENDED
RECOVERED = kinds.SESSION_RECOVERED
TASK = kinds.TASK_RECEIVED
KINDS = (STARTED, CONTINUED, ENDED, RECOVERED)
OVER = (ENDED, RECOVERED)


class ScopedSession(Value):
    """One session as it stands."""

    id: str
    actor: str
    running: bool
    loaded: bool
    """Whether the project's memory was read when it began."""
    project: str | None = None
    teams: tuple[str, ...] = ()
    injected: int = 0
    tokens: int = 0
    """How much memory it was given, over all blocks."""


def fold(events: Iterable[Event], checkout: str) -> dict[str, ScopedSession]:
    """Return the sessions of a checkout by id, in order of their beginning."""
    found: dict[str, ScopedSession] = {}
    for event in events:
        content, name = event.data, event.session
        known = event.kind in KINDS or event.kind == TASK
        if name is None or not known or content.get("checkout", "") != checkout:
            continue
        before = found.get(name) or ScopedSession(
            id=name, actor=event.actor, running=False, loaded=False
        )
        if event.kind in OVER:
            found[name] = before.replace(running=False)
            continue
        told = content.get("injected", ())
        changes: dict[str, Any] = {
            "actor": event.actor,
            "running": before.running or event.kind != TASK,
            "injected": before.injected + len(told),
            "tokens": before.tokens + int(content.get("tokens", 0)),
        }
        if event.kind == STARTED:
            changes |= {
                "loaded": True,
                "project": content.get("project"),
                "teams": tuple(content.get("teams", ())),
            }
        found[name] = before.replace(**changes)
    return found


def current(
    sessions: dict[str, ScopedSession], named: str | None, actor: str
) -> ScopedSession | None:
    """Return the session at work: the one that is named, else the actor's last that still runs."""
    if named is not None:
        return sessions.get(named)
    running = [one for one in sessions.values() if one.running and one.actor == actor]
    return running[-1] if running else None


def unread(sessions: Iterable[ScopedSession]) -> Iterator[Finding]:
    """Yield the sessions at work that began without reading the project's memory."""
    for one in sessions:
        if one.running and not one.loaded:
            yield Finding(
                rule="S2-51",
                place=f"session {one.id}",
                message="it works without having read the project's memory",
                fix="varves scoped session start",
            )
