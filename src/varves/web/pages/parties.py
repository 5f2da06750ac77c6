"""The agents of all parties: how sure their memories are over sessions, and who agrees."""

from __future__ import annotations

from varves.web.pictures import bonds, sureness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_MOST = 40  # the most agents that are drawn


def parties(visit: Visit) -> dict[str, Any]:
    """Return the agents with their drawings."""
    agents = visit.ledger.party.list(as_of=visit.as_of)
    shown = agents[:_MOST]
    return {
        "title": "Parties",
        "agents": [(one, sureness(one, place)) for place, one in enumerate(shown)],
        "more": agents[_MOST:],
        "bonds": bonds(shown),
        "twins": [("party list", {})],
    }
