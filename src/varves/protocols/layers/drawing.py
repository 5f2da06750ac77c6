"""Pictures of the graph: Mermaid and DOT as text, and SVG, whose layout needs the extra `draw`.

Nodes are numbered, and ids appear only in labels, escaped, so an id cannot inject other syntax.
"""

from __future__ import annotations

import json

from varves.drawing.svg import bar, curve, cut, escaped, printable, words
from varves.errors import Refused, UsageError
from varves.protocols.layers.grammar import DEPENDS, FILE, PACK, PART, REFERENCES, SKILL
from varves.protocols.layers.picture import render_body
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.protocols.layers.graph import Graph, GraphEntity
    from varves.protocols.layers.options import LayersOptions

    Point = tuple[float, float]
    Pair = tuple[int, int]

DONE, GOING, BLOCKED, OTHER = "done", "going", "blocked", "other"
_GOING = frozenset(("active", "in progress", "in-progress", "ongoing", "started", "wip", "doing"))
_BLOCKED = frozenset(("blocked", "failed", "failing", "broken", "on hold"))


def look(graph: Graph, entity: GraphEntity) -> str:
    """Return what sets an entity's colour: its kind or, for a skill, its status."""
    if entity.kind != SKILL:
        return entity.kind
    status = (entity.status or "").casefold()
    if status in graph.complete:
        return DONE
    if status in _GOING:
        return GOING
    return BLOCKED if status in _BLOCKED else OTHER


def label(entity: GraphEntity) -> tuple[str, str]:
    """Return the two lines of a node: its name and its details."""
    if entity.kind == FILE:
        return entity.id, entity.type or ""
    if entity.kind == PACK:
        known = f"{entity.completion}% of {entity.count}"
    else:
        known = entity.status or ""
    return entity.name, known if entity.name == entity.id else f"{entity.id} · {known}"


FORMATS = ("text", "mermaid", "dot", "svg", "json")
_FILLS = {
    DONE: ("#dcf2e3", "#1f7a53"),
    GOING: ("#fff0d1", "#96610c"),
    BLOCKED: ("#fde2e1", "#b3282d"),
    OTHER: ("#eef1f4", "#59636e"),
    PACK: ("#e0ebfb", "#2b62b0"),
    FILE: ("#ffffff", "#6e7781"),
}
_MERMAID = {
    '"': "#quot;", "#": "#35;", "&": "#amp;", "<": "#lt;", ">": "#gt;", "`": "#96;", "\\": "#92;",
    "%": "#37;", "{": "#123;",
}  # fmt: skip
_ARROWS = {DEPENDS: "-->", PART: '-.->|"part of"|', REFERENCES: '-->|"references"|'}


def draw(graph: Graph, format: str, options: LayersOptions) -> str:
    """Return a graph in one of the formats.

    Raises:
        UsageError: the format is unknown.
        Refused: the drawing extra is not installed, or the graph is too large for a picture.
    """
    if format == "text":
        return render_body(graph)
    if format == "json":
        return as_json(graph)
    if format == "mermaid":
        return mermaid(graph)
    if format == "dot":
        return dot(graph)
    if format == "svg":
        return svg(graph, options)
    raise UsageError(f"{quoted(format)} is not a format", f"use one of {', '.join(FORMATS)}")


def as_json(graph: Graph) -> str:
    """Return a graph as JSON: two lists."""
    lists = {
        "entities": [entity.as_dict() for entity in graph.entities()],
        "relations": [relation.as_dict() for relation in graph.relations()],
    }
    return json.dumps(lists, ensure_ascii=False, indent=2) + "\n"


def mermaid(graph: Graph) -> str:
    """Return a graph as a Mermaid flow chart."""
    shapes = {SKILL: ('("', '")'), PACK: ('[["', '"]]'), FILE: ('["', '"]')}
    parts = ["flowchart LR"]
    places: dict[str, int] = {}
    for entity in graph.entities():
        places[entity.id] = len(places)
        left, right = shapes[entity.kind]
        said = "<br/>".join(_mermaid(line) for line in label(entity) if line)
        parts.append(f"  n{places[entity.id]}{left}{said}{right}:::{look(graph, entity)}")
    parts += [
        f"  n{places[edge.source]} {_ARROWS[edge.kind]} n{places[edge.target]}"
        for edge in graph.relations()
    ]
    if not places:
        parts.append("  %% nothing yet")
    parts += [
        f"  classDef {name} fill:{fill},stroke:{stroke},color:#1f2328"
        for name, (fill, stroke) in _FILLS.items()
    ]
    return "\n".join(parts) + "\n"


def dot(graph: Graph) -> str:
    """Return a graph in the Graphviz language."""
    shapes = {SKILL: "box", PACK: "component", FILE: "note"}
    styles = {
        DEPENDS: "",
        PART: ' [style=dashed, arrowhead=empty, label="part of"]',
        REFERENCES: ' [style=dotted, label="references"]',
    }
    parts = [
        'digraph "knowledge graph" {',
        "  rankdir=LR;",
        '  node [fontname="Helvetica", fontsize=11, style="filled,rounded"];',
        '  edge [fontname="Helvetica", fontsize=9, color="#59636e", fontcolor="#59636e"];',
    ]
    places: dict[str, int] = {}
    for entity in graph.entities():
        places[entity.id] = len(places)
        fill, stroke = _FILLS[look(graph, entity)]
        said = "\\n".join(_dot(line) for line in label(entity) if line)
        style = "" if entity.kind == SKILL else ", style=filled"
        parts.append(
            f'  n{places[entity.id]} [label="{said}", shape={shapes[entity.kind]}{style}, '
            f'fillcolor="{fill}", color="{stroke}"];'
        )
    parts += [
        f"  n{places[edge.source]} -> n{places[edge.target]}{styles[edge.kind]};"
        for edge in graph.relations()
    ]
    return "\n".join((*parts, "}")) + "\n"


def _mermaid(text: str) -> str:
    return "".join(_MERMAID.get(sign, sign) for sign in printable(text))


def _dot(text: str) -> str:
    return printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


WIDTH, HEIGHT = 196.0, 46.0
COLUMN, ROW = 296.0, 66.0
MARGIN, TITLE, LEGEND = 28.0, 64.0, 96.0
LETTERS, SMALL_LETTERS = 23, 29
_UNIT = 100
_STYLES = {DEPENDS: "depends", PART: "part", REFERENCES: "refers"}
_LOOKS = {
    "skill, complete": "done",
    "in progress": "going",
    "blocked": "blocked",
    "other status": "other",
    "pack": PACK,
    "file": FILE,
}
_STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif }
.title { font-size: 16px; font-weight: 600 } .small { font-size: 11px }
.ground { fill: #ffffff } .ink { fill: #1f2328 } .faint { fill: #59636e }
.node { stroke-width: 1.4 } .track { fill: #b9cdea } .bar { fill: #2b62b0 }
.done { fill: #dcf2e3; stroke: #1f7a53 } .going { fill: #fff0d1; stroke: #96610c }
.blocked { fill: #fde2e1; stroke: #b3282d } .other { fill: #eef1f4; stroke: #59636e }
.pack { fill: #e0ebfb; stroke: #2b62b0 } .file { fill: #ffffff; stroke: #6e7781 }
.edge { fill: none; stroke-width: 1.5 } .depends { stroke: #4d5761 }
.part { stroke: #2b62b0; stroke-dasharray: 7 4 } .refers { stroke: #8250b8; stroke-dasharray: 2 4 }
.head-depends { fill: #4d5761 } .head-part { fill: #2b62b0 } .head-refers { fill: #8250b8 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 } .ink { fill: #e6edf3 } .faint { fill: #a4adb7 }
.track { fill: #24405f } .bar { fill: #6ca4ee }
.done { fill: #10352a; stroke: #4cc38a } .going { fill: #3a2c0e; stroke: #e0a83c }
.blocked { fill: #431b1d; stroke: #f47067 } .other { fill: #22272e; stroke: #9198a1 }
.pack { fill: #14294a; stroke: #6ca4ee } .file { fill: #161b22; stroke: #8c959f }
.depends { stroke: #a4adb7 } .part { stroke: #6ca4ee } .refers { stroke: #b794e8 }
.head-depends { fill: #a4adb7 } .head-part { fill: #6ca4ee } .head-refers { fill: #b794e8 }
}
"""


class Island(Value):
    """A connected part of the graph: node centres, and the bends of edges by their two nodes."""

    centres: dict[int, Point]
    bends: dict[Pair, tuple[Point, ...]]
    width: float
    height: float


def svg(graph: Graph, options: LayersOptions) -> str:
    """Return a graph as a picture for light and dark pages, in layers from left to right.

    The layout library requires a graph without cycles; a cycle would crash the process. So
    relations that close a cycle are passed to it reversed, and drawn in their real direction.

    Raises:
        Refused: the layout library is not installed, or the graph is too large for a picture.
    """
    entities = graph.entities()
    count, most = graph.size(), options.drawn_most
    if count["entities"] > most or count["relations"] > 3 * most:
        raise Refused(
            f"{count['entities']} entities and {count['relations']} relations are too many for one "
            "picture",
            f"at most {most} and {3 * most} are drawn (`drawn_most` in settings.toml): --around ID "
            "draws a part, and --format dot and mermaid have no limit",
        )
    places = {entity.id: place for place, entity in enumerate(entities)}
    edges = [(places[edge.source], places[edge.target], edge.kind) for edge in graph.relations()]
    centres, bends, size = _packed(_islands(len(entities), {(a, b) for a, b, _ in edges}))
    parts = [*_edges(edges, centres, bends)]
    for entity, place in zip(entities, range(len(entities)), strict=True):
        parts += _node(entity, centres[place], look(graph, entity))
    return _page(parts, size, f"{len(entities)} entities, {len(edges)} relations")


# -- layout


def _islands(count: int, pairs: set[Pair]) -> list[Island]:
    """Lay out the connected parts of a graph, and the nodes without edges."""
    kept = _without_circles(sorted(pair for pair in pairs if pair[0] != pair[1]))
    islands = []
    if kept:
        try:
            from fast_sugiyama import from_edges
        except ImportError as fault:
            raise Refused(
                "drawing SVG needs a layout library that is not installed",
                "pip install 'varves[draw]'; --format mermaid and dot need nothing",
            ) from fault
        # Numbers, not names: the order of a set of names differs between processes.
        found: Any = from_edges(
            kept, vertex_spacing=_UNIT, dummy_vertices=True, dummy_size=_UNIT / 3
        )
        for positions, _, _, chains in found:
            islands.append(_island(dict(positions), chains or [], count))
    islands.sort(key=lambda island: (-len(island.centres), min(island.centres)))
    placed = {place for island in islands for place in island.centres}
    alone = [place for place in range(count) if place not in placed]
    return [*islands, *([_grid(alone)] if alone else [])]


def _without_circles(pairs: list[Pair]) -> list[Pair]:
    """Reverse the edges that close a cycle."""
    after: dict[int, list[int]] = {}
    for source, target in pairs:
        after.setdefault(source, []).append(target)
    state: dict[int, bool] = {}  # True: the walk is still below it
    kept: set[Pair] = set()
    for root in sorted(after):
        if root in state:
            continue
        state[root] = True
        walk = [(root, iter(after[root]))]
        while walk:
            here, rest = walk[-1]
            for other in rest:
                kept.add((other, here) if state.get(other) else (here, other))
                if other not in state:
                    state[other] = True
                    walk.append((other, iter(after.get(other, ()))))
                    break
            else:
                state[here] = False
                walk.pop()
    return sorted(kept)


def _island(positions: dict[int, Point], chains: Iterable[Pair], count: int) -> Island:
    """Rotate the library's layout; its dummy nodes on long edges become bends."""
    top = max(y for _, y in positions.values())
    left = min(x for x, _ in positions.values())
    scaled = {
        place: (round((top - y) / _UNIT * COLUMN, 1), round((x - left) / _UNIT * ROW, 1))
        for place, (x, y) in positions.items()
    }
    following: dict[int, int] = {}
    starts: list[Pair] = []
    for source, target in chains:
        if source >= count:
            following[source] = target
        elif target >= count:
            starts.append((source, target))
    bends: dict[Pair, tuple[Point, ...]] = {}
    for source, first in starts:
        way, here = [], first
        while here >= count:
            way.append(scaled[here])
            here = following[here]
        bends[source, here] = tuple(way)
    return Island(
        centres={place: point for place, point in scaled.items() if place < count},
        bends=bends,
        width=max(x for x, _ in scaled.values()) + WIDTH,
        height=max(y for _, y in scaled.values()) + HEIGHT,
    )


def _grid(alone: list[int]) -> Island:
    across = max(1, min(4, round(len(alone) ** 0.5)))
    step = WIDTH + 28
    centres = {
        place: (number % across * step, number // across * ROW)
        for number, place in enumerate(alone)
    }
    return Island(
        centres=centres,
        bends={},
        width=(min(across, len(alone)) - 1) * step + WIDTH,
        height=(len(alone) - 1) // across * ROW + HEIGHT,
    )


def _packed(
    islands: list[Island],
) -> tuple[dict[int, Point], dict[Pair, tuple[Point, ...]], Point]:
    """Arrange islands in rows; return centres, bends and the total size."""
    widest = max([WIDTH * 4, *(island.width for island in islands)])
    centres: dict[int, Point] = {}
    bends: dict[Pair, tuple[Point, ...]] = {}
    x = y = tall = right = 0.0
    for island in islands:
        if x and x + island.width > widest:
            x, y, tall = 0.0, y + tall + ROW - HEIGHT + 14, 0.0
        by = (MARGIN + WIDTH / 2 + x, TITLE + HEIGHT / 2 + y)
        for place, point in island.centres.items():
            centres[place] = _moved(point, by)
        for pair, way in island.bends.items():
            bends[pair] = tuple(_moved(point, by) for point in way)
        x += island.width + COLUMN - WIDTH
        right, tall = max(right, x - COLUMN + WIDTH), max(tall, island.height)
    return centres, bends, (right, y + tall)


def _moved(point: Point, by: Point) -> Point:
    return round(point[0] + by[0], 1), round(point[1] + by[1], 1)


# -- drawing


def _edges(
    edges: list[tuple[int, int, str]],
    centres: dict[int, Point],
    bends: dict[Pair, tuple[Point, ...]],
) -> Iterator[str]:
    drawn: dict[Pair, int] = {}
    for source, target, kind in edges:
        pair = (min(source, target), max(source, target))
        nth = drawn[pair] = drawn.get(pair, -1) + 1
        aside = (0.0, -9.0, 9.0, -16.0, 16.0, 0.0)[min(nth, 5)]
        if source == target:
            way = _loop(centres[source])
        else:
            between = bends.get((source, target)) or bends.get((target, source), ())[::-1]
            way = _way(centres[source], between, centres[target], aside)
        name = _STYLES[kind]
        yield f'<path class="edge {name}" marker-end="url(#head-{name})" d="{way}"/>'


def _loop(centre: Point) -> str:
    x, y = centre[0] + WIDTH / 2 - 52, centre[1] - HEIGHT / 2
    return f"M{x:.1f} {y:.1f} c0 -17 24 -20 25 -8"


def _way(start: Point, between: tuple[Point, ...], end: Point, aside: float) -> str:
    """Return a smooth line from the side of one node to the side of another, through all bends."""
    ahead = 1 if end[0] > start[0] else -1
    if ahead < 0:
        aside += 11  # so that it does not overlap the edges that leave there
    here = (start[0] + ahead * WIDTH / 2, start[1] + aside)
    said = [f"M{here[0]:.1f} {here[1]:.1f}"]
    for x, y in between:
        said.append(curve(here, (x - ahead * WIDTH / 2, y + aside)))
        here = (x + ahead * WIDTH / 2, y + aside)
        said.append(f"L{here[0]:.1f} {here[1]:.1f}")
    said.append(curve(here, (end[0] - ahead * (WIDTH / 2 + 7), end[1] + aside)))
    return " ".join(said)


def _node(entity: GraphEntity, centre: Point, colours: str) -> Iterator[str]:
    left, top = centre[0] - WIDTH / 2, centre[1] - HEIGHT / 2
    name, known = label(entity)
    yield "<g>"
    yield f"<title>{escaped(f'{entity.kind} {entity.id}: {name}, {known}')}</title>"
    yield _shape(entity.kind, (left, top), (WIDTH, HEIGHT), colours)
    if entity.kind == PACK and entity.completion is not None:
        full = (WIDTH - 24) * entity.completion / 100
        yield bar(left + 12, top + HEIGHT - 8, WIDTH - 24, "track")
        yield bar(left + 12, top + HEIGHT - 8, full, "bar")
    high = 17 if entity.kind == PACK else 20
    shown = cut(name, LETTERS, front=entity.kind == FILE)
    yield words(left + 12, top + high, shown, "ink")
    yield words(left + 12, top + high + 15, cut(known, SMALL_LETTERS), "faint small")
    yield "</g>"


def _shape(kind: str, corner: Point, size: Point, colours: str) -> str:
    """Draw a node's outline: round for a skill, square for a pack, with a dog-ear for a file."""
    (x, y), (width, height) = corner, size
    if kind == FILE:
        ear = min(12.0, height / 3)
        return (
            f'<path class="node {colours}" d="M{x:.1f} {y:.1f} h{width - ear:.1f} '
            f"l{ear:.1f} {ear:.1f} v{height - ear:.1f} h{-width:.1f} z "
            f'M{x + width - ear:.1f} {y:.1f} v{ear:.1f} h{ear:.1f}"/>'
        )
    outline = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    if kind == PACK:
        edge = f'<path class="node {colours}" d="M{x + 5:.1f} {y:.1f} v{height:.1f}"/>'
        return f'<rect class="node {colours}" {outline}/>{edge}'
    return f'<rect class="node {colours}" {outline} rx="{min(14.0, height / 2):.1f}"/>'


def _legend(top: float) -> Iterator[str]:
    x = MARGIN
    for said, colours in _LOOKS.items():
        kind = colours if colours in (PACK, FILE) else "skill"
        yield _shape(kind, (x, top), (24, 16), colours)
        yield words(x + 30, top + 12, said, "faint small")
        x += 46 + 6.2 * len(said)
    x = MARGIN
    for kind, name in _STYLES.items():
        way = f"M{x:.1f} {top + 36:.1f} h30"
        yield f'<path class="edge {name}" marker-end="url(#head-{name})" d="{way}"/>'
        yield words(x + 44, top + 40, kind.lower(), "faint small")
        x += 64 + 6.2 * len(kind)


def _page(parts: list[str], size: Point, said: str) -> str:
    width = max(size[0] + 2 * MARGIN, 620.0)
    height = TITLE + size[1] + LEGEND
    heads = "".join(
        f'<marker id="head-{name}" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="8" '
        f'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path class="head-{name}" d="M0 0 L8 4 L0 8 z"/></marker>'
        for name in _STYLES.values()
    )
    measures = f'width="{width:.0f}" height="{height:.0f}"'
    box = f'viewBox="0 0 {width:.0f} {height:.0f}"'
    whole = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} {measures} role="img">',
        "<title>Knowledge graph</title>",
        f"<style>{_STYLE}</style>",
        f"<defs>{heads}</defs>",
        f'<rect class="ground" {measures}/>',
        words(MARGIN, 30, "Knowledge graph", "ink title"),
        words(MARGIN, 48, said, "faint small"),
        *parts,
        *_legend(TITLE + size[1] + 32),
        "</svg>",
    ]
    return "\n".join(whole) + "\n"
