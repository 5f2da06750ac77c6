"""The first page: what counts, what waits for a person, and what is newest."""

from __future__ import annotations

from varves.web.words import done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_NEWEST = 12
_WRITTEN = ("wrote", "shared")


def now(visit: Visit) -> dict[str, Any]:
    """Return what the first page needs."""
    ledger, as_of = visit.ledger, visit.as_of
    status = visit.window.status()
    lately = [done(event.kind) for event in ledger.log(since="24h", as_of=as_of)]
    counts = status["memories"] if as_of is None else _counted(visit)
    return {
        "title": "Now",
        "counts": counts,
        "current": counts.get("active", 0) - (status["quarantined"] if as_of is None else 0),
        "written": sum(map(lately.count, _WRITTEN)),
        "corrected": lately.count("corrected"),
        "forgotten": lately.count("forgot"),
        "newest": ledger.list(status="all", as_of=as_of, limit=_NEWEST),
        "status": status,
        "agents": _agents(visit),
        "twins": [("status", {}), ("list", {"status": "all", "limit": _NEWEST})],
    }


def _counted(visit: Visit) -> dict[str, int]:
    found: dict[str, int] = {}
    for memory in visit.ledger.list(status="all", as_of=visit.as_of):
        found[memory.status] = found.get(memory.status, 0) + 1
    return found


def _agents(visit: Visit) -> list[dict[str, Any]]:
    """Return the agents that are connected or were shown memories, up to the moment."""
    names = visit.window.status()["agents"] if visit.as_of is None else ()
    found: dict[str, dict[str, Any]] = {
        name: {"name": name, "shown": 0, "last": None} for name in names
    }
    for one in visit.shown():
        agent = found.setdefault(one.client, {"name": one.client, "shown": 0, "last": one.at})
        agent["shown"] += len(one.ids)
        agent["last"] = max(agent["last"] or "", one.at)
    return list(found.values())
