"""Decisions of a party: the records that callers give, and the numbers of all of them."""

from __future__ import annotations

from varves.commands.intake import statement, word
from varves.errors import Refused, UsageError, refuse_unknown
from varves.protocols.party.answers import DecisionRecord
from varves.protocols.party.fold import (
    DIGITS,
    NUMBER,
    decision_key,
    decisions_in,
    sheets_of,
    start_of,
)
from varves.protocols.party.sessions import DECISION, POSTED, member, post, running_here
from varves.protocols.party.talk import SAID, Bond, DecisionRecorded
from varves.protocols.sessions import ENDED
from varves.values.names import safe_name
from varves.values.text import fold, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sessions import Meeting
    from varves.protocols.party.talk import PartyTalk, TalkFinding
    from varves.protocols.port import Core
    from varves.values.memory import Memory

OUTCOMES = ("accepted", "rejected", "compromise")
_STANCES = {"proponent": "for", "opponent": "against"}  # the default positions
_MORE = ("positions", "id")


def record(
    core: Core,
    options: PartyOptions,
    text: str,
    *,
    outcome: str,
    sides: Sequence[tuple[Sequence[str | None] | str, str]],
    more: Mapping[str, Any],
) -> DecisionRecord:
    """Record a decision of the party that runs here.

    Args:
        core: the ledger.
        options: the protocol's options.
        text: the decision.
        outcome: accepted, rejected or compromise.
        sides: agents, each with the role of all of them.
        more: the positions by agent, and the decision's id.
    """
    refuse_unknown(more, _MORE, "varves party decide --help")
    if outcome not in OUTCOMES:
        raise UsageError(f"not an outcome: {quoted(outcome)}", f"use {', '.join(OUTCOMES)}")
    said, _ = core.clean(statement(text))
    meeting = running_here(core)
    roles = _roles(core, meeting, sides)
    held = _positions(core, meeting, roles, given=more.get("positions") or {})
    given = more.get("id")
    if given is not None:
        given = safe_name(word(given, "id") or "", "decision")
        _refuse_taken(core, options, given, text=said)
    name = given or numbers(core, options, 1)[0]
    content = {
        "id": name,
        "text": said,
        "outcome": outcome,
        "roles": roles,
        "positions": held,
        "named": given is not None,
    }
    event, _ = post(core, meeting, {"type": DECISION, "text": said, "decision": content})
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


def _refuse_taken(core: Core, options: PartyOptions, name: str, *, text: str) -> None:
    """Refuse the id of another decision; one that is recorded again keeps its id."""
    told = [
        event.data["decision"].get("text")
        for event in core.events(POSTED)
        if _name_of(event) == name
    ]
    listed = any(
        decision_key(one) == name
        for sheet in sheets_of(core, options).values()
        for one in sheet.decisions
        if isinstance(one, dict)
    )
    if not told and not listed:
        return
    if told and isinstance(told[-1], str) and fold(told[-1]) == fold(text):
        return
    of = f": {quoted(told[-1])}" if told and told[-1] else ""
    raise Refused(f"{name} is the id of another decision{of}", "give another --id, or none")


def _name_of(event: Event) -> Any:
    """Return the id of the decision that a post records; None if it records none."""
    decision = event.data.get("decision")
    return decision.get("id") if isinstance(decision, dict) else None


def _roles(
    core: Core, meeting: Meeting, sides: Iterable[tuple[Sequence[str | None] | str, str]]
) -> dict[str, str]:
    given: dict[str, str] = {}
    for agents, role in sides:
        for agent in agents if not isinstance(agents, str) else (agents,):
            if agent is None:
                continue
            name = member(core, meeting, agent)
            if given.setdefault(name, role) != role:
                message = f"{quoted(name)} is both {given[name]} and {role}"
                raise UsageError(message, "give each agent one role")
    return dict.fromkeys(meeting.agents, "participant") | given


def _positions(
    core: Core, meeting: Meeting, roles: Mapping[str, str], *, given: Mapping[str, str]
) -> dict[str, str]:
    held = {agent: _STANCES[role] for agent, role in roles.items() if role in _STANCES}
    for agent, text in given.items():
        held[member(core, meeting, agent)], _ = core.clean(statement(text))
    return held


def result(role: str, outcome: str) -> str:
    """Return whether an agent with a role won, lost or compromised.

    An agent that took no side neither wins nor loses; for that agent, return the outcome.
    """
    if outcome == "compromise":
        return "compromised"
    wanted = {"proponent": "accepted", "opponent": "rejected"}.get(role)
    if wanted is None:
        return outcome
    return "won" if outcome == wanted else "lost"


def positions_left(core: Core, memory: Memory) -> tuple[str, ...]:
    """Return the positions recorded with a purged decision; the positions are not memories."""
    if memory.type != DECISION:
        return ()
    found = [
        f"the position of {agent} on {one.get('dr_id')} ({ENDED})"
        for event in core.events(ENDED)
        if event.session == memory.session
        for agent, one in decisions_in(event)
        if one.get("position") not in (None, "", *_STANCES.values())
    ]
    return tuple(dict.fromkeys(found))


def numbers(core: Core, options: PartyOptions, count: int) -> list[str]:
    """Return the next decisions' names, above every number ever used."""
    names = [_name_of(event) for event in core.events(POSTED)]
    names += [one.get("dr_id") for event in core.events(ENDED) for _, one in decisions_in(event)]
    for sheet in sheets_of(core, options).values():
        names += [one.get("dr_id") for one in sheet.decisions if isinstance(one, dict)]
    found = [NUMBER.fullmatch(name) for name in names if isinstance(name, str)]
    number = max((int(one[1]) for one in found if one), default=0) + 1
    return [f"DR-{number + more:0{DIGITS}}" for more in range(count)]


def spoken(
    core: Core,
    options: PartyOptions,
    meeting: Meeting,
    *,
    talk: PartyTalk,
    found: Iterable[TalkFinding | Bond],
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
        for event in core.events(ENDED)
        if start_of(event) == meeting.start
        for _, one in decisions_in(event)
    )
    names = [name for name in given if isinstance(name, str) and name not in recorded]
    if len(said) > len(names):
        names += numbers(core, options, len(said) - len(names))
    places = {turn.event: turn.number for turn in talk.turns}
    return [
        DecisionRecorded(
            event=event,
            number=places.get(event, 0),
            id=name,
            text=text,
            outcome="accepted",
            roles=dict.fromkeys(meeting.agents, "participant"),
        )
        for name, (text, event) in zip(names, said.values(), strict=False)
    ]
