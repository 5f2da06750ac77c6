"""Computes graph.md and context.md from the log, and writes them when a verb requests it.

Both are derived: nothing is read back from them. If a person edited a view, a copy is set aside
before it is written again, and the edit is offered as an event to append.
"""

from __future__ import annotations

from hashlib import sha256
from json import dumps, loads

from varves.events.kinds import LOGGED
from varves.protocols.layers.composition import PlannedEvent, compose
from varves.protocols.layers.context import EMPTY, context, earlier, narrate, written
from varves.protocols.layers.grammar import relation_named
from varves.protocols.layers.horizon import fits, horizon, staleness
from varves.protocols.layers.known import LOG, continued
from varves.protocols.layers.picture import graph_of, render
from varves.protocols.layers.times import minute
from varves.protocols.protocol import WARNING, Breach
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from varves.protocols.layers.blocks import Changelog
    from varves.protocols.layers.context import Earlier
    from varves.protocols.layers.graph import Graph
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core

GRAPH = ".memory/graph.md"
CONTEXT = ".memory/context.md"
VIEWS = (GRAPH, CONTEXT)
_STEPS = "open steps"  # the note of all open steps, beside a context that lists only some
_MARK = b"<<<<<<< "
_PARTS = {"Next Actions": "next", "Blockers/Issues": "impact"}
TOUCHED = ("edited", "foreign")  # changed since this program wrote them


class Drawn(Value):
    """Both views for the current log, and the current content of their files."""

    log: Changelog
    """The log that they show, with its archived events."""
    graph: Graph
    texts: dict[str, str]
    """The expected content of each file."""
    lies: dict[str, bytes | None]
    stale: dict[str, str]
    """Why a file does not show the current log, by path."""


class Redrawn(Value):
    """The result of writing the views."""

    regenerated: tuple[str, ...]
    findings: tuple[Breach, ...]
    drafts: tuple[str, ...]
    """Proposed events for hand edits, ready to be appended."""


def draw(
    core: Core,
    log: Changelog,
    options: LayersOptions,
    *,
    whole: bool = False,
    paths: Sequence[str] = VIEWS,
) -> Drawn:
    """Compute both views; nothing is written.

    Args:
        core: the ledger.
        log: the log to show.
        options: the options of the protocol.
        whole: read every event, even if the graph's file includes most of them.
        paths: the requested views; the graph is always computed.
    """
    log = continued(core, log)
    lies = {path: core.tree.read(path) for path in paths}
    before = None if whole else _text(lies[GRAPH])
    graph = graph_of(log, before, options)
    texts = {GRAPH: render(graph, log, options)}
    if CONTEXT in paths:
        shown = None if whole else _text(lies[CONTEXT])
        texts[CONTEXT] = _context(core, log, graph, options, shown=shown)
        if not log.blocks and is_gone(core):
            texts[CONTEXT] = texts[CONTEXT].replace(
                EMPTY, f"{LOG} is missing: its events are not shown."
            )
    stale = {}
    for path in paths:
        text = _text(lies[path])
        why = "foreign" if not _is_blank(lies[path]) and text is None else None
        why = why or staleness(text, log, options)
        if why is None and text != texts[path]:
            why = "edited"
        if why is not None:
            stale[path] = why
    return Drawn(log=log, graph=graph, texts=texts, lies=lies, stale=stale)


def _context(
    core: Core, log: Changelog, graph: Graph, options: LayersOptions, *, shown: str | None
) -> str:
    """Return context.md; events that the file shows already are not read again."""
    seen, before = horizon(shown) if shown is not None else None, None
    if shown is not None and seen is not None and fits(seen, log, options):
        if seen.events == log.skipped + len(log.blocks):
            return shown
        before = earlier(shown, log, options, steps=_noted_steps(core, shown))
    return _composed(core, log, graph, options, before=before)


def is_gone(core: Core) -> bool:
    """Return whether the log is missing, although the ledger or a view knows of its events."""
    if core.tree.read(LOG) is not None:
        return False
    return LOGGED in core.tally(LOGGED) or any(tells(core.tree.read(path)) for path in VIEWS)


def keep_context(
    core: Core, log: Changelog, options: LayersOptions, *, whole: Callable[[], Changelog]
) -> None:
    """Write the context after an append, if it was up to date before the append.

    A context that is missing, edited or made from another log is not written; the next boot reports
    it.

    Args:
        core: the ledger.
        log: the log, or its end.
        options: the options of the protocol.
        whole: returns the whole log; called if the end of the log is not enough for the context.
    """
    lies = core.tree.read(CONTEXT)
    text = _text(lies)
    if text is None or not fits(horizon(text), log, options):
        return
    before = earlier(text, log, options, steps=_noted_steps(core, text))
    if before is None and log.skipped:
        log = whole()
    graph = graph_of(log, _text(core.tree.read(GRAPH)), options)
    made = _composed(core, log, graph, options, before=before)
    core.tree.replace(CONTEXT, made.encode(), seen=lies, sure=False)


def _composed(
    core: Core, log: Changelog, graph: Graph, options: LayersOptions, *, before: Earlier | None
) -> str:
    """Return context.md; if it lists only some of the open steps, all of them are noted."""
    told = narrate(log, graph, options, before)
    made = written(told, log, graph, options)
    if told.steps != told.actions:
        core.note_down(_STEPS, dumps({"context": _digest(made), "steps": told.steps}))
    return made


def _noted_steps(core: Core, text: str) -> list[str] | None:
    """Return all open steps of a context that lists only some of them, if they were noted."""
    try:
        note = loads(core.noted(_STEPS) or "{}")
        return [*note["steps"]] if note["context"] == _digest(text) else None
    except (ValueError, KeyError, TypeError):
        return None


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def graph_now(
    lies: bytes | None, log: Changelog, options: LayersOptions
) -> tuple[Graph, str | None]:
    """Return the graph for a query, and why graph.md does not show it."""
    text = _text(lies)
    why = "foreign" if not _is_blank(lies) and text is None else staleness(text, log, options)
    return graph_of(log, text, options), why


def redraw(
    core: Core,
    drawn: Drawn,
    *,
    options: LayersOptions,
    paths: Sequence[str] = VIEWS,
) -> Redrawn:
    """Write the views that differ from their files."""
    regenerated, findings, drafts, log = [], [], [], drawn.log
    for path in paths:
        lies = drawn.lies[path]
        if path not in drawn.stale:
            continue
        ours = horizon(_text(lies) or "") is not None
        touched = drawn.stale[path] in TOUCHED or not ours
        if lies is not None and not _is_blank(lies) and touched and _MARK not in lies:
            name = core.tree.set_aside(path, lies)
            message = (
                f"was edited by hand; that text is kept in {name}, and the file is written again"
            )
            offered = _offered(core, path, _text(lies), log=log, drawn=drawn, options=options)
            fix = ""
            if offered:
                drafts.append(offered)
                event = core.tree.set_aside(f"{path}.event.md", offered.encode())
                fix = f"if it is true, append it: varves layers append - < {event}"
            findings.append(
                Breach(rule="S1-45", place=path, message=message, fix=fix, level=WARNING)
            )
        core.tree.replace(path, drawn.texts[path].encode(), seen=lies, sure=False)
        regenerated.append(path)
    return Redrawn(regenerated=tuple(regenerated), findings=tuple(findings), drafts=tuple(drafts))


def _is_blank(content: bytes | None) -> bool:
    """Return whether a view is missing, or empty as after a power cut: views are not synced."""
    return content is None or not content.strip(b"\0")


def _text(content: bytes | None) -> str | None:
    """Return a view's text with plain line ends; None if it is missing or not text."""
    if content is None or _is_blank(content):
        return None
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _offered(
    core: Core,
    path: str,
    text: str | None,
    *,
    log: Changelog,
    drawn: Drawn,
    options: LayersOptions,
) -> str | None:
    """Return an event with the text that an edited view adds to the log."""
    if text is None or horizon(text) is None:
        return None
    known = {*_written(text, log, path, options).split("\n"), *drawn.texts[path].split("\n")}
    added = _added(text.split("\n"), known)
    if not any(added.values()):
        return None
    said, _ = core.clean({name: "\n".join(lines) for name, lines in added.items()})
    return compose(
        PlannedEvent(
            time=minute(core.now, options.zone),
            title=f"Taken from a hand edit of {path}",
            type="change",
            area="project",
            what=said["what"] or f"{path} was edited by hand.",
            why=f"It was written into {path}, which is made from the log and does not keep edits.",
            impact=said["impact"] or "None.",
            next=said["next"] or "None.",
        )
    )


def _added(lines: Sequence[str], known: set[str]) -> dict[str, list[str]]:
    """Return the lines that are not known, by the part of an event in which they mean the same.

    Those of a relation stand below its heading.
    """
    found: dict[str, list[str]] = {"what": [], "impact": [], "next": []}
    heading, part = "", "what"
    for line in lines:
        if line.startswith("#"):
            title = line.lstrip("# ").strip()
            part = _PARTS.get(title, "what")
            named = relation_named(title)
            heading = f"#### {named}" if named else ""
        elif line.strip() and line not in known and not line.startswith("<!--"):
            if heading:
                found[part].append(heading)
                heading = ""
            bare = line.strip().removeprefix("- ")
            found[part].append(f"- Blocker: {bare}" if part == "impact" else line)
    return found


def _written(text: str, log: Changelog, path: str, options: LayersOptions) -> str:
    """Return a view as it was before the edit, computed from the log."""
    head = shown_by(text, log)
    graph = graph_of(head, None, options)
    return render(graph, head, options) if path == GRAPH else context(head, graph, options)


def shown_by(text: str, log: Changelog) -> Changelog:
    """Return the log up to the horizon that a view names; all of it if it names none."""
    seen = horizon(text)
    return log if seen is None else log.first(seen.events)


def tells(view: bytes | None) -> bool:
    """Return whether a view was made from events."""
    far = None if view is None else horizon(view.decode("utf-8", "replace"))
    return far is not None and far.events > 0
