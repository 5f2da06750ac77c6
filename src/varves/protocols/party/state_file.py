"""Updates this protocol's part of MDAN-STATE.json: the list of sidecars and their counts.

Only the text of that part is replaced; every other byte of the file is unchanged.
"""

from __future__ import annotations

import json

from varves.protocols.jsonfile import read_object
from varves.protocols.marks import cut_apart
from varves.protocols.party.sidecars import agent_in, path_of
from varves.protocols.unreadable import Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from typing import Any

    from varves.protocols.party.sidecars import Sheet

KEY = "agent_sidecars"
_BLANKS = " \t\r\n"
_MARK = b"\xef\xbb\xbf"


def patched(content: bytes | None, sheets: Iterable[Sheet]) -> bytes | None:
    """Return the state file with this protocol's part updated; None if there is nothing to write.

    Entries of agents that have no sidecar here are kept: another tool or branch wrote them.

    Raises:
        Unreadable: the file is not a JSON object, or this protocol's part is not an object.
    """
    made = {one.agent: _entry(one) for one in sheets}
    if not made:
        return None
    if content is not None:
        content = _joined(content)
    if content is None:
        return f"{json.dumps({KEY: made}, ensure_ascii=False, indent=2)}\n".encode()
    whole = document(content)
    held = whole.get(KEY)
    held = {} if held is None else held
    if not isinstance(held, dict):
        raise Unreadable(f"{KEY} is not an object")
    wanted: dict[str, Any] = {}
    for agent in sorted({*held, *made}):  # sorted, so that every clone writes the same file
        before, entry = held.get(agent), made.get(agent)
        if entry is None:
            wanted[agent] = before
        else:
            wanted[agent] = {**before, **entry} if isinstance(before, dict) else entry
    text = content.decode("utf-8-sig")
    if KEY in whole and list(held.items()) == list(wanted.items()) and not _is_doubled(text):
        return content
    return with_part(content, wanted)


def unmade(content: bytes | None, known: Container[str]) -> list[str]:
    """Return the paths of listed sidecars whose agents are not known; they are missing.

    A path that is not that of a sidecar is left out, and so is everything in an unreadable file.
    """
    try:
        held = {} if content is None else document(content).get(KEY)
    except Unreadable:
        return []
    if not isinstance(held, dict):
        return []
    listed = (one.get("path") for one in held.values() if isinstance(one, dict))
    paths = (path for path in listed if isinstance(path, str))
    agents = {path: agent_in(path) for path in paths}
    return sorted(path for path, agent in agents.items() if agent and agent not in known)


def with_part(content: bytes, wanted: dict[str, Any]) -> bytes:
    """Return the state file with this protocol's part replaced; all other bytes are unchanged."""
    mark = _MARK if content.startswith(_MARK) else b""
    return mark + _replaced(content.decode("utf-8-sig"), wanted).encode()


def document(content: bytes) -> dict[str, Any]:
    """Read the file, which belongs to other tools: accept a byte order mark and duplicate keys."""
    return read_object(content, marked=True, doubled=True)


def _is_doubled(text: str) -> bool:
    """Return whether this protocol's part has duplicate keys, as a merge by git can leave."""
    doubled = []

    def note(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled.append(len(pairs) > len(dict(pairs)))
        return dict(pairs)

    start, end = _values(text)[0][KEY]
    json.loads(text[start:end], object_pairs_hook=note)
    return any(doubled)


def _joined(content: bytes) -> bytes:
    """Return a file without git's markers, if the sides differ only in this protocol's part."""
    sides = cut_apart(content)
    if sides is None:
        return content
    ours, theirs = sides
    try:
        one, other = document(ours), document(theirs)
    except Unreadable:
        return content
    same = {key: one[key] for key in one if key != KEY}
    return ours if same == {key: other[key] for key in other if key != KEY} else content


def _entry(sheet: Sheet) -> dict[str, Any]:
    return {
        "path": path_of(sheet.agent),
        "last_updated": sheet.last_updated,
        "memory_count": len(sheet.memories),
        "sessions": sheet.sessions,
    }


def _replaced(text: str, wanted: dict[str, Any]) -> str:
    """Return a JSON object's text with one key's value replaced, or added as the last one."""
    spans, end = _values(text)
    step, newline = _style(text)
    written = _written(wanted, step, newline)
    if KEY in spans:
        start, stop = spans[KEY]
        return f"{text[:start]}{written}{text[stop:]}"
    comma = "," if spans else ""
    before = f"{newline}{step}" if step else (" " if spans else "")
    after = (newline if not spans else "") if step else ""
    return f"{text[:end]}{comma}{before}{json.dumps(KEY)}: {written}{after}{text[end:]}"


def _values(text: str) -> tuple[dict[str, tuple[int, int]], int]:
    """Return the span of each value of the outermost object, and the end of the last one."""
    decoder = json.JSONDecoder()
    place = text.index("{") + 1
    end = place
    found: dict[str, tuple[int, int]] = {}
    while True:
        place = _past(text, place, f"{_BLANKS},")
        if text[place] == "}":
            return found, end
        key, place = decoder.raw_decode(text, place)
        place = _past(text, place, f"{_BLANKS}:")
        start = place
        _, end = decoder.raw_decode(text, place)
        found[key] = (start, end)
        place = end


def _past(text: str, place: int, letters: str) -> int:
    while text[place] in letters:
        place += 1
    return place


def _style(text: str) -> tuple[str, str]:
    """Return a file's indentation and line ending; no indentation if it is all on one line."""
    newline = "\r\n" if "\r\n" in text else "\n"
    for row in text.splitlines():
        blank = row[: len(row) - len(row.lstrip(" \t"))]
        if blank and row.strip():
            return blank, newline
    return ("  " if "\n" in text.strip() or text.strip() == "{}" else ""), newline


def _written(wanted: dict[str, Any], step: str, newline: str) -> str:
    if not step:
        return json.dumps(wanted, ensure_ascii=False)
    rows = json.dumps(wanted, ensure_ascii=False, indent=step).split("\n")
    return f"{newline}{step}".join(rows)
