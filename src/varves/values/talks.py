"""The values that the methods of a talk (a conversation of a framework) return."""

from __future__ import annotations

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Entry(Value):
    """One entry of a talk."""

    id: str
    """The id of the event that recorded the entry."""
    value: Any
    key: str | None = None
    """The name that the talk's owner gave the entry, unique within the talk."""
    at: str
    """When the entry was recorded."""
    actor: str


class Appended(Value):
    """The result of appending entries."""

    entries: tuple[Entry, ...]
    """The new entries, as recorded."""
    known: int
    """How many entries were left out because the talk already has an entry with their key."""
    redacted: tuple[str, ...]
    """Names of the rules that masked something."""


class Talked(Value):
    """A talk in a list of talks."""

    name: str
    changed_at: str
    """When the talk's newest event was recorded."""
    note: Any
    """The note of the newest entry that has a note; None if no entry has one."""
