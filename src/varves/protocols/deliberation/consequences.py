"""The effects of a decision or an agreement on earlier decisions and proposals."""

from __future__ import annotations

from varves.protocols.deliberation.findings import Backed, Decided, Raised, Resolved
from varves.protocols.deliberation.reacting import verdict
from varves.protocols.deliberation.repeats import earlier
from varves.protocols.deliberation.subjects import same_outcome, same_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.deliberation.findings import Finding
    from varves.protocols.deliberation.reacting import About
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.state import ConversationDecision, Message, Proposal, State


def decision(topic: str, outcome: str, *, message: Message, state: State) -> list[Finding]:
    """Return a new decision, or a new supporter of an existing one.

    On the same topic, the same outcome adds a supporter, and another outcome replaces the current
    decision.
    """
    known = _standing(topic, message, state)
    if known is not None and same_outcome(known.outcome, outcome):
        if message.agent_id in known.supporting_agents:
            return []
        return [Backed(decision=known.id, agent_id=message.agent_id)]
    return [Decided(topic=topic, outcome=outcome, replaces=known.id if known else None)]


def _standing(topic: str, message: Message, state: State) -> ConversationDecision | None:
    """Return the latest decision on a topic."""
    for one in reversed(state.decisions):
        own = message.id and one.message == message.id
        if not own and same_topic(one.topic, topic):
            return one
    return None


def resolutions(told: str, named: tuple[Proposal, ...]) -> list[Finding]:
    """Return the resolutions of the proposals that a decision names."""
    return [Resolved(proposal=one.id, status=verdict(told, one.content)) for one in named]


def backing(message: Message, about: About, state: State) -> list[Finding]:
    """Return the decisions that an agreeing message mentions, each with its new supporter."""
    return [
        Backed(decision=one.id, agent_id=message.agent_id)
        for one in state.decisions
        if message.agent_id not in one.supporting_agents
        and about.speaks_of(one.id, one.message, one.outcome)
    ]


def raising(
    content: str,
    message: Message,
    state: State,
    *,
    least: float,
    likeness: Likeness | None = None,
) -> Raised:
    """Return a proposal, and the earlier proposal that it repeats, even if that one is resolved."""
    others = (one for one in state.proposals if not message.id or one.message != message.id)
    twin, score = earlier(content, others, least, likeness=likeness)
    return Raised(content=content, repeats=twin, score=score)
