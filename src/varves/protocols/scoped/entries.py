"""Converts between one entry of a file and its record.

A value that breaks the published rules is accepted as a person wrote it: it is stored with the
record, together with unknown keys, and the file shows it unchanged.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.protocols.scoped.options import CONFIDENCE
from varves.values.instants import instant, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.memory import Memory

TYPES = ("decision", "convention", "pattern", "preference")
KEYS = ("id", "type", "content", "confidence", "created_at", "accessed_count")
WORK = ("tool", "edit")
"""The kinds of session notes that are not decisions; the session's file shows the kind."""
VERSION = "1.0"
_TO_THE_SECOND = 19  # length of an instant up to the seconds


def entry(memory: Memory, label: str, count: int) -> dict[str, Any]:
    """Return a record as its file shows it."""
    unknown = memory.extra.get("unknown")
    unknown = unknown if isinstance(unknown, dict) else {}
    shown = {
        "id": label,
        "type": memory.type,
        "content": memory.text,
        "confidence": confidence(memory),
        "created_at": seconds(memory.created_at),
        "accessed_count": count,
    }
    for key in ("type", "confidence", "created_at"):
        if key in unknown:
            shown[key] = unknown[key]
    if memory.extra.get("kind") in WORK:
        shown["kind"] = memory.extra["kind"]
    return shown | {key: value for key, value in unknown.items() if key not in KEYS}


def confidence(memory: Memory) -> float:
    """Return a record's confidence, or the default of a write if it has none."""
    return CONFIDENCE if memory.confidence is None else float(memory.confidence)


def seconds(moment: str) -> str:
    """Format an instant of the core as the files do, without milliseconds."""
    return f"{moment[:_TO_THE_SECOND]}Z"


def record(content: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record from a file's entry: text, type, confidence, created_at.

    Invalid values and unknown keys are returned under `unknown`.
    """
    unknown = {key: value for key, value in content.items() if key not in KEYS}
    said: dict[str, Any] = {"text": content["content"]}
    kind = content.get("type")
    if isinstance(kind, str) and kind.strip():
        said["type"] = kind
    else:
        said["type"] = "pattern"
        _odd(unknown, content, "type")
    sure = content.get("confidence")
    if isinstance(sure, (int, float)) and not isinstance(sure, bool) and 0 <= sure <= 1:
        said["confidence"] = float(sure)
    else:
        said["confidence"] = CONFIDENCE
        _odd(unknown, content, "confidence")
    created = moment_in(content.get("created_at"))
    if created is not None:
        said["created_at"] = created
    if created is None or seconds(created) != content.get("created_at"):
        _odd(unknown, content, "created_at")
    return said | {"unknown": unknown}


def _odd(unknown: dict[str, Any], content: dict[str, Any], key: str) -> None:
    if key in content:
        unknown[key] = content[key]


def moment_in(value: object) -> str | None:
    """Parse an instant of a file into the core's form; None if it is not an instant."""
    if not isinstance(value, str):
        return None
    try:
        return iso(instant(value))
    except (UsageError, ValueError, OverflowError, OSError):
        return None


def faults(content: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the keys of a file's entry that break the rules, each with the problem."""
    found = []
    if content.get("type") not in TYPES:
        found.append(("type", f"type is not one of {', '.join(TYPES)}"))
    if not isinstance(content.get("content"), str) or not content["content"].strip():
        found.append(("content", "content is blank"))
    sure = content.get("confidence")
    if isinstance(sure, bool) or not isinstance(sure, (int, float)) or not 0 <= sure <= 1:
        found.append(("confidence", "confidence is not a number from 0 to 1"))
    created = moment_in(content.get("created_at"))
    if created is None or seconds(created) != content["created_at"]:
        found.append(("created_at", "created_at is not written as 2026-02-15T14:20:00Z"))
    count = content.get("accessed_count")
    if type(count) is not int or count < 0:
        found.append(("accessed_count", "accessed_count is not a whole number of 0 or more"))
    return found
