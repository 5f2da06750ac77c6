"""Searches the graph, then the log; each hit names its place."""

from __future__ import annotations

from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.graph import Graph

GRAPH, LOG = "graph", "log"


class FoundPlace(Value):
    """One place where the text was found."""

    source: str
    """`graph` or `log`."""
    place: str
    """The file, and its line in the log."""
    id: str
    """The entity, the two ends of a relation, or the memory of an event.

    For an edited event it is the memory of its earlier text; for an event without a memory, the
    place in the file.
    """
    title: str
    line: str
    """The line that contains it."""


class FindAnswer(Value):
    """All hits: first those of the graph, then events, the newest first."""

    query: str
    hits: tuple[FoundPlace, ...]


def search(text: str, log: Changelog, graph: Graph, *, picture: str) -> FindAnswer:
    """Search for a text, or for all of its words; case is ignored."""
    return FindAnswer(query=text, hits=(*_in_graph(text, graph, picture), *_in_log(text, log)))


def renamed(found: FindAnswer, names: dict[str, str]) -> FindAnswer:
    """Return an answer with other names for some events."""
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


def _in_log(text: str, log: Changelog) -> Iterator[FoundPlace]:
    for block in reversed(log.ordered):
        if _holds(block.text, text):
            number, line = _line_of(block, text)
            yield FoundPlace(
                source=LOG,
                place=f"CHANGELOG.md:{number}",
                id=block.name,
                title=f"{block.time} {block.title}".strip(),
                line=line,
            )


def _line_of(block: Block, text: str) -> tuple[int, str]:
    """Return the line of an event that contains the text, or the first of its words."""
    lines = block.text.split("\n")
    for wanted in (text, *text.split()):
        for number, line in enumerate(lines, block.line):
            if fold(wanted) in fold(line):
                return number, line.strip()
    return block.line, lines[0]


def _holds(text: str, wanted: str) -> bool:
    said = fold(text)
    return fold(wanted) in said or all(fold(word) in said for word in wanted.split())
