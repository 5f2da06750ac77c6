"""Queries of the graph. The order of every answer is independent of how the graph was built."""

from __future__ import annotations

from collections import deque

from varves.errors import NotFound, UsageError
from varves.protocols.layers.composition import opening
from varves.protocols.layers.grammar import DEPENDS, KINDS, REFERENCES, RELATIONS, relation_named
from varves.protocols.layers.graph import Graph, GraphEntity, GraphRelation
from varves.protocols.layers.known import ARCHIVE
from varves.protocols.layers.known import LOG as PATH
from varves.values.text import fold, quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.protocols.layers.blocks import Block, Changelog

DIRECTIONS = ("both", "out", "in")


class Neighbour(Value):
    """An entity and its distance in relations."""

    entity: GraphEntity
    distance: int


class Around(Value):
    """The entities around an entity, and the relations to them."""

    entity: GraphEntity
    neighbours: tuple[Neighbour, ...]
    relations: tuple[GraphRelation, ...]


def one(graph: Graph, name: str) -> GraphEntity:
    """Return an entity.

    Raises:
        NotFound: no entity has this id.
    """
    found = graph.entity(name)
    if found is None:
        raise NotFound(f"the graph has no {quoted(name)}", "`varves layers graph query` lists all")
    return found


def select(
    graph: Graph,
    *,
    id: str | None = None,
    kind: str | None = None,
    status: str | None = None,
    pack: str | None = None,
    references: str | None = None,
) -> tuple[GraphEntity, ...]:
    """Return the entities that match all conditions: skills, packs, files, each sorted by id.

    `pack` selects the members of a pack, `references` the entities that refer to one. The case of a
    status is ignored.

    Raises:
        NotFound: a named entity is not in the graph.
        UsageError: the kind is unknown.
    """
    if kind is not None and kind not in KINDS:
        raise UsageError(
            f"{quoted(kind)} is not a kind of entity", f"use one of {', '.join(KINDS)}"
        )
    names: Iterable[str] = graph.ids() if id is None else [one(graph, id).id]
    if pack is not None:
        members = set(graph.members(one(graph, pack).id))
        names = [name for name in names if name in members]
    if references is not None:
        referring = set(graph.sources(REFERENCES, one(graph, references).id))
        names = [name for name in names if name in referring]
    if status is not None:
        wanted = fold(str(status))
        names = [
            name for name in names if name in graph.skills and fold(graph.skills[name][1]) == wanted
        ]
    return tuple(one(graph, name) for name in names if kind in (None, graph.kind_of(name)))


def neighbours(
    graph: Graph,
    name: str,
    *,
    depth: int = 1,
    relation: str | None = None,
    direction: str = "both",
) -> Around:
    """Return the entities within a distance, the nearest first.

    Raises:
        NotFound: there is no such entity.
        UsageError: the relation or direction is unknown, or the depth is below 1.
    """
    if not isinstance(depth, int):
        raise UsageError("the depth is not a number", "give a whole number; the default is 1")
    if depth < 1:
        raise UsageError("the depth is below 1", "give 1 or more; the default is 1")
    if direction not in DIRECTIONS:
        raise UsageError(
            f"{quoted(direction)} is not a direction", f"use one of {', '.join(DIRECTIONS)}"
        )
    kinds = RELATIONS if relation is None else (_relation(relation),)
    start = one(graph, name)
    away = {name: 0}
    used: set[tuple[str, str, str]] = set()
    waiting = deque([name])
    while waiting:
        here = waiting.popleft()
        if away[here] == depth:
            continue
        for kind, source, target in _steps(graph, here, kinds, direction):
            used.add((kind, source, target))
            other = target if source == here else source
            if other not in away:
                away[other] = away[here] + 1
                waiting.append(other)
    del away[name]
    return Around(
        entity=start,
        neighbours=tuple(
            Neighbour(entity=one(graph, other), distance=distance)
            for other, distance in sorted(away.items(), key=lambda pair: (pair[1], pair[0]))
        ),
        relations=_sorted(used),
    )


def depends(graph: Graph, name: str) -> tuple[GraphEntity, ...]:
    """Return all direct and indirect dependencies of an entity, the nearest first.

    Raises:
        NotFound: there is no such entity.
    """
    found: dict[str, None] = {}
    layer = [one(graph, name).id]
    while layer:
        further: set[str] = set()
        for here in layer:
            further.update(graph.targets(DEPENDS, here))
        layer = sorted(further - found.keys() - {name})
        found.update(dict.fromkeys(layer))
    return tuple(one(graph, other) for other in found)


def path(graph: Graph, start: str, end: str) -> tuple[GraphRelation, ...]:
    """Return the relations of a shortest path between two entities, ignoring direction.

    Of several shortest paths, the first by its ids is returned. The path from an entity to itself
    is empty.

    Raises:
        NotFound: there is no such entity, or no path.
    """
    one(graph, start)
    one(graph, end)
    came: dict[str, tuple[str, GraphRelation] | None] = {start: None}
    waiting = deque([start])
    while waiting and end not in came:
        here = waiting.popleft()
        for kind, source, target in sorted(
            _steps(graph, here, RELATIONS, "both"),
            key=lambda step: (step[2] if step[1] == here else step[1], RELATIONS.index(step[0])),
        ):
            other = target if source == here else source
            if other not in came:
                came[other] = (here, GraphRelation(kind=kind, source=source, target=target))
                waiting.append(other)
    if end not in came:
        raise NotFound(
            f"no relation leads from {quoted(start)} to {quoted(end)}",
            "`varves layers graph neighbours` shows what is near",
        )
    way: list[GraphRelation] = []
    step = came[end]
    while step is not None:
        way.append(step[1])
        step = came[step[0]]
    return tuple(reversed(way))


def cycles(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """Return dependency cycles: a shortest one per connected component, from its first id."""
    found = []
    for knot in _knots(graph):
        first = min(knot)
        if len(knot) > 1 or first in graph.targets(DEPENDS, first):
            found.append(_circle(graph, first, knot))
    return tuple(sorted(found))


def _relation(words: str) -> str:
    named = relation_named(words.replace("-", " "))
    if named is None:
        known = ", ".join(kind.lower() for kind in RELATIONS)
        raise UsageError(f"{quoted(words)} is not a relation", f"use one of {known}")
    return named


def _steps(
    graph: Graph, here: str, kinds: Iterable[str], direction: str
) -> Iterator[tuple[str, str, str]]:
    for kind in kinds:
        if direction != "in":
            for target in graph.targets(kind, here):
                yield kind, here, target
        if direction != "out":
            for source in graph.sources(kind, here):
                yield kind, source, here


def _sorted(used: Iterable[tuple[str, str, str]]) -> tuple[GraphRelation, ...]:
    order = {kind: place for place, kind in enumerate(RELATIONS)}
    return tuple(
        GraphRelation(kind=kind, source=source, target=target)
        for kind, source, target in sorted(used, key=lambda step: (order[step[0]], *step[1:]))
    )


def _knots(graph: Graph) -> Iterator[set[str]]:
    """Yield the strongly connected components of the dependencies (Tarjan, without recursion)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: dict[str, None] = {}
    for root in graph.depends:
        if root in number:
            continue
        work: list[tuple[str, Iterator[str]]] = []
        _enter(graph, root, number=number, lowest=lowest, opened=open_, work=work)
        while work:
            here, rest = work[-1]
            for other in rest:
                if other not in number:
                    _enter(graph, other, number=number, lowest=lowest, opened=open_, work=work)
                    break
                if other in open_:
                    lowest[here] = min(lowest[here], number[other])
            else:
                work.pop()
                if work:
                    before = work[-1][0]
                    lowest[before] = min(lowest[before], lowest[here])
                if lowest[here] == number[here]:
                    yield _close(open_, here)


def _enter(
    graph: Graph,
    name: str,
    *,
    number: dict[str, int],
    lowest: dict[str, int],
    opened: dict[str, None],
    work: list[tuple[str, Iterator[str]]],
) -> None:
    number[name] = lowest[name] = len(number)
    opened[name] = None
    work.append((name, iter(graph.targets(DEPENDS, name))))


def _close(opened: dict[str, None], name: str) -> set[str]:
    knot: set[str] = set()
    while name not in knot:
        knot.add(opened.popitem()[0])
    return knot


def _circle(graph: Graph, first: str, knot: set[str]) -> tuple[str, ...]:
    """Return a shortest path from an entity back to itself within its component."""
    came: dict[str, str] = {}
    waiting = deque([first])
    while waiting:
        here = waiting.popleft()
        for other in sorted(knot.intersection(graph.targets(DEPENDS, here))):
            if other == first:
                way = [here]
                while way[-1] != first:
                    way.append(came[way[-1]])
                return tuple(reversed(way))
            if other not in came:
                came[other] = here
                waiting.append(other)
    return (first,)


GRAPH, LOG = "graph", "log"
_OURS = frozenset(opening(newest_first=True).split("\n"))  # what every log begins with


class FoundPlace(Value):
    """One place where the text was found."""

    source: str
    """`graph` or `log`."""
    place: str
    """The file, and its line in the log."""
    id: str
    """The entity, the two ends of a relation, or the memory of an event.

    For an edited event it is the memory of its earlier text; for an event without a memory, the
    place in the file, as for text outside events.
    """
    title: str
    line: str
    """The line that contains it."""


class FindAnswer(Value):
    """All hits: first those of the graph, then events, the newest first, then other text."""

    query: str
    hits: tuple[FoundPlace, ...]


def search(
    text: str, log: Changelog, archive: Changelog, graph: Graph, *, picture: str
) -> FindAnswer:
    """Search for a text, or for all of its words; case is ignored."""
    hits = [*_in_graph(text, graph, picture)]
    for path, some in ((PATH, log), (ARCHIVE, archive)):
        hits += _in_events(text, path, some)
    for path, some in ((PATH, log), (ARCHIVE, archive)):
        hits += _outside_events(text, path, some)
    return FindAnswer(query=text, hits=tuple(hits))


def renamed(found: FindAnswer, names: dict[str, str]) -> FindAnswer:
    """Return an answer in which some events have other names, as the mapping gives them."""
    hits = (
        one.replace(id=names.get(one.id, one.id)) if one.source == LOG else one
        for one in found.hits
    )
    return found.replace(hits=tuple(hits))


def _in_graph(text: str, graph: Graph, picture: str) -> Iterator[FoundPlace]:
    for line in picture.split("\n"):
        if not line.startswith("- [[") or not _holds(line, text):
            continue
        name = line[4:].partition("]]")[0]
        other = line.partition("]] → [[")[2].removesuffix("]]")
        entity = graph.entity(name)
        yield FoundPlace(
            source=GRAPH,
            place=".memory/graph.md",
            id=f"{name} → {other}" if other else name,
            title=entity.name if entity else name,
            line=line,
        )


def _in_events(text: str, path: str, log: Changelog) -> Iterator[FoundPlace]:
    for block in reversed(log.ordered):
        if _holds(block.text, text):
            number, line = _line_of(block, text)
            yield FoundPlace(
                source=LOG,
                place=f"{path}:{number}",
                id=block.name,
                title=f"{block.time} {block.title}".strip(),
                line=line,
            )


def _outside_events(text: str, path: str, log: Changelog) -> Iterator[FoundPlace]:
    """Yield the lines before, between and after the events that contain the text."""
    number = 1
    for part, is_event in _parts(log):
        for line in () if is_event else part.splitlines():
            if line.strip() not in _OURS and _holds(line, text):
                place = f"{path}:{number}"
                yield FoundPlace(source=LOG, place=place, id=place, title=place, line=line.strip())
            number += 1
        number += part.count("\n") * is_event


def _parts(log: Changelog) -> Iterator[tuple[str, bool]]:
    """Yield the texts of a file in order, and whether each is an event."""
    yield log.preamble, False
    for block in log.blocks:
        yield block.raw, True
        yield block.gap, False
    yield log.footer, False


def _line_of(block: Block, text: str) -> tuple[int, str]:
    """Return the line of an event that contains the text, or most of its words."""
    words = [fold(word) for word in text.split()]
    best, most = 0, (False, 0)
    lines = block.text.split("\n")
    for at, line in enumerate(lines):
        said = fold(line)
        score = fold(text) in said, sum(word in said for word in words)
        if score > most:
            best, most = at, score
    return block.line + best, lines[best].strip()


def _holds(text: str, wanted: str) -> bool:
    said = fold(text)
    return fold(wanted) in said or all(fold(word) in said for word in wanted.split())
