"""Reads the rules of AGENTS.md by its headings.

People write such files in many ways, so a part is found by a word of its heading, of a line in bold
or of a line that ends in a colon. The part consists of the list lines and table rows below this
label, up to the next label of the same rank; if there are none, of the paragraphs. A missing part
is a warning.
"""

from __future__ import annotations

import re
from hashlib import sha256

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
_KNOWN_BY = (
    ("dont", r"(?:do not|don ?t|don ?ts|never|must not|avoid|forbidden|prohibited)\b"),
    ("dont", r"(?:anti ?patterns?|.*\b(?:don ?ts?|prohibitions))$"),
    ("do", r"(?:do|dos|do s|always|must|rules|hard rules|golden rules|required)$"),
    ("do", r"(?:do|always|must)\b(?! not).{0,24}$"),
    ("naming", r".*\b(?:naming|conventions?|file names?)\b"),
    ("workflow", r".*\b(?:workflows?|processes|process|lifecycle|procedures?)\b"),
    ("files", r".*\b(?:key files?|important files?|file roles?|files and roles)\b"),
    (
        "files",
        r"(?:.*\b(?:project|repository|repo|directory|folder) (?:structure|layout)|layout)\b",
    ),
)
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_LABEL = re.compile(r"(?:\*\*|__)(.{1,60}?)(?:\*\*|__)\s*:?\s*$|([^-*+|>].{0,58}?):\s*$")
_LISTED = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BARE = 7  # the rank of a label that is not a heading
_BOTH = re.compile(r"dos? (?:and|or|&) don ?ts?|dos? don ?ts?")


class Rules(Value):
    """The rules of AGENTS.md."""

    digest: str
    """The digest of the file's bytes, to detect changes."""
    constraints: dict[str, list[str]]
    """The lines of each part: do, dont, naming, workflow, files."""
    warnings: tuple[str, ...]
    protocol: bool
    """Whether the file has the section about this memory."""


def rules(content: bytes) -> Rules:
    """Read the rules of a file, whatever its wording."""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff")
    found: dict[str, list[list[str]]] = {part: [] for part in PARTS}
    prose: dict[str, list[str]] = {part: [] for part in PARTS}
    titles: set[str] = set()
    open_part: str | None = None  # the part whose last line may continue
    for part, title, line in _lines(text):
        titles.add(title)
        before, open_part = open_part, None
        if part is None or not line.strip():
            continue
        stated = _stated(line)
        if stated:
            found[part].append([stated])
            open_part = None if line.strip().startswith("|") else part
        elif stated is not None:
            del found[part][-1:]  # the header of a table
        elif before == part:
            found[part][-1].append(line.strip())
            open_part = part
        elif not _HEADING.match(line):
            prose[part].append(line.strip())
    told = {part: [" ".join(said) for said in found[part]] or prose[part] for part in PARTS}
    warnings = [
        f"{AGENTS} has no {_TITLES[part]} that a heading names" for part in PARTS if not told[part]
    ]
    return Rules(
        digest=digest(content),
        constraints=told,
        warnings=tuple(warnings),
        protocol=any(_folded(SECTION) in _folded(title) for title in titles),
    )


def digest(content: bytes) -> str:
    """Return the digest of a version of the file."""
    return sha256(content).hexdigest()


def _lines(text: str) -> Iterator[tuple[str | None, str, str]]:
    """Yield each line outside code fences with its part and the heading above it."""
    stack: list[tuple[int, str | None]] = []
    title, fence = "", ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
                fence = ""
            continue
        if mark:
            fence = mark[1]
            continue
        rank, label = _labelled(line)
        if rank:
            if rank < _BARE:
                title = label
            part = part_of(label) if rank > 1 else None  # the title of the file names no part
            if rank == _BARE and part is None:
                yield (stack[-1][1] if stack else None), title, line
                continue
            stack = [(above, kept) for above, kept in stack if above < rank]
            inherited = stack[-1][1] if stack else None
            stack.append((rank, part or inherited))
            yield None, title, ""
        else:
            yield (stack[-1][1] if stack else None), title, line


def _labelled(line: str) -> tuple[int, str]:
    """Return the rank and text of a heading or label; 0 if the line is neither."""
    heading = _HEADING.match(line)
    if heading:
        return len(heading[1]), heading[2]
    label = _LABEL.fullmatch(line.strip())
    if label:
        return _BARE, label[1] or label[2]
    return 0, ""


def part_of(title: str) -> str | None:
    """Return the part of the rules that a heading opens, if any."""
    words = _folded(title)
    if _BOTH.fullmatch(words):
        return None  # its two halves have their own labels
    for part, pattern in _KNOWN_BY:
        if re.match(pattern, words):
            return part
    return None


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
