"""The results of the verbs, rendered by the command line and other interfaces."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.deliberation.state import (
        AgentState,
        ConversationDecision,
        Message,
        Proposal,
        Stats,
        Summary,
    )
    from varves.values.answers import RecordConflict


class DeliberationFolders(Value):
    """The result of `init`."""

    created: tuple[str, ...]


class Begun(Value):
    """A conversation that accepts messages."""

    conversation: str
    event: str
    path: str
    """The path of its saved state."""
    agents: tuple[str, ...] = ()
    """The agents that may speak; empty if anyone may."""
    topic: str | None = None
    shared: bool = False
    extractor: str = "published"


class MessageFinding(Value):
    """One finding in a message."""

    kind: str
    """decision, support, proposal, reaction, resolution or stance."""
    id: str | None
    """The id of the decision or proposal; None for a stance."""
    text: str
    """The outcome, the proposal's content, the reaction, the new status or the position."""
    agent: str
    topic: str | None = None
    replaces: str | None = None
    repeats: str | None = None
    """For a proposal: an earlier similar proposal."""
    proposed_by: str | None = None
    """For a repeated proposal: who made the earlier one."""
    proposed_in: int | None = None
    """For a repeated proposal: the number of the earlier message."""
    same: bool | None = None
    """For a repeated proposal: whether both say the same in nearly the same words."""
    rejected: str | None = None
    """For a proposal that says the same as a rejected one: why that was rejected."""
    like_rejected: str | None = None
    """For a proposal that is only similar to a rejected one: why that was rejected."""
    decided: str | None = None
    """For a proposal: the decision in force that says the same."""


class MessageSaid(Value):
    """A message that was recorded, and the findings in it."""

    conversation: str
    event: str
    index: int
    agent: str
    type: str
    found: tuple[MessageFinding, ...]
    summaries: tuple[Summary, ...] = ()
    """Summaries that became due with this message."""
    redacted: tuple[str, ...] = ()
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class AgentContext(Value):
    """The context that is given to an agent."""

    conversation: str
    text: str
    tokens: int
    omitted: int = 0
    """The number of items left out because of the budget."""
    agent: str | None = None
    messages: int = 0
    """The number of messages that the context is based on."""


class Ruling(Value):
    """A decision that was recorded explicitly."""

    conversation: str
    id: str
    event: str
    topic: str
    outcome: str
    supporters: tuple[str, ...]
    known: bool = False
    """Whether the same was decided before; then it is the same record, with these supporters."""
    replaces: str | None = None
    resolves: str | None = None
    redacted: tuple[str, ...] = ()
    conflicts: tuple[RecordConflict, ...] = ()
    """What the new memories repeat, update or contradict."""


class OfferedProposal(Value):
    """A proposal that was recorded explicitly."""

    conversation: str
    id: str
    event: str
    agent: str
    content: str
    repeats: str | None = None
    proposed_by: str | None = None
    """The rest as in the finding of a message: what was said of the same idea before."""
    proposed_in: int | None = None
    same: bool | None = None
    like_rejected: str | None = None
    decided: str | None = None
    redacted: tuple[str, ...] = ()


class Answered(Value):
    """One agent's reaction to a proposal."""

    conversation: str
    id: str
    event: str
    agent: str
    reaction: str


class ProposalOutcome(Value):
    """The resolution of a proposal."""

    conversation: str
    id: str
    event: str
    status: str
    successor: str | None = None


class Summarised(Value):
    """The summaries that were due."""

    conversation: str
    summaries: tuple[Summary, ...]
    failures: tuple[str, ...] = ()
    """Failures of the model; their messages stay due."""
    due: int = 0
    """The number of messages that wait for a summary."""


class Saved(Value):
    """The file to which a state was written."""

    conversation: str
    path: str
    bytes: int


class Restored(Value):
    """A conversation that continues from a saved state."""

    conversation: str
    event: str
    path: str
    stats: Stats


class ListedConversation(Value):
    """One line of the list of conversations."""

    conversation: str
    topic: str | None
    agents: tuple[str, ...]
    began: str
    messages: int
    shared: bool
    current: bool


class Whole(Value):
    """The current state of a conversation."""

    conversation: str
    topic: str | None
    agents: tuple[str, ...]
    began: str
    shared: bool
    extractor: str
    path: str
    stats: Stats
    summaries: tuple[Summary, ...]
    decisions: tuple[ConversationDecision, ...]
    proposals: tuple[Proposal, ...]
    agent_states: dict[str, AgentState]


class ConversationPart(Value):
    """One decision, proposal or summary, with its source messages."""

    conversation: str
    kind: str
    """decision, proposal or summary."""
    id: str
    content: dict[str, Any]
    """The record as in the state file."""
    messages: tuple[Message, ...]
    status: str = "active"
    """The status in the ledger."""


class Replayed(Value):
    """The result of replaying a transcript."""

    conversation: str
    messages: int
    found: tuple[MessageFinding, ...]
    summaries: tuple[Summary, ...]
    stats: Stats
    failures: tuple[str, ...] = ()
    """Failures of the model; their messages stay due, or have extractive summaries."""
