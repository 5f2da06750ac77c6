"""The work that remains after a verb's write: published files, views and counters to update."""

from __future__ import annotations


class FollowUp:
    """The work that remains after a verb's write.

    Verbs add to it while they append; `VerbGuard` and `Door` do it after the verb.
    """

    __slots__ = (
        *("bridging", "changed", "cleaning", "depth", "notes", "swept", "unbridged", "wrote"),
    )

    def __init__(self) -> None:
        self.wrote: set[tuple[str, str | None]] = set()
        """The (actor, session) pairs that wrote.

        They are kept until the memories shown to them are recorded.
        """
        self.changed: set[str] = set()
        """The memories of a protocol that a core verb changed.

        They are kept until the protocol's files are rendered.
        """
        self.unbridged: set[str] = set()
        """The memories that a protocol changed.

        They are kept until the views in other protocols are updated.
        """
        self.notes: list[str] = []
        """The messages of bridges about the last write."""
        self.swept = ""
        """The day on which ended sessions were last searched for; "" for never."""
        self.depth = 0
        """How many public verbs are running, one inside the other."""
        self.bridging = False
        """Whether views are being updated."""
        self.cleaning = False
        """Whether purged content that git restored is being erased now."""
