"""What is around one thing: two steps, at most 150 things, as a drawing and as a list."""

from __future__ import annotations

from varves.web.pictures import called, surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_USUAL, _MOST = 20, 100
_NAMES = 40  # of each kind, to begin with


def graph(visit: Visit) -> dict[str, Any]:
    """Return what is around the thing that is asked for, or things to choose from."""
    name, limit = visit.asked("around"), visit.number("limit", _USUAL, _MOST)
    if name is None:
        offers = visit.window.reader.offers
        return {
            "title": "Graph",
            "found": None,
            "around": "",
            "limit": limit,
            "tags": offers.names("tag")[:_NAMES],
            "people": offers.names("agent")[:_NAMES],
            "twins": (),
        }
    found = visit.ledger.around(name, limit=limit, as_of=visit.as_of)
    disputes = visit.disputes(one.id for one in found.memories)
    drawing, drawn = surroundings(visit, found, disputes)
    return {
        "title": f"Around {called(found.thing) if found.text is None else found.text}",
        "found": found,
        "disputes": disputes,
        "around": name,
        "limit": limit,
        "drawing": drawing,
        "drawn": drawn,
        "more_listed": 1 + len(found.memories) + len(found.things) - drawn,
        "called": called,
        "twins": [("around", {"thing": name, "limit": limit})],
    }
