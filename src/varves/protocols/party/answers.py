"""The answers of the protocol's verbs; keys are stable, more may be added."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.values.answers import RecordConflict


class PartyFolders(Value):
    """The folders that `init` created."""

    created: tuple[str, ...]


class AgentBlock(Value):
    """The block of text that one agent receives when a party starts."""

    agent: str
    display_name: str
    first: bool
    """Whether it is the agent's first session."""
    text: str
    memories: int
    sessions: int
    """The number of earlier sessions it took part in."""


class Outcome(Value):
    """How the end of a session changed one agent's sidecar; memories have id and content."""

    added: tuple[dict[str, Any], ...] = ()
    boosted: tuple[dict[str, Any], ...] = ()
    decayed: tuple[dict[str, Any], ...] = ()
    superseded: tuple[dict[str, Any], ...] = ()
    """Decisions that a later one (`by`, `by_content`) reverses; to undo this, undo `event`."""
    pruned: tuple[dict[str, Any], ...] = ()
    """Memories that were pruned, each with the reason; to undo this, undo its `event`."""
    dropped: tuple[dict[str, Any], ...] = ()
    """Statements that were worth remembering but were not added, each with the reason."""
    relations: tuple[dict[str, Any], ...] = ()
    decisions: tuple[dict[str, Any], ...] = ()
    sessions: int = 0
    memories: int = 0

    def undoable(self, events: Mapping[str, str]) -> Outcome:
        """Add to each superseded or pruned memory the event that removed it from the sidecar."""
        return self.replace(
            superseded=tuple({**one, "event": events[one["id"]]} for one in self.superseded),
            pruned=tuple({**one, "event": events[one["id"]]} for one in self.pruned),
        )


class PartyEnded(Value):
    """The end of a party."""

    session: str
    event: str | None
    agents: dict[str, dict[str, Any]]
    already: bool = False
    """Whether it had already ended, so that nothing was done."""
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class PartyStarted(Value):
    """The start of a party."""

    session: str
    event: str
    topic: str | None
    blocks: tuple[AgentBlock, ...]
    recovered: tuple[PartyEnded, ...]
    text: str
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class TurnSaid(Value):
    """A turn of the conversation."""

    session: str
    event: str
    turn: int
    agent: str
    type: str
    redacted: tuple[str, ...] = ()


class WaitingMemory(Value):
    """A memory that is added at the end of the party."""

    id: str
    session: str
    event: str
    agent: str
    type: str
    content: str
    confidence: float
    redacted: tuple[str, ...] = ()


class DecisionRecord(Value):
    """A decision record."""

    id: str
    session: str
    event: str
    text: str
    outcome: str
    roles: dict[str, str]
    positions: dict[str, str]
    results: dict[str, str]
    """Won, lost or compromised, by agent; for those who took no side, the outcome."""


class Referred(Value):
    """A memory that an agent referred to."""

    session: str
    event: str
    agent: str
    memory: str
    content: str


class Offer(Value):
    """The facilitator's line (which may be empty), and the memories it is based on."""

    agent: str
    text: str
    memories: tuple[dict[str, Any], ...]


class Confidence(Value):
    """How sure a memory was from a session on."""

    session: int
    """The first session of the agent is 1."""
    at: str
    confidence: float
    why: str
    """recorded, used (referred to or said again), idle (for some sessions), or changed"""


class MemoryCourse(Value):
    """The confidence of one memory over the sessions of its agent."""

    id: str
    content: str
    type: str
    status: str
    reason: str | None
    """Why it is not current; None if it is."""
    confidence: float | None
    last: int
    """The last session in which it was current."""
    course: tuple[Confidence, ...]


class Relationship(Value):
    """A relationship of one agent to another."""

    relation: str
    """agrees_with, disagrees_with or complements"""
    agent: str
    count: int | None
    """How often it was observed; None if a person wrote it."""


class AgentListed(Value):
    """An agent that has taken part in a party."""

    agent: str
    display_name: str
    sessions: int
    memories: int
    floor: float
    """A memory with a lower confidence is pruned."""
    relationships: tuple[Relationship, ...]
    courses: tuple[MemoryCourse, ...]


class SidecarShown(Value):
    """One agent's sidecar."""

    agent: str
    display_name: str
    path: str
    created_at: str
    last_updated: str
    sessions: int
    memories: tuple[dict[str, Any], ...]
    relationships: dict[str, Any]
    decisions: tuple[Any, ...]
    unknown: dict[str, Any]
