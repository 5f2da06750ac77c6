"""The reader and the writer of published JSON files; it reads only what the log can store.

People and other programs may write anything into a file. Python's reader accepts more than JSON
(NaN, numbers out of range, half a surrogate pair) and loses some content (the first of two equal
keys). Content that would be lost, or that cannot be recorded, makes the file unreadable: the error
names the place, the file is never overwritten, and other files are processed as usual.

    not UTF-8, a byte order mark     larger than 64 MiB
    not JSON, not an object          nested deeper than 60 levels
    NaN, Infinity, 1e999             an integer beyond 2**53
    half a surrogate pair            a duplicate key
"""

from __future__ import annotations

import json
from math import isfinite

from varves.events.codec import MAX_DEPTH, MAX_INT
from varves.protocols.marks import marked
from varves.protocols.unreadable import Unreadable
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

LARGEST = 64 << 20
DEEPEST = MAX_DEPTH - 4  # an event nests a file's content a few levels deeper
MEND = "fix the JSON by hand, or restore it from git; until then it is not overwritten"
_PLAIN = frozenset((str, int, float, bool, type(None)))
_BOM = b"\xef\xbb\xbf"
_DIGITS = 20  # digits of an integer; the largest allowed has 16
_SHOWN = 40
_HELD = "not JSON that the log can store: "
_HUGE = MAX_INT + 1


class _Twice(dict[str, "Any"]):
    """An object with a duplicate key."""

    key: str = ""


def read_object(content: bytes, *, marked: bool = False, doubled: bool = False) -> dict[str, Any]:
    """Read the JSON object of a published file.

    Args:
        content: the file.
        marked: whether the file may begin with a byte order mark, which the caller keeps.
        doubled: whether a key may occur twice; the last one counts.

    Raises:
        Unreadable: some content would be lost or cannot be recorded; the error names it.
    """
    if len(content) > LARGEST:
        raise Unreadable(f"{len(content)} bytes, more than {LARGEST}")
    if content.startswith(_BOM) and not marked:
        raise Unreadable("not JSON, line 1: a byte order mark", ":1")
    try:
        text = content.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as fault:
        line, column = _at(content, fault.start)
        raise Unreadable(f"not UTF-8, line {line}, column {column}", f":{line}") from None
    try:
        found = json.loads(text, object_pairs_hook=_pairs, parse_int=_integer)
    except json.JSONDecodeError as fault:
        raise _not_json(fault) from None
    except RecursionError:
        raise Unreadable(f"{_HELD}nested deeper than {DEEPEST} levels") from None
    if not isinstance(found, dict):
        raise Unreadable("not a JSON object")
    _check(found, "", depth=1, doubled=doubled)
    return found


def written(document: dict[str, Any]) -> bytes:
    """Return the bytes of a published file: UTF-8, two spaces, a final newline.

    They are those of `json.dumps` with an indent, which is slow because it never uses its code in
    C. Lists of plain records, which are nearly all of a large file, are written by that code. A
    line break in its output is always its separator, as those of texts are escaped.
    """
    parts = [f"  {json.dumps(key, ensure_ascii=False)}: {_part(document[key])}" for key in document]
    return ("{\n" + ",\n".join(parts) + "\n}\n" if parts else "{}\n").encode()


def _part(value: Any) -> str:
    """Return a part of a document as it is written in it."""
    if not isinstance(value, list) or not all(map(_is_plain, value)) or not value:
        return json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
    rows = json.dumps(value, ensure_ascii=False, separators=(",\n      ", ": "))
    rows = rows[2:-2].replace("},\n      {", "\n    },\n    {\n      ")
    return f"[\n    {{\n      {rows}\n    }}\n  ]"


def _is_plain(one: Any) -> bool:
    """Return whether an element is a record with fields, none of which contains others."""
    return type(one) is dict and bool(one) and _PLAIN.issuperset(map(type, one.values()))


def finding(rule: str, path: str, fault: Unreadable) -> Finding:
    """Return the finding for a file that cannot be read."""
    return Finding(rule=rule, place=f"{path}{fault.place}", message=fault.message, fix=MEND)


def read_or_report(
    path: str, content: bytes, rule: str, read: Callable[[bytes], dict[str, Any]] = read_object
) -> dict[str, Any] | Finding:
    """Return the object of a published file, or the finding for a file that cannot be read."""
    if (found := marked(path, content, rule)) is not None:
        return found
    try:
        return read(content)
    except Unreadable as fault:
        return finding(rule, path, fault)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice, seen = _Twice(found), set()
    for key, _ in pairs:
        if key in seen:
            twice.key = key
            break
        seen.add(key)
    return twice


def _integer(text: str) -> int:
    return int(text) if len(text) <= _DIGITS else _HUGE


def _not_json(fault: json.JSONDecodeError) -> Unreadable:
    where = f"line {fault.lineno}, column {fault.colno}"
    return Unreadable(f"not JSON, {where}: {fault.msg.lower()}", f":{fault.lineno}")


def _at(content: bytes, byte: int) -> tuple[int, int]:
    """Return the line and column of a byte."""
    start = content.rfind(b"\n", 0, byte) + 1
    column = len(content[start:byte].decode("utf-8", "replace"))
    return content.count(b"\n", 0, byte) + 1, column + 1


def _check(part: Any, place: str, *, depth: int, doubled: bool) -> None:
    """Raise `Unreadable` for content that the log cannot store, and name its place."""
    if isinstance(part, str):
        _characters(part, place)
    elif isinstance(part, (dict, list)):
        if depth > DEEPEST:
            raise Unreadable(f"{_HELD}nested deeper than {DEEPEST} levels", _within(place))
        if isinstance(part, _Twice) and not doubled:
            raise Unreadable(f"{_HELD}a duplicate key", _within(_step(place, part.key)))
        for step, inner in part.items() if isinstance(part, dict) else enumerate(part):
            there = _step(place, step)
            if isinstance(step, str):
                _characters(step, there)
            _check(inner, there, depth=depth + 1, doubled=doubled)
    elif isinstance(part, bool) or part is None:
        return
    elif isinstance(part, float) and not isfinite(part):
        raise Unreadable(f"{_HELD}a number that is not finite", _within(place))
    elif abs(part) > MAX_INT:
        raise Unreadable(f"{_HELD}a number that is too large", _within(place))


def _characters(text: str, place: str) -> None:
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise Unreadable(f"{_HELD}half a character", _within(place)) from None


def _step(place: str, step: str | int) -> str:
    if isinstance(step, int):
        return f"{place}[{step}]"
    name = step if len(step) <= _SHOWN else f"{step[:_SHOWN]}…"
    name = ascii(name) if not name.isprintable() else name
    return f"{place}.{name}" if place else name


def _within(place: str) -> str:
    return f": {place}"
