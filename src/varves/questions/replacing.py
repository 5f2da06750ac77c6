"""Finds the event that put one memory in the place of another: who did it, when and why."""

from __future__ import annotations

from varves.events.kinds import KINDS, RESOLVED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.events.event import Event


def replacement(events: Iterable[Event], name: str, *, of: str | None = None) -> Event | None:
    """Return the last event that put a memory in the place of another.

    Args:
        events: the events of the memory, in order.
        name: the id of the memory that replaced the other.
        of: the id of the other; by default any.
    """
    found = None
    for event in events:
        content, kind = event.data, KINDS.get(event.kind)
        if kind is not None and kind.replaces and content.get("by") == name:
            gone = [content.get("memory")]
        elif event.kind == RESOLVED and content.get("keep") == name:
            gone = [one["memory"] for one in content.get("drop", ())]
        else:
            continue
        if gone and of in (None, *gone):
            found = event
    return found
