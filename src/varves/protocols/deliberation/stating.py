"""Verbs that record a decision, a proposal, a reaction or a resolution explicitly."""

from __future__ import annotations

from varves.errors import NotFound, Refused, Rejected, UsageError
from varves.protocols.deliberation.answers import Answered, OfferedProposal, ProposalOutcome, Ruling
from varves.protocols.deliberation.consequences import adopted, raising
from varves.protocols.deliberation.conversation_verbs import ConversationVerbs
from varves.protocols.deliberation.conversations import DECISION, PROPOSAL
from varves.protocols.deliberation.drafting import Drafting
from varves.protocols.deliberation.findings import Decided, Reacted, Stance
from varves.protocols.deliberation.restoring import drafts_of
from varves.protocols.deliberation.saving import from_json, to_json
from varves.protocols.deliberation.state import (
    ACCEPTED,
    ACTIVE,
    MODIFIED,
    REACTIONS,
    STATUSES,
    Message,
)
from varves.protocols.deliberation.subjects import same_topic
from varves.protocols.port import writes
from varves.values.instants import iso
from varves.values.text import fold, quoted, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.reader import HeldConversation
    from varves.protocols.deliberation.state import Proposal, State
    from varves.values.memory import Memory

_MORE = {"conversation", "again"}


class Stating(ConversationVerbs):
    """The verbs that record explicit statements, for which no extractor is needed."""

    @writes
    def decide(
        self,
        topic: str,
        outcome: str,
        *,
        agent: str | None = None,
        support: Sequence[str] = (),
        replaces: str | None = None,
        resolves: str | None = None,
        **more: Any,
    ) -> Ruling:
        """Record a decision.

        Args:
            topic: what it is about.
            outcome: what was decided.
            agent: who stated it.
            support: who else supports it.
            replaces: the decision that it replaces; by default the last on the same topic.
            resolves: the proposal that it accepts.
            more: conversation, its name; again, to record it although it was rejected before.
        """
        if unknown := more.keys() - _MORE:
            raise UsageError(f"unknown option {min(unknown)!a}", "see varves deliberation decide")
        conversation = self._writable(more.get("conversation"))
        about, masked = self._text(topic, "a decision needs a topic")
        said, rules = self._text(outcome, "a decision needs an outcome")
        supporters = self._supporters(conversation, agent, support)
        with self.core.deciding(conversation.log):
            held = self._mended(conversation)
            lifts = self._lifted(conversation, said, again=bool(more.get("again")))
            other = self._replaced(conversation, held, about, said, named=replaces)
            drafting = self._drafting(conversation, held, other, resolves)
            drafting.lifts = lifts
            message = Message(agent_id=agent or "", content=said, timestamp=iso(self.core.now))
            found = Decided(topic=" ".join(about.split()), outcome=said, replaces=other)
            name = drafting.decided(message, found, supporters)
            if resolves is not None:
                drafting.resolved(resolves, ACCEPTED, agent or "")
            else:
                taken = adopted(found.topic, said, held.state)
                drafting.take(message, taken)
                resolves = taken[0].proposal if taken else None
            [event, *_] = self.core.append(conversation.log, drafting.drafts)
        return Ruling(
            conversation=conversation.name,
            id=name,
            event=event.id,
            topic=found.topic,
            outcome=said,
            supporters=supporters,
            replaces=other,
            resolves=resolves,
            redacted=tuple(dict.fromkeys((*masked, *rules))),
        )

    def _supporters(
        self, conversation: Conversation, agent: str | None, support: Sequence[str]
    ) -> tuple[str, ...]:
        given = (support,) if isinstance(support, str) else tuple(support)
        names = (*((agent,) if agent is not None else ()), *given)
        return tuple(dict.fromkeys(self._agent(conversation, name) for name in names))

    def _lifted(self, conversation: Conversation, text: str, *, again: bool) -> list[str]:
        """Return the events that rejected a text, if the caller allows to record it again."""
        key = value_key(conversation.log, conversation.scope, text)
        rejecting = self.core.rows().rejecting(key)
        if rejecting and not again:
            message = f"this was rejected by {rejecting[0]}"
            raise Rejected(message, "record it with again=True (--again)")
        return rejecting

    def _replaced(
        self,
        conversation: Conversation,
        held: HeldConversation,
        about: str,
        said: str,
        *,
        named: str | None,
    ) -> str | None:
        """Return the decision that a new one replaces."""
        if named is not None:
            self._record(conversation, held, named, DECISION)
            return named
        taken = {one.replaces for one in held.state.decisions}
        for one in reversed(held.state.decisions):
            if one.id not in taken and same_topic(one.topic, about):
                return None if fold(one.outcome) == fold(said) else one.id
        return None

    def _record(
        self, conversation: Conversation, held: HeldConversation, name: Any, type: str
    ) -> Memory:
        """Return the row of a record, including one that the state has dropped."""
        row = held.rows.get(name) if isinstance(name, str) else None
        if row is None and isinstance(name, str):
            row = self.core.memory(name)
        if row is None or row.type != type or row.scope != conversation.scope:
            hint = "list them with `varves deliberation show`"
            raise NotFound(f"{conversation.name} has no {type} {quoted(name)}", hint)
        return row

    def _drafting(
        self,
        conversation: Conversation,
        held: HeldConversation,
        decision: str | None,
        proposal: str | None,
    ) -> Drafting:
        """Return a `Drafting` that knows the records an explicit statement is about."""
        rows = dict(held.rows)
        for name, kind in ((decision, DECISION), (proposal, PROPOSAL)):
            if name is not None:
                rows[name] = self._record(conversation, held, name, kind)
        act = self._act(conversation)
        return Drafting(conversation, held.replace(rows=rows), act, ids=self.core.ids, event=None)

    @writes
    def propose(
        self, agent: str, text: str, *, conversation: str | None = None, again: bool = False
    ) -> OfferedProposal:
        """Record a proposal.

        Args:
            agent: who proposes it.
            text: the proposal.
            conversation: the name of the conversation.
            again: record it although it was rejected before.

        Raises:
            Rejected: it repeats a rejected proposal, in the same words or in others.
        """
        found = self._writable(conversation)
        name = self._agent(found, agent)
        said, rules = self._text(text, "a proposal needs a text")
        with self.core.deciding(found.log):
            held = self._mended(found)
            drafting = self._drafting(found, held, None, None)
            message = Message(agent_id=name, content=said, timestamp=iso(self.core.now))
            raised = raising(
                said,
                message,
                held.state,
                least=self.options.likeness,
                likeness=self.likeness,
            )
            if raised.rejected and not again:
                why = drafting.reason(raised.repeats)
                by = held.state.proposal(raised.repeats or "")
                who = by.proposer if by is not None and by.proposer else "someone"
                raise Rejected(
                    f"{who} proposed this before ({raised.repeats}), and it was rejected: {why}",
                    "propose it with again=True (--again)",
                )
            made = drafting.raised(message, raised.replace(rejected=False))
            drafting.take(message, [Stance(agent_id=name, position=said, contribution=said)])
            [event, *_] = self.core.append(found.log, drafting.drafts)
        return OfferedProposal(
            conversation=found.name,
            id=made,
            event=event.id,
            agent=name,
            content=said,
            repeats=raised.repeats,
            redacted=rules,
        )

    @writes
    def react(
        self, agent: str, proposal: str, reaction: str, *, conversation: str | None = None
    ) -> Answered:
        """Record that an agent supports a proposal, opposes it or is neutral.

        Args:
            agent: who reacts.
            proposal: the id of the proposal.
            reaction: support, oppose or neutral; the latest of each agent counts.
            conversation: the name of the conversation.
        """
        if reaction not in REACTIONS:
            raise UsageError(f"not a reaction: {quoted(reaction)}", f"use {', '.join(REACTIONS)}")
        found = self._writable(conversation)
        name = self._agent(found, agent)
        with self.core.deciding(found.log):
            held = self._mended(found)
            drafting = self._drafting(found, held, None, proposal)
            one = self._shown(found, held, proposal)
            if one.status != ACTIVE:
                raise Refused(f"{proposal} is {one.status}", "only active proposals take reactions")
            if one.proposer == name:
                raise Refused(f"{quoted(name)} proposed it", "the proposer cannot react")
            drafting.reacted(Reacted(proposal=proposal, agent_id=name, reaction=reaction))
            [event] = self.core.append(found.log, drafting.drafts)
        return Answered(
            conversation=found.name, id=proposal, event=event.id, agent=name, reaction=reaction
        )

    def _shown(self, conversation: Conversation, held: HeldConversation, name: str) -> Proposal:
        """Return the current state of a proposal."""
        from varves.protocols.deliberation.reader import proposal_from

        row = self._record(conversation, held, name, PROPOSAL)
        return held.state.proposal(name) or proposal_from(row, row, {})

    @writes
    def resolve(
        self,
        proposal: str,
        status: str,
        *,
        successor: str | None = None,
        reason: str | None = None,
        conversation: str | None = None,
    ) -> ProposalOutcome:
        """Record the resolution of a proposal.

        Args:
            proposal: the id of the proposal.
            status: accepted, rejected, modified, or active to reopen it.
            successor: with modified, the proposal that replaces it.
            reason: the reason.
            conversation: the name of the conversation.
        """
        if status not in STATUSES:
            raise UsageError(f"not a status: {quoted(status)}", f"use {', '.join(STATUSES)}")
        if successor is not None and status != MODIFIED:
            raise UsageError("a successor needs the status modified", "leave it out")
        if successor is not None and successor == proposal:
            raise Refused("a proposal is not its own successor", "name the other one")
        why = None if reason is None else self._text(reason, "a reason needs a text")[0]
        found = self._writable(conversation)
        with self.core.deciding(found.log):
            held = self._mended(found)
            drafting = self._drafting(found, held, None, proposal)
            one = self._shown(found, held, proposal)
            if one.status == status and (successor is None or one.successor == successor):
                raise Refused(f"{proposal} is {status} already", "nothing to resolve")
            after = None
            if successor is not None:
                after = self._record(found, held, successor, PROPOSAL).id
            drafting.resolved(proposal, status, successor=after, reason=why)
            [event] = self.core.append(found.log, drafting.drafts)
        return ProposalOutcome(
            conversation=found.name, id=proposal, event=event.id, status=status, successor=successor
        )

    @writes
    def resume(self, name: str, state: State) -> None:
        """Load a saved state into a conversation that has no messages yet.

        Raises:
            Refused: the conversation has messages, and the state is not its own.
        """
        conversation = self._writable(name)
        document, _ = self.core.clean(to_json(state))
        with self.core.deciding(conversation.log):
            held = self.reader.held(name, keep=True)
            if to_json(held.state) == document:
                return
            if held.digest.count:
                hint = "restore the state in a new conversation"
                raise Refused(f"messages were already posted in {name}", hint)
            act = self._act(conversation)
            drafts = drafts_of(self.core, name, from_json(document), act=act)
            self.core.append(conversation.log, drafts)
