"""Checks the files against the published rules; each finding names a rule, and nothing is fixed."""

from __future__ import annotations

from varves.protocols.jsonfile import read_or_report
from varves.protocols.scoped.entries import ENTRY, VERSION, number_in
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.places import scope_in
from varves.values.answers import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from varves.protocols.port import Core

_EDIT = "edit the file; the next verb adopts the edit"
_DIGITS = 3


def findings(files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """Return the problems in files, by path; files of other protocols are ignored."""
    return tuple(
        found
        for path in sorted(files)
        if scope_in(path) is not None
        for found in _file(path, files[path])
    )


def numbers(core: Core, files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """Return the entries that a file shows under another number than the log."""
    known = Holdings(core, lean=True)
    places = {path: scope_in(path) or "" for path in sorted(files)}
    doubtful = [path for path, scope in places.items() if not known.numbers(scope).is_plain]
    held = Holdings(core) if doubtful else known
    return tuple(
        Finding(
            rule="S2-12",
            place=f"{path}: {shown}",
            message=f"the log gives this entry the number {held.label(one)}",
            fix="varves rebuild",
        )
        for path in doubtful
        for shown, one in held.misplaced(places[path], files[path])
    )


def _file(path: str, raw: bytes) -> Iterator[Finding]:
    document = read_or_report(path, raw, "S2-53")
    if isinstance(document, Finding):
        yield document
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
    yield from ENTRY.missing(entry)
    if isinstance(entry, dict):
        if "id" in entry:
            yield from _number(entry["id"], numbers)
        yield from ENTRY.faults(entry)


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
