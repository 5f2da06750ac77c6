"""The type crosswalk: the categories that each protocol has a type for, which bridges can carry.

Hivemind has a subtype for every category. A conversation contains only what was said in it, so
bridges carry nothing to it.
"""

from __future__ import annotations

HELD = {
    "party": ("observation", "preference", "context", "decision"),
    "layers": ("decision", "change", "result", "milestone"),
    "scoped": ("decision", "convention", "pattern", "preference"),
    "hivemind": (),
    "deliberation": ("summary", "decision", "proposal"),
}
_TAKING = ("party", "layers", "scoped", "hivemind")


def carried(source: str, target: str) -> tuple[str, ...]:
    """Return the categories that a bridge may carry from one protocol to another."""
    if source == target or source not in HELD or target not in _TAKING:
        return ()
    if target == "hivemind":
        return HELD[source]
    return tuple(one for one in HELD[target] if source == "hivemind" or one in HELD[source])


def pairs() -> str:
    """Return every possible bridge, on one line."""
    lines = (
        f"{source}.{'|'.join(carried(source, target))} -> {target}"
        for source in HELD
        for target in _TAKING
        if carried(source, target)
    )
    return ", ".join(lines)
