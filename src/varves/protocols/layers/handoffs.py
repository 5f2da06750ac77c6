"""Handoff: the published payload that one agent leaves for the next, and how it is read.

It names the commit that contains the work, so it is written after the commit and git ignores it. A
payload may come from any source: it is validated and returned unchanged.
"""

from __future__ import annotations

import json
from hashlib import sha256

from varves.commands import intake
from varves.errors import Refused, UsageError
from varves.events import kinds
from varves.protocols.jsonfile import read_object
from varves.protocols.unreadable import Unreadable
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

HANDED = kinds.HANDED
CONSUMED = kinds.CONSUMED
PLACE = ".memory/handoff.json"
REASONS = ("session timeout", "task complete", "escalation")
DONE = REASONS[1]
_KEYS: dict[str, dict[str, type | tuple[type, ...]]] = {
    "handoff": {"from": str, "to": str, "timestamp": str, "reason": str},
    "state": dict.fromkeys(("recent_events", "active_entities", "blockers", "next_actions"), list),
    "files": {"modified": list, "committed": (str, type(None)), "changelog_updated": bool},
}
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


class WorkState(Value):
    """The state of the work, from the context."""

    recent_events: tuple[str, ...]
    active_entities: tuple[str, ...]
    blockers: tuple[str, ...]
    next_actions: tuple[str, ...]


class HandoffFiles(Value):
    """The state of the files."""

    modified: tuple[str, ...]
    committed: str | None
    changelog_updated: bool


class Passing(Value):
    """Sender, receiver, time and reason of a handoff."""

    sender: str
    to: str
    timestamp: str
    reason: str


def payload(passing: Passing, state: WorkState, files: HandoffFiles) -> dict[str, Any]:
    """Return the payload, its keys in the published order."""
    return {
        "handoff": {
            "from": passing.sender,
            "to": passing.to,
            "timestamp": passing.timestamp,
            "reason": passing.reason,
        },
        "state": state.as_dict(),
        "files": files.as_dict(),
    }


def handoff_content(passing: Passing, state: WorkState, files: HandoffFiles) -> dict[str, Any]:
    """Return the content of the event that records a handoff in the private log."""
    return {
        "from": passing.sender,
        "to": passing.to,
        "time": passing.timestamp,
        "reason": passing.reason,
        "events": [*state.recent_events],
        "entities": [*state.active_entities],
        "blockers": [*state.blockers],
        "next": [*state.next_actions],
        "modified": [*files.modified],
        "commit": files.committed,
        "log_updated": files.changelog_updated,
        "digest": digest(payload(passing, state, files)),
    }


def from_event(told: dict[str, Any]) -> dict[str, Any]:
    """Return a handoff's payload from its event; parts that the event omits are empty."""
    passing = Passing(
        sender=told["from"], to=told["to"], timestamp=told["time"], reason=told["reason"]
    )
    state = WorkState(
        recent_events=tuple(told.get("events", ())),
        active_entities=tuple(told.get("entities", ())),
        blockers=tuple(told.get("blockers", ())),
        next_actions=tuple(told.get("next", ())),
    )
    files = HandoffFiles(
        modified=tuple(told.get("modified", ())),
        committed=told.get("commit"),
        changelog_updated=bool(told.get("log_updated")),
    )
    return payload(passing, state, files)


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
    for name, keys in _KEYS.items():
        part = document.get(name)
        if not isinstance(part, dict):
            raise _unreadable(f"{name} is missing or not an object")
        for key, kind in keys.items():
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
