"""The categories of memories that a bridge can show in another protocol.

A bridge carries a category if both protocols have a type for it. Hivemind has a subtype for every
category. Bridges carry nothing to a deliberation, because a conversation contains only what was
said in it.
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
    """Return one line that lists every possible bridge."""
    lines = (
        f"{source}.{'|'.join(carried(source, target))} -> {target}"
        for source in HELD
        for target in _TAKING
        if carried(source, target)
    )
    return ", ".join(lines)
