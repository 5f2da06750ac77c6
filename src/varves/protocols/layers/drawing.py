"""Pictures of the graph: Mermaid and DOT as text, and SVG, whose layout needs the extra `draw`.

Nodes are numbered, and ids appear only in labels, escaped, so an id cannot inject other syntax.
"""

from __future__ import annotations

import json

from varves.errors import UsageError
from varves.protocols.layers.grammar import DEPENDS, FILE, PACK, PART, REFERENCES, SKILL
from varves.protocols.layers.looks import BLOCKED, DONE, GOING, OTHER, label, look, printable
from varves.protocols.layers.picture import render_body
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.graph import Graph
    from varves.protocols.layers.options import LayersOptions

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
        from varves.protocols.layers.svg import svg

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
