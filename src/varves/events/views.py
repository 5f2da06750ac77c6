"""Views: memories through which a bridge shows a record of one protocol in another.

A view is a memory of its own, which any clone can read. It names the record that it shows. Every
event that a bridge records is marked as recorded by a bridge.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.events.event import Event

VIEW_OF = "view_of"  # the name of the link from a view to the record that it shows
BRIDGE = "bridge"  # the value of `rule` in events that a bridge recorded


def source_of(links: Mapping[str, Any] | None) -> str | None:
    """Return the id of the record that a memory with these links shows; None if it shows none."""
    named = links.get(VIEW_OF) if links else None
    return str(named[0]) if named else None


def by_bridge(event: Event) -> bool:
    """Return whether an event was recorded by a bridge, and not at a caller's request."""
    return bool(event.data.get("rule") == BRIDGE)
