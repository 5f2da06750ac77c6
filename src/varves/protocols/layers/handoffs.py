"""Handoff: the published payload that one agent leaves for the next, and how it is read back.

It names the commit that holds the work, so it is written after it and git never sees it. A payload
may come from anywhere: it is read with care and passed on as it stands.
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
_LONGEST = 1 << 22  # bytes; what is larger was not written by anybody's handoff


class Handed(Value):
    """A payload that waits for its receiver."""

    event: str
    to: str
    path: str
    payload: dict[str, Any]
    """As published: handoff, state, files."""
    warnings: tuple[str, ...] = ()


class HandoffTaken(Value):
    """What a receiver starts from; or what somebody took before."""

    status: str
    """`accepted` the first time, `consumed` from then on."""
    payload: dict[str, Any]
    context: str
    """Where the work stands: context.md as it lies here."""
    event: str | None
    """The event by which it was consumed."""
    consumed_by: str
    consumed_at: str
    warnings: tuple[str, ...] = ()


class WorkState(Value):
    """Where the work stands, as the context has it."""

    recent_events: tuple[str, ...]
    active_entities: tuple[str, ...]
    blockers: tuple[str, ...]
    next_actions: tuple[str, ...]


class HandoffFiles(Value):
    """What became of the files."""

    modified: tuple[str, ...]
    committed: str | None
    changelog_updated: bool


class Passing(Value):
    """Who hands on, to whom, when and why."""

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
    """Return what the event of a handoff says; a plain event, in the private log."""
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
    """Return the payload that the event of a handoff tells of; empty parts are left out there."""
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
    """Write a payload as the file has it."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def digest(document: dict[str, Any]) -> str:
    """Return what tells one payload from another, however it is laid out in the file."""
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def read(content: bytes) -> dict[str, Any]:
    """Read a payload; keys nobody published are kept.

    Raises:
        Refused: it is none.
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
                raise _unreadable(f"{name}.{key} is missing or of another kind")
    return document


def _unreadable(why: str) -> Refused:
    return Refused(f"{PLACE} is no handoff: {why}", "let it be made again: varves layers shutdown")


def known_reason(reason: object) -> str:
    """Return a reason of the three published ones.

    Raises:
        Refused: it is another.
    """
    if reason not in REASONS:
        raise Refused(f"unknown reason {quoted(reason)}", f"use one of {', '.join(REASONS)}")
    return str(reason)


def receiver(to: object) -> str:
    """Return the name of who goes on."""
    if not isinstance(to, str):
        raise UsageError("who goes on is a name", "give --to a name")
    return intake.statement(to).strip()


def paths(given: Sequence[str] | object) -> list[str]:
    """Return the files a caller names beside those that events link."""
    from varves.values.names import safe_path

    if isinstance(given, str) or not isinstance(given, (list, tuple)):
        raise UsageError("files are a list of paths", "give several")
    return [safe_path(str(one), "file") for one in given]
