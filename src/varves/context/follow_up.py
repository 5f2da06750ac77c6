"""What follows from what verbs recorded: the files, views and counters to be updated."""

from __future__ import annotations


class FollowUp:
    """Filled while a verb appends; `VerbGuard` and `Door` do the work after the verb."""

    __slots__ = (
        *("bridging", "changed", "cleaning", "depth", "notes", "swept", "unbridged", "wrote"),
    )

    def __init__(self) -> None:
        self.wrote: set[tuple[str, str | None]] = set()
        """Who wrote, in which session, until what they were told is recorded."""
        self.changed: set[str] = set()
        """Memories of protocols that a verb of the core changed, until their files follow."""
        self.unbridged: set[str] = set()
        """Memories that a protocol touched, until their views in other protocols follow."""
        self.notes: list[str] = []
        """What the bridges have to say of the last verb that wrote."""
        self.swept = ""
        """The day on which sessions that are over were looked for."""
        self.depth = 0
        """Of public verbs that run within one another."""
        self.bridging = False
        """Whether views are being brought in step just now."""
        self.cleaning = False
        """Whether what git brought back is being erased just now."""
