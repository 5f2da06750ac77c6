"""Checks the four files against the published rules; findings are returned, nothing is fixed."""

from __future__ import annotations

from varves.errors import Refused
from varves.protocols.layers import checks
from varves.protocols.layers.adoption import GONE, LOG, MERGE, look, sides
from varves.protocols.layers.constraints import AGENTS, SECTION, digest, rules
from varves.protocols.layers.current_log import as_merged
from varves.protocols.layers.handoffs import PLACE, read_handoff
from varves.protocols.layers.options import options_of
from varves.protocols.layers.picture import graph_of
from varves.protocols.layers.reverted import reverted
from varves.protocols.layers.session_note import booted
from varves.protocols.layers.times import soonest_wrong
from varves.protocols.layers.views import CONTEXT, GRAPH, VIEWS, draw, shown_by, tells
from varves.protocols.protocol import ERROR, WARNING, Breach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.layers.adoption import Seen
    from varves.protocols.layers.views import Drawn
    from varves.protocols.port import Core

_STATED = "restore it, or boot again; rules may change only between sessions"


def findings(core: Core) -> list[Breach]:
    """Return the problems in the four files, waived or not, with place, rule and severity."""
    seen = look(core, options_of(core), thorough=True)
    drawn = draw(core, as_merged(core, seen.log), options_of(core))
    found = [*_wrong_rules(core), *seen.findings, *_wrong_log(core, seen, drawn)]
    found += _wrong_handoff(core)
    gone = any(one.rule == GONE for one in found)  # a view cannot be judged without its log
    if not seen.log.markers and not gone:
        found += [*_wrong_graph(core, seen, drawn), *_wrong_context(core, seen, drawn)]
    return found


def _wrong_rules(core: Core) -> Iterator[Breach]:
    content = core.tree.consult(AGENTS)
    noted = (booted(core) or {}).get("digest")
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


def _wrong_handoff(core: Core) -> Iterator[Breach]:
    content = core.tree.read(PLACE)
    if content is not None:
        try:
            read_handoff(content)
        except Refused as fault:
            yield Breach(rule="S1-72", place=PLACE, message=fault.message, fix=fault.hint)


def _wrong_log(core: Core, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
    log = seen.log
    if seen.lies is None:
        if not seen.known and any(tells(drawn.lies[path]) for path in VIEWS):
            message = "the file is missing, but the views show its events"
            yield Breach(rule=GONE, place=LOG, message=message, fix="restore it from git")
        elif not seen.known:
            message, fix = "is missing", "varves layers init"
            yield Breach(rule="S1-01", place=LOG, message=message, fix=fix, level=WARNING)
        return
    if not log.is_log or log.markers:
        return  # lines of two events are mixed under one heading
    if core.tree.stages(LOG):
        yield Breach(rule="S1-10", place=LOG, message="git reports it as unmerged", fix=MERGE)
    yield from checks.entries(log)
    yield from reverted(core, seen)
    ahead = soonest_wrong(core.now, options_of(core).zone)
    yield from checks.order(log, lambda: sides(core), ahead=ahead)
    where, notes = core.tree.whereabouts, checks.NotedLinks(core)
    yield from checks.links(log, drawn.graph, where, notes=notes)


def _wrong_graph(core: Core, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
    why = drawn.stale.get(GRAPH)
    lies = drawn.lies[GRAPH]
    if why is None or (lies is None and not seen.log.blocks):
        return
    yield checks.stale(GRAPH, why, rule="S1-22", level=WARNING)
    if lies is None or why == "behind":
        return  # the view is correct for the log up to its horizon
    text = lies.decode("utf-8", "replace")
    then = graph_of(shown_by(text, drawn.log), None, options_of(core))
    yield from checks.picture(text, (drawn.graph, then), drawn.log)


def _wrong_context(core: Core, seen: Seen, drawn: Drawn) -> Iterator[Breach]:
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
    graph = drawn.graph if then is drawn.log else graph_of(then, picture, options_of(core))
    yield from checks.narrative(text, drawn.log, then=then, graph=graph, options=options_of(core))
