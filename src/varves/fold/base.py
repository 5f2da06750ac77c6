"""The interface of a projection, which every projection implements.

A projection is a pure fold of the set of events. It may be deleted and folded again, with the
events in any order and in any portions. Its dump at a given instant is always the same text.
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
        """Add one event to the state; adding an event with the same id again has no effect."""
        ...

    def dump(self, state: State, now: int) -> str:
        """Return the state at an instant as canonical text."""
        ...


def replay(projection: Projection[State], events: Iterable[Event]) -> State:
    """Fold a set of events, starting from the empty state."""
    state = projection.empty()
    for event in events:
        projection.apply(state, event)
    return state
