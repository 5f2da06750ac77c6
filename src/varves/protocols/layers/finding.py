"""Searches the graph, then the log and its archive; each hit names its place."""

from __future__ import annotations

from varves.protocols.layers.composing import opening
from varves.protocols.layers.known import ARCHIVE
from varves.protocols.layers.known import LOG as PATH
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.graph import Graph

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
