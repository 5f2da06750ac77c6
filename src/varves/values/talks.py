"""What a talk answers: its entries, and what was appended to it."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Entry(Value):
    """One entry of a talk."""

    id: str
    """The event that recorded it."""
    value: Any
    key: str | None = None
    """What its owner calls it; two entries of a talk never have the same."""
    at: str
    """When it was recorded."""
    actor: str


class Appended(Value):
    """What became of entries that were appended."""

    entries: tuple[Entry, ...]
    """Those that are new, as they were recorded."""
    known: int
    """How many were left out, since the talk has their key."""
    redacted: tuple[str, ...]
    """Names of the rules that masked something."""


class Talked(Value):
    """A talk among others."""

    name: str
    changed_at: str
    """When its newest event was recorded."""
    note: Any
    """The note of its newest entry that has one."""
