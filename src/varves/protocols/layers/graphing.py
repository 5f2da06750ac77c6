"""Queries of the graph and the log. Every answer is current, and queries write nothing.

If graph.md is behind the log, the graph is computed in memory; `graph_rebuild` and `context` write
the files.
"""

from __future__ import annotations

from varves.errors import NotFound, UsageError
from varves.protocols.layers import queries
from varves.protocols.layers.adopting import LOG, RESTORE, look
from varves.protocols.layers.known import archive_of, continued, parsed
from varves.protocols.layers.last_look import ground
from varves.protocols.layers.minutes import put_in_order
from varves.protocols.layers.parts import LayersVerbs
from varves.protocols.layers.queries import LOG as IN_LOG
from varves.protocols.layers.queries import FindAnswer, renamed, search
from varves.protocols.layers.reading import parse
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, graph_now, is_gone, redraw
from varves.protocols.port import reads, writes
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.layers.graph import Graph, GraphEntity, GraphRelation
    from varves.protocols.layers.queries import Around
    from varves.protocols.layers.views import Drawn

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


class Graphing(LayersVerbs):
    """The verbs for graph and context."""

    def _graph(self) -> Graph:
        """Return the graph of the current log."""
        here = ground(self.core, self.options)
        if here is None:
            log, lies = continued(self.core, self.asked()), self.core.tree.read(GRAPH)
        else:
            log, lies = here.log, here.graph
        graph, why = graph_now(lies, log, self.options)
        if why is not None:
            self.core.notes.append(
                f"{GRAPH} is stale ({why}): answered from the log;"
                " varves layers graph rebuild writes it"
            )
        return graph

    @reads
    def graph_show(
        self, *, format: str = "text", around: str | None = None, depth: int = 1
    ) -> GraphShown:
        """Return the graph as text, json, mermaid, dot or svg.

        Args:
            format: the format.
            around: only the part around this entity.
            depth: the largest distance from it, in relations.

        Raises:
            NotFound: no entity has this id.
            Refused: the format is svg, and the layout library is not installed or the graph is too
                large for a picture.
        """
        if format not in FORMATS:
            raise UsageError(f"not a format: {quoted(format)}", f"use one of {', '.join(FORMATS)}")
        _, drawn = self.drawn(paths=(GRAPH,))
        graph = drawn.graph
        if around is not None:
            near = queries.neighbours(graph, around, depth=depth)
            graph = graph.part([around, *(one.entity.id for one in near.neighbours)])
        if format == "text" and around is None:
            text = drawn.texts[GRAPH]
        else:
            from varves.protocols.layers import drawing

            text = drawing.draw(graph, format, self.options)
        return GraphShown(format=format, text=text, stale=drawn.stale.get(GRAPH))

    @reads
    def graph_query(
        self,
        *,
        id: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        pack: str | None = None,
        references: str | None = None,
    ) -> tuple[GraphEntity, ...]:
        """Return the entities that match all conditions.

        Args:
            id: only this entity.
            kind: skill, pack or file.
            status: of skills; case is ignored.
            pack: the members of this pack.
            references: the entities that refer to this one.

        Raises:
            NotFound: no entity has this id.
        """
        return queries.select(
            self._graph(), id=id, kind=kind, status=status, pack=pack, references=references
        )

    @reads
    def graph_path(self, a: str, b: str) -> Way:
        """Return a shortest path between two entities, ignoring direction."""
        steps = queries.path(self._graph(), a, b)
        ids = [a]
        for step in steps:
            ids.append(step.target if step.source == ids[-1] else step.source)
        return Way(path=tuple(ids), relations=steps)

    @reads
    def graph_neighbours(
        self, id: str, *, depth: int = 1, relation: str | None = None, direction: str = "both"
    ) -> Around:
        """Return the entities around an entity, the nearest first.

        Args:
            id: the entity.
            depth: the largest distance, in relations.
            relation: follow only `depends on`, `part of` or `references`.
            direction: out, in or both.
        """
        graph = self._graph()
        return queries.neighbours(graph, id, depth=depth, relation=relation, direction=direction)

    @reads
    def graph_depends(self, id: str) -> tuple[GraphEntity, ...]:
        """Return all direct and indirect dependencies of an entity, the nearest first."""
        return queries.depends(self._graph(), id)

    @reads
    def graph_cycles(self) -> tuple[tuple[str, ...], ...]:
        """Return the dependency cycles."""
        return queries.cycles(self._graph())

    @reads
    def find(self, text: str) -> FindAnswer:
        """Search the graph, then the log; each hit names its place."""
        if not isinstance(text, str):
            raise UsageError("the query is not text", "give a word")
        if not text.strip():
            raise UsageError("the query is empty", "give a word")
        log, drawn = self.drawn(paths=(GRAPH,))
        archive = parsed(archive_of(self.core)) or parse(b"")
        found = search(text, log, archive, drawn.graph, picture=drawn.texts[GRAPH])
        strange = {
            one.id
            for one in found.hits
            if one.source == IN_LOG and one.id != one.place and not self.core.memory(one.id)
        }
        return found if not strange else renamed(found, self._labels(found, strange))

    def _labels(self, found: FindAnswer, strange: set[str]) -> dict[str, str]:
        """Return labels for edited entries: the earlier memory, otherwise the place in the file."""
        labels = {one.id: one.place for one in found.hits if one.id in strange}
        seen = look(self.core, self.options, thorough=False)
        known = {
            block.name: one.id for one, block in seen.sight.changed if self.core.memory(one.id)
        }
        return labels | {name: known[name] for name in labels if name in known}

    @writes
    def graph_rebuild(self) -> Remade:
        """Report whether graph.md is stale, and rebuild it from the log.

        Raises:
            NotFound: the log is missing.
        """
        self._require_log()
        return self._remade((GRAPH,))

    @writes
    def rebuild(self) -> Remade:
        """Rebuild both views from the log.

        Raises:
            NotFound: the log is missing.
        """
        self._require_log()
        return self._remade(VIEWS)

    def _require_log(self) -> None:
        if is_gone(self.core):
            raise NotFound(f"{LOG} is missing, and the views are made from it", RESTORE)

    def context(self, *, write: bool = True) -> GraphShown:
        """Return the state of the work, computed from the log.

        Args:
            write: also write context.md, if its bytes differ.
        """
        return self._context_written() if write else self._context_shown()

    @writes
    def _context_written(self) -> GraphShown:
        made, drawn = self._written((CONTEXT,), whole=False)
        self.core.notes += made.findings
        return GraphShown(format="text", text=drawn.texts[CONTEXT], stale=drawn.stale.get(CONTEXT))

    @reads
    def _context_shown(self) -> GraphShown:
        _, drawn = self.drawn()
        return GraphShown(format="text", text=drawn.texts[CONTEXT], stale=drawn.stale.get(CONTEXT))

    def _remade(self, paths: Sequence[str]) -> Remade:
        return self._written(paths, whole=True)[0]

    def _written(self, paths: Sequence[str], *, whole: bool) -> tuple[Remade, Drawn]:
        self.assert_merged(self.log())
        put_in_order(self.core, self.options)
        _, drawn = self.drawn(whole=whole, paths=VIEWS if CONTEXT in paths else (GRAPH,))
        if is_gone(self.core):
            self.core.notes.append(f"{LOG} is missing: its views are not changed")
            gone = Remade(stale=drawn.stale, regenerated=(), findings=(), drafts=())
            return gone, drawn
        self.core.begin()
        made = redraw(self.core, drawn, options=self.options, paths=paths)
        done = Remade(
            stale={path: why for path, why in drawn.stale.items() if path in paths},
            regenerated=made.regenerated,
            findings=tuple(found.line for found in made.findings),
            drafts=made.drafts,
        )
        return done, drawn
