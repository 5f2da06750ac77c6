"""Events for a saved state, so that a conversation continues from it."""

from __future__ import annotations

from varves.events.kinds import RAISED, RECORDED, SUMMARISED
from varves.protocols.deliberation.conversations import DECISION, PROPOSAL, SUMMARY, scope_of
from varves.protocols.deliberation.digest import agent_part
from varves.protocols.deliberation.drafts import posted
from varves.protocols.sessions import CONTINUED
from varves.values.ids import is_memory_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft
    from varves.protocols.deliberation.state import ConversationDecision, Proposal, State, Summary
    from varves.protocols.port import Core


def drafts_of(core: Core, name: str, state: State, *, act: Act) -> list[Draft]:
    """Return the drafts that give a conversation the memory of a saved state."""
    return _Restoring(core, name, state, act).drafts()


class _Restoring:
    def __init__(self, core: Core, name: str, state: State, act: Act) -> None:
        self._core = core
        self._name = name
        self._state = state
        self._act = act
        self._names: dict[str, str] = {}

    def drafts(self) -> list[Draft]:
        state = self._state
        first = state.pending[0].index if state.pending else state.total
        agents = {name: agent_part(one) for name, one in state.agent_states.items()}
        decided = [(one, self._memory(one.id)) for one in state.decisions]
        raised = [(one, self._memory(one.id)) for one in state.proposals]
        before = self._act.draft(CONTINUED, {"total": first, "unknown": state.unknown})
        after = self._act.draft(CONTINUED, {"total": state.total})
        after = after.replace(data={**after.data, "agents": agents})
        records = [self._summary(one) for one in state.summaries]
        records += [self._decision(one, memory) for one, memory in decided]
        records += [self._proposal(one, memory) for one, memory in raised]
        return [before, *records, *self._messages(), after]

    def _memory(self, name: str) -> str:
        """Return the memory id for a record: its own id if that is free, or else a new one."""
        free = is_memory_id(name) and self._core.memory(name) is None
        taken = name in self._names or name in self._core.barred()
        made = name if free and not taken else self._core.ids.memory()
        if name:
            self._names.setdefault(name, made)
        return made

    def _summary(self, one: Summary) -> Draft:
        record = {
            **self._record(one, self._memory(one.id)),
            "text": one.content,
            "type": SUMMARY,
            "range": list(one.message_range),
            "by": one.by,
        }
        return self._act.draft(SUMMARISED, record)

    def _decision(self, one: ConversationDecision, memory: str) -> Draft:
        backing = list(one.supporting_agents)
        record = {
            **self._record(one, memory),
            "text": one.outcome or one.topic,
            "type": DECISION,
            "topic": one.topic,
            "supporters": backing,
            "speaker": backing[0] if backing else None,
            **self._link("replaces", one.replaces),
        }
        return self._act.draft(RECORDED, record)

    def _proposal(self, one: Proposal, memory: str) -> Draft:
        record = {
            **self._record(one, memory),
            "text": one.content,
            "type": PROPOSAL,
            "proposer": one.proposer,
            "speaker": one.proposer or None,
            "resolution": one.status,
            "reactions": [[said.agent_id, said.reaction] for said in one.reactions],
            "successor": one.successor,
            "why": one.reason or None,
            "turn": one.index if one.index >= 0 else None,
            **self._link("repeats", one.repeats),
        }
        return self._act.draft(RAISED, record)

    def _record(self, one: Any, memory: str) -> dict[str, Any]:
        return {
            "memory": memory,
            "scope": scope_of(self._name),
            "alias": one.id if one.id not in ("", memory) else None,
            "at": one.timestamp or None,
            "message": getattr(one, "message", None) or None,
            "unknown": one.unknown,
        }

    def _link(self, name: str, other: str | None) -> dict[str, Any]:
        """Return the field that names another record, and a link to that record if it exists."""
        if not other:
            return {}
        held = self._names.get(other)
        return {name: other, "links": {name: [held]} if held else {}}

    def _messages(self) -> list[Draft]:
        found = []
        for message in self._state.pending:
            event = self._core.ids.event(self._core.now)
            own = bool(message.id)
            found.append(posted(message, self._act, event=event, own=own, finds=0))
        return found
