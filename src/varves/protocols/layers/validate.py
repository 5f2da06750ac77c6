"""Checks the four files against the published rules; findings are returned, nothing is fixed."""

from __future__ import annotations

from varves.errors import Refused
from varves.protocols.breach import ERROR, WARNING, Breach
from varves.protocols.layers import checks
from varves.protocols.layers.adopting import LOG, MERGE, look, sides
from varves.protocols.layers.constraints import AGENTS, SECTION, digest, rules
from varves.protocols.layers.handoffs import PLACE, read
from varves.protocols.layers.picture import graph_of
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, draw, shown_by, tells
from varves.protocols.layers.waivers import Waivers
from varves.protocols.port import reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.layers.adopting import Seen
    from varves.protocols.layers.views import Drawn

_STATED = "restore it, or boot again; rules may change only between sessions"


class LayersValidation(Waivers):
    """The verb that validates."""

    @reads
    def validate(self) -> tuple[Breach, ...]:
        """Return the problems in the four files, each with its place, rule and severity.

        Stale views are reported too; the next boot updates them. Waived findings are left out.
        """
        return self.without_waived(self.found())

    def found(self) -> list[Breach]:
        """Return all findings, waived or not."""
        seen = look(self.core, self.options, thorough=True)
        drawn = draw(self.core, seen.log, self.options)
        found = [*self._wrong_rules(), *seen.findings, *self._wrong_log(seen, drawn)]
        found += self._wrong_handoff()
        if not seen.log.markers:
            found += [*self._wrong_graph(seen, drawn), *self._wrong_context(seen, drawn)]
        return found

    def _wrong_rules(self) -> Iterator[Breach]:
        content = self.core.tree.consult(AGENTS)
        noted = (self.booted() or {}).get("digest")
        if content is None:
            fix = "write it; varves layers agents-section prints a part of it"
            yield Breach(rule="S1-46", place=AGENTS, message="is missing", fix=fix)
        elif not rules(content).protocol:
            message = f"there is no section {SECTION}"
            fix = "varves layers agents-section prints it, for a person to paste"
            yield Breach(rule="S1-98", place=AGENTS, message=message, fix=fix, level=WARNING)
        if isinstance(noted, str) and digest(content or b"") != noted:
            message = "was changed during this session"
            yield Breach(rule="S1-04", place=AGENTS, message=message, fix=_STATED)

    def _wrong_handoff(self) -> Iterator[Breach]:
        content = self.core.tree.read(PLACE)
        if content is not None:
            try:
                read(content)
            except Refused as fault:
                yield Breach(rule="S1-72", place=PLACE, message=fault.message, fix=fault.hint)

    def _wrong_log(self, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
        log = seen.log
        if seen.lies is None:
            if not seen.known and any(tells(drawn.lies[path]) for path in VIEWS):
                message = "the file is missing, but the views show its events"
                yield Breach(rule="S1-64", place=LOG, message=message, fix="restore it from git")
            elif not seen.known:
                message, fix = "is missing", "varves layers init"
                yield Breach(rule="S1-01", place=LOG, message=message, fix=fix, level=WARNING)
            return
        if not log.is_log or log.markers:
            return  # lines of two events are mixed under one heading
        if self.core.tree.stages(LOG):
            yield Breach(rule="S1-10", place=LOG, message="git reports it as unmerged", fix=MERGE)
        yield from checks.entries(log)
        yield from checks.order(log, lambda: sides(self.core))
        yield from checks.links(log, drawn.graph, self.core.tree.whereabouts)

    def _wrong_graph(self, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
        why = drawn.stale.get(GRAPH)
        lies = drawn.lies[GRAPH]
        if why is None or (lies is None and not seen.log.blocks):
            return
        yield checks.stale(GRAPH, why, rule="S1-22", level=WARNING)
        if lies is None or why == "behind":
            return  # the view is correct for the log up to its horizon
        text = lies.decode("utf-8", "replace")
        then = graph_of(shown_by(text, drawn.log), None, self.options)
        yield from checks.picture(text, (drawn.graph, then), drawn.log)

    def _wrong_context(self, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
        why = drawn.stale.get(CONTEXT)
        lies = drawn.lies[CONTEXT]
        if lies is None and not seen.log.blocks:
            return
        if why is not None:
            level = WARNING if why == "missing" else ERROR
            yield checks.stale(CONTEXT, why, rule="S1-89", level=level)
        text = drawn.texts[CONTEXT] if lies is None else lies.decode("utf-8", "replace")
        then = shown_by(text, drawn.log)
        picture = (drawn.lies[GRAPH] or b"").decode("utf-8", "replace")
        graph = drawn.graph if then is drawn.log else graph_of(then, picture, self.options)
        yield from checks.narrative(text, drawn.log, then=then, graph=graph, options=self.options)
