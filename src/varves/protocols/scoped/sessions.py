"""Sessions of the protocol: the memory they loaded, and what they were shown.

A session belongs to one checkout and one actor. After its end, a later event of the same session
starts it again. Several sessions may run at once, also of one actor, for example in two terminals.
A session counts as crashed only after hours without an event, or if its checkout is gone.
"""

from __future__ import annotations

from varves.events import kinds
from varves.protocols import sessions
from varves.protocols.sessions import CONTINUED, ENDED, RECOVERED, STARTED, Session
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Self

    from varves.events.event import Event

TASK = kinds.TASK_RECEIVED
KINDS = (STARTED, CONTINUED, ENDED, RECOVERED)
OVER = (ENDED, RECOVERED)


class ScopedSession(Session):
    """The current state of one session."""

    loaded: bool = False
    """Whether the project's memory was read at its start."""
    project: str | None = None
    teams: tuple[str, ...] = ()
    injected: int = 0
    tokens: int = 0
    """The tokens of all blocks that were injected."""

    _starts = (STARTED, CONTINUED)
    _restarts = (STARTED, CONTINUED)

    @classmethod
    def key(cls, event: Event) -> tuple[str, str] | None:
        """Return the checkout and the name: a name counts in one checkout."""
        if event.session is None or event.kind not in (*KINDS, TASK):
            return None
        return str(event.data.get("checkout", "")), event.session

    @classmethod
    def blank(cls, event: Event) -> Self:
        """Return the session of an event, even if its start is unknown."""
        return cls._begun(event)

    def changes(self, event: Event) -> dict[str, Any]:
        """Return the fields that an event changes: the memory that was loaded and shown."""
        if event.kind in OVER:
            return {}
        content = event.data
        changes: dict[str, Any] = {
            "injected": self.injected + len(content.get("injected", ())),
            "tokens": self.tokens + int(content.get("tokens", 0)),
        }
        if event.kind == STARTED:
            changes |= {
                "loaded": True,
                "project": content.get("project"),
                "teams": tuple(content.get("teams", ())),
            }
        return changes


def fold(events: Iterable[Event], checkout: str) -> dict[str, ScopedSession]:
    """Return the sessions of a checkout by name, in order of their start."""
    found = sessions.fold(ScopedSession, events)
    return {one.name: one for one in found if one.checkout == checkout}


def unread(found: Iterable[ScopedSession]) -> Iterator[Finding]:
    """Yield a finding for each running session that did not read the project's memory."""
    for one in found:
        if one.running and not one.loaded:
            yield Finding(
                rule="S2-51",
                place=f"session {one.name}",
                message="the session works without having read the project's memory",
                fix="varves scoped session start",
            )
