"""The sides of a file that git could not merge, and their commits."""

from __future__ import annotations

from varves.values.value import Value


class Side(Value):
    """One side of a file that git could not merge."""

    content: bytes
    commit: str | None
    """The commit to whose log this side belongs; None if it is not known."""
    within: str | None = None
    """The commit that has both sides in one file, with conflict marks.

    None if it is not committed.
    """
    own: bool = False
    """Whether this side is uncommitted work of the local person that was stashed."""


class CommitGraph(Value):
    """Some ancestors of a commit; each is listed with those of its parents that are included."""

    nearest: str
    parents: dict[str, tuple[str, ...]]
