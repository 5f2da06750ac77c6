"""Parties, folded from the private log: participants, turns, and those that never ended.

The start event identifies a party, because two clones may give two parties the same name. A party
belongs to one checkout and one actor.
"""

from __future__ import annotations

from varves.errors import Refused, UsageError
from varves.events import kinds
from varves.events.kinds import PROPOSED
from varves.protocols import sessions
from varves.protocols.party.fold import start_of
from varves.protocols.party.sidecars import day
from varves.protocols.party.talk import DecisionRecorded, PartyTalk, Turn
from varves.protocols.sessions import ENDED, PRIVATE, RECOVERED, STARTED, Session
from varves.values.instants import iso
from varves.values.memory import TRUST, TRUSTWORTHY
from varves.values.names import safe_name
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.port import Core

POSTED = kinds.POSTED
OVER = (ENDED, RECOVERED)
_START = "varves party start --agents a,b,c"
DECISION, REFERENCE = "decision", "reference"


class Meeting(Session):
    """The current state of one party."""

    named: bool = False
    """Whether a caller gave it its name."""
    agents: dict[str, str] = {}  # noqa: RUF012 - values are frozen
    """Display names, by agent."""
    topic: str | None = None

    @classmethod
    def key(cls, event: Event) -> str | None:
        """Return the start of the party that an event starts or ends."""
        if event.kind in OVER:
            return start_of(event)
        return event.id if event.log == PRIVATE else None

    def changes(self, event: Event) -> dict[str, Any]:
        """Return what the start of a party says about it."""
        if event.kind != STARTED:
            return {}
        agents, topic = event.data.get("agents"), event.data.get("topic")
        return {
            "named": event.data.get("named") is True,
            "agents": {str(name): str(display) for name, display in agents or ()},
            "topic": topic if isinstance(topic, str) else None,
        }


def meetings(core: Core) -> list[Meeting]:
    """Return all parties that this clone knows, in order of their start."""
    return sessions.fold(Meeting, core.events(STARTED, *OVER))


def posts(core: Core, meeting: Meeting) -> list[Event]:
    """Return the turns, decisions, references and proposals of a party, in order.

    Purged turns keep their place, so that no other turn changes its number.
    """
    return [
        event
        for event in core.events(POSTED, PROPOSED, session=meeting.name)
        if event.log == PRIVATE and meeting.start in (event.data.get("start"), *_purged_of(event))
    ]


def _purged_of(event: Event) -> tuple[str, ...]:
    """Return the causes of a purged turn, which name the start of its party."""
    return event.cause if event.kind == POSTED and event.purged else ()


def current(found: Iterable[Meeting], core: Core) -> Meeting | None:
    """Return the current party here: the named one, otherwise the actor's last one.

    A party of another actor is returned only if no other party is running.
    """
    here = [one for one in found if one.checkout == core.checkout]
    named, actor = core.session, core.act().actor
    one = sessions.current(here, core.checkout, named=named, actor=actor)
    if one is not None or named is not None:
        return one
    running = [one for one in here if one.running]
    over = [one for one in here if one.actor == actor and not running]
    return running[0] if len(running) == 1 else next(reversed(over), None)


def last_here(core: Core) -> Meeting:
    """Return the party that runs here, or the last one.

    Raises:
        Refused: there is none.
    """
    refuse_untrusted(core)
    found = meetings(core)
    meeting = current(found, core)
    if meeting is not None:
        return meeting
    if core.session is not None:
        raise Refused(f"no party {quoted(core.session)} has started here", _START)
    others = [one.name for one in found if one.running and one.checkout == core.checkout]
    if others:
        message = f"no party of {core.act().actor} is running; running: {', '.join(others)}"
        raise Refused(message, "choose one with --session")
    raise Refused("no party is running", _START)


def running_here(core: Core) -> Meeting:
    """Return the party that runs here.

    Raises:
        Refused: none is running.
    """
    meeting = last_here(core)
    if not meeting.running:
        raise Refused(f"{meeting.name} has ended", _START)
    return meeting


def refuse_untrusted(core: Core) -> None:
    """Refuse an untrusted origin: quarantined turns would have no effect."""
    origin = core.act().origin
    if TRUST[origin] < TRUSTWORTHY:
        raise Refused(f"{origin} may not take part in a party", "let an agent say it")


def agent_name(core: Core, name: Any) -> str:
    """Return an agent's name, if it can be the name of a file."""
    if not isinstance(name, str):
        raise UsageError("an agent's name is not a string", "give a string")
    masked, rules = core.clean(safe_name(name, "agent"))
    if rules:
        raise Refused("an agent's name looks like a secret", "give it another one")
    return str(masked)


def member(core: Core, meeting: Meeting, agent: Any) -> str:
    """Return the name of an agent that takes part in a party."""
    name = agent_name(core, agent)
    if name not in meeting.agents:
        there = ", ".join(meeting.agents)
        raise Refused(
            f"{quoted(name)} does not take part in {meeting.name}", f"participants: {there}"
        )
    return name


def post(core: Core, meeting: Meeting, content: dict[str, Any]) -> tuple[str, int]:
    """Record a turn of a party, and return its event and number."""
    turn = sum(event.kind == POSTED for event in posts(core, meeting)) + 1
    place = {"start": meeting.start, "checkout": meeting.checkout, "turn": turn}
    act = core.act(session=meeting.name)
    draft = act.draft(POSTED, {**content, **place}, meeting.start)
    [event] = core.append(PRIVATE, [draft])
    return event.id, turn


def free_name(core: Core) -> str:
    """Return a name for a party without one: its date, and a number if needed."""
    taken = {one.name for one in meetings(core)}
    taken |= {event.session or "" for event in core.events(ENDED)}
    name = f"{day(iso(core.now))}-party"
    number = 1
    while (name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return name if number == 1 else f"{name}-{number}"


def abandoned(found: Iterable[Meeting], core: Core, hours: float) -> list[Meeting]:
    """Return the parties that nobody will end."""

    def replaced(one: Meeting) -> bool:
        if core.session is not None:
            return one.name == core.session
        return not one.named and one.actor == core.act().actor

    def last(one: Meeting) -> str:
        return max((event.time for event in posts(core, one)), default=one.began)

    return sessions.abandoned(found, core, hours, replaced=replaced, last=last)


def talk_of(meeting: Meeting, said: Iterable[Event]) -> PartyTalk:
    """Return the conversation of a party in the form that a detector reads."""
    turns, decisions = [], {}
    posted = (event for event in said if event.kind == POSTED)
    for number, event in enumerate(posted, 1):
        content = event.data
        if event.purged:
            continue
        if content.get("type") == DECISION:
            one = _decided(event, number)
            decisions[one.id] = one
        elif content.get("type") != REFERENCE:
            turns.append(
                Turn(
                    event=event.id,
                    number=number,
                    agent=str(content.get("agent")),
                    text=str(content.get("text")),
                    to=content.get("to"),
                    type=str(content.get("type", "statement")),
                )
            )
    return PartyTalk(
        session=meeting.name,
        agents=meeting.agents,
        turns=tuple(turns),
        decisions=tuple(decisions.values()),
    )


def _decided(event: Event, number: int) -> DecisionRecorded:
    content: dict[str, Any] = event.data.get("decision", {})
    return DecisionRecorded(
        event=event.id,
        number=number,
        id=str(content.get("id")),
        text=str(content.get("text")),
        outcome=str(content.get("outcome")),
        roles=dict(content.get("roles", {})),
        positions=dict(content.get("positions", {})),
        named=content.get("named") is True,
    )
