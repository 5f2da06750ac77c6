"""Finds the memories that were shared and are private again; the project's log has their text."""

from __future__ import annotations

from varves.events.kinds import UNSHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from varves.events.event import Event


def unshared(log: Callable[..., Iterable[Event]]) -> frozenset[str]:
    """Return the ids of the memories whose sharing was undone, as `log` lists the events."""
    return frozenset(event.data["memory"] for event in log(kind=UNSHARED))
