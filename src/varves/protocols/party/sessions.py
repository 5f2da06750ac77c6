"""Parties, folded from the private log: participants, turns, and those that never ended.

The start event identifies a party, because two clones may give two parties the same name. A party
belongs to one checkout and one actor.
"""

from __future__ import annotations

from varves.events import kinds
from varves.events.kinds import PROPOSED
from varves.protocols.party.fold import ENDED, start_of
from varves.protocols.party.talk import DecisionRecorded, PartyTalk, Turn
from varves.values.instants import DAY_MS, instant
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.port import Core

STARTED = kinds.SESSION_STARTED
RECOVERED = kinds.SESSION_RECOVERED
POSTED = kinds.POSTED
OVER = (ENDED, RECOVERED)
DECISION, REFERENCE = "decision", "reference"
PRIVATE = "private"
_HOURS = 24


class Meeting(Value):
    """The current state of one party."""

    start: str
    """The id of its start event."""
    order: tuple[str, str, str]
    name: str
    actor: str
    checkout: str
    named: bool
    agents: dict[str, str]
    """Display names, by agent."""
    topic: str | None
    began: str
    running: bool = True


def meetings(core: Core) -> list[Meeting]:
    """Return all parties that this clone knows, in order of their start."""
    found: dict[str, Meeting] = {}
    for event in core.events(STARTED, *OVER):
        if event.kind in OVER:
            over = found.get(start_of(event))
            if over is not None:
                found[over.start] = over.replace(running=False)
        elif event.log == PRIVATE:
            found[event.id] = _begun(event)
    return list(found.values())


def _begun(event: Event) -> Meeting:
    agents, topic = event.data.get("agents"), event.data.get("topic")
    return Meeting(
        start=event.id,
        order=event.order,
        name=event.session or event.id,
        actor=event.actor,
        checkout=str(event.data.get("checkout", "")),
        named=event.data.get("named") is True,
        agents={str(name): str(display) for name, display in agents or ()},
        topic=topic if isinstance(topic, str) else None,
        began=event.time,
    )


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
    if core.session is not None:
        return next((one for one in reversed(here) if one.name == core.session), None)
    running = [one for one in here if one.running]
    own = [one for one in running if one.actor == core.act().actor]
    if own or len(running) == 1:
        return (own or running)[-1]
    over = [one for one in here if one.actor == core.act().actor]
    return over[-1] if over and not running else None


def unfinished(found: Iterable[Meeting], core: Core, hours: float) -> list[Meeting]:
    """Return the parties that were abandoned."""
    return [one for one in found if one.running and _is_left(one, core, hours)]


def _is_left(one: Meeting, core: Core, hours: float) -> bool:
    if one.checkout != core.checkout:
        return not core.is_there(one.checkout)
    if core.session is not None and one.name == core.session:
        return True
    if core.session is None and not one.named and one.actor == core.act().actor:
        return True
    last = max((event.time for event in posts(core, one)), default=one.began)
    return core.now - instant(last) > hours * DAY_MS / _HOURS


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
