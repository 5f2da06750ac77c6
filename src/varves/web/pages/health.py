"""What the last checks found, and where everything lies; looking at it runs no check."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_LOGS = {
    "project": "project, in git",
    "private": "only on this computer",
    "global": "all your projects",
}


def health(visit: Visit) -> dict[str, Any]:
    """Return the checks, the places and their sizes, the agents and the limits."""
    status = visit.window.status()
    checks = {check.name: check for check in visit.ledger.checks()}
    places = [
        {"what": _named(name, log), "events": log["events"], **_size(log["path"])}
        for name, log in status["logs"].items()
    ]
    if status["spool"]:
        places.append({"what": "safety copies", "events": None, **_size(status["spool"]["path"])})
    if status["index"]:
        places.append(
            {"what": "search index, can be deleted", "events": None, **_size(status["index"])}
        )
    return {
        "status": status,
        "verify": checks.get("verify"),
        "doctor": checks.get("doctor"),
        "places": places,
        "remotes": visit.ledger.remotes(),
        "worktrees": [log["branch"] for log in status["logs"].values() if log.get("branch")],
        "twins": [("status", {})],
    }


def _named(name: str, log: dict[str, Any]) -> str:
    if log.get("branch"):
        return f"other worktree, on {log['branch']}"
    return _LOGS.get(name) or name.replace("team:", "team ")


def _size(path: str) -> dict[str, int]:
    """Return the number and size of the files at a place."""
    if os.path.isfile(path):
        return {"files": 1, "size": os.path.getsize(path)}
    files = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    sizes = [os.path.getsize(file) for file in files if os.path.isfile(file)]
    return {"files": len(sizes), "size": sum(sizes)}
