"""Conflicts: rival corrections, rejected values that returned, and pairs of related memories."""

from __future__ import annotations

from varves.values.memory import Memory
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


FLAGGED = ("siblings", "returned")  # the kinds for which the fold flags memories


class Conflict(Value):
    """An open question for a person."""

    id: str
    kind: str
    members: tuple[Memory, ...]
    current: str | None
    reason: str


def conflict_id(kind: str, subject: str) -> str:
    """Derive a conflict's id from its subject, so that it is the same in every clone."""
    from hashlib import sha256

    return "cfl_" + sha256(f"{kind} {subject}".encode()).hexdigest()[:12]


def pair_id(one: str, other: str) -> str:
    """Return the id of the conflict between two memories, the same in both orders."""
    return conflict_id("alike", " ".join(sorted((one, other))))


def conflicts(flagged: Iterable[tuple[str, Memory]]) -> tuple[Conflict, ...]:
    """Group flagged memories, given as (flag, memory), into conflicts."""
    groups: dict[str, list[Memory]] = {}
    for flag, memory in flagged:
        groups.setdefault(flag, []).append(memory)
    return tuple(_conflict(flag, members) for flag, members in sorted(groups.items()))


def _conflict(flag: str, members: list[Memory]) -> Conflict:
    kind, subject = flag.split(" ", 1)
    ordered = tuple(sorted(members, key=lambda memory: (memory.status != "active", memory.id)))
    current = next((memory.id for memory in ordered if memory.status == "active"), None)
    reasons = {
        "siblings": f"several current values replace {subject}",
        "returned": ordered[0].reason or "contains a rejected value",
    }
    return Conflict(
        id=conflict_id(kind, subject),
        kind=kind,
        members=ordered,
        current=current,
        reason=reasons[kind],
    )
