"""context.md: the state of the work, from the newest events and the open issues.

Every line repeats an event or a line of the graph. The same log always gives the same text.
"""

from __future__ import annotations

import re

from varves.protocols.layers.grammar import NONE, lines, names_in_text, statements, tidy, tidy_id
from varves.protocols.layers.graph import names_in
from varves.protocols.layers.horizon import fits, horizon, stamped
from varves.protocols.layers.obstacles import (
    BLOCKER,
    DONE,
    awaited,
    awaits,
    happened,
    resolves,
    told,
)
from varves.protocols.layers.picture import entity_line
from varves.protocols.layers.steps import NOTHING, next_steps, open_steps
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.graph import Graph
    from varves.protocols.layers.options import LayersOptions

_BLOCKED = frozenset(("blocked", "stuck", "stalled", "held up"))
EMPTY = "No event is recorded yet."
_LISTED = re.compile(r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s")
_MORE = re.compile(r"… and \d+ more, in older events")


class Narrative(Value):
    """The content of context.md, by part."""

    summary: str
    recent: tuple[Block, ...]
    """The recent events, the newest first."""
    active: tuple[str, ...]
    """Ids of entities: skills, packs, files."""
    blockers: tuple[str, ...]
    actions: tuple[str, ...]
    """The newest open steps, and a line that counts the others."""
    steps: tuple[str, ...]
    """All open steps."""


class Earlier(Value):
    """The content of a context about events that were not read again."""

    events: int
    """The number of events of the log that it shows."""
    blockers: tuple[str, ...]
    actions: tuple[str, ...]


def earlier(
    text: str, log: Changelog, options: LayersOptions, *, steps: Sequence[str] | None = None
) -> Earlier | None:
    """Read a context made from the first events of a log; None if it must be made anew.

    `log` may be the end of a log; the recent events must be in it. `steps`: all open steps, if
    they are known; a context does not list all of them if there are many.
    """
    seen = horizon(text)
    if seen is None or not fits(seen, log, options) or len(log.blocks) < options.recent:
        return None
    count = seen.events - log.skipped
    parts = dict(part.split("\n", 1) for part in text.split("\n## ")[1:])
    if count < 1:
        return None
    listed = {
        title: tuple(line[2:] for line in part.split("\n") if line.startswith("- "))
        for title, part in parts.items()
    }
    actions = listed["Next Actions"]
    if actions and _MORE.fullmatch(actions[-1]):
        if steps is None:
            return None
        actions = tuple(steps)
    return Earlier(events=count, blockers=listed["Blockers/Issues"], actions=actions)


def context(
    log: Changelog, graph: Graph, options: LayersOptions, before: Earlier | None = None
) -> str:
    """Return context.md for a log and its graph."""
    return written(narrate(log, graph, options, before), log, graph, options)


def written(told: Narrative, log: Changelog, graph: Graph, options: LayersOptions) -> str:
    """Return context.md with some content."""
    active = [entity_line(graph, name) for name in told.active]
    parts = {
        "Session Summary": [told.summary],
        "Recent Events": [f"- {event_line(block)}" for block in told.recent],
        "Active Entities": active,
        "Blockers/Issues": [f"- {text}" for text in told.blockers],
        "Next Actions": [f"- {text}" for text in told.actions],
    }
    body = ["# Current Context"]
    for title, shown in parts.items():
        body += ["", f"## {title}", *(shown or [NONE])]
    return stamped("\n".join(body) + "\n", log, options)


def narrate(
    log: Changelog, graph: Graph, options: LayersOptions, before: Earlier | None = None
) -> Narrative:
    """Return the content as values; `before` stands for the events that a log leaves out."""
    events = log.ordered[before.events if before else 0 :]
    said = [told(block.text) for block in events]
    steps = open_steps(events, said, before.actions if before else ())
    recent = recent_events(log, options.recent)
    return Narrative(
        summary=_summary(recent, steps, options),
        recent=recent,
        active=active_entities(recent, graph, steps),
        blockers=blockers(events, said, before.blockers if before else (), graph=graph),
        actions=_listed(steps, options.actions),
        steps=steps,
    )


def _listed(steps: tuple[str, ...], most: int) -> tuple[str, ...]:
    """Return the first steps, and a line that counts the others."""
    left = len(steps) - most
    return (*steps[:most], f"… and {left} more, in older events") if left > 0 else steps


def recent_events(log: Changelog, count: int) -> tuple[Block, ...]:
    """Return the last events, the newest first."""
    return log.ordered[-count:][::-1]


def event_line(block: Block) -> str:
    """Return an event on one line: time, title, type and scope."""
    said = ", ".join(tidy(word) for word in (block.type, block.area) if word)
    title = tidy(block.title) or "untitled"
    return f"{block.time or 'undated'} — {title}{f' ({said})' if said else ''}"


def active_entities(recent: Sequence[Block], graph: Graph, steps: Sequence[str]) -> tuple[str, ...]:
    """Return the entities in focus: those that recent events mention, without finished ones.

    A file is still in focus if an event names it after the skills and packs related to it, and so
    is whatever an open step of these events names.
    """
    named: dict[str, int] = {}
    wanted: set[str] = set()
    left = set(steps)
    for age, block in enumerate(recent):
        touched: set[str] = set()
        for said in statements(block):
            touched.update(graph.named(name) or name for name in (said.id, said.target))
            if said.columns:
                touched.update(names_in(said.columns[-1]))
        for name in touched:
            named.setdefault(name, age)
        for step in next_steps(block):
            wanted.update(names_in_text(step) if step in left else ())

    def is_over(name: str) -> bool:
        if name in wanted or not graph.is_finished(name):
            return False
        related = graph.related.get(name, ()) if name in graph.files else ()
        return not related or any(named.get(one, len(recent)) <= named[name] for one in related)

    return tuple(
        name
        for table in (graph.skills, graph.packs, graph.files)
        for name in sorted(named.keys() & table.keys())
        if not is_over(name)
    )


def blockers(
    events: Sequence[Block],
    said: Sequence[Sequence[tuple[str, str]]],
    before: Sequence[str] = (),
    *,
    graph: Graph,
) -> tuple[str, ...]:
    """Return the blockers that were not resolved since, the newest first.

    A status counts too: a blocked skill is a blocker, and a finished one blocks nothing any more.

    Args:
        events: the events, oldest first.
        said: what each of them tells of blockers and of what is done.
        before: the blockers of the events before them, the newest first.
        graph: the graph, which knows which statuses are complete.
    """
    stated = {fold(text): text for text in reversed(before)}
    awaiting = {key: event for key, text in stated.items() if (event := awaited(text))}
    for block, marks in zip(events, said, strict=True):
        for mark, text in marks:
            key = fold(text)
            if mark == DONE or key in NOTHING:
                continue
            if mark == BLOCKER:
                stated.pop(key, None)
                stated[key] = text
                event = awaited(text)
                awaiting |= {key: event} if event else {}
                continue
            for held in [one for one in stated if resolves(mark, text, stated[one])]:
                del stated[held]
                awaiting.pop(held, None)
        for name, status in _statuses(block):
            for key in [key for key, text in stated.items() if _is_over(text, name, status, graph)]:
                del stated[key]
                awaiting.pop(key, None)
            known = (*stated.values(), *(text for _, text in marks))
            if fold(status) in _BLOCKED and not any(_names(text, name) for text in known):
                text = f"[[{name}]] is {status}"
                stated[fold(text)] = text
        for report in happened(block.text) if awaiting else ():
            for key in [key for key, event in awaiting.items() if event.came(report)]:
                del stated[key], awaiting[key]
    return tuple(stated.values())[::-1]


def _statuses(block: Block) -> Iterator[tuple[str, str]]:
    """Yield the skills whose status an event states, with the status; an empty one is a removal."""
    if "[[" not in block.text:
        return
    for one in statements(block):
        name = tidy_id(one.id.removeprefix("[[").removesuffix("]]"))
        if one.what in ("status", "skill"):
            yield name, one.columns[1 if one.what == "skill" else 0]
        elif one.what in ("removed", "gone"):
            yield name, ""


def _is_over(text: str, name: str, status: str, graph: Graph) -> bool:
    """Return whether a new status of a skill ends a blocker: its own, or one that it causes."""
    if not _names(text, name) or fold(status) in _BLOCKED:
        return False
    over = not status or graph.is_complete(status) or graph.is_ended(status)
    return over or (awaits(text) and text.startswith(f"[[{name}]]"))


def _names(text: str, name: str) -> bool:
    return f"[[{name}]]" in text


def _summary(recent: tuple[Block, ...], steps: tuple[str, ...], options: LayersOptions) -> str:
    """Return the current work: the newest event, and the next step of its work."""
    if not recent:
        return EMPTY
    text = f"{event_line(recent[0])}."
    what = _first_paragraph(recent[0])
    if what:
        text += f" {_sentence(_cut(what, options.summary_chars))}"
    work = [block for block in recent if _belongs(block, recent[0])]
    known = set(steps)
    step = next((one for block in work for one in next_steps(block) if one in known), None)
    return text + f" Next: {_sentence(_cut(step, options.summary_chars) if step else NONE)}"


def _belongs(block: Block, newest: Block) -> bool:
    """Return whether an event is part of the work that the newest event is about.

    The log does not name sessions. Events of one minute belong together, and events of one day
    that name the same entity or file.
    """
    if block.time == newest.time:
        return True
    return block.time[:10] == newest.time[:10] and not _subjects(block).isdisjoint(
        _subjects(newest)
    )


def _subjects(block: Block) -> set[str]:
    return {said.id for said in statements(block)}


def _first_paragraph(block: Block) -> str:
    part = block.parts.get("What") or block.parts.get("Decision") or ""
    said = ""
    for line in map(tidy, lines(part)):
        if said and (not line or _LISTED.match(line)):
            break
        said = tidy(f"{said} {line}")
    return said.removeprefix("- ")


def _sentence(text: str) -> str:
    return text if text[-1:] in ".!?…:;" else f"{text}."


def _cut(text: str, most: int) -> str:
    """Return a text, cut at a whole word if it is too long."""
    if len(text) <= most:
        return text
    start = text[: most - 1]
    return f"{start.rpartition(' ')[0] or start}…"
