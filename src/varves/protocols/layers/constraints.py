"""Reads the rules of AGENTS.md by its headings.

People write such files in many ways, so a part is found by a word of its heading, of a line in bold
or of a line that ends in a colon. Below a heading such as "Rules" or "Do's and Don'ts", the wording
of each rule tells Do from Don't. The part consists of the list lines and table rows below this
label, up to the next label of the same rank; if there are none, of the sentences of its paragraphs.
A table with a column for each is read by its columns. The title of a file names a part only for the
lines directly below it. A missing part is a warning.

Lists below other headings are rules too. Of these, a line that begins with a sign (a tick, a cross,
"Good:") and a line or sentence that plainly orders or forbids something is a Do or a Don't.
Everything else is reported as not read.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

from varves.protocols.layers.rule_lines import EITHER, LISTED, OTHERS, folded, lines
from varves.protocols.layers.rule_tables import by_columns, cells, columns
from varves.protocols.layers.wording import forbids, orders, signed
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.rule_lines import RuleLine

PARTS = ("do", "dont", "naming", "workflow", "files")
SECTION = "Memory System Protocol"
AGENTS = "AGENTS.md"

_TITLES = {
    "do": "Do rules",
    "dont": "Don't rules",
    "naming": "naming conventions",
    "workflow": "workflow definitions",
    "files": "key file roles",
}
_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?]\*\*))\s+(?=[\"'`*_(\u201c]?[A-Z])")
_QUOTED = 120  # letters of a passage that are quoted
# headings below which a tick says what was done or what there is
_STATE = re.compile(
    r"\b(?:status|progress|roadmap|completed?|done|features?|milestones?|history|support(?:ed)?"
    r"|phases?|implemented|implementation|changes|changelog|todos?|results?|coverage|checklist"
    r"|current|overview)\b"
)


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
    reading = _Reading()
    for line in lines(content.decode("utf-8", "replace").removeprefix("\ufeff")):
        reading.take(line)
    constraints, left = reading.parts()
    either = bool(constraints[EITHER])
    for rule in constraints.pop(EITHER):
        constraints["dont" if forbids(rule) else "do"].append(rule)
    left = [_without_rules(passage, constraints) for passage in left]
    return Rules(
        digest=digest(content),
        constraints=constraints,
        other=_without_signs(reading.other, constraints),
        unread=tuple(one.told for one in left if one.counts),
        warnings=tuple(
            f"{AGENTS} has no {_TITLES[part]}"
            + ("" if either and part in ("do", "dont") else ": no heading names them")
            for part in PARTS
            if not constraints[part]
        ),
        protocol=any(map(_is_ours, reading.titles)),
    )


class _Reading:
    """What was read of a file so far: the lines of each part, and the text that states no rule."""

    def __init__(self) -> None:
        self.other: dict[str, list[list[str]]] = {}
        self.titles: set[str] = set()
        self._found: dict[str, list[list[str]]] = {part: [] for part in (*PARTS, EITHER)}
        self._prose: dict[str, list[_Passage]] = {}
        self._opened: list[list[str]] | None = None  # the rules whose last line may continue
        self._passage: _Passage | None = None  # the paragraph or code that may continue
        self._row: list[str] = []  # the cells of the last line, if it is a row of a table
        self._columns: list[str | None] = []  # of the table, if they tell do from don't

    def take(self, line: RuleLine) -> None:
        """Read the next line."""
        self.titles.add(line.title)
        before, self._opened = self._opened, None
        if not line.code and not line.text.strip():
            self._passage, self._columns = None, []
            return
        told = self._found[line.part] if line.part else self.other.setdefault(line.title, [])
        if not line.code and self._states(line, told):
            self._passage = None
        elif before is told and not line.code:
            told[-1].append(line.text.strip())
            self._opened, self._passage = told, None
        elif self._passage is not None and self._passage.code == line.code:
            self._passage.lines.append(line.text.strip())
        else:
            self._passage = _Passage(line.number, line.title, line.code, [line.text.strip()])
            self._prose.setdefault(line.part or "", []).append(self._passage)

    def _states(self, line: RuleLine, told: list[list[str]]) -> bool:
        """Read a list line, a row of a table or a line with a sign; return whether it is one."""
        header, self._row = self._row, cells(line.text)
        if self._row and self._columns:
            for part, rule in by_columns(self._row, self._columns):
                self._found[part].append([rule])
            return True
        stated = _stated(line.text)
        if stated:
            if told and line.lead and told[-1][-1].rstrip(" *_") == line.lead.rstrip():
                del told[-1]  # the line above was only the beginning of this one
            told.append([f"{line.lead}{stated}"])
            self._opened = None if self._row else told
        elif stated is not None:
            del told[-1:]
            self._columns = columns(header, line.part)
        return stated is not None

    def parts(self) -> tuple[dict[str, list[str]], list[_Passage]]:
        """Return the rules of each part, and the passages that are not read.

        The paragraphs of a part without list lines are rules.
        """
        found = {part: list(map(" ".join, told)) for part, told in self._found.items()}
        left = self._prose.pop("", [])
        for part, passages in self._prose.items():
            if found[part]:
                left += passages
                continue
            for one in passages:
                found[part] += one.lines if part in OTHERS and not one.code else one.sentences
            left += [one for one in passages if one.code]
        return found, sorted(left, key=lambda one: one.number)


def _without_signs(
    other: dict[str, list[list[str]]], constraints: dict[str, list[str]]
) -> dict[str, list[str]]:
    """Return the lines below other headings without those that plainly are rules.

    These are added to theirs.
    """
    rest: dict[str, list[str]] = {}
    for title, told in other.items():
        for rule in [] if _is_ours(title) else map(" ".join, told):
            part = ("" if _STATE.search(folded(title)) else signed(rule)) or orders(rule)
            (constraints[part] if part else rest.setdefault(title, [])).append(rule)
    return rest


def _without_rules(passage: _Passage, constraints: dict[str, list[str]]) -> _Passage:
    """Return a passage without the sentences that plainly are rules, which are added to theirs."""
    rest: list[str] = []
    for sentence in passage.sentences if passage.counts else ():
        part = "" if sentence.endswith(":") else orders(sentence)
        (constraints[part] if part else rest).append(sentence)
    return passage if len(rest) == len(passage.sentences) else passage._replace(lines=rest)


def digest(content: bytes) -> str:
    """Return the digest of a version of the file."""
    return sha256(content).hexdigest()


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


NO_RULES = digest(b"")  # noted by a session of a project without AGENTS.md


def _is_ours(title: str) -> bool:
    """Return whether a heading is the one of the section about Varves itself."""
    return folded(SECTION) in folded(title)


def _stated(line: str) -> str | None:
    """Return the text of a line that states a rule; empty for a table's ruler, None for prose.

    That is a list line, a table row, or a line that begins with a sign for right or wrong.
    """
    listed = LISTED.match(line)
    if listed:
        return listed[1].strip()
    row = cells(line)
    if row:
        return "" if all(set(cell) <= set("-: ") for cell in row) else " | ".join(row)
    return line.strip() if signed(line) else None
