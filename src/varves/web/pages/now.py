"""The first page: what counts, what waits for a person, and what is newest."""

from __future__ import annotations

from varves.web.words import WAITS, done

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_NEWEST = 12
_LATELY = 2000  # events that are counted one by one
_WRITTEN = ("wrote", "shared")


def now(visit: Visit) -> dict[str, Any]:
    """Return what the first page needs."""
    record, as_of = visit.record, visit.as_of
    status = visit.window.status()
    last = record.log(since="24h", limit=_LATELY)
    # a figure that is not known is left out
    lately = [] if last.more else [done(event.kind) for event in last]
    then = status if as_of is None else visit.window.status_at(as_of)
    apart = then["quarantined"]
    newest = record.list(status="all", limit=_NEWEST)
    counts = {**then["memories"], "active": then["memories"].get("active", 0) - apart}
    return {
        "title": "Now",
        "counts": counts,
        "apart": apart,
        "current": counts["active"],
        "written": sum(map(lately.count, _WRITTEN)),
        "corrected": lately.count("corrected"),
        "forgotten": lately.count("forgot"),
        "newest": newest,
        "disputes": visit.disputes(one.id for one in newest),
        "status": status,
        "waits": _waiting(visit) if as_of is None else None,
        "checks": {one.name: one for one in visit.ledger.checks()},
        "agents": _agents(visit),
        "twins": [("status", {}), ("list", {"status": "all", "limit": _NEWEST})],
    }


def _waiting(visit: Visit) -> dict[str, Any]:
    """Return what waits for a person, by kind: how many, and the newest of each."""
    kinds = []
    for kind in WAITS:
        found = visit.ledger.waiting(limit=1, kind=kind)
        if found:
            kinds.append({"kind": kind, "count": len(found) + found.more, "newest": found[0]})
    return {"kinds": kinds, "count": sum(one["count"] for one in kinds)}


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
