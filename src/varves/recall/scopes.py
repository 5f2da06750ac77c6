"""Precedence: of two memories that speak to each other, the one of the more specific scope stands.

Which scope is more specific is the caller's profile's word. A level that a profile does not name
neither shadows another nor is shadowed by one.
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
    """Return a profile's levels, the most specific first; the default's where it has none."""
    return PRECEDENCE.get(ALIASES.get(profile or "", profile or ""), PRECEDENCE[DEFAULT])


def rank(scope: str, order: tuple[str, ...]) -> int | None:
    """Return a scope's place in a precedence, 0 the most specific; None where it has no place."""
    level = level_of(scope)
    return order.index(level) if level in order else None
