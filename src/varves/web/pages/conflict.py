"""One conflict: the memories that cannot all hold, and one key to settle it."""

from __future__ import annotations

from varves.web.lineage import lineage
from varves.web.pages.review import found_conflict

_TOLD = 4  # the most histories that the foot of the page leads to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit


def conflict(visit: Visit) -> dict[str, Any]:
    """Return the sides, and how they came about."""
    found = found_conflict(visit, visit.path["id"])
    came = lineage(visit, found.members)
    told = [one.memory.id for side in came.sides for one in side]
    return {
        "title": "Which one holds?",
        "conflict": found,
        "came": came,
        "base": None if came.ancestor is None else came.ancestor.memory,
        "twins": [("conflicts", {}), *(("history", {"id": name}) for name in told[:_TOLD])],
    }
