"""Precedence: of two related memories, the one with the more specific scope wins.

The caller's profile defines the order of the scopes. If the profile does not list a level, memories
of that level neither hide others nor are hidden.
"""

from __future__ import annotations

from varves.recall.weights import ALIASES
from varves.values.scope import level_of

DEFAULT = "hivemind"
PRECEDENCE = {
    "scoped": ("session", "team", "project", "global"),
    "hivemind": ("session", "agent", "project", "team", "global"),
}


def precedence(profile: str | None = None) -> tuple[str, ...]:
    """Return the levels of scope of a profile, or of the default profile, most specific first."""
    return PRECEDENCE.get(ALIASES.get(profile or "", profile or ""), PRECEDENCE[DEFAULT])


def rank(scope: str, order: tuple[str, ...]) -> int | None:
    """Return the position of a scope's level in `order`, or None.

    The position 0 is the most specific.
    """
    level = level_of(scope)
    return order.index(level) if level in order else None
