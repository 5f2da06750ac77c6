"""The contract of every projection.

A projection is a pure fold of the set of events. It may be deleted and folded again, in any order
and in any portions; its dump at one instant is always the same text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.events.event import Event

State = TypeVar("State")


class Projection(Protocol[State]):
    """A projection: its name and version, and the methods empty, apply and dump."""

    name: str
    version: int

    def empty(self) -> State:
        """Return the state without any events."""
        ...

    def apply(self, state: State, event: Event) -> None:
        """Add one event; the same id twice counts once."""
        ...

    def dump(self, state: State, now: int) -> str:
        """Return the canonical text of the state at an instant."""
        ...


def replay(projection: Projection[State], events: Iterable[Event]) -> State:
    """Fold a set of events, starting from the empty state."""
    state = projection.empty()
    for event in events:
        projection.apply(state, event)
    return state
