"""Why a memory counts or does not, as sentences for the window."""

from __future__ import annotations

import re

from varves.web.words import ORIGINS, STATUSES, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves import Memory

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
EVIDENCE = ("evidence", "gone")
_LEFT_OUT = ("told", "views", "rejected")
_DISPUTES = ("conflict", "siblings", "returned")  # the page leads to the conflict itself
_KEPT = {
    "project": "kept in the project, so everybody who has it knows this",
    "private": "kept only on this computer",
    "unshared": "it was shared and is not any more; its text stays in the project's log until you"
    " erase it",
    "global": "kept for all your projects on this computer",
}


def because(rule: Any, memory: Memory, now: int, *, unshared: bool = False) -> str | None:
    """Return a sentence for a rule that `why` names; None if it is told elsewhere on the page."""
    name, since = rule.rule, when(memory.updated_at, now)
    if name in _LEFT_OUT or name in _DISPUTES:
        return None
    if name == memory.status and name != "flagged":
        says = _standing(memory, since)
    elif name in ("origin", "trusted", "quarantined"):
        says = _origin(rule, memory)
    elif name == "kept":
        where = "unshared" if unshared else memory.kept
        says = _KEPT.get(where, f"kept in {where}")
    elif name in EVIDENCE:
        says = f"it points to {rule.says.replace(' is ', ', which is ', 1)}"
    else:
        # how each sign of the sentence was weighed is for `why --json`
        says = _in_words(rule.says.partition("; signs: ")[0], now)
    return f"{says[0].upper()}{says[1:]}." if says else None


def _standing(memory: Memory, since: str) -> str:
    if memory.status == "active":
        newest = memory.links.get("supersedes")
        how = "it is the newest version" if newest else "it is current"
        return f"{how}, by {memory.updated_by}, {since}"
    why = f": {memory.reason}" if memory.reason else ""
    return f"{STATUSES[memory.status]} by {memory.updated_by}, {since}{why}"


def _origin(rule: Any, memory: Memory) -> str:
    came = ORIGINS.get(memory.origin, memory.origin)
    if rule.rule == "quarantined":
        return f"{came}, and kept apart until you trust it"
    if rule.rule == "trusted":
        return f"{came}; {rule.says.rpartition(' by ')[2]} trusted it"
    return f"{came}, so it is trusted"


def told(rule: Any, now: int) -> tuple[str, str]:
    """Return (agent, how often and when) for a rule that tells who was shown a memory."""
    who, _, rest = rule.says.removeprefix("shown to ").partition(" ")
    return who, _in_words(rest, now)


def _in_words(says: str, now: int) -> str:
    """Return a sentence with its instants as a person says them."""
    return _INSTANT.sub(lambda found: when(found[0], now), says)
