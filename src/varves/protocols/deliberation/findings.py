"""What an extractor may find in one message."""

from __future__ import annotations

from varves.values.value import Value


class Decided(Value):
    """A decision was made."""

    topic: str
    outcome: str
    replaces: str | None = None


class Backed(Value):
    """A later supporter of a decision."""

    decision: str
    agent_id: str


class Raised(Value):
    """A proposal was put forward."""

    content: str
    repeats: str | None = None
    """The earlier proposal it is like."""
    score: float = 0.0
    """How like it is, 0 to 1."""
    modifies: str | None = None
    """The active proposal that it takes the place of."""


class Reacted(Value):
    """An agent took a side on a proposal, or none."""

    proposal: str
    agent_id: str
    reaction: str


class Resolved(Value):
    """A proposal was accepted, rejected or modified by a decision that names it."""

    proposal: str
    status: str


class Stance(Value):
    """What an agent now holds, and what it contributed, if it did."""

    agent_id: str
    position: str
    contribution: str | None = None
    sides: tuple[str, ...] = ()
    """Which sides it takes of what another said, recorded as a proposal or not."""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from varves.protocols.deliberation.state import Message, State

    Finding = Decided | Backed | Raised | Reacted | Resolved | Stance

    class Extractor(Protocol):
        """Reads a message against what the conversation came to so far; pure."""

        name: str

        def read(self, message: Message, state: State) -> tuple[Finding, ...]:
            """Return what a message adds, in the order in which it counts."""
            ...
