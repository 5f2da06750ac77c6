"""The findings that an extractor can return for one message."""

from __future__ import annotations

from varves.values.value import Value


class Decided(Value):
    """A decision."""

    topic: str
    outcome: str
    replaces: str | None = None


class Backed(Value):
    """A later supporter of a decision."""

    decision: str
    agent_id: str
    topic: str | None = None
    """What the supporter says it is about, if it had no topic but words of its outcome."""


class Raised(Value):
    """A new proposal."""

    content: str
    repeats: str | None = None
    """The id of an earlier similar proposal."""
    score: float = 0.0
    """The similarity to it, from 0 to 1."""
    modifies: str | None = None
    """The active proposal that it replaces."""
    rejected: bool = False
    """Whether the earlier one was rejected, so that this one is rejected too."""


class Reacted(Value):
    """An agent's reaction to a proposal: support, oppose or neutral."""

    proposal: str
    agent_id: str
    reaction: str


class Resolved(Value):
    """A proposal that a decision accepted, rejected or modified by naming it."""

    proposal: str
    status: str
    reason: str = ""
    """Why it was rejected."""


class Stance(Value):
    """An agent's current position, and its contribution, if any."""

    agent_id: str
    position: str
    contribution: str | None = None
    sides: tuple[str, ...] = ()
    """The agent's reactions to others' statements, whether recorded as proposals or not."""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from varves.protocols.deliberation.state import Message, State

    Finding = Decided | Backed | Raised | Reacted | Resolved | Stance

    class Extractor(Protocol):
        """Extracts findings from a message and its conversation; has no side effects."""

        name: str

        def read(self, message: Message, state: State) -> tuple[Finding, ...]:
            """Return the findings in a message, in the order in which they apply."""
            ...
