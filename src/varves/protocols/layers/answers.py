"""Queries of the graph and the log. Every answer is current, and queries write nothing.

If graph.md is behind the log, the graph is computed in memory; `graph_rebuild` and `context` write
the files.
"""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.protocols.layers import queries
from varves.protocols.layers.adoption import LOG, RESTORE, look
from varves.protocols.layers.current_log import asked, assert_merged, draw_current
from varves.protocols.layers.known import archive_of, continued, parsed
from varves.protocols.layers.last_look import ground
from varves.protocols.layers.minutes import put_in_order
from varves.protocols.layers.options import options_of
from varves.protocols.layers.parser import parse
from varves.protocols.layers.queries import LOG as IN_LOG
from varves.protocols.layers.queries import FindAnswer, renamed, search
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, graph_now, is_gone, redraw
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.layers.graph import Graph, GraphEntity, GraphRelation
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

FORMATS = ("text", "json", "mermaid", "dot", "svg")


class GraphShown(Value):
    """The graph in a format, or the context."""

    format: str
    text: str
    stale: str | None
    """Why the file does not show the current log; None if it does."""


class Way(Value):
    """How two entities are connected."""

    path: tuple[str, ...]
    relations: tuple[GraphRelation, ...]


class Remade(Value):
    """The result of rebuilding views."""

    stale: dict[str, str]
    """Why each view did not show the current log."""
    regenerated: tuple[str, ...]
    """The views that were written; the others were up to date."""
    findings: tuple[str, ...]
    drafts: tuple[str, ...]
    """Proposed events for text that was written into a view by hand."""


def current_graph(core: Core) -> Graph:
    """Return the graph of the current log."""
    here = ground(core, options_of(core))
    if here is None:
        log, lies = continued(core, asked(core)), core.tree.read(GRAPH)
    else:
        log, lies = here.log, here.graph
    graph, why = graph_now(lies, log, options_of(core))
    if why is not None:
        core.notes.append(
            f"{GRAPH} is stale ({why}): answered from the log;"
            " varves layers graph rebuild writes it"
        )
    return graph


def graph_show(
    core: Core, *, format: str = "text", around: str | None = None, depth: int = 1
) -> GraphShown:
    """Return the graph as text, json, mermaid, dot or svg."""
    if format not in FORMATS:
        raise UsageError(f"not a format: {quoted(format)}", f"use one of {', '.join(FORMATS)}")
    _, drawn = draw_current(core, paths=(GRAPH,))
    graph = drawn.graph
    if around is not None:
        near = queries.neighbours(graph, around, depth=depth)
        graph = graph.part([around, *(one.entity.id for one in near.neighbours)])
    if format == "text" and around is None:
        text = drawn.texts[GRAPH]
    else:
        from varves.protocols.layers import drawing

        text = drawing.draw(graph, format, options_of(core))
    return GraphShown(format=format, text=text, stale=drawn.stale.get(GRAPH))


def graph_query(core: Core, **conditions: str | None) -> tuple[GraphEntity, ...]:
    """Return the entities that match all conditions; if there are none, a note says so."""
    graph = current_graph(core)
    found = queries.select(graph, **conditions)
    if not found:
        known = sorted({status for _, status in graph.skills.values()})
        asked_for = conditions.get("status") is not None and known
        listed = f"; the statuses are {', '.join(known)}" if asked_for else ""
        core.notes.append(f"no entity matches{listed}" if len(graph) else "the graph is empty")
    return found


def graph_path(core: Core, a: str, b: str) -> Way:
    """Return a shortest path between two entities, ignoring direction."""
    steps = queries.path(current_graph(core), a, b)
    ids = [a]
    for step in steps:
        ids.append(step.target if step.source == ids[-1] else step.source)
    return Way(path=tuple(ids), relations=steps)


def find(core: Core, text: str) -> FindAnswer:
    """Search the graph, then the log; each hit names its place."""
    if not isinstance(text, str):
        raise UsageError("the query is not text", "give a word")
    if not text.strip():
        raise UsageError("the query is empty", "give a word")
    log, drawn = draw_current(core, paths=(GRAPH,))
    archive = parsed(archive_of(core)) or parse(b"")
    found = search(text, log, archive, drawn.graph, picture=drawn.texts[GRAPH])
    strange = {
        one.id
        for one in found.hits
        if one.source == IN_LOG and one.id != one.place and not core.memory(one.id)
    }
    return found if not strange else renamed(found, _labels(core, found, strange))


def _labels(core: Core, found: FindAnswer, strange: set[str]) -> dict[str, str]:
    """Return labels for edited entries: the earlier memory, otherwise the place in the file."""
    labels = {one.id: one.place for one in found.hits if one.id in strange}
    seen = look(core, options_of(core), thorough=False)
    known = {block.name: one.id for one, block in seen.sight.changed if core.memory(one.id)}
    return labels | {name: known[name] for name in labels if name in known}


def graph_rebuild(core: Core) -> Remade:
    """Report whether graph.md is stale, and rebuild it from the log.

    Raises:
        NotFound: the log is missing.
    """
    _require_log(core)
    return _remade(core, (GRAPH,))


def rebuild(core: Core) -> Remade:
    """Rebuild both views from the log.

    Raises:
        NotFound: the log is missing.
    """
    _require_log(core)
    return _remade(core, VIEWS)


def _require_log(core: Core) -> None:
    if is_gone(core):
        raise NotFound(f"{LOG} is missing, and the views are made from it", RESTORE)


def context_written(core: Core) -> GraphShown:
    """Return the context after writing context.md, if its bytes differ."""
    made, drawn = _written(core, (CONTEXT,), whole=False)
    core.notes += made.findings
    return GraphShown(format="text", text=drawn.texts[CONTEXT], stale=drawn.stale.get(CONTEXT))


def context_shown(core: Core) -> GraphShown:
    """Return the context; nothing is written."""
    _, drawn = draw_current(core)
    return GraphShown(format="text", text=drawn.texts[CONTEXT], stale=drawn.stale.get(CONTEXT))


def _remade(core: Core, paths: Sequence[str]) -> Remade:
    return _written(core, paths, whole=True)[0]


def _written(core: Core, paths: Sequence[str], *, whole: bool) -> tuple[Remade, Drawn]:
    assert_merged(core)
    put_in_order(core, options_of(core))
    _, drawn = draw_current(core, whole=whole, paths=VIEWS if CONTEXT in paths else (GRAPH,))
    if is_gone(core):
        core.notes.append(f"{LOG} is missing: its views are not changed")
        gone = Remade(stale=drawn.stale, regenerated=(), findings=(), drafts=())
        return gone, drawn
    core.begin()
    made = redraw(core, drawn, options=options_of(core), paths=paths)
    _tell_unpulled(core, made.regenerated)
    done = Remade(
        stale={path: why for path, why in drawn.stale.items() if path in paths},
        regenerated=made.regenerated,
        findings=tuple(found.line for found in made.findings),
        drafts=made.drafts,
    )
    return done, drawn


def _tell_unpulled(core: Core, written: Sequence[str]) -> None:
    """Note the written views that differ from HEAD though the log does not, as after a merge.

    Git refuses the next merge over changed files.
    """
    tree = core.tree
    views = [path for path in tree.tracked(written) if tree.read(path) != tree.committed(path)]
    if views and _events(tree.committed(LOG)) == _events(tree.read(LOG)):
        named = f"{' and '.join(views)} {'was' if len(views) == 1 else 'were'} out of date in git"
        core.notes.append(
            f"{named}: git pulls only when the new text is committed (varves layers shutdown)"
        )


def _events(content: bytes | None) -> set[str]:
    """Return the digests of the events in a version of the log."""
    log = parsed(content)
    return {block.digest for block in log.blocks} if log is not None else set()
