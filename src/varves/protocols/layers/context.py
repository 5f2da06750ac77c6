"""context.md: the state of the work, from the newest events and the open issues.

Every line repeats an event or a line of the graph. The same log always gives the same text.
"""

from __future__ import annotations

import re
from collections import defaultdict

from varves.protocols.layers.grammar import NONE, lines, statements, tidy
from varves.protocols.layers.graph import names_in
from varves.protocols.layers.horizon import fits, horizon, stamped
from varves.protocols.layers.obstacles import (
    BLOCKER,
    DONE,
    awaited,
    happened,
    is_tagged,
    resolves,
    told,
    words,
)
from varves.protocols.layers.picture import entity_line
from varves.values.gist import stem
from varves.values.text import fold
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.graph import Graph
    from varves.protocols.layers.options import LayersOptions

_KEYWORD = re.compile(r"[^\W_]+")
_PREFIX = 4  # letters that a word has in common with its other forms
_LEAST = 2  # words that a step must have to be recognised in another wording
_UNDONE = re.compile(
    r"\b(?:not|never|cannot|\w+n['\u2019]t|fail\w*|plan\w*|start\w*|begin\w*|beg[au]n|try|trying"
    r"|postpon\w*|delay\w*|block\w*|wait\w*|consider\w*|propos\w*|draft\w*|need\w*|should|will"
    r"|todo|stop\w*|decid\w*)\b",
    re.IGNORECASE,
)


class OpenSteps:
    """Steps by their normalised text, in the order in which they were stated last."""

    def __init__(self) -> None:
        self._events: list[list[str]] = []
        self._texts: dict[str, tuple[str, int]] = {}
        self._by_mark: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, texts: Sequence[str]) -> None:
        """Add an event's steps; a step that is stated again is open again."""
        keys = []
        for text in texts:
            key = fold(text)
            if self._texts.get(key, ("", -1))[1] == len(self._events):
                continue
            self._texts[key] = text, len(self._events)
            self._by_mark[_mark(key)].add(key)
            keys.append(key)
        self._events.append(keys)

    def finish(self, said: str) -> None:
        """Remove finished steps: those with the same text, or whose words are all in the text."""
        self._texts.pop(fold(said), None)
        done = words(said)
        undone = {stem(word.casefold()).rstrip("e") for word in _UNDONE.findall(said)}
        if said.rstrip().endswith("?"):
            return
        for mark in {_short(word) for word in _KEYWORD.findall(said.casefold())}:
            for key in [*self._by_mark.get(mark, ())]:
                step = words(key) if key in self._texts else frozenset()
                if len(step) >= _LEAST and step <= done and undone <= step:
                    del self._texts[key]
                    self._by_mark[mark].discard(key)

    def newest_first(self) -> tuple[str, ...]:
        """Return the open steps, those of newer events first."""
        return tuple(
            self._texts[key][0]
            for number in range(len(self._events) - 1, -1, -1)
            for key in self._events[number]
            if self._texts.get(key, ("", -1))[1] == number
        )


def _mark(key: str) -> str:
    """Return the word under which a step is found: one with a digit, if any, or the longest."""
    found = _KEYWORD.findall(key) or [""]
    return _short(max(found, key=lambda word: (any(map(str.isdigit, word)), len(word))))


def _short(word: str) -> str:
    return word if any(map(str.isdigit, word)) else word[:_PREFIX]


_STEP = re.compile(r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+(?:\[([ xX])\]\s+)?(.*?)\s*")
_TICKED = re.compile(r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s+\[[xX]\]\s+(.*?)\s*")
_WORD = re.compile(r"[a-z]+")
_NOTHING = frozenset({"", NONE, "n/a", "na", "nothing", "-", "—"})


class Narrative(Value):
    """The content of context.md, by part."""

    summary: str
    recent: tuple[Block, ...]
    """The recent events, the newest first."""
    active: tuple[str, ...]
    """Ids of entities: skills, packs, files."""
    blockers: tuple[str, ...]
    actions: tuple[str, ...]


class Earlier(Value):
    """The content of a context about events that were not read again."""

    events: int
    """The number of events of the log that it shows."""
    blockers: tuple[str, ...]
    actions: tuple[str, ...]


def earlier(text: str, log: Changelog, options: LayersOptions) -> Earlier | None:
    """Read a context made from the first events of a log; None if it must be made anew.

    `log` may be the end of a log; the recent events must be in it.
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
    return Earlier(events=count, blockers=listed["Blockers/Issues"], actions=listed["Next Actions"])


def context(
    log: Changelog, graph: Graph, options: LayersOptions, before: Earlier | None = None
) -> str:
    """Return context.md for a log and its graph."""
    told = narrate(log, graph, options, before)
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
    actions = next_actions(log, before)
    return Narrative(
        summary=_summary(recent_events(log, options.recent), actions, options),
        recent=recent_events(log, options.recent),
        active=active_entities(log, graph, options),
        blockers=blockers(log, before),
        actions=actions,
    )


def recent_events(log: Changelog, count: int) -> tuple[Block, ...]:
    """Return the last events, the newest first."""
    return log.ordered[-count:][::-1]


def event_line(block: Block) -> str:
    """Return an event on one line: time, title, type and scope."""
    said = ", ".join(tidy(word) for word in (block.type, block.area) if word)
    title = tidy(block.title) or "untitled"
    return f"{block.time or 'undated'} — {title}{f' ({said})' if said else ''}"


def active_entities(log: Changelog, graph: Graph, options: LayersOptions) -> tuple[str, ...]:
    """Return the unfinished entities that recent events mention: skills, packs, files."""
    touched: set[str] = set()
    for block in recent_events(log, options.recent):
        for said in statements(block):
            touched.update(graph.named(name) or name for name in (said.id, said.target))
            if said.columns:
                touched.update(names_in(said.columns[-1]))
    return tuple(
        name
        for table in (graph.skills, graph.packs, graph.files)
        for name in sorted(touched & table.keys())
        if not graph.is_finished(name)
    )


def blockers(log: Changelog, before: Earlier | None = None) -> tuple[str, ...]:
    """Return the blockers that were not resolved since, the newest first."""
    stated = {fold(text): text for text in reversed(before.blockers if before else ())}
    for block in log.ordered[before.events if before else 0 :]:
        for mark, text in told(block.text):
            key = fold(text)
            if mark == DONE or key in _NOTHING:
                continue
            if mark == BLOCKER:
                stated.pop(key, None)
                stated[key] = text
                continue
            for held in [one for one in stated if resolves(mark, text, stated[one])]:
                del stated[held]
        awaiting = {key: event for key, text in stated.items() if (event := awaited(text))}
        for said in happened(block.text) if awaiting else ():
            for key in [key for key, event in awaiting.items() if event <= said]:
                stated.pop(key, None)
    return tuple(stated.values())[::-1]


def next_actions(log: Changelog, before: Earlier | None = None) -> tuple[str, ...]:
    """Return the next steps that no later event reports as done, those of newer events first."""
    steps = OpenSteps()
    for text in reversed(before.actions if before else ()):
        steps.add([text])
    for block in log.ordered[before.events if before else 0 :]:
        for said in _done(block):
            steps.finish(said)
        steps.add(next_steps(block))
    return steps.newest_first()


def next_steps(block: Block) -> tuple[str, ...]:
    """Return an event's next steps: its list, or its paragraphs if it has no list."""
    part = block.parts.get("Next Steps", "")
    return tuple(text for text in _steps(part) if fold(text) not in _NOTHING)


def _steps(part: str) -> list[str]:
    listed: list[list[str]] = []
    paragraphs: list[list[str]] = [[]]
    skipping, inside = False, False
    for line in map(tidy, lines(part)):
        step = _STEP.fullmatch(line)
        if step:
            skipping = step[1] in ("x", "X") or is_tagged(line)
            inside = True
            if not skipping:
                listed.append([step[2]])
        elif not line.strip():
            inside = False
            paragraphs.append([])
        elif inside:
            if not skipping:
                listed[-1].append(line)
        elif not is_tagged(line) and not line.lstrip().startswith("#"):
            paragraphs[-1].append(line)
    return [tidy(" ".join(said)) for said in listed or filter(None, paragraphs)]


def _done(block: Block) -> Iterator[str]:
    """Yield what an event reports as done: its title, the tagged and the ticked texts."""
    yield block.title
    text = block.text
    for mark, said in told(text):
        if mark == DONE:
            yield said
    if "[x]" in text or "[X]" in text:
        for line in map(tidy, lines(text)):
            ticked = _TICKED.fullmatch(line)
            if ticked:
                yield ticked[1]


def _summary(recent: tuple[Block, ...], actions: tuple[str, ...], options: LayersOptions) -> str:
    """Return the current work: its newest decision or milestone, and its next step."""
    if not recent:
        return "No event is recorded yet."
    work = [block for block in recent if _belongs(block, recent[0])]
    chosen = next(filter(_leads, work), recent[0])
    text = f"{event_line(chosen)}."
    what = _first_paragraph(chosen)
    if what:
        text += f" {_sentence(_cut(what, options.summary_chars))}"
    known = set(actions)
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


def _leads(block: Block) -> bool:
    kinds = set(_WORD.findall((block.type or "").casefold()))
    return block.form == "decision" or not kinds.isdisjoint({"decision", "milestone"})


def _first_paragraph(block: Block) -> str:
    part = block.parts.get("What") or block.parts.get("Decision") or ""
    said = ""
    for line in map(tidy, lines(part)):
        if said and (not line or _STEP.fullmatch(line)):
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
