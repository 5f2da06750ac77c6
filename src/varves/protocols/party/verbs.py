"""The whole protocol: a party starts, talks and ends; sidecars keep its results.

Between start and end, all events are private to the clone; only the end writes what sidecars show.
"""

from __future__ import annotations

from varves.commands.intake import statement
from varves.errors import NotFound, UsageError
from varves.protocols.bridged import Bridged
from varves.protocols.party.answers import Offer, PartyFolders, SidecarShown, TurnSaid
from varves.protocols.party.codec import PartyCodec
from varves.protocols.party.fold import sheets_of
from varves.protocols.party.options import options
from varves.protocols.party.sessions import agent_name, member, post, running_here
from varves.protocols.party.sidecars import FOLDER, line, path_of
from varves.protocols.party.talk import TURNS
from varves.protocols.port import reads, writes
from varves.protocols.protocol import PublishedProtocol
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.bridged import DueView
    from varves.protocols.party.answers import (
        AgentListed,
        DecisionRecord,
        PartyEnded,
        PartyStarted,
        Referred,
        WaitingMemory,
    )
    from varves.protocols.party.sidecars import Sheet
    from varves.protocols.party.talk import Detector
    from varves.protocols.port import Core
    from varves.values.answers import Finding
    from varves.values.memory import Memory


class Party(Bridged, PublishedProtocol):
    """Parties of agents and what each agent remembers of them, for one opened ledger.

    To find memories in the talk by other rules, pass a detector (a callable).
    """

    name = "party"

    def __init__(self, core: Core, *, detect: Detector | None = None) -> None:
        self.core = core
        self.options = options(core.table)
        self.codec = PartyCodec(self.options)
        self.detect = detect

    @writes
    def init(self) -> PartyFolders:
        """Create the folder for the sidecars."""
        self.core.begin()
        return PartyFolders(created=tuple(self.core.make_folders((FOLDER,), ())))

    @writes
    def start(
        self, *, agents: Sequence[str], topic: str | None = None, plain: bool = False
    ) -> PartyStarted:
        """Start a party: recover abandoned ones, then return each agent's memories.

        Args:
            agents: the participants.
            topic: the topic of the talk.
            plain: leave the two emoji out of the blocks.
        """
        from varves.protocols.party.start import start

        return start(self.core, self.options, self.detect, agents=agents, topic=topic, plain=plain)

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
        core = self.core
        said, rules = core.clean(statement(text))
        meeting = running_here(core)
        other = None if to is None else member(core, meeting, to)
        content = {"agent": member(core, meeting, agent), "text": said, "to": other, "type": type}
        event, turn = post(core, meeting, content)
        return TurnSaid(
            session=meeting.name,
            event=event,
            turn=turn,
            agent=agent,
            type=type,
            redacted=rules,
        )

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
        from varves.protocols.party.memories import GivenMemory, propose

        given = GivenMemory(
            agent=agent, type=type, content=content, confidence=confidence, again=again
        )
        return propose(self.core, self.options, given)

    @writes
    def reference(self, agent: str, memory: str) -> Referred:
        """Record that an agent refers to one of its memories, by id or by content."""
        from varves.protocols.party.memories import refer

        return refer(self.core, agent, memory)

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
        from varves.protocols.party.decisions import record

        sides = ((pro, "proponent"), (contra, "opponent"), ((arbitrator,), "arbitrator"))
        return record(self.core, self.options, text, outcome=outcome, sides=sides, more=more)

    @writes
    def end(self) -> PartyEnded:
        """End the party: update every participant's sidecar, then the state file."""
        from varves.protocols.party.end import end

        return end(self.core, self.options, self.detect)

    @writes
    def recover(self) -> tuple[PartyEnded, ...]:
        """End the parties that were abandoned, and keep what they learned."""
        from varves.protocols.party.end import recover

        return recover(self.core, self.options, self.detect)

    # Read

    @reads
    def prompt(self, agent: str, *, topic: str) -> Offer:
        """Return the facilitator's line to an agent that has memories about a topic."""
        from varves.protocols.party.relevance import offer

        sheet = self._sheet(agent)
        offered = offer(sheet.display_name, statement(topic), sheet.memories)
        self.core.told("party prompt", [one.id for one in offered.cited], agent=sheet.agent)
        cited = tuple({"id": one.id, **line(one)} for one in offered.cited)
        return Offer(agent=sheet.agent, text=offered.text, memories=cited)

    @reads
    def list(self, *, as_of: str | None = None) -> tuple[AgentListed, ...]:
        """Return all agents, with the course of their memories' confidence, and relationships.

        Args:
            as_of: an instant, an event or a git revision; the state at that time is read.
        """
        from varves.protocols.party.courses import listed

        if as_of is None:
            return listed(self.core, self.options)
        with self.core.past(as_of):
            return listed(self.core, self.options)

    @reads
    def show(self, agent: str) -> SidecarShown:
        """Return an agent's sidecar."""
        sheet = self._sheet(agent)
        return SidecarShown(
            agent=sheet.agent,
            display_name=sheet.display_name,
            path=path_of(sheet.agent),
            created_at=sheet.created_at,
            last_updated=sheet.last_updated,
            sessions=sheet.sessions,
            memories=tuple({"id": one.id, **line(one)} for one in sheet.memories),
            relationships=sheet.relationships,
            decisions=sheet.decisions,
            unknown=sheet.unknown,
        )

    def _sheet(self, agent: Any) -> Sheet:
        name = agent_name(self.core, agent)
        sheet = sheets_of(self.core, self.options).get(name)
        if sheet is None:
            raise NotFound(f"{quoted(name)} has no sidecar", "it gets one with its first party")
        return sheet

    @reads
    def validate(self) -> tuple[Finding, ...]:
        """Return the problems in the protocol's current files."""
        from varves.protocols.party.faults import faults

        return faults(self.core, self.options, sheets_of(self.core, self.options))

    # Requests of other parts of the ledger

    def still_says(self, memory: Memory) -> tuple[str, ...]:
        """Return the positions recorded with a purged decision; the positions are not memories."""
        from varves.protocols.party.decisions import positions_left

        return positions_left(self.core, memory)

    def due(self, record: Memory, category: str) -> tuple[DueView, ...]:
        """Return the views of a record: one for each supporter that has a sidecar."""
        from varves.protocols.party.views import due

        return due(self.core, self.options, record, category=category)

    @writes
    def take(self, record: Memory, view: DueView) -> None:
        """Add a record of another protocol to an agent's memories."""
        from varves.protocols.party.views import take

        take(self.core, self.options, record, view=view)
