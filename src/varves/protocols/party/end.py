"""The end of a party: boosts, decay, floor, additions, cap, relationships, history; then counters.

All changes that a sidecar shows are written to the project's log in one append, with the end event
last. Each part names its party, so repeating the end changes nothing.
"""

from __future__ import annotations

from collections import Counter

from varves.errors import VarvesError
from varves.events import kinds
from varves.protocols.party.answers import Outcome, PartyEnded
from varves.protocols.party.decisions import result, spoken
from varves.protocols.party.earlier import citations
from varves.protocols.party.effect import CandidateMemory, Reversal, Sidecar, made_in
from varves.protocols.party.fold import OBSERVED, PROJECT, agents_of, start_of
from varves.protocols.party.sessions import (
    POSTED,
    REFERENCE,
    abandoned,
    last_here,
    meetings,
    posts,
    refuse_untrusted,
    talk_of,
)
from varves.protocols.party.sidecars import day, scope_of, shown
from varves.protocols.party.talk import RELATIONS, Bond, TalkFinding
from varves.protocols.sessions import ENDED, PRIVATE, RECOVERED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.events.event import Draft, Event
    from varves.protocols.party.earlier import Citation
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sessions import Meeting
    from varves.protocols.party.talk import DecisionRecorded, Detector, PartyTalk
    from varves.protocols.port import Core

_LEAVING = (kinds.SUPERSEDED, kinds.PRUNED)


class Close:
    """The end of one party, decided but not yet recorded."""

    def __init__(self, core: Core, options: PartyOptions, *, meeting: Meeting, act: Act) -> None:
        self._core = core
        self._options = options
        self._meeting = meeting
        self._act = act
        self._ended: dict[str, list[Event]] = {}
        for event in core.events(ENDED):
            for agent in agents_of(event):
                self._ended.setdefault(agent, []).append(event)
        self._places = {event.id: place for place, event in enumerate(posts(core, meeting), 1)}
        self.drafts: list[Draft] = []
        """The drafts for the project's log."""
        self.private: list[Draft] = []
        self.outcomes: dict[str, Outcome] = {}

    def decide(
        self,
        talk: PartyTalk,
        found: Sequence[TalkFinding | Bond],
        referred: dict[str, dict[str, str]],
        *,
        cited: Sequence[Citation] = (),
        spoken: Sequence[DecisionRecorded] = (),
    ) -> None:
        """Decide how the end of the party changes each agent's sidecar.

        Args:
            talk: the conversation.
            found: the detector's findings.
            referred: the memories each agent referred to, each with the event of the reference.
            cited: the statements that the agents say again.
            spoken: the decisions that agents stated without recording them.
        """
        meeting = self._meeting
        proposed = self._proposed()
        reversals: dict[tuple[str, str], Reversal] = {}
        parts: dict[str, Any] = {}
        relations: list[Draft] = []
        for agent in meeting.agents:
            own = [one for one in found if isinstance(one, TalkFinding) and one.agent == agent]
            candidates = [*proposed.get(agent, ()), *self._candidates(own)]
            sidecar = Sidecar(self._core, self._options, meeting=meeting, agent=agent)
            ended = self._ended.get(agent, ())
            sidecar.close(
                candidates,
                referred.get(agent, {}),
                citations=[one for one in cited if one.agent == agent],
                act=self._act,
                ended=ended,
            )
            self.drafts += sidecar.drafts
            self.private += sidecar.private
            reversals |= sidecar.reversed
            bonds = [one for one in found if isinstance(one, Bond) and one.agent == agent]
            seen = list(self._relations(agent, bonds))
            relations += seen
            decided = [*talk.decisions, *(one for one in spoken if not sidecar.knew(one.text))]
            decisions = [_decision(one, agent) for one in decided if agent in one.roles]
            parts[agent] = {"decisions": decisions} if decisions else {}
            self.outcomes[agent] = sidecar.outcome(
                [draft.data for draft in seen], decisions, self._sessions(agent)
            )
        if reversals:
            self._supersede_copies(reversals)
        content = {
            "start": meeting.start,
            "date": day(meeting.began),
            "agents": parts,
            "scopes": [scope_of(agent) for agent in meeting.agents],
        }
        self.drafts += [*relations, self._act.draft(ENDED, content, meeting.start)]

    def _supersede_copies(self, reversals: dict[tuple[str, str], Reversal]) -> None:
        """Supersede reversed decisions in the sidecars of agents that did not take part, too."""
        there = {scope_of(agent) for agent in self._meeting.agents}
        for memory in self._core.memories(only={"type": "decision"}):
            by = reversals.get(made_in(memory))
            level, _, agent = memory.scope.partition(":")
            if by is None or memory.kept != PROJECT or level != "agent" or memory.scope in there:
                continue
            self.drafts.append(by.draft(memory, self._act))
            told = {"id": memory.id, "content": shown(memory), "confidence": memory.confidence}
            gone = {**told, **by.told(self._options)}
            held = self.outcomes.get(agent) or self._outcome_of_absent(agent)
            gone_now, left = (*held.superseded, gone), held.memories - 1
            self.outcomes[agent] = held.replace(superseded=gone_now, memories=left)

    def _outcome_of_absent(self, agent: str) -> Outcome:
        """Return the outcome of a party for an agent that did not take part."""
        found = self._core.memories(scope=scope_of(agent))
        many = sum(one.kept == PROJECT for one in found)
        return Outcome(sessions=self._sessions(agent) - 1, memories=many)

    def _sessions(self, agent: str) -> int:
        return len({start_of(one) for one in self._ended.get(agent, ())}) + 1

    def _proposed(self) -> dict[str, list[CandidateMemory]]:
        """Return the memories that were proposed explicitly, by agent."""
        found: dict[str, list[CandidateMemory]] = {}
        only = {"session": self._meeting.name}
        for one in self._core.memories(only=only, statuses=("proposed",)):
            if one.extra.get("start") == self._meeting.start and one.speaker is not None:
                candidate = CandidateMemory(
                    agent=one.speaker,
                    type=one.type,
                    text=one.text,
                    confidence=one.confidence or 0.0,
                    place=(self._places.get(one.version, 0), 0),
                    cause=(one.version,),
                    rule="explicit",
                    proposal=one,
                )
                found.setdefault(one.speaker, []).append(candidate)
        return found

    def _candidates(self, found: Iterable[TalkFinding]) -> list[CandidateMemory]:
        return [
            CandidateMemory(
                agent=one.agent,
                type=one.type,
                text=str(self._core.clean(one.text)[0]),
                confidence=one.confidence,
                place=(max((self._places.get(event, 0) for event in one.turns), default=0), nth),
                cause=tuple(one.turns),
                rule=one.rule,
            )
            for nth, one in enumerate(found)
        ]

    def _relations(self, agent: str, bonds: Iterable[Bond]) -> Iterable[Draft]:
        """Yield how often the agent agreed, disagreed and complemented in this party."""
        others = [name for name in self._meeting.agents if name != agent]
        counts = Counter(
            (one.relation, one.other)
            for one in bonds
            if one.other in others and one.relation in RELATIONS
        )
        for (relation, other), count in sorted(counts.items()):
            content = {
                "agent": agent,
                "scope": scope_of(agent),
                "other": other,
                "relation": relation,
                "count": count,
                "start": self._meeting.start,
            }
            yield self._act.draft(OBSERVED, content, self._meeting.start)


def _decision(one: DecisionRecorded, agent: str) -> dict[str, Any]:
    """Return a decision as an agent's sidecar shows it."""
    role = one.roles[agent]
    content: dict[str, Any] = {
        "dr_id": one.id,
        "role": role,
        "position": one.positions.get(agent, ""),
        "outcome": result(role, one.outcome),
    }
    return {**content, "named": True} if one.named else content


# Parties


def end(core: Core, options: PartyOptions, detect: Detector | None) -> PartyEnded:
    """End the party that runs here; one that has ended stays as it is."""
    meeting = last_here(core)
    if meeting.running:
        return _closed(core, options, detect, meeting=meeting)
    found = [one for one in core.events(ENDED) if start_of(one) == meeting.start]
    event = next((one for one in found if agents_of(one)), None)
    return PartyEnded(
        session=meeting.name,
        event=None if event is None else event.id,
        agents={},
        already=True,
    )


def recover(core: Core, options: PartyOptions, detect: Detector | None) -> tuple[PartyEnded, ...]:
    """End the parties that were abandoned, and keep what they learned."""
    refuse_untrusted(core)
    done = []
    for one in abandoned(meetings(core), core, options.session_hours):
        try:
            done.append(_closed(core, options, detect, meeting=one, kind=RECOVERED))
        except VarvesError as fault:  # it stays open until the problem is fixed
            core.notes.append(f"{one.name} is not recovered yet: {fault.message}")
    return tuple(done)


def _closed(
    core: Core,
    options: PartyOptions,
    detect: Detector | None,
    *,
    meeting: Meeting,
    kind: str = ENDED,
) -> PartyEnded:
    """Record the end of a party; a step that is done twice counts once."""
    said = posts(core, meeting)
    talk = talk_of(meeting, said)
    act = core.act(session=meeting.name)
    close = Close(core, options, meeting=meeting, act=act)
    found = _found(core, options, detect, talk=talk, act=act)
    close.decide(
        talk,
        found,
        _referred(said),
        cited=citations(talk),
        spoken=spoken(core, options, meeting, talk=talk, found=found),
    )
    # An unreadable sidecar must not stop the others.
    events = core.append(PROJECT, close.drafts, unread=True)
    gone = {str(one.data["memory"]): one.id for one in events if one.kind in _LEAVING}
    over = {"start": meeting.start, "checkout": meeting.checkout}
    core.append(PRIVATE, [*close.private, act.draft(kind, over, meeting.start)])
    core.flush(*map(scope_of, close.outcomes))
    return PartyEnded(
        session=meeting.name,
        event=events[-1].id,
        agents={agent: one.undoable(gone).as_dict() for agent, one in close.outcomes.items()},
    )


def _referred(said: Iterable[Event]) -> dict[str, dict[str, str]]:
    """Return the memories each agent referred to, each with the event of the reference."""
    found: dict[str, dict[str, str]] = {}
    for event in said:
        content = event.data
        if event.kind == POSTED and content.get("type") == REFERENCE:
            own = found.setdefault(str(content.get("agent")), {})
            own[str(content.get("memory"))] = event.id
    return found


def _found(
    core: Core, options: PartyOptions, detector: Detector | None, *, talk: PartyTalk, act: Act
) -> list[TalkFinding | Bond]:
    """Return the findings worth remembering in a talk; if the detector fails, use the rules."""
    if detector is not None:
        try:
            return _detected(core, options, detector, talk=talk, act=act)
        except Exception as fault:  # noqa: BLE001 - foreign code; a party must end
            reason = f"{type(fault).__name__}: {fault}"
            core.notes.append(f"the detector failed ({reason}): the rules were used")
    from varves.protocols.party.findings import detect

    return detect(talk, options)


def _detected(
    core: Core, options: PartyOptions, detector: Detector, *, talk: PartyTalk, act: Act
) -> list[TalkFinding | Bond]:
    """Run another detector; record a model's cost, and name that event as a cause."""
    under = getattr(detector, "under", None)
    if under is not None:
        detector = under(options)
    read = getattr(detector, "read", None)
    if read is None:
        return list(detector(talk))
    detection = read(talk)
    [event] = core.append(PRIVATE, [act.draft(kinds.DETECTION, detection.event)])
    if detection.failed is not None:
        core.notes.append(f"{detection.failed}: the rules were used")
        return list(detection.found)
    return [one.replace(turns=(*one.turns, event.id)) for one in detection.found]
