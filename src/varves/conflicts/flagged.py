"""Conflicts found by the fold: rival corrections, and rejected values that came back."""

from __future__ import annotations

from varves.fold.conflicts import conflicts
from varves.values.text import value_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.fold.conflicts import Conflict
    from varves.index.port import Index
    from varves.values.memory import Memory


def open_conflicts(index: Index) -> tuple[Conflict, ...]:
    """Return the open conflicts that the fold found.

    A rejected value that came back is shown with the value that replaced it.
    """
    found = []
    for conflict in conflicts(index.flagged()):
        if conflict.kind == "returned":
            rivals = _standing_instead(index, conflict.members[0])
            members = (*conflict.members, *rivals)
            current = rivals[0].id if rivals else None
            found.append(conflict.replace(members=members, current=current))
        else:
            found.append(conflict)
    return tuple(found)


def _standing_instead(index: Index, returned: Memory) -> tuple[Memory, ...]:
    """Return the current memories that replaced the memories whose value was rejected."""
    key = value_key(returned.kept, returned.scope, returned.text)
    waiting = list(index.rejections(key).values())
    found: dict[str, Memory] = {}
    visited: set[str] = set()
    while waiting:
        name = waiting.pop()
        memory = index.memory(name) if name not in visited else None
        visited.add(name)
        if memory is not None:
            if memory.status == "active":
                found[memory.id] = memory
            waiting.extend(memory.links.get("superseded_by", ()))
    return tuple(found.values())
