"""The sides of a file that git could not merge, and their commits."""

from __future__ import annotations

from varves.values.value import Value


class Side(Value):
    """One side of a file that git could not merge."""

    content: bytes
    commit: str | None
    """The commit whose log this side belongs to; None if unknown."""
    within: str | None = None
    """The commit that contains both sides in one file, with conflict marks; None if uncommitted."""
    own: bool = False
    """Whether this side is the local person's stashed work."""


class CommitGraph(Value):
    """Some ancestors of a commit, each with its parents among them."""

    nearest: str
    parents: dict[str, tuple[str, ...]]
