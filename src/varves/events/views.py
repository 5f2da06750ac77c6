"""Views: what a bridge writes in one protocol so that it shows a record of another.

A view is a memory of its own, which any clone can read. It names the record it shows, and every
event that a bridge records says so.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.events.event import Event

VIEW_OF = "view_of"  # the link from a view to its record
BRIDGE = "bridge"  # the rule by which it was written


def source_of(links: Mapping[str, Any] | None) -> str | None:
    """Return the record that a memory with these links is a view of, if it is one."""
    named = links.get(VIEW_OF) if links else None
    return str(named[0]) if named else None


def by_bridge(event: Event) -> bool:
    """Tell whether a bridge recorded an event, and nobody asked for it."""
    return bool(event.data.get("rule") == BRIDGE)
