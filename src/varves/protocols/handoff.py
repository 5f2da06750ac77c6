"""A handoff: one agent leaves its work for another, which takes it once.

Two events record it in every protocol: `handoff.created`, whose content is the protocol's own
package, and `handoff.consumed`, which names the first. What is shown for them is made from them.
"""

from __future__ import annotations

from varves.events.kinds import CONSUMED, HANDED
from varves.protocols.sessions import PRIVATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.port import Core


def leave(core: Core, act: Act, content: dict[str, Any], *, event: str | None = None) -> Event:
    """Record a handoff in the private log.

    Args:
        core: the ledger.
        act: who hands over.
        content: the package, and `to`, its receiver.
        event: the id of the event; if it is recorded already, it is returned unchanged.
    """
    draft = act.draft(HANDED, content)
    if event is not None:
        known = core.rows().event(event)
        if known is not None:
            return known
        draft = draft.replace(id=event)
    [made] = core.append(PRIVATE, [draft])
    return made


def take(
    core: Core, act: Act, made: Event | None, content: dict[str, Any], *, log: str = PRIVATE
) -> Event:
    """Record that a handoff was taken; None if its event is not known here."""
    told = {**content, "handoff": made.id if made else None}
    [done] = core.append(log, [act.draft(CONSUMED, told, *([made.id] if made else ()))])
    return done


def made(core: Core, **told: str) -> list[Event]:
    """Return the handoffs with this content, in order."""
    return [one for one in core.events(HANDED) if _says(one, told)]


def taken(core: Core, **told: str) -> Event | None:
    """Return the first event with this content by which a handoff was taken; None if none was."""
    return next((one for one in core.events(CONSUMED) if _says(one, told)), None)


def waiting(core: Core, **told: str) -> list[Event]:
    """Return the handoffs with this content that nobody has taken yet, in order."""
    found = {one.id: one for one in made(core, **told)}
    for one in core.events(CONSUMED):
        found.pop(str(one.data.get("handoff")), None)
    return list(found.values())


def _says(event: Event, told: dict[str, str]) -> bool:
    return all(event.data.get(key, "") == value for key, value in told.items())
