"""Sessions, folded from their events.

A session belongs to one checkout and one actor. It runs from its first event until it is ended or
recovered; a later event of the same session starts it again. A session has crashed if it still runs
when its actor starts another one in the same checkout. A session of another actor may be active: it
counts as crashed only after hours without an event.
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
    """The current state of one session."""

    id: str
    actor: str
    running: bool
    loaded: bool
    """Whether the project's memory was read at its start."""
    project: str | None = None
    teams: tuple[str, ...] = ()
    injected: int = 0
    tokens: int = 0
    """The tokens of all blocks that were injected."""


def fold(events: Iterable[Event], checkout: str) -> dict[str, ScopedSession]:
    """Return the sessions of a checkout by id, in order of their start."""
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
    """Return the current session: the named one, otherwise the actor's last running one."""
    if named is not None:
        return sessions.get(named)
    running = [one for one in sessions.values() if one.running and one.actor == actor]
    return running[-1] if running else None


def unread(sessions: Iterable[ScopedSession]) -> Iterator[Finding]:
    """Yield a finding for each running session that did not read the project's memory."""
    for one in sessions:
        if one.running and not one.loaded:
            yield Finding(
                rule="S2-51",
                place=f"session {one.id}",
                message="the session works without having read the project's memory",
                fix="varves scoped session start",
            )
