"""What is recorded, as drawings: this module alone declares the text of a drawing safe."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from markupsafe import Markup

from varves.drawing.charts import (
    Course,
    DayBar,
    Point,
    TalkLane,
    TalkMark,
    courses,
    histogram,
    lanes,
    symbol,
)
from varves.drawing.graphs import BondArc, Columns, Node, Tie, columns, relations
from varves.values.instants import instant, iso
from varves.web.words import IN_DISPUTE, STATUSES, clock, counted, relation, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from varves.web.visit import Visit

DEEDS = ("proposes", "agrees", "disagrees", "decides", "says")
_LOOKS = {"agrees_with": "good", "disagrees_with": "bad", "complements": "accent"}
_SHAPES = {"active": "disc", "flagged": "half", "superseded": "ring"}
_KINDS = {"tag": "tag", "file": "file", "person": "person or agent", "memory": "memory"}
_STEPS = (1, 7, 28, 364)  # days
_BARS = 62
_DAY_MS = 86_400_000
_DRAWN = 40  # the most things in a column of a graph; a list beside it has all


def _safe(text: str) -> Markup:
    return Markup(text)  # noqa: S704 - `drawing` escapes every text


def deed(look: str) -> Markup:
    """Return the shape for something that somebody did in a talk."""
    return _safe(symbol(look))


def by_day(visit: Visit, instants: Sequence[str], what: str) -> Markup | None:
    """Draw how many things each day has; None if all are of one day.

    If there are many days, several are one bar, which is called by the first of them.
    """
    days = sorted(_day(at) for at in instants)
    if not days or days[0] == days[-1]:
        return None
    span = (days[-1] - days[0]).days + 1
    step = next(size for size in _STEPS if span <= size * _BARS or size == _STEPS[-1])
    counts = [0] * -(-span // step)
    for one in days:
        counts[(one - days[0]).days // step] += 1
    bars = [
        DayBar(text=_named(days[0] + timedelta(place * step), visit.now), count=count)
        for place, count in enumerate(counts)
    ]
    return _safe(histogram("by-day", f"{what.capitalize()}s by day", bars, what=what))


def _day(at: str) -> date:
    return datetime.fromtimestamp(instant(at) / 1000, UTC).astimezone().date()


def _named(one: date, now: int) -> str:
    """Return a day as the window writes days."""
    noon = datetime.combine(one, datetime.min.time()).astimezone() + timedelta(hours=12)
    return when(iso(round(noon.timestamp() * 1000)), now).rpartition(" ")[0]


def talk(visit: Visit, deeds: Mapping[str, Sequence[tuple[str, str, str]]]) -> Markup | None:
    """Draw a talk, given by participant as (instant, deed, text); None if nothing was said.

    The talk is drawn over time; if it has no length, its deeds are spread evenly.
    """
    times = sorted(instant(at) for some in deeds.values() for at, _, _ in some)
    if not times:
        return None
    first, last = times[0], times[-1]

    def place(at: str) -> float:
        return (instant(at) - first) / (last - first) if last > first else 0.5

    rows = [
        TalkLane(
            name=agent,
            marks=tuple(
                TalkMark(at=place(at), look=look, text=f"{look} at {clock(at)}: {text}")
                for at, look, text in some
            ),
        )
        for agent, some in deeds.items()
    ]
    begun, ended = (min(_at(deeds)), max(_at(deeds)))
    if last - first < _DAY_MS:
        ends = clock(begun), clock(ended)
    else:
        ends = when(begun, visit.now), when(ended, visit.now)
    about = ", ".join(f"{agent} {counted(len(some), 'time')}" for agent, some in deeds.items())
    return _safe(
        lanes("talk", ("Who did what, and when", f"They spoke: {about}."), rows, ends=ends)
    )


def _at(deeds: Mapping[str, Sequence[tuple[str, str, str]]]) -> list[str]:
    return [at for some in deeds.values() for at, _, _ in some]


def sureness(agent: Any, place: int) -> Markup | None:
    """Draw how sure an agent's memories are over its sessions; None if it has none."""
    if not agent.courses:
        return None
    lines = [
        Course(
            text=one.content,
            points=tuple(
                Point(session=point.session, confidence=point.confidence, why=point.why)
                for point in one.course
            ),
            last=one.last,
            ended=one.reason is not None,
        )
        for one in agent.courses
    ]
    lost = sum(line.ended for line in lines)
    said = f"{counted(len(lines), 'memory')} over {counted(agent.sessions, 'session')}"
    said += f", {lost} of them dropped." if lost else "."
    name, title = f"sure-{place}", f"How sure {agent.agent} is of each memory"
    drawn = courses(name, (title, said), lines, sessions=agent.sessions, floor=agent.floor)
    return _safe(drawn)


def bonds(agents: Sequence[Any]) -> Markup | None:
    """Draw who agrees with whom; None if nobody does."""
    found = [
        BondArc(
            source=one.agent,
            target=bond.agent,
            text=relation(bond.relation, bond.count),
            look=_LOOKS.get(bond.relation, "accent"),
        )
        for one in agents
        for bond in one.relationships
        if bond.agent != one.agent
    ]
    names = list(dict.fromkeys([one.agent for one in agents] + [one.target for one in found]))
    if not found:
        return None
    about = "; ".join(f"{one.source} {one.text} {one.target}" for one in found)
    return _safe(relations("bonds", ("Who agrees with whom", f"{about}."), names, found))


def surroundings(visit: Visit, found: Any, disputes: Collection[str]) -> tuple[Markup, int]:
    """Draw the nearest of what is around a thing; return the drawing and the number of things.

    Args:
        visit: the request.
        found: what is around the thing.
        disputes: the ids of the memories in dispute.
    """
    near = found.memories[:_DRAWN]
    names = {one.id for one in near}
    touched = [one for one in found.things if not names.isdisjoint(one.memories)][:_DRAWN]
    centre = Node(
        key="",
        text=found.text or called(found.thing),
        look="disc",
        about=_KINDS[found.thing.kind],
        href=visit.link("memory", found.thing.name) if found.text else None,
    )
    drawn = Columns(
        centre=centre,
        memories=tuple(_near(visit, one, disputes) for one in near),
        things=tuple(_touched(visit, one) for one in touched),
        ties=tuple(_ties(found, near, touched)),
    )
    about = f"{counted(len(near), 'memory')}, and what these touch: {len(touched)}"
    whole = columns("around", (f"Around {called(found.thing)}", about), drawn)
    return _safe(whole), 1 + len(near) + len(touched)


def _near(visit: Visit, one: Any, disputes: Collection[str]) -> Node:
    in_dispute = one.id in disputes
    return Node(
        key=one.id,
        text=one.text,
        look="half" if in_dispute else _SHAPES.get(one.status, "ring"),
        about=IN_DISPUTE if in_dispute else STATUSES[one.status],
        href=visit.link("memory", one.id),
    )


def _touched(visit: Visit, one: Any) -> Node:
    return Node(
        key=f"{one.kind} {one.name}",
        text=called(one),
        look="person" if one.kind == "person" else "square",
        about=_KINDS[one.kind],
        href=visit.link("graph", around=called(one)),
        count=len(one.memories),
    )


def _ties(found: Any, near: Sequence[Any], touched: Sequence[Any]) -> Iterator[Tie]:
    """Yield the ties of the things that are drawn; what was replaced has a dashed one."""
    names = {one.id for one in near}
    for one in near:
        yield Tie(source="", target=one.id, look="dashed" if one.status == "superseded" else "")
    for one in touched:
        for name in filter(names.__contains__, one.memories):
            yield Tie(source=name, target=f"{one.kind} {one.name}")
    for old, later in found.replaced:
        if old in names and later in names:
            yield Tie(source=old, target=later, look="later")


def called(thing: Any) -> str:
    """Return the name of a thing as one writes it."""
    return f"#{thing.name}" if thing.kind == "tag" else str(thing.name)
