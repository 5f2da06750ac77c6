"""Explicit decisions, proposals, reactions and resolutions, for which no extractor is needed."""

from __future__ import annotations

from varves.errors import NotFound, Refused, Rejected, UsageError, refuse_unknown
from varves.protocols.deliberation.answers import Answered, OfferedProposal, ProposalOutcome, Ruling
from varves.protocols.deliberation.consequences import adopted, decision, raising
from varves.protocols.deliberation.conversations import DECISION, PROPOSAL
from varves.protocols.deliberation.drafts import Drafting
from varves.protocols.deliberation.findings import Backed, Decided, Reacted, Stance
from varves.protocols.deliberation.posts import mended
from varves.protocols.deliberation.repeats import restates, same_words
from varves.protocols.deliberation.state import (
    ACCEPTED,
    ACTIVE,
    MODIFIED,
    REACTIONS,
    STATUSES,
    Message,
)
from varves.protocols.deliberation.subjects import same_topic
from varves.values.instants import iso
from varves.values.text import fold, quoted, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.desk import DeliberationDesk
    from varves.protocols.deliberation.reader import HeldConversation
    from varves.protocols.deliberation.state import ConversationDecision, Proposal, State
    from varves.values.memory import Memory

_MORE = {"conversation", "again", "replaces", "resolves"}


def decide(
    desk: DeliberationDesk,
    topic: str,
    outcome: str,
    *,
    agent: str | None = None,
    support: Sequence[str] = (),
    **more: Any,
) -> Ruling:
    """Record a decision."""
    refuse_unknown(more, _MORE, "varves deliberation decide --help")
    replaces, resolves = more.get("replaces"), more.get("resolves")
    conversation = desk.writable(more.get("conversation"))
    about, masked = desk.text(topic, "a decision needs a topic")
    said, rules = desk.text(outcome, "a decision needs an outcome")
    supporters = _supporters(desk, conversation, agent, support)
    with desk.core.deciding(conversation.log):
        held = mended(desk, conversation)
        lifts = _lifted(desk, conversation, said, again=bool(more.get("again")))
        message = Message(agent_id=agent or "", content=said, timestamp=iso(desk.core.now))
        about = " ".join(about.split())
        known = None if replaces is not None else _known(about, said, message, held.state)
        other = None
        if known is None:
            other = _replaced(desk, conversation, held, about=about, said=said, named=replaces)
        drafting = _drafting(desk, conversation, held, decision=other, proposal=resolves)
        drafting.lifts = lifts
        if known is None:
            found = Decided(topic=about, outcome=said, replaces=other)
            name = drafting.decided(message, found, supporters)
        else:
            drafting.joined(known, supporters, about if about != known.topic else None)
            name, said = known.id, known.outcome
            supporters = tuple(dict.fromkeys((*known.supporting_agents, *supporters)))
        if resolves is not None:
            drafting.resolved(resolves, ACCEPTED, agent or "")
        else:
            taken = adopted(about, said, held.state)
            drafting.take(message, taken)
            resolves = taken[0].proposal if taken else None
        events = desk.core.append(conversation.log, drafting.drafts)
        event = events[0].id if events else held.rows[name].version
    return Ruling(
        conversation=conversation.name,
        id=name,
        event=event,
        topic=about,
        outcome=said,
        supporters=supporters,
        known=known is not None,
        replaces=other,
        resolves=resolves,
        redacted=tuple(dict.fromkeys((*masked, *rules))),
    )


def _known(topic: str, outcome: str, message: Message, state: State) -> ConversationDecision | None:
    """Return the decision in force that says the same in nearly the same words.

    What says less may be meant as a change.
    """
    found = decision(topic, outcome, message=message, state=state)[0]
    known = state.decision(found.decision) if isinstance(found, Backed) else None
    if known is None or restates(outcome, known.outcome):
        return known
    again = same_words(f"{topic} {outcome}", f"{topic} {known.outcome}")
    return known if again else None


def _supporters(
    desk: DeliberationDesk, conversation: Conversation, agent: str | None, support: Sequence[str]
) -> tuple[str, ...]:
    given = (support,) if isinstance(support, str) else tuple(support)
    names = (*((agent,) if agent is not None else ()), *given)
    return tuple(dict.fromkeys(desk.agent(conversation, name) for name in names))


def _lifted(
    desk: DeliberationDesk, conversation: Conversation, text: str, *, again: bool
) -> list[str]:
    """Return the events that rejected a text, if the caller allows to record it again."""
    key = value_key(conversation.log, conversation.scope, text)
    rejecting = desk.core.rows().rejecting(key)
    if rejecting and not again:
        message = f"this was rejected by {rejecting[0]}"
        raise Rejected(message, "record it with again=True (--again)")
    return rejecting


def _replaced(
    desk: DeliberationDesk,
    conversation: Conversation,
    held: HeldConversation,
    *,
    about: str,
    said: str,
    named: str | None,
) -> str | None:
    """Return the decision that a new one replaces."""
    if named is not None:
        _record(desk, conversation, held, named, type=DECISION)
        return named
    taken = {one.replaces for one in held.state.decisions}
    for one in reversed(held.state.decisions):
        if one.id not in taken and same_topic(one.topic, about):
            return None if fold(one.outcome) == fold(said) else one.id
    return None


def _record(
    desk: DeliberationDesk,
    conversation: Conversation,
    held: HeldConversation,
    name: Any,
    *,
    type: str,
) -> Memory:
    """Return the row of a record, including one that the state has dropped."""
    row = held.rows.get(name) if isinstance(name, str) else None
    if row is None and isinstance(name, str):
        row = desk.core.memory(name)
    if row is None or row.type != type or row.scope != conversation.scope:
        hint = "list them with `varves deliberation show`"
        raise NotFound(f"{conversation.name} has no {type} {quoted(name)}", hint)
    return row


def _drafting(
    desk: DeliberationDesk,
    conversation: Conversation,
    held: HeldConversation,
    *,
    decision: str | None = None,
    proposal: str | None = None,
) -> Drafting:
    """Return a `Drafting` that knows the records an explicit statement is about."""
    rows = dict(held.rows)
    for name, kind in ((decision, DECISION), (proposal, PROPOSAL)):
        if name is not None:
            rows[name] = _record(desk, conversation, held, name, type=kind)
    act = desk.act(conversation)
    return Drafting(conversation, held.replace(rows=rows), act, ids=desk.core.ids, event=None)


def propose(
    desk: DeliberationDesk,
    agent: str,
    text: str,
    *,
    conversation: str | None = None,
    again: bool = False,
) -> OfferedProposal:
    """Record a proposal."""
    found = desk.writable(conversation)
    name = desk.agent(found, agent)
    said, rules = desk.text(text, "a proposal needs a text")
    with desk.core.deciding(found.log):
        held = mended(desk, found)
        drafting = _drafting(desk, found, held)
        message = Message(agent_id=name, content=said, timestamp=iso(desk.core.now))
        raised = raising(
            said,
            message,
            held.state,
            least=desk.options.likeness,
            likeness=desk.likeness,
        )
        if raised.rejected and not again:
            why = held.state.why_rejected(raised.repeats)
            by = held.state.proposal(raised.repeats or "")
            who = by.proposer if by is not None and by.proposer else "someone"
            raise Rejected(
                f"{who} proposed this before ({raised.repeats}), and it was rejected: {why}",
                "propose it with again=True (--again)",
            )
        made = drafting.raised(message, raised.replace(rejected=False))
        [told] = drafting.learned
        drafting.take(message, [Stance(agent_id=name, position=said, contribution=said)])
        [event, *_] = desk.core.append(found.log, drafting.drafts)
    return OfferedProposal(
        conversation=found.name,
        id=made,
        event=event.id,
        agent=name,
        content=said,
        repeats=raised.repeats,
        proposed_by=told.proposed_by,
        proposed_in=told.proposed_in,
        same=told.same,
        like_rejected=told.like_rejected,
        decided=told.decided,
        redacted=rules,
    )


def react(
    desk: DeliberationDesk,
    agent: str,
    proposal: str,
    reaction: str,
    *,
    conversation: str | None = None,
) -> Answered:
    """Record that an agent supports a proposal, opposes it or is neutral."""
    if reaction not in REACTIONS:
        raise UsageError(f"not a reaction: {quoted(reaction)}", f"use {', '.join(REACTIONS)}")
    found = desk.writable(conversation)
    name = desk.agent(found, agent)
    with desk.core.deciding(found.log):
        held = mended(desk, found)
        drafting = _drafting(desk, found, held, proposal=proposal)
        one = _shown(desk, found, held, proposal)
        if one.status != ACTIVE:
            raise Refused(f"{proposal} is {one.status}", "only active proposals take reactions")
        if one.proposer == name:
            raise Refused(f"{quoted(name)} proposed it", "the proposer cannot react")
        drafting.reacted(Reacted(proposal=proposal, agent_id=name, reaction=reaction))
        [event] = desk.core.append(found.log, drafting.drafts)
    return Answered(
        conversation=found.name, id=proposal, event=event.id, agent=name, reaction=reaction
    )


def _shown(
    desk: DeliberationDesk, conversation: Conversation, held: HeldConversation, name: str
) -> Proposal:
    """Return the current state of a proposal."""
    from varves.protocols.deliberation.reader import proposal_from

    row = _record(desk, conversation, held, name, type=PROPOSAL)
    return held.state.proposal(name) or proposal_from(row, row, {})


def resolve(
    desk: DeliberationDesk,
    proposal: str,
    status: str,
    *,
    successor: str | None = None,
    reason: str | None = None,
    conversation: str | None = None,
) -> ProposalOutcome:
    """Record the resolution of a proposal."""
    if status not in STATUSES:
        raise UsageError(f"not a status: {quoted(status)}", f"use {', '.join(STATUSES)}")
    if successor is not None and status != MODIFIED:
        raise UsageError("a successor needs the status modified", "leave it out")
    if successor is not None and successor == proposal:
        raise Refused("a proposal is not its own successor", "name the other one")
    why = None if reason is None else desk.text(reason, "a reason needs a text")[0]
    found = desk.writable(conversation)
    with desk.core.deciding(found.log):
        held = mended(desk, found)
        drafting = _drafting(desk, found, held, proposal=proposal)
        one = _shown(desk, found, held, proposal)
        if one.status == status and (successor is None or one.successor == successor):
            raise Refused(f"{proposal} is {status} already", "nothing to resolve")
        after = None
        if successor is not None:
            after = _record(desk, found, held, successor, type=PROPOSAL).id
        drafting.resolved(proposal, status, successor=after, reason=why)
        [event] = desk.core.append(found.log, drafting.drafts)
    return ProposalOutcome(
        conversation=found.name, id=proposal, event=event.id, status=status, successor=successor
    )
