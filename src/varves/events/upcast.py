"""Converts old events to the current version of the format, by one step for each version.

A step takes the fields of version n and returns those of n + 1. A written field never changes its
meaning; a step may add, rename or split. Lines of a newer version are not changed. They are kept
and shown, and kinds that are unknown have no effect.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

CURRENT = 1
STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def upcast(
    fields: dict[str, Any],
    steps: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = STEPS,
    current: int = CURRENT,
) -> dict[str, Any]:
    """Convert an event's fields to the current version, by one step for each older version."""
    while (version := fields["v"]) < current:
        fields = steps[version](fields)
        fields["v"] = version + 1
    return fields
