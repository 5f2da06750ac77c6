"""One conflict: the memories that cannot all hold, and one key to settle it."""

from __future__ import annotations

from varves.web.pages.review import found_conflict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit


def conflict(visit: Visit) -> dict[str, Any]:
    """Return the two sides, and what both replace."""
    found = found_conflict(visit, visit.path["id"])
    names = {
        name for one in found.members for name in one.links.get("supersedes", ()) if one is not None
    }
    before = [one for name in sorted(names) if (one := visit.read(name)) is not None]
    return {
        "title": "Which one holds?",
        "conflict": found,
        "before": before,
        "base": before[0] if len(before) == 1 else None,
        "twins": [("conflicts", {})],
    }
