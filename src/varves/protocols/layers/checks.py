"""Checks the files against the published rules of each layer; findings name file, line and rule."""

from __future__ import annotations

import re
from itertools import pairwise
from json import dumps, loads
from typing import NamedTuple

from varves.protocols.layers.blocks import SCOPES, SECTIONS, TYPES, UPRIGHT
from varves.protocols.layers.context import event_line, recent_events
from varves.protocols.layers.grammar import FILE, SKILL, statements, tidy, tidy_id
from varves.protocols.layers.graph import names_in
from varves.protocols.layers.picture import read_picture
from varves.protocols.layers.scan import is_path
from varves.protocols.layers.views import CONTEXT, GRAPH
from varves.protocols.protocol import ERROR, NOTE, WARNING, Breach
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from varves.protocols.layers.blocks import Block, Changelog
    from varves.protocols.layers.graph import Graph
    from varves.protocols.layers.options import LayersOptions
    from varves.protocols.port import Core

LOG = "CHANGELOG.md"
_LINKS, _FORM = "named files", 2
"""The note of the files that events name, and the form of what is read from them."""
WAIVE = "varves layers waive"
_MEND = f"the log is append-only: explain it by a later event, then {WAIVE}"
_REBUILD = "varves layers rebuild makes it from the log"
_UNCLEAR = re.compile(
    r"\W*(?:todo|tbd|tba|fixme|xxx|placeholder|to be (?:done|decided|determined)"
    r"|what (?:should happen|happens) next)?\W*|<[^<>]*>|\{[^{}]*\}",
    re.IGNORECASE,
)
_SAYS_NOTHING = frozenset(
    (
        *("stuff", "thing", "things", "something", "anything", "everything", "it", "this", "that"),
        *("them", "these", "those", "maybe", "perhaps", "possibly", "later", "soon", "sometime"),
        *(
            "someday",
            "tomorrow",
            "next",
            "now",
            "then",
            "again",
            "before",
            "above",
            "below",
            "more",
        ),
        *("some", "other", "others", "same", "further", "etc", "else", "so", "on", "up"),
        *(
            "continue",
            "continuing",
            "continues",
            "go",
            "going",
            "keep",
            "carry",
            "proceed",
            "resume",
        ),
        *("do", "doing", "done", "work", "working", "task", "tasks", "step", "steps", "see", "as"),
        *("tbc", "tba", "tbd", "todo", "wip", "to", "be", "with", "and", "or", "of", "in", "at"),
        *(
            "the",
            "a",
            "an",
            "all",
            "any",
            "few",
            "bits",
            "bit",
            "we",
            "i",
            "will",
            "should",
            "must",
        ),
        *("not", "sure", "yet", "out", "open", "much", "usual", "planned", "agreed", "progress"),
    )
)
"""Words of which a next action says nothing, if it has no others."""
_NEEDS_OBJECT = frozenset(
    (
        *("ask", "check", "fix", "look", "think", "discuss", "talk", "decide", "improve", "finish"),
        *("update", "change", "try", "wait", "follow", "investigate", "handle", "help", "consider"),
        *(
            "make",
            "get",
            "find",
            "add",
            "remove",
            "tell",
            "say",
            "use",
            "move",
            "clarify",
            "explore",
        ),
    )
)
"""Verbs that are no next action without what they are done to."""
_WORDS = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_NOTHING = frozenset({"", "none", "n/a", "nothing"})
_TICKED = re.compile(r"`([^`\s]+)`")
_LISTED = r"`[^`\s]+`(?:(?:,| and|, and) (?:the )?`[^`\s]+`)*"
_GONE = re.compile(
    r"\b(?:remov|delet|dropp?|renam|mov|replac|eras)(?:e[ds]?|ing|ed|s)? (?:(?:the|our|an?|its|old"
    rf"|obsolete|unused|empty|dead|files?|scripts?|modules?|both) )*{_LISTED}"
    rf"|{_LISTED} (?:is|are|was|were|has been|have been|got) (?:now |also |then )?"
    r"(?:gone|removed|deleted|dropped|renamed|moved|replaced|erased)\b"
    rf"|{_LISTED} (?:no longer exists?|does not exist any ?more)",
    re.IGNORECASE,
)
"""Words by which an event says that it took files away, so that it may name them."""


def _breach(rule: str, place: str, message: str, *, fix: str = _MEND, level: str = ERROR) -> Breach:
    return Breach(rule=rule, place=place, message=message, fix=fix, level=level)


# The log


def order(
    log: Changelog, sides: Callable[[], list[list[set[str]]]], *, ahead: str
) -> Iterator[Breach]:
    """Find events that are out of order; if a merge explains the order, the finding is a note.

    If an event is dated in the future, `ahead` or later, it is the one out of order, and not those
    after it.
    """
    merges: list[list[set[str]]] | None = None
    wrong = log.misdated(ahead)
    for block in wrong:
        message = f"{_named(block)} is dated in the future"
        yield _breach("S1-80", f"{LOG}:{block.line}", message)
    ordered = [block for block in log.ordered if block not in wrong] if wrong else log.ordered
    for before, block in pairwise(ordered):
        length = min(len(before.time), len(block.time))
        if not before.time or not block.time or block.time[:length] >= before.time[:length]:
            continue
        merges = sides() if merges is None else merges
        explained = any(_apart(before.digest, block.digest, pair) for pair in merges)
        message = f"{_named(block)} comes after {_named(before)} of line {before.line}"
        if explained:
            fix = "a merge combined them"
            yield _breach("S1-80", f"{LOG}:{block.line}", message, fix=fix, level=NOTE)
        else:
            fix = UPRIGHT if log.upside_down(ahead) else _MEND
            yield _breach("S1-80", f"{LOG}:{block.line}", message, fix=fix)


def _apart(one: str, other: str, parents: Sequence[set[str]]) -> bool:
    """Return whether two events come from different sides of a merge."""
    alone = [one in side and other not in side for side in parents]
    across = [other in side and one not in side for side in parents]
    return any(alone) and any(across)


def _named(block: Block) -> str:
    return f"{block.time} {tidy(block.title)}".strip()


def entries(log: Changelog) -> Iterator[Breach]:
    """Find events without a time or a type, and departures from the published form."""
    for suspect in log.suspects:
        message = f"looks like an event but is not one: {suspect.why} ({suspect.text[:80]})"
        yield _breach("S1-82", f"{LOG}:{suspect.line}", message, fix="write it as published")
    for block in log.blocks:
        place = f"{LOG}:{block.line}"
        for rule, message, level in _form(block):
            yield _breach(rule, place, f"{_named(block)}: {message}", level=level)


def _form(block: Block) -> Iterator[tuple[str, str, str]]:
    if block.form != "published":
        yield "S1-11", "the heading is not `## YYYY-MM-DD HH:MM — Title`", WARNING
    if block.type is None:
        yield "S1-83", "there is no Type", ERROR
    elif block.type not in TYPES:
        yield "S1-12", f"the Type is not one of {', '.join(TYPES)}", WARNING
    if block.area not in SCOPES:
        yield "S1-13", f"the Scope is not one of {', '.join(SCOPES)}", WARNING
    if block.form in ("evt", "decision"):
        return
    for name in SECTIONS:
        if not block.parts.get(name) and name in ("What", "Why"):
            rule = "S1-19" if name == "Why" else "S1-14"
            yield rule, f"there is no {name}", WARNING
        elif name not in block.parts:
            yield "S1-14", f"there is no section {name}", WARNING
        elif not block.parts[name].strip():
            yield "S1-53", f"the section {name} is empty (write `None.` if there is none)", WARNING
    there = [name for name in block.parts if name in SECTIONS]
    if there != [name for name in SECTIONS if name in there]:
        yield "S1-14", f"the sections are not in the order {', '.join(SECTIONS)}", WARNING


def links(
    log: Changelog,
    graph: Graph,
    whereabouts: Callable[[Iterable[str]], dict[str, str]],
    *,
    notes: NotedLinks,
) -> Iterator[Breach]:
    """Find links to missing files; if git's history has the file, the finding is a warning.

    A name in double brackets is a link if the graph has it as a file, and its form or its line says
    so. A link is not reported if its event or a later one removes the file from the graph.
    """
    known = notes.read(log)
    fresh = [named_files(block) for block in log.ordered[len(known) :]]
    if fresh:
        notes.write(log, [*known, *fresh])
    yield from dead_links(log.ordered, [*known, *fresh], graph, whereabouts)


def dead_links(
    events: Sequence[Block],
    names: Sequence[NamedFiles],
    graph: Graph,
    whereabouts: Callable[[Iterable[str]], dict[str, str]],
) -> Iterator[Breach]:
    """Find links of some events to missing files, the events oldest first."""
    named = [
        (block, one.paths_in(graph), one.gone)
        for block, one in zip(events, names, strict=True)
        if any(one)
    ]
    judged = whereabouts({path for _, paths, _ in named for path in paths})
    removed: set[str] = set()
    found: list[Breach] = []
    for block, paths, gone in reversed(named):
        removed.update(gone)
        for path in reversed(paths):
            if judged[path] == "here" or tidy(path) in removed:
                continue
            once = judged[path] == "once"
            message = f"{_named(block)}: {path} {'no longer exists' if once else 'does not exist'}"
            level = WARNING if once else ERROR
            fix = f"append an event with the line - ~~[[{tidy(path)}]]~~, or {WAIVE}"
            found.append(_breach("S1-84", f"{LOG}:{block.line}", message, fix=fix, level=level))
    yield from reversed(found)


class NamedFiles(NamedTuple):
    """The files that an event names, whatever the graph is."""

    paths: tuple[str, ...]
    """Those that it links."""
    stated: tuple[str, ...]
    """The entities that it names as files."""
    gone: tuple[str, ...]
    """The names that it removes from the graph."""

    def paths_in(self, graph: Graph) -> list[str]:
        """Return its files: those that it links, and the entities that are files in a graph."""
        return [*dict.fromkeys((*self.paths, *(one for one in self.stated if one in graph.files)))]


def named_files(block: Block) -> NamedFiles:
    """Return the files that an event names, and the names that it removes from the graph."""
    stated, gone = dict[str, None](), set[str]()
    if block.files:
        gone |= {path for said in _GONE.findall(tidy(block.text)) for path in _TICKED.findall(said)}
    for said in statements(block):
        if said.what in ("gone", "removed"):
            gone.add(tidy_id(said.id.removeprefix("[[").removesuffix("]]")))
        ends = (said.id, said.target) if said.what in ("mention", "relation", FILE) else ()
        for name in ends:
            if is_path(name) or (said.what == FILE and name == said.id and "://" not in name):
                stated[name] = None
    return NamedFiles(block.files, tuple(stated), tuple(sorted(gone)))


class NotedLinks:
    """The named files of the events that an earlier check read, kept in this clone."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def read(self, log: Changelog) -> list[NamedFiles]:
        """Return those of the first events of a log; none if they are not known."""
        try:
            note = loads(self._core.noted(_LINKS) or "{}")
            count, chain = note["events"], note["chain"]
            if note["form"] != _FORM or count >= len(log.chains) or log.chains[count] != chain:
                return []
            found = [NamedFiles((), (), ())] * count
            for place, *parts in note["named"]:
                found[place] = NamedFiles(*map(tuple, parts))
        except (ValueError, KeyError, TypeError, IndexError):
            return []
        return found

    def write(self, log: Changelog, named: Sequence[NamedFiles]) -> None:
        """Keep those of all events of a log."""
        told = [(place, *one) for place, one in enumerate(named) if any(one)]
        note = {"form": _FORM, "events": len(named), "chain": log.chains[-1], "named": told}
        self._core.note_down(_LINKS, dumps(note))


# The graph


def stale(path: str, why: str, *, rule: str, level: str) -> Breach:
    """Return the finding for a view that does not show the current log."""
    said = {
        "missing": "is missing",
        "behind": "is stale: the log has changed since",
        "ahead": "is stale: it is ahead of the log, or from another log",
        "edited": "was edited by hand",
        "foreign": "was not written by this protocol's rules",
    }
    return _breach(rule, path, said.get(why, why), fix=_REBUILD, level=level)


def picture(text: str, graphs: Sequence[Graph], log: Changelog) -> Iterator[Breach]:
    """Compare graph.md with the graphs it may show: the current one, and that of its horizon."""
    nodes, edges = read_picture(text)
    listed = {name for _, _, name, _ in nodes}
    said = {tidy_id(name) for block in log.blocks for name in _names(block.text)}
    for line, kind, name, columns in nodes:
        place = f"{GRAPH}:{line}"
        if not any(name in graph for graph in graphs):
            if name in said:
                message = f"{name} is no longer supported by an event"
                yield _breach("S1-87", place, message, fix=_REBUILD)
            else:
                yield _breach("S1-85", place, f"{name} is not in any event", fix=_REBUILD)
        elif kind == SKILL and not any(_status(graph, name, columns[1]) for graph in graphs):
            message = f"{name} is {columns[1]} here, but not in the log"
            yield _breach("S1-88", place, message, fix=_REBUILD)
        for other in names_in(columns[-1]) if kind != "pack" else ():
            if other not in listed:
                message = f"{other} is named for {name}, but no line defines it"
                yield _breach("S1-87", place, message, fix=_REBUILD)
    for line, relation, source, target in edges:
        yield from _edge(f"{GRAPH}:{line}", (relation, source, target), listed, graphs=graphs)


def _names(text: str) -> list[str]:
    return re.findall(r"\[\[([^\[\]\r\n]+)\]\]", text)


def _status(graph: Graph, name: str, status: str) -> bool:
    return name in graph.skills and fold(graph.skills[name][1]) == fold(status)


def _edge(
    place: str, edge: tuple[str | None, str, str], listed: set[str], *, graphs: Sequence[Graph]
) -> Iterator[Breach]:
    relation, source, target = edge
    shown = f"{source} → {target}"
    if relation is None:
        yield _breach("S1-86", place, f"{shown} has no known kind", fix=_REBUILD)
    for end in (source, target):
        if end not in listed:
            message = f"{shown}: no line defines {end}"
            yield _breach("S1-86", place, message, fix=_REBUILD)
    known = relation is not None and {source, target} <= listed
    if known and not any(target in graph.targets(str(relation), source) for graph in graphs):
        message = f"{shown} ({relation}) is not stated by any event"
        yield _breach("S1-86", place, message, fix=_REBUILD)


# The context


def narrative(
    text: str, log: Changelog, *, then: Changelog, graph: Graph, options: LayersOptions
) -> Iterator[Breach]:
    """Compare context.md with the log up to its horizon (`then`), and with that log's graph."""
    parts = sections(text)
    expected = [f"- {event_line(block)}" for block in recent_events(then, options.recent)]
    known = {f"- {event_line(block)}" for block in log.blocks}
    recent = [(line, said) for line, said in parts.get("Recent Events", ()) if said != "none"]
    for line, said in recent:
        if said not in known:
            message = f"no event of the log has this text: {said[:80]}"
            yield _breach("S1-90", f"{CONTEXT}:{line}", message, fix=_REBUILD)
    told = [said for _, said in recent]
    if told != expected and known.issuperset(told):
        message = "the recent events are not the last of the log"
        yield _breach("S1-90", CONTEXT, message, fix=_REBUILD)
    for line, said in parts.get("Active Entities", ()):
        for name in map(tidy_id, _names(said)):
            if name not in graph:
                message = f"{name} is not in the graph"
                yield _breach("S1-91", f"{CONTEXT}:{line}", message, fix=_REBUILD)
    yield from _actions(parts)


def _actions(parts: dict[str, list[tuple[int, str]]]) -> Iterator[Breach]:
    actions = parts.get("Next Actions", [])
    fix = "append an event with the next steps"
    clear = [(line, re.sub(r"^[-*+]\s+(?:\[[ xX]\]\s+)?", "", said)) for line, said in actions]
    if all(fold(said) in _NOTHING for _, said in clear):
        yield _breach("S1-92", CONTEXT, "there are no next actions", fix=fix, level=WARNING)
        return
    for line, said in clear:
        if _UNCLEAR.fullmatch(said) or _is_vague(said):
            message = f"the next action is not clear: {said[:80]}"
            yield _breach("S1-92", f"{CONTEXT}:{line}", message, fix=fix, level=WARNING)


def _is_vague(action: str) -> bool:
    """Return whether an action has no word that says what to do, or a verb without an object.

    A word with a capital within the action is a name.
    """
    said = _WORDS.findall(action)
    named = [one for one in said[1:] if one[0].isupper() and one != "I"]
    left = [one for one in map(str.casefold, said) if one not in _SAYS_NOTHING]
    return not named and (not left or (len(left) == 1 and left[0] in _NEEDS_OBJECT))


def sections(text: str) -> dict[str, list[tuple[int, str]]]:
    """Return the lines of each section of a context, numbered from 1, without blank lines."""
    found: dict[str, list[tuple[int, str]]] = {}
    title = ""
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if line.startswith("## "):
            title = tidy(line[3:])
            found.setdefault(title, [])
        elif line.strip() and not line.startswith(("<!--", "# ")) and title:
            found[title].append((number, line.strip()))
    return found
