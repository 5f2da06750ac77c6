"""Reads the rules of AGENTS.md by its headings.

People write such files in many ways, so a part is found by a word of its heading, of a line in bold
or of a line that ends in a colon. Below a heading such as "Rules", the wording of each rule tells
Do from Don't. The part consists of the list lines and table rows below this label, up to the next
label of the same rank; if there are none, of the sentences of its paragraphs. The title of a file
names a part only for the lines directly below it. A missing part is a warning. Lists below other
headings are rules too, and so is a sentence that plainly orders or forbids something; everything
else is reported as not read.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

from varves.protocols.layers.wording import forbids, orders
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PARTS = ("do", "dont", "naming", "workflow", "files")
SECTION = "Memory System Protocol"
AGENTS = "AGENTS.md"

_EITHER = "either"  # below a heading such as "Rules", each rule's wording tells do from don't

_TITLES = {
    "do": "Do rules",
    "dont": "Don't rules",
    "naming": "naming conventions",
    "workflow": "workflow definitions",
    "files": "key file roles",
}
_KNOWN_BY = (
    ("dont", r"(?:do not|don ?t|don ?ts|never|must not|avoid|forbidden|prohibited)\b"),
    ("dont", r"(?:anti ?patterns?|.*\b(?:don ?ts?|prohibitions))$"),
    ("do", r"(?:do|dos|do s|always|must|required)$"),
    ("do", r"(?:do|always|must)\b(?! not).{0,24}$"),
    ("naming", r".*\b(?:naming|conventions?|file names?)\b"),
    ("workflow", r".*\b(?:workflows?|processes|process|lifecycle|procedures?)\b"),
    ("files", r".*\b(?:key files?|important files?|file roles?|files and roles)\b"),
    (
        "files",
        r"(?:.*\b(?:project|repository|repo|directory|folder) (?:structure|layout)|layout)\b",
    ),
    (
        _EITHER,
        (
            r"(?:(?:the|our|your|general|basic|ground|house|project|team|agents?|ai|core|key|main|hard"
            r"|important|working|behaviou?r(?:al)?|golden|critical|global|strict|non negotiable) )*"
            r"(?:rules|guidelines|guardrails|constraints|boundaries)"
            r"(?: (?:for|of) (?:the |all |this |every |coding |ai )*(?:agents?|assistants?|project"
            r"|contributors|everyone|repository|repo|work|bots?))?$"
        ),
    ),
)
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_LABEL = re.compile(r"(?:\*\*|__)(.{1,60}?)(?:\*\*|__)\s*:?\s*$|([^-*+|>].{0,58}?):\s*$")
_LISTED = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]\*\*))\s+(?=[\"'`*_(\u201c]?[A-Z])")
_COMMENT = re.compile(r"^ {0,3}<!--.*?-->", re.DOTALL | re.MULTILINE)
_QUOTED = 120  # letters of a passage that are quoted
_UNHEADED = 7  # the rank of a label that is not a heading
_BOTH = re.compile(r"dos? (?:and|or|&) don ?ts?|dos? don ?ts?")


class Rules(Value):
    """The rules of AGENTS.md."""

    digest: str
    """The digest of the file's bytes, to detect changes."""
    constraints: dict[str, list[str]]
    """The lines of each part: do, dont, naming, workflow, files."""
    other: dict[str, list[str]]
    """The list lines and table rows below other headings, by heading."""
    unread: tuple[str, ...]
    """Paragraphs and code from which no rule was read, each with its line number."""
    warnings: tuple[str, ...]
    protocol: bool
    """Whether the file has the section about this memory."""


def rules(content: bytes) -> Rules:
    """Read the rules of a file, whatever its wording."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    found: dict[str, list[list[str]]] = {part: [] for part in (*PARTS, _EITHER)}
    other: dict[str, list[list[str]]] = {}
    prose: dict[str, list[_Passage]] = {}
    titles: set[str] = set()
    opened: list[list[str]] | None = None  # the rules whose last line may continue
    passage: _Passage | None = None  # the paragraph or code whose next line may follow
    for one in _lines(text):
        titles.add(one.title)
        before, opened = opened, None
        if not one.code and (not one.text.strip() or _HEADING.match(one.text)):
            passage = None
            continue
        stated = None if one.code else _stated(one.text)
        told = other.setdefault(one.title, []) if one.part is None else found[one.part]
        if stated:
            told.append([stated])
            opened = None if one.text.strip().startswith("|") else told
        elif stated is not None:
            del told[-1:]  # the header of a table
        elif before is told and not one.code:
            told[-1].append(one.text.strip())
            opened = told
        elif passage is not None and passage.code == one.code:
            passage.lines.append(one.text.strip())
            continue
        else:
            passage = _Passage(one.number, one.title, one.code, [one.text.strip()])
            prose.setdefault(one.part or "", []).append(passage)
            continue
        passage = None
    constraints = {part: [" ".join(said) for said in found[part]] for part in found}
    left = prose.pop("", [])
    for part, passages in prose.items():
        if constraints[part]:
            left += passages
        else:
            by_line = part in ("naming", "workflow", "files")
            constraints[part] = [
                rule
                for one in passages
                if not one.code
                for rule in (one.lines if by_line else one.sentences)
            ]
            left += [one for one in passages if one.code]
    left.sort(key=lambda one: one.number)
    either = bool(constraints[_EITHER])
    for rule in constraints.pop(_EITHER):
        constraints["dont" if forbids(rule) else "do"].append(rule)
    left = [_without_rules(passage, constraints) for passage in left]
    return Rules(
        digest=digest(content),
        constraints=constraints,
        other={
            title: [" ".join(said) for said in some]
            for title, some in other.items()
            if some and not _is_ours(title)
        },
        unread=tuple(one.told for one in left if one.counts),
        warnings=tuple(
            f"{AGENTS} has no {_TITLES[part]}"
            + ("" if either and part in ("do", "dont") else ": no heading names them")
            for part in PARTS
            if not constraints[part]
        ),
        protocol=any(map(_is_ours, titles)),
    )


def _without_rules(passage: _Passage, constraints: dict[str, list[str]]) -> _Passage:
    """Return a passage without the sentences that plainly are rules, which are added to theirs."""
    rest: list[str] = []
    for sentence in passage.sentences if passage.counts else ():
        part = orders(sentence)
        (constraints[part] if part else rest).append(sentence)
    return passage if len(rest) == len(passage.sentences) else passage._replace(lines=rest)


def digest(content: bytes) -> str:
    """Return the digest of a version of the file."""
    return sha256(content).hexdigest()


class _Line(NamedTuple):
    number: int
    part: str | None
    title: str
    """The heading above it."""
    text: str
    code: bool = False


class _Passage(NamedTuple):
    """A paragraph, or the lines of a code block, that states no rule in a list or table."""

    number: int
    title: str
    code: bool
    lines: list[str]

    @property
    def sentences(self) -> list[str]:
        """Its sentences; none if it is code."""
        return [] if self.code else _SENTENCE.split(" ".join(filter(None, self.lines)))

    @property
    def counts(self) -> bool:
        """Whether to report a line as not read: it is neither empty nor about the memory itself."""
        return any(self.lines) and not _is_ours(self.title)

    @property
    def told(self) -> str:
        """The passage in a report: its line number, its heading and the beginning of its text."""
        text = " ".join(filter(None, self.lines))
        if len(text) > _QUOTED:
            text = text[:_QUOTED].rpartition(" ")[0] + " …"
        place = f"line {self.number}" + (f", {self.title}" if self.title else "")
        return f"{place}: {'code: ' if self.code else ''}{text}"


def _lines(text: str) -> Iterator[_Line]:
    """Yield each line that shows text or code, with its part and the heading above it."""
    stack: list[tuple[int, str | None]] = []
    title, fence = "", ""
    shown = _COMMENT.sub(_blank, text).splitlines()
    alone = sum(line.startswith("# ") for line in shown) == 1  # then it is the title of the file
    below: str | None = None  # the part that the title names for the lines directly below it
    for number, line in enumerate(shown, 1):
        part = stack[-1][1] if stack else None
        part = part or below
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = ""
                yield _Line(number, part, title, "")
            else:
                yield _Line(number, part, title, line, code=True)
            continue
        if mark:
            fence = mark[1]
            yield _Line(number, part, title, "")
            continue
        rank, label = _labelled(line)
        if not rank:
            yield _Line(number, part, title, line)
            continue
        named = part_of(label)
        if rank == _UNHEADED and named is None:
            yield _Line(number, part, title, line)
            continue
        below = None
        if rank == 1 and alone:
            below, named = named if named in ("do", "dont", _EITHER) else None, None
        if rank < _UNHEADED:
            title = label
        stack = [(above, kept) for above, kept in stack if above < rank]
        inherited = stack[-1][1] if stack else None
        stack.append((rank, named or inherited))
        yield _Line(number, named or inherited or below, title, "")


NO_RULES = digest(b"")  # noted by a session of a project without AGENTS.md


def _blank(comment: re.Match[str]) -> str:
    """Return the line ends of a comment, so that the lines below keep their numbers."""
    return "\n" * comment[0].count("\n")


def _labelled(line: str) -> tuple[int, str]:
    """Return the rank and text of a heading or label; 0 if the line is neither."""
    heading = _HEADING.match(line)
    if heading:
        return len(heading[1]), heading[2]
    label = _LABEL.fullmatch(line.strip())
    if label:
        return _UNHEADED, label[1] or label[2]
    return 0, ""


def part_of(title: str) -> str | None:
    """Return the part of the rules that a heading opens, if any."""
    words = _folded(title)
    if _BOTH.fullmatch(words):
        return _EITHER  # if its halves have labels of their own, these decide
    for part, pattern in _KNOWN_BY:
        if re.match(pattern, words):
            return part
    return None


def _is_ours(title: str) -> bool:
    """Return whether a heading is the one of the section about Varves itself."""
    return _folded(SECTION) in _folded(title)


def _folded(title: str) -> str:
    """Return the words of a heading in lower case, without punctuation."""
    return " ".join(re.sub(r"[^a-z0-9&]+", " ", title.casefold()).split())


def _stated(line: str) -> str | None:
    """Return the text of a list line or table row; empty for a table's rule, None for prose."""
    listed = _LISTED.match(line)
    if listed:
        return listed[1].strip()
    row = line.strip()
    if row.startswith("|") and row.endswith("|") and len(row) > 1:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        return "" if all(set(cell) <= set("-: ") for cell in cells) else " | ".join(cells)
    return None
