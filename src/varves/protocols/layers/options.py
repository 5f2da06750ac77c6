"""The numbers of the protocol: as published, and settable in the table `[layers]`."""

from __future__ import annotations

from varves.errors import UsageError
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LARGEST = 1e9


class Options(Value):
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


def options(table: Mapping[str, Any]) -> Options:
    """Read the protocol's table of settings.

    Raises:
        UsageError: a name is unknown, or its value is of the wrong kind.
    """
    given: dict[str, Any] = {}
    for name, value in table.items():
        if name not in Options._fields:
            raise UsageError(f"[layers] knows no {quoted(name)}", "see docs/protocols/layers.md")
        published = getattr(Options, name)
        wanted = _wanted(value, published, name)
        if wanted:
            raise UsageError(f"[layers] {name} is not {wanted}", f"it is {published} as published")
        given[name] = tuple(value) if isinstance(published, tuple) else value
    return Options(**given)


def _wanted(value: Any, published: Any, name: str) -> str | None:
    """Return what a setting should have been, if it is not that."""
    if isinstance(published, tuple):
        words = isinstance(value, list | tuple) and all(isinstance(word, str) for word in value)
        return None if words else "a list of words"
    if isinstance(published, str):
        return _wanted_word(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return "a whole number"
    if name == "archive_above":
        return None if 0 <= value < _LARGEST else "0 or more"
    return None if 0 < value < _LARGEST else "more than 0"


def _wanted_word(value: Any) -> str | None:
    """Return what the zone should have been; it is the only word that may be set."""
    from varves.protocols.layers.times import zone

    try:
        zone(value if isinstance(value, str) else "")
    except UsageError:
        return "a zone such as UTC, +02:00 or Europe/Rome"
    return None
