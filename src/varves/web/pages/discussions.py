"""All discussions: what they are about, who takes part, and how far they are."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit


def discussions(visit: Visit) -> dict[str, Any]:
    """Return the discussions, the newest first."""
    found = visit.ledger.deliberation.list(as_of=visit.as_of)
    return {
        "title": "Discussions",
        "talks": sorted(found, key=lambda one: one.began, reverse=True),
        "twins": [("deliberation list", {})],
    }
