"""Views: memories that a bridge writes in one protocol to show a record of another.

A view is a separate memory, which any clone can read. It names the record it shows, and every event
that a bridge records is marked as such.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.events.event import Event

VIEW_OF = "view_of"  # the link from a view to its record
BRIDGE = "bridge"  # the rule that wrote it


def source_of(links: Mapping[str, Any] | None) -> str | None:
    """Return the record that a memory with these links is a view of, if any."""
    named = links.get(VIEW_OF) if links else None
    return str(named[0]) if named else None


def by_bridge(event: Event) -> bool:
    """Return whether a bridge recorded an event, without a caller's request."""
    return bool(event.data.get("rule") == BRIDGE)
