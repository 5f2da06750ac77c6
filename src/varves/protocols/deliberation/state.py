"""The memory of a conversation: summaries, decisions, proposals, and each agent's position.

Message indices are absolute: the first message is 0, even after pruning.
"""

from __future__ import annotations

from varves.protocols.deliberation.names import PublishedValue
from varves.values.instants import iso
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUPPORT, OPPOSE, NEUTRAL = "support", "oppose", "neutral"
REACTIONS = (SUPPORT, OPPOSE, NEUTRAL)
ACTIVE, ACCEPTED, REJECTED, MODIFIED = "active", "accepted", "rejected", "modified"
STATUSES = (ACTIVE, ACCEPTED, REJECTED, MODIFIED)
SYSTEM = "system"  # the type of a message that expresses no position
PURGED = "purged"  # the type of a purged message, which keeps only its position


def written(moment: Any) -> Any:
    """Return a `datetime` as ISO text, a naive one as local time; anything else unchanged."""
    if not hasattr(moment, "timestamp"):
        return moment
    return iso(round(moment.timestamp() * 1000))


class Message(PublishedValue):
    """One message of a conversation."""

    agent_id: str
    content: str
    id: str = ""
    timestamp: str = ""
    """An ISO time; if empty, the bus sets it. A `datetime` is converted."""
    reply_to: str | None = None
    """The id of the message that it answers."""
    type: str = "message"
    index: int = -1
    """Its position in the whole conversation; -1 if not posted yet."""

    def __init__(self, *given: object, **named: object) -> None:
        super().__init__(*given, **named)
        self.__dict__["timestamp"] = written(self.timestamp)


class Summary(PublishedValue):
    """A summary of a range of messages."""

    timestamp: str
    message_range: tuple[int, int]
    """The first and the last message, both included."""
    content: str
    id: str = ""
    by: str = ""
    """The author: a model's name, or `extractive`."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Keys of the file that are not published."""


class ConversationDecision(PublishedValue):
    """A decision on a topic."""

    id: str
    timestamp: str
    topic: str
    outcome: str
    supporting_agents: tuple[str, ...]
    replaces: str | None = None
    """The decision on the same topic that it replaces."""
    message: str = ""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Keys of the file that are not published."""


class Reaction(PublishedValue):
    """One agent's reaction to a proposal; the latest counts."""

    agent_id: str
    reaction: str


class Proposal(PublishedValue):
    """An idea under discussion."""

    id: str
    timestamp: str
    proposer: str
    content: str
    status: str = ACTIVE
    reactions: tuple[Reaction, ...] = ()
    message: str = ""
    successor: str | None = None
    """The proposal that it was modified into."""
    repeats: str | None = None
    """An earlier similar proposal."""
    index: int = -1
    """The number of its message; -1 if it was not proposed in one."""
    reason: str = ""
    """Why it was rejected."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Keys of the file that are not published."""


class AgentState(PublishedValue):
    """The position and contributions of one agent."""

    last_position: str = ""
    key_contributions: tuple[str, ...] = ()
    message_count: int = 0
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Keys of the file that are not published."""


class State(Value):
    """The current memory of a conversation."""

    summaries: tuple[Summary, ...] = ()
    decisions: tuple[ConversationDecision, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    agent_states: dict[str, AgentState] = {}  # noqa: RUF012 - values are frozen
    total: int = 0
    """The number of messages processed, including pruned ones."""
    pending: tuple[Message, ...] = ()
    """The messages that no summary covers yet, oldest first."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Keys of the file that are not published."""

    @property
    def covered(self) -> int:
        """The index of the first message that no summary covers."""
        return max((one.message_range[1] + 1 for one in self.summaries), default=0)

    def proposal(self, name: str) -> Proposal | None:
        """Return a proposal by its id."""
        return next((one for one in self.proposals if one.id == name), None)

    def why_rejected(self, name: str | None) -> str:
        """Return why a proposal was rejected; one that only repeats another has its reason."""
        one, reason, visited = self.proposal(name or ""), "", set[str]()
        while one is not None and one.id not in visited:
            visited.add(one.id)
            if one.reason != f"repeats {one.repeats}":
                reason = one.reason
                break
            one = self.proposal(one.repeats or "")
        return reason or REJECTED

    def decision(self, name: str) -> ConversationDecision | None:
        """Return a decision by its id."""
        return next((one for one in self.decisions if one.id == name), None)


class Stats(PublishedValue):
    """The published statistics."""

    summary_count: int
    decision_count: int
    proposal_count: int
    agent_count: int
    total_messages: int

    def as_dict(self) -> dict[str, Any]:
        """Return the counts with the published keys, then with ours."""
        return {**self, **super().as_dict()}


def stats(state: State) -> Stats:
    """Return the statistics of a memory; only active proposals are counted."""
    return Stats(
        summary_count=len(state.summaries),
        decision_count=len(state.decisions),
        proposal_count=sum(one.status == ACTIVE for one in state.proposals),
        agent_count=len(state.agent_states),
        total_messages=state.total,
    )
