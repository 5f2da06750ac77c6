"""Writes graph.md in the published form, and reads it, including files of other programs."""

from __future__ import annotations

import re

from varves.protocols.layers.grammar import (
    DEPENDS,
    FILE,
    NONE,
    PACK,
    PART,
    REFERENCES,
    SKILL,
    UNKNOWN,
    column_of,
    kind_by_name,
    numbered,
    relation_named,
    tidy,
    tidy_id,
)
from varves.protocols.layers.graph import Graph, folded, names_in
from varves.protocols.layers.horizon import fits, horizon, stamped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.layers.options import LayersOptions

    Node = tuple[int, str, str, tuple[str, ...]]  # line, kind, id, columns
    Edge = tuple[int, str | None, str, str]  # line, relation or None for an unknown one, both ends

_NAME = re.compile(r"\[\[([^\[\]\r\n]+)\]\]")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_RULE = re.compile(r"\|?[\s:|-]+\|?")
_ARROW = re.compile(r"\s*(?:→|->|-->)\s*")
_COLUMNS = {  # column names of other programs
    "id": "id", "node": "id", "name": "name", "status": "status", "pack": "pack", "path": "name",
    "type": "type", "related": "related", "related entities": "related", "from": "source",
    "to": "target", "source": "source", "target": "target", "relation": "relation",
    "completion": "completion", "completion %": "completion", "skills count": "count",
}  # fmt: skip


def materialise(log: Changelog, text: str | None, options: LayersOptions) -> str:
    """Return graph.md for a log.

    `text` is the current file: if its horizon fits, only newer events are read. The result is the
    same either way.
    """
    return render(graph_of(log, text, options), log, options)


def graph_of(log: Changelog, text: str | None, options: LayersOptions) -> Graph:
    """Return the graph of a log, from a view that fits and newer events, or from all events."""
    seen = horizon(text) if text is not None else None
    if text is None or seen is None or not fits(seen, log, options):
        return folded(log.ordered, options)
    return parse_graph(text, options).fold(log.ordered[seen.events - log.skipped :])


def render(graph: Graph, log: Changelog, options: LayersOptions) -> str:
    """Return graph.md for the graph of a log."""
    return stamped(render_body(graph), log, options)


def render_body(graph: Graph) -> str:
    """Return graph.md without its horizon."""
    parts = ["# Knowledge Graph", "", "## Entities", "", "### Skills"]
    parts += [entity_line(graph, name) for name in sorted(graph.skills)]
    parts += ["", "### Packs"]
    parts += [entity_line(graph, name) for name in sorted(graph.packs)]
    parts += ["", "### Files"]
    parts += [entity_line(graph, name) for name in sorted(graph.files)]
    parts += ["", "## Relations"]
    for kind in (DEPENDS, PART, REFERENCES):
        parts += ["", f"### {kind}"]
        parts += [f"- [[{source}]] → [[{target}]]" for source, target in graph.edges(kind)]
    return "\n".join(parts) + "\n"


def entity_line(graph: Graph, name: str) -> str:
    """Return the line of an entity."""
    if name in graph.skills:
        title, status = graph.skills[name]
        pack = graph.pack_of(name)
        pack = NONE if pack is None else _listed(pack)
        return f"- [[{name}]] — {title} — {status} — {pack}"
    if name in graph.packs:
        share, count = graph.completion(name)
        return f"- [[{name}]] — {graph.packs[name]} — {share}% — {count}"
    related = ", ".join(map(_listed, sorted(graph.related.get(name, ())))) or NONE
    return f"- [[{name}]] — {graph.files[name]} — {related}"


def _listed(name: str) -> str:
    return f"[[{name}]]" if names_in(name) != [name] else name


def parse_graph(text: str, options: LayersOptions | None = None) -> Graph:
    """Read graph.md, of this or another program, as a graph."""
    graph = Graph(options)
    nodes, edges = read_picture(text)
    related = []
    for _, kind, name, columns in nodes:
        others = graph.state(kind, name, columns)
        if kind == FILE and others:
            related.append((name, others))
    graph.join_all((relation or DEPENDS, source, target) for _, relation, source, target in edges)
    for _, kind, name, columns in nodes:
        if kind == PACK and name in graph.packs:
            graph.declare(name, *columns[1:])
    for path, others in related:
        graph.relate(path, [other for other in others if graph.kind_of(other) in {SKILL, PACK}])
    return graph


def read_picture(text: str) -> tuple[list[Node], list[Edge]]:
    """Return the entities and relations that a graph.md lists, with their lines.

    Lists and tables are read. An entity that no line defines is not included, even if a relation or
    a column names it.
    """
    text = text.replace("\r\n", "\n")
    # In a file of this program every line is read literally, whatever the names in it look like.
    reader = _Reader(ours=horizon(text) is not None)
    found = enumerate(text.split("\n"), 1) if reader.ours else numbered(text)
    for number, line in found:
        reader.take(number, line)
    return reader.nodes, reader.edges


class _Reader:
    """Reads a graph.md line by line and collects what it lists."""

    def __init__(self, *, ours: bool) -> None:
        self.ours = ours
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.kind: str | None = None
        self.relation: str | None = None
        self.columns: list[str] = []

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        if line.startswith("- [["):
            source, arrow, target = line[4:-2].partition("]] → [[")
            if arrow and self.ours and self.relation:
                self.edges.append((number, self.relation, source, target))
            else:
                self._listed(number, line[2:])
        elif line.startswith("#"):
            self._heading(line)
        elif line.startswith("|"):
            self._row(number, [tidy(cell) for cell in line.strip().strip("|").split("|")])
        elif line.strip():
            self.columns = []
            if line.lstrip()[:1] in {"-", "*", "+"}:
                self._listed(number, line.lstrip()[1:].strip())

    def _heading(self, line: str) -> None:
        self.columns = []
        found = _HEADING.fullmatch(line)
        title = found[2].partition("(")[0].casefold() if found else ""
        self.relation = relation_named(title)
        words = title.split()
        last = words[-1] if words else ""
        self.kind = {
            "skills": SKILL, "packs": PACK, "files": FILE, "nodes": SKILL, "entities": SKILL,
        }.get(last)  # fmt: skip

    def _listed(self, number: int, stated: str) -> None:
        if not stated.startswith("[["):
            return
        head, _, rest = stated[2:].partition("]]")
        name = tidy_id(head)
        if not name:
            return
        if self.kind and rest.startswith(" — "):
            self._entity(number, name, rest[3:])
        elif self.kind and not rest.strip():
            self._add(number, self.kind, name, {})
        else:
            self._relations(number, name, rest)

    def _entity(self, number: int, name: str, rest: str) -> None:
        kind = self.kind or SKILL
        columns = rest.split(" — ", 1 if kind == FILE else 2)
        named = {
            SKILL: ("name", "status", "pack"),
            PACK: ("name", "completion", "count"),
            FILE: ("type", "related"),
        }[kind]
        self._add(number, kind, name, dict(zip(named, columns, strict=False)))

    def _relations(self, number: int, source: str, rest: str) -> None:
        if not _ARROW.match(rest):
            return
        found = _NAME.findall(rest)
        between = _ARROW.split(rest.partition("[[")[0])
        words = [word for word in between if word]
        relation = relation_named(words[0]) if words else self.relation
        for target in map(tidy_id, found):
            if target:
                self.edges.append((number, relation or self.relation, source, target))

    def _row(self, number: int, cells: list[str]) -> None:
        if not self.columns:
            self.columns = [_COLUMNS.get(cell.casefold(), "") for cell in cells]
            return
        if all(_RULE.fullmatch(cell) for cell in cells if cell):
            return
        row = {name: cell for name, cell in zip(self.columns, cells, strict=False) if name}
        if "source" in row and "target" in row:
            source, target = (tidy_id(row[end].strip("[]")) for end in ("source", "target"))
            if source and target:
                relation = relation_named(row.get("relation", "")) or self.relation
                self.edges.append((number, relation, source, target))
            return
        name = tidy_id(row.get("id", "").strip("[]"))
        if name:
            self._add(number, self.kind or kind_by_name(name), name, row)

    def _add(self, number: int, kind: str, name: str, row: dict[str, str]) -> None:
        title = column_of(row.get("name", "")) or column_of(name)
        columns: tuple[str, ...]
        if kind == SKILL:
            columns = (title, row.get("status", UNKNOWN), row.get("pack", NONE))
        elif kind == PACK:
            columns = (title, row.get("completion", "0%"), row.get("count", "0"))
        else:
            columns = (row.get("type", ""), row.get("related", NONE))
        self.nodes.append((number, kind, name, columns))
