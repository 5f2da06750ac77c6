"""Events for the findings in a message: one draft and one result for each finding."""

from __future__ import annotations

from varves.events.kinds import PROPOSAL_RESOLVED, RAISED, REACTED, RECORDED, REVISED, SUMMARISED
from varves.protocols.deliberation.answers import MessageFinding
from varves.protocols.deliberation.conversations import DECISION, POSTED, PROPOSAL, STANCE, SUMMARY
from varves.protocols.deliberation.findings import Backed, Decided, Raised, Reacted, Resolved
from varves.protocols.deliberation.repeats import decided_before, restates
from varves.protocols.deliberation.state import ACTIVE, MODIFIED, REJECTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.deliberation.conversations import Conversation
    from varves.protocols.deliberation.findings import Finding, Stance
    from varves.protocols.deliberation.reader import HeldConversation
    from varves.protocols.deliberation.state import ConversationDecision, Message, Summary
    from varves.values.ids import IdSource


def posted(message: Message, act: Act, *, event: str, own: bool, finds: int) -> Draft:
    """Return the draft of a message.

    Args:
        message: the message to be stored.
        act: the acting context.
        event: the id of its event.
        own: whether the caller gave the message its id.
        finds: the number of events that follow it.
    """
    content: dict[str, Any] = {
        "agent": message.agent_id,
        "text": message.content,
        "reply_to": message.reply_to,
        "type": message.type if message.type != "message" else None,
        "id": message.id if own else None,
        "at": message.timestamp,
        "finds": finds or None,
    }
    draft = act.draft(POSTED, content)
    return draft.replace(id=event, data={**draft.data, "index": message.index})


class Drafting:
    """Makes the drafts for the findings in one message."""

    def __init__(
        self,
        conversation: Conversation,
        held: HeldConversation,
        act: Act,
        *,
        ids: IdSource,
        event: str | None,
    ) -> None:
        self._conversation = conversation
        self._held = held
        self._act = act
        self._ids = ids
        self._cause = (event,) if event else ()
        self.drafts: list[Draft] = []
        self.learned: list[MessageFinding] = []
        self._decision: str | None = None
        self.lifts: list[str] = []
        """The earlier events that rejected a text which is now decided."""

    def take(self, message: Message, findings: Iterable[Finding]) -> None:
        """Draft the findings in a message, in order."""
        found = sorted(findings, key=lambda one: isinstance(one, Resolved))
        for one in found:  # a decision precedes the proposals that it resolves
            if isinstance(one, Decided):
                self.decided(message, one)
            elif isinstance(one, Backed):
                self._backed(one)
            elif isinstance(one, Raised):
                self.raised(message, one)
            elif isinstance(one, Reacted):
                self.reacted(one)
            elif isinstance(one, Resolved):
                why = one.reason or None
                self.resolved(one.proposal, one.status, message.agent_id, reason=why)
            else:
                self._stood(one)

    def _draft(self, kind: str, content: dict[str, Any], *cause: str) -> None:
        self.drafts.append(self._act.draft(kind, content, *self._cause, *cause))

    def _learn(self, kind: str, name: str | None, text: str, agent: str, **more: Any) -> None:
        self.learned.append(MessageFinding(kind=kind, id=name, text=text, agent=agent, **more))

    def memory_of(self, name: str | None) -> str | None:
        """Return the memory id of a record, given its displayed id."""
        row = self._held.rows.get(name or "")
        return row.id if row is not None else None

    def _record(self, message: Message, type: str, text: str) -> dict[str, Any]:
        return {
            "memory": self._ids.memory(),
            "text": text,
            "scope": self._conversation.scope,
            "type": type,
            "speaker": message.agent_id or None,
            "turn": message.index if message.index >= 0 else None,
            "at": message.timestamp or None,
            "message": message.id or None,
        }

    def decided(
        self, message: Message, found: Decided, supporters: Sequence[str] | None = None
    ) -> str:
        """Draft a decision; return its id."""
        record = self._record(message, DECISION, found.outcome or found.topic)
        replaced = self.memory_of(found.replaces)
        backing = (message.agent_id,) if supporters is None else supporters
        record |= {
            "topic": found.topic,
            "supporters": [name for name in backing if name],
            "links": {"replaces": [replaced]} if replaced else {},
            "lifts": self.lifts,
        }
        self._draft(RECORDED, record, *self.lifts)
        more = {"topic": found.topic, "replaces": found.replaces}
        self._learn(DECISION, record["memory"], found.outcome, message.agent_id, **more)
        self._decision = str(record["memory"])
        return self._decision

    def _backed(self, found: Backed) -> None:
        decision = self._held.state.decision(found.decision)
        row = self._held.rows.get(found.decision)
        if decision is None or row is None:
            return
        joins = self.joined(decision, (found.agent_id,), found.topic)
        if joins:
            self._learn("support", found.decision, decision.outcome, found.agent_id)
        elif found.topic is not None:
            self._learn(
                DECISION, found.decision, decision.outcome, found.agent_id, topic=found.topic
            )

    def joined(
        self, decision: ConversationDecision, agents: Sequence[str], topic: str | None
    ) -> bool:
        """Draft new supporters of a decision, and its topic; return whether any agent is new."""
        row = self._held.rows[decision.id]
        self._decision = row.id
        more = [one for one in agents if one and one not in decision.supporting_agents]
        changes: dict[str, Any] = {}
        if more:
            changes["supporters"] = [*decision.supporting_agents, *more]
        if topic is not None:
            changes["topic"] = topic
        if changes:
            self._draft(REVISED, {"memory": row.id, "set": changes}, row.version)
        return bool(more)

    def raised(self, message: Message, found: Raised) -> str:
        """Draft a proposal; return its id."""
        record = self._record(message, PROPOSAL, found.content)
        repeated = self.memory_of(found.repeats)
        record |= {
            "proposer": message.agent_id,
            "resolution": ACTIVE,
            "links": {"repeats": [repeated]} if repeated else {},
            "likeness": round(found.score, 3) if repeated else None,
        }
        self._draft(RAISED, record)
        name = str(record["memory"])
        if found.rejected:
            self._draft(
                PROPOSAL_RESOLVED,
                {"memory": name, "status": REJECTED, "reason": f"repeats {found.repeats}"},
            )
        self._learn(PROPOSAL, name, found.content, message.agent_id, **self._earlier(found))
        if found.modifies is not None:
            self.resolved(found.modifies, MODIFIED, message.agent_id, successor=name)
        return name

    def _earlier(self, found: Raised) -> dict[str, Any]:
        """Return what was said of a proposal before: by whom, where and with what result."""
        state = self._held.state
        before = state.proposal(found.repeats or "")
        made = decided_before(found.content, state.decisions)
        told: dict[str, Any] = {"decided": made.id if made is not None else None}
        if before is None or found.repeats not in self._held.rows:
            return told
        told |= {"repeats": before.id, "proposed_by": before.proposer}
        told["proposed_in"] = before.index if before.index >= 0 else None
        told["same"] = restates(found.content, before.content)
        if before.status == REJECTED:
            told["rejected" if found.rejected else "like_rejected"] = state.why_rejected(before.id)
        return told

    def reacted(self, found: Reacted) -> None:
        """Draft one agent's reaction to a proposal."""
        row = self._held.rows.get(found.proposal)
        if row is None:
            return
        content = {"memory": row.id, "agent": found.agent_id, "reaction": found.reaction}
        self._draft(REACTED, content, row.version)
        self._learn("reaction", found.proposal, found.reaction, found.agent_id)

    def resolved(
        self,
        name: str,
        status: str,
        agent: str = "",
        *,
        successor: str | None = None,
        reason: str | None = None,
    ) -> None:
        """Draft the resolution of a proposal."""
        row = self._held.rows.get(name)
        if row is None:
            return
        content = {
            "memory": row.id,
            "status": status,
            "successor": successor,
            "reason": reason,
            "decision": self._decision,
        }
        self._draft(PROPOSAL_RESOLVED, content, row.version)
        self._learn("resolution", name, status, agent)

    def _stood(self, found: Stance) -> None:
        content = {
            "agent": found.agent_id,
            "position": found.position,
            "contribution": found.contribution,
        }
        self._draft(STANCE, content)
        self._learn("stance", None, found.position, found.agent_id)


def summarised(
    conversation: Conversation,
    summary: Summary,
    act: Act,
    *,
    name: str,
    covers: Mapping[int, str],
) -> Draft:
    """Return the draft of a summary.

    Args:
        conversation: the conversation that it summarises.
        summary: the summary.
        act: the acting context.
        name: its id.
        covers: the events of the messages that wait for a summary, by index.
    """
    start, end = summary.message_range
    covered = [event for index, event in covers.items() if start <= index <= end]
    content = {
        "memory": name,
        "text": summary.content,
        "scope": conversation.scope,
        "type": SUMMARY,
        "at": summary.timestamp,
        "range": [start, end],
        "covers": covered,
        "by": summary.by,
        "unknown": summary.unknown,
    }
    return act.draft(SUMMARISED, content, *covered)  # a purge keeps the causes of an event
