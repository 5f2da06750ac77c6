"""Handoff: the published payload that one agent leaves for the next, and how it is read.

It names the commit that contains the work, so it is written after the commit and git ignores it. A
payload may come from any source: it is validated and returned unchanged.
"""

from __future__ import annotations

import json
from hashlib import sha256

from varves.commands import intake
from varves.errors import Refused, UsageError
from varves.protocols.jsonfile import read_object
from varves.protocols.unreadable import Unreadable
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Passing = tuple[str, str, str, str]
    """Sender, receiver, time and reason of a handoff."""

PLACE = ".memory/handoff.json"
REASONS = ("session timeout", "task complete", "escalation")
DONE = REASONS[1]
_KEYS: tuple[tuple[str, str, str, type | tuple[type, ...]], ...] = (
    ("handoff", "from", "from", str),
    ("handoff", "to", "to", str),
    ("handoff", "timestamp", "time", str),
    ("handoff", "reason", "reason", str),
    ("state", "recent_events", "events", list),
    ("state", "active_entities", "entities", list),
    ("state", "blockers", "blockers", list),
    ("state", "next_actions", "next", list),
    ("files", "modified", "modified", list),
    ("files", "committed", "commit", (str, type(None))),
    ("files", "changelog_updated", "log_updated", bool),
)
"""Each published part and key, the key of the event that has its value, and its type."""
_LONGEST = 1 << 22  # bytes; no handoff is larger


class Handed(Value):
    """A payload that waits for its receiver."""

    event: str
    to: str
    path: str
    payload: dict[str, Any]
    """As published: handoff, state, files."""
    warnings: tuple[str, ...] = ()


class HandoffTaken(Value):
    """The payload for its receiver, accepted now or before."""

    status: str
    """`accepted` the first time, `consumed` from then on."""
    payload: dict[str, Any]
    context: str
    """The state of the work: the current context.md."""
    event: str | None
    """The event by which it was consumed."""
    consumed_by: str
    consumed_at: str
    warnings: tuple[str, ...] = ()


def told(passing: Passing, state: dict[str, list[str]], files: dict[str, Any]) -> dict[str, Any]:
    """Return the content of the event that records a handoff.

    Args:
        passing: sender, receiver, time and reason.
        state: the state of the work, from the context: events, entities, blockers, next.
        files: the state of the files: modified, commit, log_updated.
    """
    sender, to, time, reason = passing
    content = {"from": sender, "to": to, "time": time, "reason": reason, **state, **files}
    return {**content, "digest": digest(payload(content))}


def payload(content: dict[str, Any]) -> dict[str, Any]:
    """Return the payload for the content of an event; parts that the event omits are empty."""
    document: dict[str, Any] = {}
    for part, key, name, kind in _KEYS:
        empty = kind() if isinstance(kind, type) else None
        document.setdefault(part, {})[key] = content.get(name, empty)
    return document


def written(document: dict[str, Any]) -> bytes:
    """Format a payload as the file contains it."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def digest(document: dict[str, Any]) -> str:
    """Return a digest of a payload that does not depend on its layout in the file."""
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def read(content: bytes) -> dict[str, Any]:
    """Parse a payload; unknown keys are kept.

    Raises:
        Refused: the content is not a handoff.
    """
    if len(content) > _LONGEST:
        raise _unreadable(f"it has {len(content)} bytes")
    try:
        document = read_object(content)
    except Unreadable as fault:
        raise _unreadable(str(fault)) from None
    for name, key, _, kind in _KEYS:
        part = document.get(name)
        if not isinstance(part, dict):
            raise _unreadable(f"{name} is missing or not an object")
        if key not in part or not isinstance(part[key], kind):
            raise _unreadable(f"{name}.{key} is missing or has the wrong type")
    return document


def _unreadable(why: str) -> Refused:
    return Refused(f"{PLACE} is not a handoff: {why}", "create it again: varves layers shutdown")


def known_reason(reason: object) -> str:
    """Return the reason if it is one of the three published ones.

    Raises:
        Refused: the reason is unknown.
    """
    if reason not in REASONS:
        raise Refused(f"unknown reason {quoted(reason)}", f"use one of {', '.join(REASONS)}")
    return str(reason)


def receiver(to: object) -> str:
    """Return the receiver's name."""
    if not isinstance(to, str):
        raise UsageError("the receiver is not a string", "give --to a name")
    return intake.statement(to).strip()


def paths(given: Sequence[str] | object) -> list[str]:
    """Return the additional files that a caller names."""
    from varves.values.names import safe_path

    if isinstance(given, str) or not isinstance(given, (list, tuple)):
        raise UsageError("files is not a list of paths", "give a list of paths")
    return [safe_path(str(one), "file") for one in given]
