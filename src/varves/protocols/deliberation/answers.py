"""What the verbs answer; surfaces render it."""

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


class DeliberationFolders(Value):
    """What `init` made."""

    created: tuple[str, ...]


class Begun(Value):
    """A conversation that can be talked in."""

    conversation: str
    event: str
    path: str
    """Where its state is saved."""
    agents: tuple[str, ...] = ()
    """Who may speak; empty: anybody."""
    topic: str | None = None
    shared: bool = False
    extractor: str = "published"


class MessageFinding(Value):
    """One thing that was found in a message."""

    kind: str
    """decision, support, proposal, reaction, resolution or stance."""
    id: str | None
    """The decision or proposal; None for a stance."""
    text: str
    """The outcome, the proposal's content, the reaction, the new status, the position."""
    agent: str
    topic: str | None = None
    replaces: str | None = None
    repeats: str | None = None
    """For a proposal: the earlier one that says much the same."""
    proposed_by: str | None = None
    """For such a proposal: who said it first."""
    proposed_in: int | None = None
    """And in which message."""


class MessageSaid(Value):
    """A message that was recorded, and what it taught."""

    conversation: str
    event: str
    index: int
    agent: str
    type: str
    found: tuple[MessageFinding, ...]
    summaries: tuple[Summary, ...] = ()
    """Made because so many messages had come."""
    redacted: tuple[str, ...] = ()


class AgentContext(Value):
    """What an agent is told."""

    conversation: str
    text: str
    tokens: int
    omitted: int = 0
    """What had no room in the budget."""
    agent: str | None = None
    messages: int = 0
    """How many messages it rests on."""


class Ruling(Value):
    """A decision that was said outright."""

    conversation: str
    id: str
    event: str
    topic: str
    outcome: str
    supporters: tuple[str, ...]
    replaces: str | None = None
    resolves: str | None = None
    redacted: tuple[str, ...] = ()


class OfferedProposal(Value):
    """A proposal that was said outright."""

    conversation: str
    id: str
    event: str
    agent: str
    content: str
    repeats: str | None = None
    redacted: tuple[str, ...] = ()


class Answered(Value):
    """One agent's side on a proposal."""

    conversation: str
    id: str
    event: str
    agent: str
    reaction: str


class ProposalOutcome(Value):
    """What became of a proposal."""

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
    """What the model failed at; those chunks stay due."""
    due: int = 0
    """How many messages wait for a summary."""


class Saved(Value):
    """Where a state was written."""

    conversation: str
    path: str
    bytes: int


class Restored(Value):
    """A conversation that goes on from a saved state."""

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
    """A conversation as it stands."""

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
    """One decision, proposal or summary, with the messages it comes from."""

    conversation: str
    kind: str
    """decision, proposal or summary."""
    id: str
    content: dict[str, Any]
    """As the state file has it."""
    messages: tuple[Message, ...]
    status: str = "active"
    """As the ledger has it."""


class Replayed(Value):
    """What a transcript came to."""

    conversation: str
    messages: int
    found: tuple[MessageFinding, ...]
    summaries: tuple[Summary, ...]
    stats: Stats
