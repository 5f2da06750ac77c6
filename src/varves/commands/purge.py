"""Purge: decide on the events that mark a memory as purged, before its content is erased."""

from __future__ import annotations

from varves.commands.port import Act, may_change
from varves.errors import NotFound
from varves.events.event import Draft
from varves.events.kinds import PURGED, touches
from varves.events.remnants import (
    claims,
    holds,
    in_force,
    instead,
    lasts,
    mentioned,
    purged_by,
    stands_for,
)
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from varves.commands.port import Rows
    from varves.events.event import Event

    # a conversation event, and the event that proves that the memory was made from it
    Source = tuple[Event, str]


class Purge(Value):
    """The request to erase the content of a memory."""

    memory: str
    reason: str


def decide(
    rows: Rows, command: Purge, act: Act, *, sources: Sequence[Source] = ()
) -> dict[str, list[Draft]]:
    """Return, by log, the drafts of a purge: the purge, and the stand-ins that it needs.

    A stand-in is an event that repeats the effects of an erased event on other memories. The purge
    is appended last. So if it exists, the stand-ins exist too.

    Args:
        rows: the known memories and events.
        command: the request.
        act: who purges.
        sources: the conversation events that the memory was made from, each with the event that
            proves it.
    """
    history = rows.history(command.memory)
    if not history:
        raise NotFound(f"no memory {command.memory}", "varves list --status all shows all memories")
    said = [event for event, _ in sources]
    may_change(act, TRUSTWORTHY, *(event.trust for event in (*history, *said)))
    drafts = stand_ins(history, {command.memory}, act)
    for log in dict.fromkeys(event.log for event in (*history, *said)):
        known = [event for event in in_force(history) if event.log == log]
        claimed = _claimed(log, sources, known)
        if claimed or not known:
            own = [event for event in history if event.log == log]
            draft = _barring(command.memory, command.reason, own, act)
            draft = _with_sources(draft, claimed)
            drafts.setdefault(log, []).append(draft)
    return drafts


def _barring(name: str, reason: str | None, events: Iterable[Event], act: Act) -> Draft:
    """Return the event that marks a memory as purged in one log.

    The event also lists the numbers that the memory had in a file, each with the place of the event
    that assigned the number. So these numbers are never used again, and other memories keep their
    numbers.
    """
    content: dict[str, Any] = {"memory": name, "reason": reason}
    numbers, scope, protocol = [], None, act.protocol
    for event in events:
        for part in _said_of(name, event) if event.trust >= TRUSTWORTHY else ():
            scope = part.get("scope", scope)
            if type(part.get("number")) is int:
                numbers.append([*event.order, part["number"]])
                protocol = event.protocol
    if numbers:
        content |= {"scope": scope, "numbers": numbers}
    return act.replace(protocol=protocol).draft(PURGED, content)


def _claimed(log: str, sources: Iterable[Source], known: Iterable[Event]) -> list[list[str]]:
    """Return pairs (event, proof) for the sources in one log that no purge event lists yet."""
    told = {pair for event in known for pair in claims(event)}
    pairs = [(event.id, by) for event, by in sources if event.log == log]
    return [list(pair) for pair in pairs if pair not in told]


def _with_sources(draft: Draft, claimed: list[list[str]]) -> Draft:
    return draft.replace(data={**draft.data, "sources": claimed}) if claimed else draft


def _said_of(name: str, event: Event) -> Iterator[dict[str, Any]]:
    """Yield those parts of an event's content that are about one memory."""
    content = event.data if touches(event) else {}
    if content.get("memory") == name:
        yield content
        yield content.get("set", {})
    if content.get("record", {}).get("memory") == name:
        yield content["record"]


def completing(
    doomed: Iterable[Event],
    known: Iterable[Event],
    act: Act,
    *,
    sources: Mapping[str, Sequence[Source]] | None = None,
    barring: Iterable[Event] = (),
) -> dict[str, list[Draft]]:
    """Return, by log, the drafts needed before events lose their purged content.

    They complete a purge that stopped between two logs, or that a merge has made incomplete: purge
    events that are missing in a log, and stand-ins (events that repeat the effects of erased events
    on other memories).

    Args:
        doomed: the events with purged content.
        known: the existing purges, and the existing stand-ins.
        act: who finishes the purge.
        sources: by purged memory, the conversation events that it was made from, each with the
            event that proves it.
        barring: the purges that apply here although none of these logs contains them.
    """
    given = {event.id: event for event in known}.values()
    found = {event.id: event for event in doomed}.values()
    bars, own_bars = in_force([*barring, *given]), in_force(given)
    barred = purged_by(bars)
    said: dict[str, int] = {}  # event → the trust of its stand-in, if one exists
    missing = []
    for event in given:
        target = stands_for(event)
        if target is not None and not holds(event, barred):
            said[target] = max(event.trust, said.get(target, 0))
    for event in found:
        target = stands_for(event) or event.id
        if said.get(target, -1) < min(event.trust, TRUSTWORTHY):
            said[target] = event.trust
            missing.append(event)
    drafts = stand_ins(missing, barred, act)
    reasons = {event.data["memory"]: event.data.get("reason") for event in bars}
    told = {(event.log, event.data["memory"]) for event in own_bars}
    left = {(event.log, name) for event in found for name in mentioned(event) if name in barred}
    taught = sources or {}
    left |= {(event.log, name) for name in taught for event, _ in taught[name] if name in barred}
    for log, name in sorted(left):
        claimed = _claimed(
            log,
            taught.get(name, ()),
            [one for one in own_bars if one.data["memory"] == name],
        )
        if claimed or (log, name) not in told:
            own = [event for event in found if event.log == log and name in mentioned(event)]
            draft = _with_sources(_barring(name, reasons[name], own, act), claimed)
            drafts.setdefault(log, []).append(draft)
    return drafts


def stand_ins(events: Iterable[Event], barred: set[str], act: Act) -> dict[str, list[Draft]]:
    """Return, by log, events that repeat what erased events did to other memories."""
    drafts: dict[str, list[Draft]] = {}
    for event in events:
        if holds(event, barred) and lasts(event):
            draft = instead(event, barred, actor=act.actor, session=act.session)
            drafts.setdefault(event.log, []).append(draft)
    return drafts
