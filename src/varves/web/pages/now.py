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
    record, as_of = visit.record, visit.as_of
    status = visit.window.status()
    lately = [done(event.kind) for event in record.log(since="24h")]
    then = status if as_of is None else visit.window.status_at(as_of)
    counts = then["memories"]
    return {
        "title": "Now",
        "counts": counts,
        "current": counts.get("active", 0) - then["quarantined"],
        "written": sum(map(lately.count, _WRITTEN)),
        "corrected": lately.count("corrected"),
        "forgotten": lately.count("forgot"),
        "newest": record.list(status="all", limit=_NEWEST),
        "status": status,
        "agents": _agents(visit),
        "twins": [("status", {}), ("list", {"status": "all", "limit": _NEWEST})],
    }


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
