"""The protocol's options, with the published defaults; the table `[layers]` sets them."""

from __future__ import annotations

from varves.errors import UsageError
from varves.protocols.tables import chosen, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from varves.protocols.port import Core


class LayersOptions(Value):
    """The options; each default is the published value."""

    zone: str = "UTC"
    """The time zone of the headings: UTC, an offset, or a name such as Europe/Rome."""
    archive_above: int = 0
    """Archiving is suggested above this number of events; 0 means never."""
    archive_keep: int = 20
    """The number of events that remain when older ones are archived."""
    batch: int = 5
    """The graph is written after this many events; a milestone writes it at once."""
    recent: int = 10
    """The number of recent events that the context shows."""
    actions: int = 20
    """The number of next actions that the context lists; the others are counted."""
    handoff_events: int = 5
    """The number of events in a handoff."""
    complete: tuple[str, ...] = ("complete", "completed", "done", "finished")
    """The statuses that count towards a pack's completion; case is ignored."""
    related_most: int = 20
    """An event that names more skills and packs than this relates none of them to its files."""
    drawn_most: int = 200
    """A picture with more entities, or more than three times as many relations, is refused."""
    summary_chars: int = 240
    """The most characters of an event that the summary quotes."""


def options(table: Mapping[str, Any]) -> LayersOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value has the wrong type.
    """
    fits = {"zone": _fits_zone, "complete": words}
    return LayersOptions(
        **chosen(LayersOptions, "layers", table, zero=("archive_above",), fits=fits)
    )


def options_of(core: Core) -> LayersOptions:
    """Return the current settings."""
    return options(core.table)


def _fits_zone(value: Any) -> str | None:
    from varves.protocols.layers.times import zone

    try:
        zone(value if isinstance(value, str) else "")
    except UsageError:
        return "a zone such as UTC, +02:00 or Europe/Rome"
    return None
