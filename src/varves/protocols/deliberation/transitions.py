"""The state after a message: the findings applied, and the oldest records dropped.

Only the state drops records; the ledger, if there is one, keeps them.
"""

from __future__ import annotations

from varves.protocols.deliberation.findings import (
    Backed,
    Decided,
    Raised,
    Reacted,
    Resolved,
    Stance,
)
from varves.protocols.deliberation.state import (
    ACTIVE,
    MODIFIED,
    REJECTED,
    SYSTEM,
    AgentState,
    ConversationDecision,
    Proposal,
    Reaction,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import TypeVar

    from varves.protocols.deliberation.findings import Finding
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.state import Message, State, Summary

    Kept = TypeVar("Kept")


def heard(state: State, message: Message) -> State:
    """Return the state with a message counted."""
    agents = dict(state.agent_states)
    if message.type != SYSTEM:
        known = agents.get(message.agent_id, AgentState())
        agents[message.agent_id] = known.replace(message_count=known.message_count + 1)
    return state.replace(
        agent_states=agents, total=message.index + 1, pending=(*state.pending, message)
    )


def after(
    state: State,
    message: Message,
    findings: Iterable[Finding],
    *,
    make_id: Callable[[], str],
    options: DeliberationOptions,
) -> State:
    """Return a conversation's state after a message and its findings."""
    state = heard(state, message)
    for finding in findings:
        state = learned(state, message, finding, make_id=make_id, options=options)
    return bounded(state, options)


def learned(
    state: State,
    message: Message,
    finding: Finding,
    *,
    make_id: Callable[[], str],
    options: DeliberationOptions,
) -> State:
    """Return the state with one more finding."""
    if isinstance(finding, Decided):
        made = ConversationDecision(
            id=make_id(),
            timestamp=message.timestamp,
            topic=finding.topic,
            outcome=finding.outcome,
            supporting_agents=(message.agent_id,),
            replaces=finding.replaces,
            message=message.id,
        )
        return state.replace(decisions=(*state.decisions, made))
    if isinstance(finding, Raised):
        return _raised(state, message, finding, make_id())
    if isinstance(finding, Backed):
        return _backed(state, finding)
    if isinstance(finding, Reacted):
        return _reacted(state, finding)
    if isinstance(finding, Resolved):
        return resolved(state, finding.proposal, finding.status, reason=finding.reason)
    return stood(state, finding, options)


def _raised(state: State, message: Message, finding: Raised, name: str) -> State:
    made = Proposal(
        id=name,
        timestamp=message.timestamp,
        proposer=message.agent_id,
        content=finding.content,
        message=message.id,
        repeats=finding.repeats,
        index=message.index,
        reason=f"repeats {finding.repeats}" if finding.rejected else "",
        status=REJECTED if finding.rejected else ACTIVE,
    )
    state = state.replace(proposals=(*state.proposals, made))
    if finding.modifies is not None:
        state = resolved(state, finding.modifies, MODIFIED, successor=name)
    return state


def _backed(state: State, finding: Backed) -> State:
    return state.replace(
        decisions=tuple(
            one.replace(
                supporting_agents=tuple(dict.fromkeys((*one.supporting_agents, finding.agent_id))),
                topic=finding.topic or one.topic,
            )
            if one.id == finding.decision
            else one
            for one in state.decisions
        )
    )


def _reacted(state: State, finding: Reacted) -> State:
    said = Reaction(agent_id=finding.agent_id, reaction=finding.reaction)
    return state.replace(
        proposals=tuple(
            one.replace(reactions=with_reaction(one.reactions, said))
            if one.id == finding.proposal and one.status == ACTIVE
            else one
            for one in state.proposals
        )
    )


def with_reaction(held: tuple[Reaction, ...], said: Reaction) -> tuple[Reaction, ...]:
    """Return the reactions with one more; an agent's new reaction replaces its old one in place."""
    if all(one.agent_id != said.agent_id for one in held):
        return (*held, said)
    return tuple(said if one.agent_id == said.agent_id else one for one in held)


def resolved(
    state: State, name: str, status: str, *, successor: str | None = None, reason: str = ""
) -> State:
    """Return the state with a proposal's status changed."""
    return state.replace(
        proposals=tuple(
            one.replace(status=status, successor=successor or one.successor, reason=reason)
            if one.id == name
            else one
            for one in state.proposals
        )
    )


def stood(state: State, finding: Stance, options: DeliberationOptions) -> State:
    """Return the state with an agent's new position."""
    agents = dict(state.agent_states)
    known = agents.get(finding.agent_id, AgentState())
    contributions = known.key_contributions
    if finding.contribution is not None and finding.contribution not in contributions:
        contributions = (*contributions, finding.contribution)[-options.contributions :]
    agents[finding.agent_id] = known.replace(
        last_position=finding.position, key_contributions=contributions
    )
    return state.replace(agent_states=agents)


def summarised(state: State, summary: Summary, options: DeliberationOptions) -> State:
    """Return the state with one more summary; the messages it covers are no longer pending."""
    state = covered(state, end=summary.message_range[1])
    return bounded(state.replace(summaries=(*state.summaries, summary)), options)


def covered(state: State, *, events: Collection[str] = (), end: int = -1) -> State:
    """Return the state without the pending messages up to an index, or those of some events."""
    left = (one for one in state.pending if one.index > end and one.id not in events)
    return state.replace(pending=tuple(left))


def bounded(state: State, options: DeliberationOptions) -> State:
    """Drop the oldest records above each bound; active proposals are dropped last.

    A bound of 0 is no bound.
    """
    return state.replace(
        summaries=last(state.summaries, options.keep_summaries),
        decisions=last(state.decisions, options.keep_decisions or len(state.decisions)),
        proposals=kept_proposals(state.proposals, options.keep_proposals or len(state.proposals)),
    )


def last(kept: tuple[Kept, ...], most: int) -> tuple[Kept, ...]:
    """Return the last `most` items."""
    return kept if len(kept) <= most else kept[len(kept) - most :]


def kept_proposals(proposals: tuple[Proposal, ...], most: int) -> tuple[Proposal, ...]:
    """Return at most `most` proposals; drop the oldest resolved ones first, then active ones."""
    over = len(proposals) - most
    if over <= 0:
        return proposals
    leaving = [one.id for one in proposals if one.status != ACTIVE]
    leaving += [one.id for one in proposals if one.status == ACTIVE]
    gone = set(leaving[:over])
    return tuple(one for one in proposals if one.id not in gone)
