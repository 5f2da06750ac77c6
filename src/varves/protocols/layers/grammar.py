"""Reads what an event states about the graph: lines in a published form, and plain sentences.

A line in a published form states an entity or a relation; if the line is struck through, the
statement is retracted. A name in double brackets anywhere else is a mention. `sentences` reads the
sentences about named entities. Fenced code and HTML comments are ignored.
"""

from __future__ import annotations

import itertools
import re

from varves.protocols.layers import sentences
from varves.protocols.layers.scan import Page, in_brackets, linked_files, links_named, scan
from varves.protocols.layers.scan import is_path as is_linked
from varves.protocols.layers.sentences import is_status
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.protocols.layers.blocks import Block

SKILL, PACK, FILE = "skill", "pack", "file"
KINDS = (SKILL, PACK, FILE)
DEPENDS, PART, REFERENCES = sentences.DEPENDS, sentences.PART, sentences.REFERENCES
RELATIONS = (DEPENDS, PART, REFERENCES)
NONE, UNKNOWN = "none", "unknown"

_ID = r"\[\[[^\[\]\r\n]+\]\]"
_NAME = re.compile(r"\[\[([^\[\]\r\n]+)\]\]")
_COMMENT = re.compile(r"<!--.*?-->")
_LISTED = re.compile(r"(?:> ?)*[-*+] (.+)")
_DONE_NAME = re.compile(r"\[[xX]\] (\[\[[^\[\]]+\]\])\.?")
_STRUCK = re.compile(r"~~(.+)~~")
_STRUCK_INSIDE = re.compile(r"~~[^~]*~~")
_TICKS = re.compile(r"`+")
_ARROW = r" ?(?:→|->|-->) ?"
_RELATION = re.compile(rf"({_ID}){_ARROW}(?:([\w ]+?){_ARROW})?({_ID}(?: ?, ?{_ID})*) ?(?:\(.*\))?")
_LINE = re.compile(rf"({_ID}) ([—\u2013-]) (.*)")
_HEADING = re.compile(r"\s*(?:>\s*)*\\?#{1,6}\s+(.*)")
_LABEL = re.compile(
    r"\s*(?:>\s*)*(?:\\?#{1,6}\s+|[-*+]\s+)?(?:\*\*|__)?(\w[\w ]*?)\s*:?(?:\*\*|__)?:?\s*"
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%(?: (?:complete|completed|done))?", re.IGNORECASE)
_COUNT = re.compile(r"(?:\d+ ?(?:/|of) ?)?(\d+)(?: skills?| members?)?", re.IGNORECASE)
_NOTATION = re.compile(rf"\s*(?:> ?)*(?:[-*+] )?(?:~~)?{_ID} (?:→|->|-->|[—\u2013-]) ")
_BULLETED = re.compile(r"\s*(?:>\s*)*(?:[-*+]|\d+[.)])\s")
_PREFIXED = re.compile(r"(?:\*\*|__)?(\w[\w ]{2,20}?) ?:?(?:\*\*|__)?:? (?=\[\[)")
_CHAIN = re.compile(rf"{_ID}(?:{_ARROW}{_ID}){{2,}}")
_BETWEEN = ("relation", "member", "cut")  # what a sentence states of two entities
_LISTS = {"skills": SKILL, "packs": PACK, "files": FILE}
_EXTENSION = re.compile(r"\.([A-Za-z][A-Za-z0-9_-]{0,11})$")
_WORDS = {
    "depends on": DEPENDS,
    "depends_on": DEPENDS,
    "requires": DEPENDS,
    "part of": PART,
    "part_of": PART,
    "references": REFERENCES,
    "documents": REFERENCES,
}


class EventStatement(Value):
    """One statement of an event.

    `what` is the kind of an entity, `mention`, `linked` (a file), `relation`, or a retraction:
    `gone` (an entity) or `cut` (a relation). What a sentence states has names as written: `said`
    and `unsaid` are a relation and its retraction, `member` is a relation to a pack, `share` a
    pack's completion, `status` a skill's, `called` says that the entity is a pack, `removed` that
    it is no more, and `renamed` that it is now called as the target.
    """

    what: str
    id: str
    columns: tuple[str, ...] = ()
    target: str = ""
    relation: str | None = None
    group: int | None = None
    """The paragraph or list item that states it; None for a file that is linked apart."""


def tidy(text: str) -> str:
    """Return a text on one line, with single blanks."""
    return " ".join(text.split())


def column_of(text: str) -> str:
    """Return a text for a column; a separate dash is replaced, as it would be a separator."""
    return " ".join("-" if word == "—" else word for word in text.split())


def tidy_id(text: str) -> str:
    """Return the id between double brackets, cleaned up; it may be empty."""
    return tidy(text.partition("|")[0])


def is_path(name: str) -> bool:
    """Return whether a name looks like a file's: it has a slash or an extension."""
    return "/" in name or (" " not in name and _EXTENSION.search(name) is not None)


def kind_by_name(name: str) -> str:
    """Return the kind of an entity that is only mentioned."""
    if name.startswith("pack-"):
        return PACK
    return FILE if is_path(name) else SKILL


def type_of(path: str) -> str:
    """Return a file's type: its extension, or `file`."""
    found = _EXTENSION.search(path)
    return found.group(1).lower() if found else FILE


def relation_named(words: str) -> str | None:
    """Return the relation that some words name, if any."""
    return _WORDS.get(tidy(words).casefold())


def lines(text: str) -> Iterator[str]:
    """Yield the lines of a text that are neither fenced code nor in an HTML comment."""
    if "<!--" not in text and "```" not in text and "~~~" not in text:
        return iter(text.split("\n"))
    return (line for _, line in numbered(text))


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Yield the same lines with their numbers, from 1."""
    whole = text.split("\n")
    place = 0
    for begin, end in (*scan(whole).hidden, (len(whole), len(whole))):
        for index in range(place, begin):
            line = whole[index]
            if "<!--" in line:
                before, mark, rest = line.rpartition("-->")
                line = _COMMENT.sub(" ", before + mark) + rest
            yield index + 1, line
        place = end


def percentage(text: str) -> float | None:
    """Return the number of a completion, or None if the text is not one."""
    found = _PERCENT.fullmatch(text.strip())
    share = float(found[1]) if found else 101.0
    return None if share > 100 else int(share) if share.is_integer() else share


def number_of(text: str) -> int | None:
    """Return the number of skills that a column states, or None."""
    found = _COUNT.fullmatch(text.strip())
    return int(found[1]) if found else None


def statements(block: Block) -> Iterator[EventStatement]:
    """Yield a block's statements about the graph, in the order of its text, its files last."""
    label: str | None = None
    parts = groups(block.text)
    for group, part in enumerate(parts):
        for line in part:
            stated = [*_between_files(line, label)]
            if stated:
                ends = {end for one in stated for end in (one.id, one.target)}
                for one in (*_plain_files(block, ends), *stated):
                    yield one.replace(group=group)
                continue
            if "[[" not in line:
                label = _label(line, label)
                continue
            # Single blanks keep the patterns from backtracking.
            said = tidy(line)
            listed = _LISTED.fullmatch(said)
            for one in _of_line(listed[1] if listed else said, said, label):
                yield one.replace(group=group)
        yield from (one.replace(group=group) for one in _of_sentences(block, part))
    for path in block.files:
        name = tidy(path)
        if name and name.isprintable() and not set("[]|").intersection(name):
            yield EventStatement(what="linked", id=name)
            for group, part in enumerate(parts):
                if any(f"({path})" in line or f"`{path}`" in line for line in part):
                    yield EventStatement(what="linked", id=name, group=group)


def names_in_text(text: str) -> list[str]:
    """Return what a text names: in double brackets, and the files it links."""
    return [*map(tidy_id, _NAME.findall(text)), *linked_files(Page(text))]


def groups(text: str) -> list[list[str]]:
    """Return the lines of each paragraph, list item and heading."""
    found: list[list[str]] = [[]]
    for line in lines(text):
        alone = _HEADING.fullmatch(line) or _NOTATION.match(line)
        if not line.strip() or alone or _BULLETED.match(line):
            found.append([])
        if line.strip():
            found[-1].append(line)
        if alone:
            found.append([])
    return [part for part in found if part]


def _between_files(line: str, label: str | None) -> Iterator[EventStatement]:
    """Yield the relations of a line in the published form if links or paths in it are an end."""
    if "`" in line or "](" in line:
        said = tidy(links_named(_uncoded(line, named=True)))
        listed = _LISTED.fullmatch(said)
        stated = [*_of_line(listed[1] if listed else said, said, label)]
        if all(one.what in ("relation", "cut") for one in stated):
            yield from stated


def _of_sentences(block: Block, part: list[str]) -> Iterator[EventStatement]:
    """Yield what the sentences of a paragraph state; links and paths state only relations."""
    text = sentences.as_text(part)
    written = {*_NAME.findall(text)}
    for told in sentences.said_in(links_named(_uncoded(text, named=True))):
        ends = {end.strip("[]") for end in (told.name, told.target) if end.startswith("[[")}
        if told.what not in _BETWEEN and not ends <= written:
            continue
        yield from _plain_files(block, ends)
        what = {"relation": "said", "cut": "unsaid", "pack": "called"}.get(told.what, told.what)
        yield EventStatement(
            what=what,
            id=told.name,
            target=told.target,
            relation=told.relation,
            columns=(told.status,) if told.status else (told.share, told.count),
        )


def _plain_files(block: Block, names: set[str]) -> Iterator[EventStatement]:
    """Yield those of some names that an event links as files, and that do not look like files."""
    for name in sorted(names.intersection(block.files)):
        if not is_path(name):
            yield EventStatement(what="linked", id=name)


def _label(line: str, label: str | None) -> str | None:
    """Return the relation that applies to the next lines: a label sets it, a heading ends it."""
    stripped = line.strip()
    if not stripped or len(stripped) > 40:
        return None if stripped and _HEADING.fullmatch(line) else label
    found = _LABEL.fullmatch(line)
    named = relation_named(found[1]) if found else None
    if named:
        return named
    return None if _HEADING.fullmatch(line) else label


def _of_line(listed: str, line: str, label: str | None) -> Iterator[EventStatement]:
    prefixed = _PREFIXED.match(listed)
    if prefixed and relation_named(prefixed[1]):
        label, listed = relation_named(prefixed[1]), listed[prefixed.end() :]
    ticked = _DONE_NAME.fullmatch(listed)
    if ticked:
        yield EventStatement(what="status", id=ticked[1], columns=("done",))
        return
    struck = _STRUCK.fullmatch(listed)
    stated = struck[1].strip() if struck else listed.removesuffix(".")
    if stated.startswith("[["):
        relation = _RELATION.fullmatch(stated)
        if relation:
            yield from _relations(relation, label, what="cut" if struck else "relation")
            return
        if _CHAIN.fullmatch(stated):
            names = [tidy_id(name) for name in _NAME.findall(stated)]
            for source, target in itertools.pairwise(names):
                if source and target:
                    what = "cut" if struck else "relation"
                    yield EventStatement(what=what, id=source, target=target, relation=label)
            return
        if struck and _NAME.fullmatch(stated):
            yield from _named(stated, what="gone")
            return
        entity = _entity(stated)
        if entity:
            if struck:
                yield EventStatement(what="gone", id=entity.id)
                return
            yield entity
            if entity.what != "status":
                yield from _mentions("— ".join(entity.columns))
            return
    yield from _mentions(line)


def _relations(found: re.Match[str], label: str | None, *, what: str) -> Iterator[EventStatement]:
    source = tidy_id(found[1][2:-2])
    relation = (relation_named(found[2]) if found[2] else None) or label
    for name in _NAME.findall(found[3]):
        target = tidy_id(name)
        if source and target:
            yield EventStatement(what=what, id=source, target=target, relation=relation)


def _named(stated: str, *, what: str) -> Iterator[EventStatement]:
    for name in _NAME.findall(stated):
        if tidy_id(name):
            yield EventStatement(what=what, id=tidy_id(name))


def _mentions(line: str) -> Iterator[EventStatement]:
    if "[[" not in line:
        return
    if "~~" in line:
        line = _STRUCK_INSIDE.sub(" ", line)
    if "`" in line:
        line = _uncoded(line)
    yield from _named(line, what="mention")


def _uncoded(line: str, *, named: bool = False) -> str:
    """Return a line without its code spans, which are between equal runs of backticks.

    With `named`, a code span that is a path stays, as a name in double brackets.
    """
    if "`" not in line:
        return line
    runs = [(run.start(), run.end()) for run in _TICKS.finditer(line)]
    later: dict[int, list[int]] = {}
    for index in reversed(range(len(runs))):
        later.setdefault(runs[index][1] - runs[index][0], []).append(index)
    kept: list[str] = []
    place = index = 0
    while index < len(runs):
        start, end = runs[index]
        closing = later[end - start]
        while closing and closing[-1] <= index:
            closing.pop()
        if closing:
            kept.append(line[place:start])
            index = closing[-1]
            code = line[end : runs[index][0]]
            path = named and end - start == 1 and is_linked(code)
            kept.append((path and in_brackets(code)) or " ")
            place = runs[index][1]
        index += 1
    return "".join((*kept, line[place:]))


def _entity(stated: str) -> EventStatement | None:
    """Parse the line of a skill, pack or file; None if it is none of them."""
    found = _LINE.fullmatch(stated)
    name = tidy_id(found[1][2:-2]) if found else ""
    if not found or not name:
        return None
    columns = tuple(column_of(column) for column in f" {found[3]} ".split(f" {found[2]} "))
    is_pack = len(columns) > 1 and percentage(columns[1]) is not None
    if len(columns) == 3:
        is_pack = is_pack and number_of(columns[2]) is not None
        return EventStatement(what=PACK if is_pack else SKILL, id=name, columns=columns)
    if len(columns) == 2 and is_pack:
        return EventStatement(what=PACK, id=name, columns=(*columns, ""))
    if len(columns) == 2 and is_path(name):
        return EventStatement(what=FILE, id=name, columns=columns)
    if len(columns) < 3 and is_status(columns[-1]):
        return EventStatement(what="status", id=f"[[{name}]]", columns=columns[::-1])
    return None
