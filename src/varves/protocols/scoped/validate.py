"""Checks the files against the published rules; each finding names a rule, and nothing is fixed."""

from __future__ import annotations

from varves.protocols.jsonfile import finding, read_object
from varves.protocols.marks import marked
from varves.protocols.scoped.entries import KEYS, VERSION, faults
from varves.protocols.scoped.numbers import number_in
from varves.protocols.scoped.places import scope_in
from varves.protocols.unreadable import Unreadable
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from varves.protocols.port import Core

RULES = {
    "type": "S2-13",
    "content": "S2-14",
    "confidence": "S2-15",
    "created_at": "S2-16",
    "accessed_count": "S2-17",
}
"""The rule for each key of an entry."""
_EDIT = "edit the file; the next verb adopts the edit"
_DIGITS = 3


def validate(core: Core) -> tuple[Finding, ...]:
    """Return the problems in the protocol's current files."""
    return findings(core.files())


def findings(files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """Return the problems in files, by path; files of other protocols are ignored."""
    return tuple(
        found
        for path in sorted(files)
        if scope_in(path) is not None
        for found in _file(path, files[path])
    )


def _file(path: str, raw: bytes) -> Iterator[Finding]:
    if (found := marked(path, raw, "S2-53")) is not None:
        yield found
        return
    try:
        document = read_object(raw)
    except Unreadable as fault:
        yield finding("S2-53", path, fault)
        return
    if not isinstance(document.get("entries"), list):
        message = "not an object with a list of entries"
        yield Finding(rule="S2-10", place=path, message=message, fix=_EDIT)
        return
    if document.get("version") != VERSION:
        message = f"the version is not {VERSION}"
        yield Finding(rule="S2-10", place=f"{path}: version", message=message, fix=_EDIT)
    numbers: list[int] = []
    for place, entry in enumerate(document["entries"]):
        for rule, message in _entry(entry, numbers):
            where = f"{path}: entries[{place}]"
            yield Finding(rule=rule, place=where, message=message, fix=_EDIT)


def _entry(entry: Any, numbers: list[int]) -> Iterator[tuple[str, str]]:
    if not isinstance(entry, dict):
        yield "S2-11", "not an object"
        return
    missing = [key for key in KEYS if key not in entry]
    if missing:
        yield "S2-11", f"without {', '.join(missing)}"
    if "id" not in missing:
        yield from _number(entry["id"], numbers)
    for key, message in faults(entry):
        if key not in missing:
            yield RULES[key], message


def _number(name: Any, numbers: list[int]) -> Iterator[tuple[str, str]]:
    number = number_in(name)
    if number is None or len(str(name)) < len("mem-") + _DIGITS:
        yield "S2-12", "the id is not mem- and at least three digits"
        return
    if number in numbers:
        yield "S2-12", f"{name} occurs twice in this file"
    elif numbers and number < max(numbers):
        yield "S2-12", f"{name} comes after a higher number"
    numbers.append(number)
