"""What changed between two moments or branches: corrected, forgotten, came back, added."""

from __future__ import annotations

from varves.values.instants import DAY_MS, iso
from varves.web.pictures import by_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.web.visit import Visit

_MOST = 100  # the most memories of each kind on the page
_BACK = 7  # days


def changes(visit: Visit) -> dict[str, Any]:
    """Return the comparison that is asked for; by default of a week ago with the page's moment."""
    usual = f"{iso(_start(visit) - _BACK * DAY_MS)[:16]}Z"
    earlier, later = visit.asked("from") or usual, visit.asked("to")
    as_markdown = visit.asked("as") == "markdown"
    found = visit.ledger.diff(earlier, later or visit.as_of, published=as_markdown)
    given = {"a": earlier, **({"b": later} if later else {})}
    who: dict[str, int] = {}
    whole = (*found.corrected, *found.forgotten, *found.returned, *found.added)
    for one in whole:
        who[one.by] = who.get(one.by, 0) + 1
    return {
        "title": "What changed",
        "found": found,
        "earlier": earlier,
        "later": later or "",
        "markdown": found.markdown if as_markdown else None,
        "most": _MOST,
        "disputes": {member.id: one for one in found.conflicts for member in one.members},
        "drawing": by_day(visit, [one.at for one in whole if one.at], "change"),
        "elsewhere": any(log.get("branch") for log in visit.window.status()["logs"].values()),
        "who": sorted(who.items(), key=lambda pair: (-pair[1], pair[0])),
        "twins": [("diff", {**given, **({"markdown": ""} if as_markdown else {})})],
    }


def _start(visit: Visit) -> int:
    at = visit.window.moment_of(visit.as_of) if visit.as_of else None
    return visit.now if at is None else at
