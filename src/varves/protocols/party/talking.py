"""The verbs between a party's start and its end; their events stay in this clone."""

from __future__ import annotations

from varves.commands.intake import memory_id, statement, word
from varves.errors import NotFound, Refused, Rejected, UsageError
from varves.events.kinds import PROPOSED
from varves.protocols.party.answers import DecisionRecord, Referred, TurnSaid, WaitingMemory
from varves.protocols.party.end import result
from varves.protocols.party.fold import PROJECT, decision_key
from varves.protocols.party.sessions import DECISION, POSTED, REFERENCE, posts
from varves.protocols.party.sidecars import scope_of, shown
from varves.protocols.party.steps import PartySteps
from varves.protocols.party.talk import TURNS, TYPES
from varves.protocols.port import writes
from varves.protocols.sessions import PRIVATE
from varves.values.ids import is_memory_id
from varves.values.names import safe_name
from varves.values.text import fold, quoted, value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.party.codec import PartyCodec
    from varves.protocols.party.sessions import Meeting
    from varves.values.memory import Memory

OUTCOMES = ("accepted", "rejected", "compromise")
_MORE = ("positions", "id")
STANCES = {"proponent": "for", "opponent": "against"}  # the default positions


class PartyVerbs(PartySteps):
    """The verbs of a running party."""

    codec: PartyCodec

    def _name(self, name: Any) -> str:
        if not isinstance(name, str):
            raise UsageError("an agent's name is not a string", "give a string")
        masked, rules = self.core.clean(safe_name(name, "agent"))
        if rules:
            raise Refused("an agent's name looks like a secret", "give it another one")
        return str(masked)

    @writes
    def say(
        self, agent: str, text: str, *, to: str | None = None, type: str = "statement"
    ) -> TurnSaid:
        """Add one turn to the talk.

        Args:
            agent: the speaker.
            text: what the agent says.
            to: the agent that the turn answers.
            type: the type of the turn, if the caller knows it.
        """
        if type not in TURNS:
            raise UsageError(f"not a type of turn: {quoted(type)}", f"use {', '.join(TURNS)}")
        said, rules = self.core.clean(statement(text))
        meeting = self._running()
        other = None if to is None else self._member(meeting, to)
        content = {"agent": self._member(meeting, agent), "text": said, "to": other, "type": type}
        event, turn = self._post(meeting, content)
        return TurnSaid(
            session=meeting.name,
            event=event,
            turn=turn,
            agent=agent,
            type=type,
            redacted=rules,
        )

    def _member(self, meeting: Meeting, agent: Any) -> str:
        name = self._name(agent)
        if name not in meeting.agents:
            there = ", ".join(meeting.agents)
            raise Refused(
                f"{quoted(name)} does not take part in {meeting.name}", f"participants: {there}"
            )
        return name

    def _post(self, meeting: Meeting, content: dict[str, Any]) -> tuple[str, int]:
        """Record a turn of a party, and return its event and number."""
        turn = sum(event.kind == POSTED for event in posts(self.core, meeting)) + 1
        place = {"start": meeting.start, "checkout": meeting.checkout, "turn": turn}
        act = self.core.act(session=meeting.name)
        draft = act.draft(POSTED, {**content, **place}, meeting.start)
        [event] = self.core.append(PRIVATE, [draft])
        return event.id, turn

    @writes
    def remember(
        self, agent: str, *, type: str, content: str, confidence: float, again: bool = False
    ) -> WaitingMemory:
        """Store one memory of an agent until the end of the party.

        Args:
            agent: the owner of the memory.
            type: observation, preference, context or decision.
            content: the text, at most 100 characters.
            confidence: from 0.5 to 1.0.
            again: accept a text that was rejected before.
        """
        text, rules = self._content(content)
        if type not in TYPES:
            raise Refused(f"not a type of memory: {quoted(type)}", f"use {', '.join(TYPES)}")
        sure = self._confidence(confidence)
        meeting = self._running()
        name = self._member(meeting, agent)
        scope = scope_of(name)
        rejecting = self.core.rows().rejecting(value_key(PROJECT, scope, text))
        if rejecting and not again:
            message = f"this was rejected by {rejecting[0]}"
            raise Rejected(message, "repeat it with again=True (--again)")
        record: dict[str, Any] = {
            "memory": self.core.ids.memory(),
            "text": text,
            "scope": scope,
            "type": type,
            "confidence": sure,
            "speaker": name,
            "start": meeting.start,
            "checkout": meeting.checkout,
            "again": again or None,
        }
        act = self.core.act(session=meeting.name)
        [event] = self.core.append(PRIVATE, [act.draft(PROPOSED, record, meeting.start)])
        return WaitingMemory(
            id=record["memory"],
            session=meeting.name,
            event=event.id,
            agent=name,
            type=type,
            content=text,
            confidence=sure,
            redacted=rules,
        )

    def _content(self, content: Any) -> tuple[str, tuple[str, ...]]:
        """Return a memory's content if it is valid."""
        if not isinstance(content, str) or not content.strip():
            raise Refused("the content is blank", "give a text")
        text, rules = self.core.clean(" ".join(statement(content).split()))
        most = self.options.content_chars
        if len(text) > most:
            raise Refused(f"the content has {len(text)} characters", f"shorten it to {most}")
        return text, rules

    def _confidence(self, value: Any) -> float:
        least = self.options.least_confidence
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not least <= value <= 1:
            raise Refused(f"not a confidence: {quoted(value)}", f"give a number from {least} to 1")
        return float(value)

    @writes
    def decide(
        self,
        text: str,
        *,
        outcome: str = "accepted",
        pro: Sequence[str] = (),
        contra: Sequence[str] = (),
        arbitrator: str | None = None,
        **more: Any,
    ) -> DecisionRecord:
        """Record a decision of the party.

        Args:
            text: the decision.
            outcome: accepted, rejected or compromise.
            pro: the agents that proposed or supported it.
            contra: the agents that opposed it.
            arbitrator: the agent that decided.
            more: positions, by agent; id, by default the next DR-NNN. A decision that is recorded
                again with its id and text replaces the first record.
        """
        if unknown := more.keys() - set(_MORE):
            raise UsageError(f"unknown option {min(unknown)!a}", "see varves party decide --help")
        if outcome not in OUTCOMES:
            raise UsageError(f"not an outcome: {quoted(outcome)}", f"use {', '.join(OUTCOMES)}")
        said, _ = self.core.clean(statement(text))
        meeting = self._running()
        roles = self._roles(meeting, pro=pro, contra=contra, arbitrator=arbitrator)
        held = self._positions(meeting, roles, more.get("positions") or {})
        given = more.get("id")
        if given is not None:
            given = safe_name(word(given, "id") or "", "decision")
            self._refuse_taken(given, said)
        name = given or self._numbered(1)[0]
        content = {
            "id": name,
            "text": said,
            "outcome": outcome,
            "roles": roles,
            "positions": held,
            "named": given is not None,
        }
        event, _ = self._post(meeting, {"type": DECISION, "text": said, "decision": content})
        return DecisionRecord(
            id=name,
            session=meeting.name,
            event=event,
            text=said,
            outcome=outcome,
            roles=roles,
            positions=held,
            results={agent: result(role, outcome) for agent, role in roles.items()},
        )

    def _refuse_taken(self, name: str, text: str) -> None:
        """Refuse the id of another decision; one that is recorded again keeps its id."""
        told = [
            event.data["decision"].get("text")
            for event in self.core.events(POSTED)
            if _name_of(event) == name
        ]
        listed = any(
            decision_key(one) == name
            for sheet in self._sheets().values()
            for one in sheet.decisions
            if isinstance(one, dict)
        )
        if not told and not listed:
            return
        if told and isinstance(told[-1], str) and fold(told[-1]) == fold(text):
            return
        of = f": {quoted(told[-1])}" if told and told[-1] else ""
        raise Refused(f"{name} is the id of another decision{of}", "give another --id, or none")

    def _roles(
        self,
        meeting: Meeting,
        *,
        pro: Sequence[str],
        contra: Sequence[str],
        arbitrator: str | None,
    ) -> dict[str, str]:
        roles = dict.fromkeys(meeting.agents, "participant")
        given: dict[str, str] = {}
        sides = ((pro, "proponent"), (contra, "opponent"), ((arbitrator,), "arbitrator"))
        for agents, role in sides:
            for agent in agents if not isinstance(agents, str) else (agents,):
                if agent is None:
                    continue
                name = self._member(meeting, agent)
                if given.setdefault(name, role) != role:
                    message = f"{quoted(name)} is both {given[name]} and {role}"
                    raise UsageError(message, "give each agent one role")
        return roles | given

    def _positions(
        self, meeting: Meeting, roles: Mapping[str, str], given: Mapping[str, str]
    ) -> dict[str, str]:
        held = {agent: STANCES[role] for agent, role in roles.items() if role in STANCES}
        for agent, text in given.items():
            held[self._member(meeting, agent)], _ = self.core.clean(statement(text))
        return held

    @writes
    def reference(self, agent: str, memory: str) -> Referred:
        """Record that an agent refers to one of its memories, by id or by content."""
        meeting = self._running()
        name = self._member(meeting, agent)
        held = self._own_memory(name, memory)
        content = {"type": REFERENCE, "agent": name, "memory": held.id}
        event, _ = self._post(meeting, content)
        return Referred(
            session=meeting.name, event=event, agent=name, memory=held.id, content=shown(held)
        )

    def _own_memory(self, agent: str, given: Any) -> Memory:
        """Return one of an agent's memories, named by its id or by its content."""
        found = self.core.memories(scope=scope_of(agent))
        found = [one for one in found if one.kept == PROJECT]
        if isinstance(given, str) and is_memory_id(given):
            name = memory_id(given)
            own = [one for one in found if one.id == name]
        else:
            same = fold(statement(given))
            own = [one for one in found if same in (fold(shown(one)), fold(one.text))]
        if not own:
            raise NotFound(
                f"{agent} has no memory {quoted(given)}", f"varves party show {agent} lists them"
            )
        return own[-1]


def _name_of(event: Event) -> Any:
    """Return the id of the decision that a post records; None if it records none."""
    decision = event.data.get("decision")
    return decision.get("id") if isinstance(decision, dict) else None
