"""The table of an entry's fields, and the conversion of a record to an entry."""

from __future__ import annotations

import re

from varves.errors import UsageError
from varves.protocols.records import (
    PublishedField,
    RecordTable,
    is_count,
    is_unit,
    is_word,
    moment,
    one_of,
    only,
    seconds,
    unit,
    unless,
)
from varves.protocols.scoped.options import CONFIDENCE
from varves.protocols.threeway import chosen, counted
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.memory import Memory

TYPES = ("decision", "convention", "pattern", "preference")
WORK = ("tool", "edit")
"""The kinds of session notes that the session's file shows."""
VERSION = "1.0"
LABEL = re.compile(r"mem-(\d{1,9})(?:~([0-9a-z.]+))?")
LEAST = 1
NUMBERLESS = 1 << 30  # sorts after all numbers


def label(number: int) -> str:
    """Format a number as the files do."""
    return f"mem-{number:03}"


def number_in(text: object) -> int | None:
    """Parse a number of a file; None if it is not a number."""
    found = LABEL.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[2] is not None or int(found[1]) < LEAST:
        return None
    return int(found[1])


def is_label(text: str) -> bool:
    """Return whether a text is an entry's number, with or without the writer."""
    return LABEL.fullmatch(text) is not None


def _sure(confidence: float | None) -> float:
    return CONFIDENCE if confidence is None else float(confidence)


def _is_published(value: Any) -> bool:
    """Return whether a time is written as the files write it."""
    found = moment(value)
    return found is not None and seconds(found) == value


def _higher(origin: Any, ours: Any, theirs: Any, later: int) -> Any:
    """Take the number that an entry got last: numbers only count up."""
    found = {number_in(one) or 0: one for one in (ours, theirs)}
    return found[max(found)] if max(found) else chosen(origin, ours, theirs, later)


ENTRY = RecordTable(
    PublishedField(key="id", merge=_higher),
    PublishedField(
        key="type",
        name="type",
        read=only(is_word),
        default="pattern",
        faults=(("S2-13", one_of("type", TYPES)),),
    ),
    PublishedField(
        key="content",
        name="text",
        faults=(("S2-14", unless(is_word, "content is blank")),),
    ),
    PublishedField(
        key="confidence",
        name="confidence",
        read=unit,
        show=_sure,
        default=CONFIDENCE,
        faults=(("S2-15", unless(is_unit, "confidence is not a number from 0 to 1")),),
    ),
    PublishedField(
        key="created_at",
        name="created_at",
        read=moment,
        show=seconds,
        faults=(
            ("S2-16", unless(_is_published, "created_at is not written as 2026-02-15T14:20:00Z")),
        ),
    ),
    PublishedField(
        key="accessed_count",
        faults=(("S2-17", unless(is_count, "accessed_count is not a whole number of 0 or more")),),
        merge=counted,
    ),
    rule="S2-11",
)


def type_of(value: object) -> str:
    """Return a published type.

    Raises:
        UsageError: it is not one.
    """
    if value not in TYPES:
        raise UsageError(f"not a type: {quoted(value)}", f"use one of {', '.join(TYPES)}")
    return str(value)


def entry(memory: Memory, label: str, count: int) -> dict[str, Any]:
    """Return a record as its file shows it."""
    given = {"id": label, "content": memory.text, "accessed_count": count}
    kind = memory.extra.get("kind") if memory.type != "decision" else None
    return ENTRY.encode(memory, given, {"kind": kind} if kind in WORK else None)


def record(content: dict[str, Any], **held: Any) -> dict[str, Any]:
    """Return the fields of a record from a file's entry; of an invalid value, the one held."""
    found = ENTRY.decode(content, **held)
    return {**found.said, "unknown": found.unknown}


def confidence(memory: Memory) -> float:
    """Return a record's confidence, or the default of a write if it has none."""
    return _sure(memory.confidence)
