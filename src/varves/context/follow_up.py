"""Pending work after a write: files, views and counters to update."""

from __future__ import annotations


class FollowUp:
    """Filled while a verb appends; `VerbGuard` and `Door` do the work after the verb."""

    __slots__ = (
        *("bridging", "changed", "cleaning", "depth", "notes", "swept", "unbridged", "wrote"),
    )

    def __init__(self) -> None:
        self.wrote: set[tuple[str, str | None]] = set()
        """Actors and sessions that wrote; kept until the memories shown to them are recorded."""
        self.changed: set[str] = set()
        """Memories of a protocol that a core verb changed.

        Kept until the protocol's files are rendered.
        """
        self.unbridged: set[str] = set()
        """Memories that a protocol changed; kept until other protocols' views are updated."""
        self.notes: list[str] = []
        """Messages of bridges about the last write."""
        self.swept = ""
        """The day of the last search for ended sessions."""
        self.depth = 0
        """The nesting depth of public verbs."""
        self.bridging = False
        """Whether views are being updated."""
        self.cleaning = False
        """Whether purged content that git restored is being erased."""
