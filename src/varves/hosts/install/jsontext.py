"""Edits a JSON text in one place, and keeps every other byte.

Comments and trailing commas are replaced by spaces of the same length. So the strict parser of the
standard library accepts the text, and its positions are valid in the original text. If an insertion
is removed again, the text has the same bytes as before, except inside brackets that were empty.
"""

from __future__ import annotations

from varves.errors import Damaged, Refused
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str | int, ...]
    """Keys of objects and indices of arrays that lead to a value."""
    Edit = tuple[int, int, str]

_SPACE = " \t\r\n"
_COMMENT = r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/'
_COMMA = r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])'


class Slot(Value):
    """A member of an object, or an element of an array, with the comma after it."""

    key: str
    start: int
    at: int
    """The position at which its value begins."""
    end: int
    value: Any
    comma: int | None


class Box(Value):
    """An object or an array with its members."""

    start: int
    end: int
    slots: tuple[Slot, ...]
    tail: int
    """The position after the last content, which may be a comment."""


class Json:
    """A JSON text that can be edited in one place, with the positions of its parts."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.bare = _blank(_COMMENT, text, "/")
        self.plain = _blank(_COMMA, self.bare, ",")
        self.value: Any = self._whole()

    def _whole(self) -> Any:
        from json import loads

        if not self.plain.strip():
            return None
        try:
            return loads(self.plain)
        except RecursionError:
            raise Damaged(f"{self.name} nests too deeply", "check it by hand") from None
        except ValueError as fault:
            raise Damaged(
                f"{self.name} is not JSON: {fault}", "fix it; it was left unchanged"
            ) from None

    def box(self, path: Path) -> Box | None:
        """Return the object or array at a path, or None if it does not exist.

        Raises:
            Damaged: the value or a parent is no object or array.
            Refused: a key on the path occurs twice.
        """
        at = self._skip(0)
        for step in path:
            slots = self._open(at, path).slots
            found = [slots[step]] if isinstance(step, int) else [s for s in slots if s.key == step]
            if len(found) > 1:
                raise Refused(f"{self.name} has the key {step} twice", "remove one of them")
            if not found:
                return None
            at = found[0].at
        return self._open(at, path)

    def _open(self, at: int, path: Path) -> Box:
        from json import JSONDecoder

        kind = self.plain[at : at + 1]
        if kind not in ("{", "["):
            where = dotted(path) or "it"
            raise Damaged(f"{self.name}: {where} is neither an object nor a list", "fix it")
        decoder, slots = JSONDecoder(), list[Slot]()
        here = self._skip(at + 1)
        while self.plain[here] not in "}]":
            start, key = here, ""
            if kind == "{":
                key, here = decoder.raw_decode(self.plain, here)
                here = self._skip(self._skip(here) + 1)
            begins = here
            value, end = decoder.raw_decode(self.plain, begins)
            here = self._skip(end)
            follows = self._skip(end, self.bare)
            comma = follows if self.bare[follows] == "," else None
            slots.append(Slot(key=key, start=start, at=begins, end=end, value=value, comma=comma))
            here = self._skip(here + 1) if self.plain[here] == "," else here
        tail = here
        while self.text[tail - 1] in _SPACE:
            tail -= 1
        return Box(start=at, end=here + 1, slots=tuple(slots), tail=tail)

    def _skip(self, at: int, text: str | None = None) -> int:
        text = self.plain if text is None else text
        while at < len(text) and text[at] in _SPACE:
            at += 1
        return at

    def put(self, box: Box, key: str, value: Any) -> str:
        """Return the text with a member added to an object, or an element added to an array."""
        if box.slots and "\n" not in self.text[box.start : box.end]:
            return self._put_in_line(box, key, value)
        line = "\r\n" if "\r\n" in self.text else "\n"
        outer = self._indent(box.start)
        inner = self._indent(box.slots[-1].start) if self._is_first(box) else outer + self._unit()
        piece = line + inner + _written(key, value, self._unit()).replace("\n", line + inner)
        edits: list[Edit] = []
        if box.slots and box.slots[-1].comma is None:
            edits.append((box.slots[-1].end, box.slots[-1].end, ","))
        elif box.slots:
            piece += ","
        if not box.slots and "\n" not in self.text[box.tail : box.end]:
            piece += line + outer
        return _edited(self.text, [*edits, (box.tail, box.tail, piece)])

    def _put_in_line(self, box: Box, key: str, value: Any) -> str:
        last = box.slots[-1]
        tight = '":' in self.bare and '": ' not in self.bare
        gap = "" if tight else " "
        piece = gap + _written(key, value, None, tight=tight)
        if last.comma is None:
            return _edited(self.text, [(last.end, last.end, ","), (box.tail, box.tail, piece)])
        return _edited(self.text, [(box.tail, box.tail, f"{piece},")])

    def without(self, box: Box, number: int) -> str:
        """Return the text without one of the members or elements of an object or array."""
        slot, last = box.slots[number], number == len(box.slots) - 1
        start, end = slot.start, slot.end if slot.comma is None else slot.comma + 1
        while self.text[start - 1] in _SPACE:
            start -= 1
        if self._is_comment(start) and not self.text[end:].lstrip(" \t").startswith(("\n", "\r")):
            start = slot.start  # otherwise the text that follows would become part of the comment
        edits: list[Edit] = [(start, end, "")]
        if last and slot.comma is None and number:
            comma = box.slots[number - 1].comma
            edits.append((comma or 0, (comma or 0) + 1, ""))
        left = self.text[box.start + 1 : start] + self.text[end : box.end - 1]
        if len(box.slots) == 1 and not left.strip():
            edits = [(box.start + 1, box.end - 1, "")]
        return _edited(self.text, edits)

    def _is_comment(self, end: int) -> bool:
        """Return whether the text up to a position ends in a line comment."""
        begin = self.text.rfind("\n", 0, end) + 1
        return "//" in self.text[begin:end] and self.bare[end - 1] == " "

    def _is_first(self, box: Box) -> bool:
        """Return whether the last member or element of a container begins its line."""
        if not box.slots:
            return False
        at = box.slots[-1].start
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()

    def _indent(self, at: int) -> str:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip(" \t"))] if line.strip() else line

    def _unit(self) -> str:
        """Return the indentation of one level in this text."""
        for line in self.plain.split("\n")[1:]:
            if line.strip() and line[0] in " \t":
                return line[: len(line) - len(line.lstrip(" \t"))]
        return "  "


def dotted(path: Path) -> str:
    """Return a path in dotted form, for messages."""
    return ".".join(str(step) for step in path)


def _blank(pattern: str, text: str, first: str) -> str:
    """Replace each match that begins with the character `first` by spaces; keep line ends."""
    if first not in text:
        return text
    import re

    def spaces(match: re.Match[str]) -> str:
        found = match[0]
        return re.sub(r"[^\r\n]", " ", found) if found[0] == first else found

    return re.sub(pattern, spaces, text, flags=re.DOTALL)


def _written(key: str, value: Any, indent: str | None, *, tight: bool = False) -> str:
    from json import dumps

    separators = (",", ":") if tight else None
    if indent is None or not key or not isinstance(value, dict) or not value:
        body = dumps(value, ensure_ascii=False, separators=separators)
    else:
        members = (indent + _written(name, part, None) for name, part in value.items())
        body = "{\n" + ",\n".join(members) + "\n}"
    return f"{dumps(key)}:{'' if tight else ' '}{body}" if key else body


def _edited(text: str, edits: list[Edit]) -> str:
    """Return a text with the parts replaced that the edits name.

    Of two edits at the same position, the later one comes second.
    """
    parts, at = [], 0
    for start, end, piece in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[at:start], piece]
        at = end
    return "".join([*parts, text[at:]])
