"""Scans the Markdown of a log for headings, rules and bold fields, outside code and comments.

Unclosed code would hide every event after it, so an opening mark that is never closed counts as
plain text, and its line is reported.
"""

from __future__ import annotations

import re
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEAD = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t\r]*$")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}\r?$")
_FIELD = re.compile(r"\*\*([^*\n]{1,60}?)(?::\*\*|\*\*[ \t]*:)[ \t]*(.*)")
_FENCE = re.compile(r"( {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!.*`)|~{3,})")
_MARK = re.compile(r"(<{7}|\|{7}|>{7})(?: .*)?\r?$|={7}\r?$")
_TIGHT = re.compile(r" {0,3}#{1,6}(?:\d{4}-\d\d-\d\d|evt-)")
_UNDERLINE = re.compile(r"=+[ \t\r]*$")
_DATED = re.compile(r"\d{4}-\d\d-\d\d")
_STARTS = frozenset("#-*_`~<|>= 0123456789+")
_FENCES = frozenset("`~-*+0123456789")
_PLAIN = frozenset("#-*_<|>=")


class Head(NamedTuple):
    """A heading: its line from 0, its level, its text."""

    at: int
    level: int
    text: str


class Field(NamedTuple):
    """A bold name at the start of a line, and the text after it."""

    at: int
    name: str
    text: str


class Mark(NamedTuple):
    """A possible conflict marker of git; `inside` is the line that opens the code around it."""

    at: int
    sign: str
    inside: int | None


class Scan:
    """The result of one scan; line numbers are from 0."""

    def __init__(self) -> None:
        self.heads: list[Head] = []
        self.rules: list[int] = []
        self.fields: list[Field] = []
        self.hidden: list[tuple[int, int]] = []
        """Ranges of lines that are code or comment, including their marks: start and end."""
        self.comments: list[tuple[int, int]] = []
        """The ranges that are comments."""
        self.marks: list[Mark] = []
        self.unclosed: list[tuple[int, str]] = []
        self.odd: list[tuple[int, str]] = []
        """Lines with a date that were meant as headings but are not."""

    def shown(self, lines: Sequence[str]) -> str:
        """Return the text without hidden lines."""
        kept: list[str] = []
        start = 0
        for begin, end in self.hidden:
            kept += lines[start:begin]
            start = end
        return "\n".join((*kept, *lines[start:]))


def scan(lines: Sequence[str]) -> Scan:
    """Scan lines once."""
    found = Scan()
    hopeless: dict[str, int] = {}
    at, count = 0, len(lines)
    while at < count:
        line = lines[at]
        sign = line[:1]
        if sign not in _STARTS:
            at += 1
            continue
        if sign == " ":
            sign = line[:4].lstrip(" ")[:1]
        if (
            ("```" in line or "~~~" in line)
            and sign in _FENCES
            and (fence := _FENCE.match(line)) is not None
        ):
            at = _fenced(found, lines, at, fence=fence, hopeless=hopeless)
        elif sign == "<" and line.lstrip(" ").startswith("<!--"):
            at = _comment(found, lines, at, hopeless=hopeless)
        else:
            if sign in _PLAIN:
                _plain(found, lines, at, sign=sign)
            at += 1
    return found


def _plain(found: Scan, lines: Sequence[str], at: int, *, sign: str) -> None:
    line = lines[at]
    if sign == "#":
        if (head := _HEAD.match(line)) is not None:
            found.heads.append(Head(at, len(head[1]), (head[2] or "").strip()))
        elif _TIGHT.match(line):
            found.odd.append((at, "no blank after #"))
    elif sign == "*" and (field := _FIELD.match(line)) is not None:
        found.fields.append(Field(at, field[1].strip(), field[2].strip()))
    elif (sign in "-*_" and _RULE.match(line)) or (sign == "=" and _UNDERLINE.match(line)):
        if at and sign in "-=" and _DATED.match(lines[at - 1]):
            found.odd.append((at - 1, "underlined, not marked with ##"))
        if sign != "=":
            found.rules.append(at)
    if sign in "<|>=" and (mark := _MARK.match(line)) is not None:
        found.marks.append(Mark(at, (mark[1] or "=")[0], None))


def _fenced(
    found: Scan, lines: Sequence[str], at: int, *, fence: re.Match[str], hopeless: dict[str, int]
) -> int:
    """Skip code from the line that opens it; return the next line to scan."""
    prefix, sign = fence.groups()
    char, length = sign[0], len(sign)
    listed = prefix.strip(" ") != ""
    end = None
    if listed or length < hopeless.get(char, 1 << 30):
        end = _closing(lines, at, char=char, length=length, inset=len(prefix) if listed else 0)
    if end is None:
        hopeless[char] = min(length, hopeless.get(char, length))
        found.unclosed.append((at, "opens a code fence that is never closed"))
        return at + 1
    _hide(found, lines, at, end)
    return end


def _closing(lines: Sequence[str], at: int, *, char: str, length: int, inset: int) -> int | None:
    """Return the line after the end of code; code in a list ends with the list."""
    fence = char * length
    for index in range(at + 1, len(lines)):
        line = lines[index]
        bare = line.strip()
        if bare.startswith(fence) and not bare.strip(char):
            if inset or len(line) - len(line.lstrip(" ")) <= 3:
                return index + 1
        elif inset and bare and len(line) - len(line.lstrip(" \t")) < min(inset, 2):
            return index
    return len(lines) if inset else None


def _comment(found: Scan, lines: Sequence[str], at: int, *, hopeless: dict[str, int]) -> int:
    if "-->" in lines[at].partition("<!--")[2]:
        end = at + 1
    elif "<" in hopeless:
        end = None
    else:
        closing = (index for index in range(at + 1, len(lines)) if "-->" in lines[index])
        end = next((index + 1 for index in closing), None)
    if end is None:
        hopeless["<"] = 1
        found.unclosed.append((at, "opens a comment that is never closed"))
        return at + 1
    _hide(found, lines, at, end)
    found.comments.append((at, end))
    return end


def _hide(found: Scan, lines: Sequence[str], at: int, end: int) -> None:
    found.hidden.append((at, end))
    for index in range(at + 1, end):
        line = lines[index]
        if line[:1] in "<|>=" and line and (mark := _MARK.match(line)) is not None:
            found.marks.append(Mark(index, (mark[1] or "=")[0], at))


def markers(found: Scan) -> list[int]:
    """Return the lines of conflict markers; a complete conflict shown as code is not counted."""
    lines: list[int] = []
    group: list[Mark] = []
    for mark in found.marks:
        if mark.sign == "<":
            lines += _stray(group)
            group = [mark]
        elif group:
            group.append(mark)
            if mark.sign == ">":
                if not _shown_as_code(group):
                    lines += [each.at for each in group]
                group = []
        elif mark.sign in "|>" and mark.inside is None:
            lines.append(mark.at)
    return sorted(lines + _stray(group))


def _stray(group: list[Mark]) -> list[int]:
    """Return the lines of unfinished markers; `=======` alone is an underline."""
    return [mark.at for mark in group if mark.inside is None and mark.sign != "="]


def _shown_as_code(group: list[Mark]) -> bool:
    return all(mark.inside is not None for mark in group)
