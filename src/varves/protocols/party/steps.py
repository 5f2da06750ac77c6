"""Finds the current party and ends it; also ends abandoned parties later."""

from __future__ import annotations

from varves.errors import Refused, VarvesError
from varves.events import kinds
from varves.protocols.party.answers import PartyEnded
from varves.protocols.party.earlier import citations
from varves.protocols.party.end import Close
from varves.protocols.party.fold import (
    DIGITS,
    KINDS,
    NUMBER,
    agents_of,
    decisions_in,
    sheets,
    start_of,
)
from varves.protocols.party.sessions import (
    POSTED,
    REFERENCE,
    abandoned,
    current,
    meetings,
    posts,
    talk_of,
)
from varves.protocols.party.sidecars import day, scope_of
from varves.protocols.party.talk import SAID, Bond, DecisionRecorded
from varves.protocols.protocol import PublishedProtocol
from varves.protocols.sessions import ENDED, PRIVATE, PROJECT, RECOVERED
from varves.values.instants import iso
from varves.values.memory import STATUSES, TRUST, TRUSTWORTHY
from varves.values.text import fold, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.commands.port import Act
    from varves.events.event import Event
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sessions import Meeting
    from varves.protocols.party.sidecars import Sheet
    from varves.protocols.party.talk import Detector, PartyTalk, TalkFinding
    from varves.protocols.port import Core


DETECTED = kinds.DETECTION
LEAVING = (kinds.SUPERSEDED, kinds.PRUNED)


class PartySteps(PublishedProtocol):
    """The steps shared by the verbs that find a party and end it."""

    core: Core
    options: PartyOptions
    detect: Detector | None

    # Find the party

    def _meeting(self) -> Meeting:
        """Return the party that runs here, or the last one.

        Raises:
            Refused: there is none.
        """
        self._refuse_untrusted()
        found = meetings(self.core)
        meeting = current(found, self.core)
        if meeting is not None:
            return meeting
        if self.core.session is not None:
            message = f"no party {quoted(self.core.session)} has started here"
            raise Refused(message, "varves party start --agents a,b,c")
        others = [one.name for one in found if one.running and one.checkout == self.core.checkout]
        if others:
            message = (
                f"no party of {self.core.act().actor} is running; running: {', '.join(others)}"
            )
            raise Refused(message, "choose one with --session")
        raise Refused("no party is running", "varves party start --agents a,b,c")

    def _refuse_untrusted(self) -> None:
        """Refuse an untrusted origin: quarantined turns would have no effect."""
        origin = self.core.act().origin
        if TRUST[origin] < TRUSTWORTHY:
            raise Refused(f"{origin} may not take part in a party", "let an agent say it")

    def _running(self) -> Meeting:
        """Return the party that runs here.

        Raises:
            Refused: none is running.
        """
        meeting = self._meeting()
        if not meeting.running:
            raise Refused(f"{meeting.name} has ended", "varves party start --agents a,b,c")
        return meeting

    def _free_name(self) -> str:
        """Return a name for a party without one: its date, and a number if needed."""
        taken = {one.name for one in meetings(self.core)}
        taken |= {event.session or "" for event in self.core.events(ENDED)}
        name = f"{day(iso(self.core.now))}-party"
        number = 1
        while (name if number == 1 else f"{name}-{number}") in taken:
            number += 1
        return name if number == 1 else f"{name}-{number}"

    # End a party

    def _recover(self) -> tuple[PartyEnded, ...]:
        """End the parties that were abandoned."""
        self._refuse_untrusted()
        left = abandoned(meetings(self.core), self.core, self.options.session_hours)
        done = []
        for one in left:
            try:
                done.append(self._close(one, recovering=True))
            except VarvesError as fault:  # it stays open until the problem is fixed
                self.core.notes.append(f"{one.name} is not recovered yet: {fault.message}")
        return tuple(done)

    def _close(self, meeting: Meeting, *, recovering: bool = False) -> PartyEnded:
        """Record the end of a party; a step that is done twice counts once."""
        said = posts(self.core, meeting)
        talk = talk_of(meeting, said)
        act = self.core.act(session=meeting.name)
        close = Close(self.core, self.options, meeting=meeting, act=act)
        found = self._found(talk, act)
        close.decide(
            talk,
            found,
            _referred(said),
            cited=citations(talk),
            spoken=self._spoken(talk, found, meeting),
        )
        # An unreadable sidecar must not stop the others.
        events = self.core.append(PROJECT, close.drafts, unread=True)
        gone = {str(one.data["memory"]): one.id for one in events if one.kind in LEAVING}
        kind = RECOVERED if recovering else ENDED
        over = {"start": meeting.start, "checkout": meeting.checkout}
        marked = [*close.private, act.draft(kind, over, meeting.start)]
        self.core.append(PRIVATE, marked)
        self.core.flush(*map(scope_of, close.outcomes))
        return PartyEnded(
            session=meeting.name,
            event=events[-1].id,
            agents={agent: one.undoable(gone).as_dict() for agent, one in close.outcomes.items()},
        )

    def _sheets(self) -> dict[str, Sheet]:
        held = self.core.memories(statuses=STATUSES)  # archived memories affect a sidecar's dates
        return sheets(held, self.core.events(*KINDS), self.options)

    def _numbered(self, count: int) -> list[str]:
        """Return the next decisions' names, above every number ever used."""
        names = [
            event.data["decision"].get("id")
            for event in self.core.events(POSTED)
            if isinstance(event.data.get("decision"), dict)
        ]
        names += [
            one.get("dr_id") for event in self.core.events(ENDED) for _, one in decisions_in(event)
        ]
        for sheet in self._sheets().values():
            names += [one.get("dr_id") for one in sheet.decisions if isinstance(one, dict)]
        found = [NUMBER.fullmatch(name) for name in names if isinstance(name, str)]
        number = max((int(one[1]) for one in found if one), default=0) + 1
        return [f"DR-{number + more:0{DIGITS}}" for more in range(count)]

    def _spoken(
        self, talk: PartyTalk, found: Iterable[TalkFinding | Bond], meeting: Meeting
    ) -> list[DecisionRecorded]:
        """Return the decisions that agents stated without recording them, numbered like the others.

        If the party's end is repeated, they keep their numbers.
        """
        said = {
            fold(one.text): (one.text, one.turns[0])
            for one in found
            if not isinstance(one, Bond) and one.rule == SAID
        }
        recorded = {one.id for one in talk.decisions}
        given = dict.fromkeys(
            one.get("dr_id")
            for event in self.core.events(ENDED)
            if start_of(event) == meeting.start
            for _, one in decisions_in(event)
        )
        names = [name for name in given if isinstance(name, str) and name not in recorded]
        names += self._numbered(len(said) - len(names)) if len(said) > len(names) else []
        numbers = {turn.event: turn.number for turn in talk.turns}
        return [
            DecisionRecorded(
                event=event,
                number=numbers.get(event, 0),
                id=name,
                text=text,
                outcome="accepted",
                roles=dict.fromkeys(meeting.agents, "participant"),
            )
            for name, (text, event) in zip(names, said.values(), strict=False)
        ]

    def _ended_before(self, meeting: Meeting) -> PartyEnded:
        found = [one for one in self.core.events(ENDED) if start_of(one) == meeting.start]
        event = next((one for one in found if agents_of(one)), None)
        return PartyEnded(
            session=meeting.name,
            event=None if event is None else event.id,
            agents={},
            already=True,
        )

    def _found(self, talk: PartyTalk, act: Act) -> list[TalkFinding | Bond]:
        """Return the findings worth remembering in a talk; if the detector fails, use the rules."""
        from varves.protocols.party.findings import detect

        if self.detect is not None:
            try:
                return self._detected(self.detect, talk, act)
            except Exception as fault:  # noqa: BLE001 - foreign code; a party must end
                reason = f"{type(fault).__name__}: {fault}"
                self.core.notes.append(f"the detector failed ({reason}): the rules were used")
        return detect(talk, self.options)

    def _detected(self, detector: Detector, talk: PartyTalk, act: Act) -> list[TalkFinding | Bond]:
        """Run another detector; record a model's cost, and name that event as a cause."""
        under = getattr(detector, "under", None)
        if under is not None:
            detector = under(self.options)
        read = getattr(detector, "read", None)
        if read is None:
            return list(detector(talk))
        detection = read(talk)
        [event] = self.core.append(PRIVATE, [act.draft(DETECTED, detection.event)])
        if detection.failed is not None:
            self.core.notes.append(f"{detection.failed}: the rules were used")
            return list(detection.found)
        return [one.replace(turns=(*one.turns, event.id)) for one in detection.found]


def _referred(said: Iterable[Event]) -> dict[str, dict[str, str]]:
    """Return the memories each agent referred to, each with the event of the reference."""
    found: dict[str, dict[str, str]] = {}
    for event in said:
        content = event.data
        if event.kind == POSTED and content.get("type") == REFERENCE:
            own = found.setdefault(str(content.get("agent")), {})
            own[str(content.get("memory"))] = event.id
    return found
