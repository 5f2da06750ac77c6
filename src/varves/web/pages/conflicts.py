"""The conflicts that need a decision, newest first."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_SHOWN = 30


def conflicts(visit: Visit) -> dict[str, Any]:
    """Return a page of the conflicts."""
    before = visit.asked("before")
    found = visit.record.conflicts(limit=_SHOWN, before=before)
    if found.uncompared and visit.as_of is None:
        visit.ledger.compare_in_background()
    given = {"limit": _SHOWN} if before is None else {"limit": _SHOWN, "before": before}
    return {
        "conflicts": found,
        "more": found.more,
        "uncompared": found.uncompared,
        "twins": [("conflicts", given)],
    }
