"""Parties, folded from the private log: participants, turns, and those that never ended.

The start event identifies a party, because two clones may give two parties the same name. A party
belongs to one checkout and one actor.
"""

from __future__ import annotations

from varves.events import kinds
from varves.events.kinds import PROPOSED
from varves.protocols import sessions
from varves.protocols.party.fold import start_of
from varves.protocols.party.talk import DecisionRecorded, PartyTalk, Turn
from varves.protocols.sessions import ENDED, PRIVATE, RECOVERED, STARTED, Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.port import Core

POSTED = kinds.POSTED
OVER = (ENDED, RECOVERED)
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
