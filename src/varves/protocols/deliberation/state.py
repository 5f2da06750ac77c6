"""What a conversation's memory holds: summaries, decisions, proposals, and where each agent stands.

Indices of messages are absolute: the first message ever is 0, whatever was pruned since.
"""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORT, OPPOSE, NEUTRAL = "support", "oppose", "neutral"
REACTIONS = (SUPPORT, OPPOSE, NEUTRAL)
ACTIVE, ACCEPTED, REJECTED, MODIFIED = "active", "accepted", "rejected", "modified"
STATUSES = (ACTIVE, ACCEPTED, REJECTED, MODIFIED)
SYSTEM = "system"  # the type of a message that is nobody's position
PURGED = "purged"  # and of one of which only its place is left


class Message(Value):
    """One message of a conversation."""

    agent_id: str
    content: str
    id: str = ""
    timestamp: str = ""
    """An ISO instant; empty: the bus stamps it."""
    reply_to: str | None = None
    """The id of the message it answers."""
    type: str = "message"
    index: int = -1
    """Its place in the whole conversation; -1: not posted yet."""


class Summary(Value):
    """What a run of messages came to."""

    timestamp: str
    message_range: tuple[int, int]
    """The first and the last message, both included."""
    content: str
    id: str = ""
    by: str = ""
    """What wrote it: a model's name, or `extractive`."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """What a file says beside the published keys."""


class ConversationDecision(Value):
    """Something that was agreed."""

    id: str
    timestamp: str
    topic: str
    outcome: str
    supporting_agents: tuple[str, ...]
    replaces: str | None = None
    """The decision on the same topic whose place it takes."""
    message: str = ""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """What a file says beside the published keys."""


class Reaction(Value):
    """How one agent took a proposal; the latest word counts."""

    agent_id: str
    reaction: str


class Proposal(Value):
    """An idea under discussion."""

    id: str
    timestamp: str
    proposer: str
    content: str
    status: str = ACTIVE
    reactions: tuple[Reaction, ...] = ()
    message: str = ""
    successor: str | None = None
    """The proposal it was modified into."""
    repeats: str | None = None
    """An earlier proposal that says much the same."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """What a file says beside the published keys."""


class AgentState(Value):
    """Where one agent stands."""

    last_position: str = ""
    key_contributions: tuple[str, ...] = ()
    message_count: int = 0
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """What a file says beside the published keys."""


class State(Value):
    """A conversation's memory as it stands."""

    summaries: tuple[Summary, ...] = ()
    decisions: tuple[ConversationDecision, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    agent_states: dict[str, AgentState] = {}  # noqa: RUF012 - values are frozen
    total: int = 0
    """How many messages were taken in, pruned ones included."""
    pending: tuple[Message, ...] = ()
    """The messages that no summary covers yet, oldest first."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """What a file says beside the published keys."""

    @property
    def covered(self) -> int:
        """The first message that no summary covers."""
        return max((one.message_range[1] + 1 for one in self.summaries), default=0)

    def proposal(self, name: str) -> Proposal | None:
        """Return a proposal by its id."""
        return next((one for one in self.proposals if one.id == name), None)

    def decision(self, name: str) -> ConversationDecision | None:
        """Return a decision by its id."""
        return next((one for one in self.decisions if one.id == name), None)


class Stats(Value):
    """The published statistics."""

    summary_count: int
    decision_count: int
    proposal_count: int
    agent_count: int
    total_messages: int


def stats(state: State) -> Stats:
    """Count what a memory holds; of proposals only the active ones."""
    return Stats(
        summary_count=len(state.summaries),
        decision_count=len(state.decisions),
        proposal_count=sum(one.status == ACTIVE for one in state.proposals),
        agent_count=len(state.agent_states),
        total_messages=state.total,
    )
