"""The agents of all parties: how sure each memory was after each session, and who agrees with whom.

An event of a memory belongs to the party that it names, otherwise to the next one of its agent that
ended.
"""

from __future__ import annotations

from bisect import bisect_left

from varves.commands.undo import taken_back
from varves.events.kinds import DECAYED, RECORDED, REVISED
from varves.protocols.party.answers import AgentListed, Confidence, MemoryCourse, Relationship
from varves.protocols.party.effect import REFERENCED
from varves.protocols.party.fold import OBSERVED, PROJECT, agents_of, sheets_of, start_of
from varves.protocols.party.sidecars import SENSITIVE, scope_of, shown
from varves.protocols.sessions import ENDED
from varves.values.memory import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from varves.events.event import Event
    from varves.protocols.party.options import PartyOptions
    from varves.protocols.party.sidecars import Sheet
    from varves.protocols.port import Core
    from varves.values.memory import Memory

    Observed = Mapping[tuple[str, str, str], int]
    """How often an agent was seen in a relation to another: (agent, relation, other)."""

_BOND = ("agent", "relation", "other")
_SURE = (RECORDED, REVISED, DECAYED)


def listed(core: Core, options: PartyOptions) -> tuple[AgentListed, ...]:
    """Return every agent that has taken part in a party, by name."""
    ended: dict[str, dict[str, tuple[str, str, str]]] = {}
    for event in core.events(ENDED):
        for agent in agents_of(event) if event.log == PROJECT else ():
            ended.setdefault(agent, {}).setdefault(start_of(event), event.order)
    held: dict[str, list[Memory]] = {}
    for memory in core.memories(statuses=STATUSES):
        if memory.kept == PROJECT and SENSITIVE not in memory.tags:
            held.setdefault(memory.scope, []).append(memory)
    observed = _observed(core)
    lives = _lives(core, [one.id for some in held.values() for one in some])
    return tuple(
        AgentListed(
            agent=agent,
            display_name=sheet.display_name,
            sessions=sheet.sessions,
            memories=len(sheet.memories),
            floor=options.floor,
            relationships=tuple(_relationships(sheet, observed)),
            courses=tuple(
                course
                for memory in held.get(scope_of(agent), ())
                if (course := _course(memory, lives.get(memory.id, ()), ended.get(agent, {})))
            ),
        )
        for agent, sheet in sheets_of(core, options).items()
    )


def _lives(core: Core, names: Sequence[str]) -> dict[str, list[Event]]:
    """Return the events of memories that are in force, as of the moment that is read."""
    steps, rows = core.steps(names), core.rows()
    lives: dict[str, list[Event]] = {}
    for name, known in steps.items():
        places = {order for _, order in known}
        events = [event for event in rows.history(name) if event.order in places]
        gone = taken_back(events)
        lives[name] = [event for event in events if event.id not in gone]
    return lives


def _observed(core: Core) -> Observed:
    found: dict[tuple[str, str, str], int] = {}
    for event in core.events(OBSERVED):
        agent, relation, other = (str(event.data.get(name)) for name in _BOND)
        count = event.data.get("count")
        if event.log == PROJECT:
            key = agent, relation, other
            found[key] = found.get(key, 0) + (count if isinstance(count, int) else 1)
    return found


def _relationships(sheet: Sheet, observed: Observed) -> Iterator[Relationship]:
    """Yield the relationships that a sidecar has, each with how often it was observed."""
    for relation, names in sheet.relationships.items():
        for other in names if isinstance(names, list) else ():
            if isinstance(other, str):
                count = observed.get((sheet.agent, relation, other))
                yield Relationship(relation=relation, agent=other, count=count)


def _course(
    memory: Memory, events: Sequence[Event], ended: Mapping[str, tuple[str, str, str]]
) -> MemoryCourse | None:
    """Return the confidence of a memory over the sessions of its agent; None if it had none."""
    starts, orders = list(ended), list(ended.values())

    def session(start: object, order: tuple[str, str, str]) -> int:
        if start in ended:
            return starts.index(str(start)) + 1
        return max(1, min(len(starts), bisect_left(orders, order) + 1))

    points: dict[int, Confidence] = {}
    for event in events:
        if event.kind not in _SURE:
            continue
        given = event.data if event.kind == RECORDED else event.data.get("set", {})
        sure = given.get("confidence") if isinstance(given, dict) else None
        if isinstance(sure, (int, float)):
            number = session(event.data.get("start"), event.order)
            points[number] = Confidence(
                session=number, at=event.time, confidence=float(sure), why=_why(event)
            )
    if not points:
        return None
    current = memory.status in ("active", "flagged")
    left = [event for event in events if event.id == memory.version and not current]
    last = session(left[-1].data.get("start"), left[-1].order) if left else len(starts) or 1
    return MemoryCourse(
        id=memory.id,
        content=shown(memory),
        type=memory.type,
        status=memory.status,
        reason=None if current else memory.reason,
        confidence=memory.confidence,
        last=max(last, *points),
        course=tuple(points[number] for number in sorted(points)),
    )


def _why(event: Event) -> str:
    """Return why a memory has its confidence since an event."""
    if event.kind != REVISED:
        return "recorded" if event.kind == RECORDED else "idle"
    return "used" if event.data.get("rule") == REFERENCED else "changed"
