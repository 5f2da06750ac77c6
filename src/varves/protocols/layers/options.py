"""The numbers of the protocol: as published, and settable in the table `[layers]`."""

from __future__ import annotations

from varves.errors import UsageError
from varves.protocols.tables import chosen, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class LayersOptions(Value):
    """What may be set; a name that is left out has the published value."""

    zone: str = "UTC"
    """The zone of the headings' times: UTC, an offset, or a name such as Europe/Rome."""
    archive_above: int = 0
    """With more events than this, archiving is offered; 0: never."""
    archive_keep: int = 20
    """So many events stay when the older ones are archived."""
    batch: int = 5
    """After so many events the graph is materialised again; a milestone does it at once."""
    recent: int = 10
    """So many events are recent: the context tells of them."""
    handoff_events: int = 5
    """So many events go into a handoff."""
    complete: tuple[str, ...] = ("complete", "completed", "done")
    """The statuses that count towards a pack's completion, whatever their case."""
    related_most: int = 20
    """An event that names more skills and packs than this relates none of them to its files."""
    drawn_most: int = 200
    """A picture of more entities than this, or of three times as many relations, is refused."""
    summary_chars: int = 240
    """What the summary quotes of an event is cut to so many characters."""


def options(table: Mapping[str, Any]) -> LayersOptions:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value is of the wrong kind.
    """
    fits = {"zone": _fits_zone, "complete": words}
    return LayersOptions(
        **chosen(LayersOptions, "layers", table, zero=("archive_above",), fits=fits)
    )


def _fits_zone(value: Any) -> str | None:
    from varves.protocols.layers.times import zone

    try:
        zone(value if isinstance(value, str) else "")
    except UsageError:
        return "a zone such as UTC, +02:00 or Europe/Rome"
    return None
