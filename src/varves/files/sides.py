"""What git tells of a file that two sides changed: each of them, and the commits behind it."""

from __future__ import annotations

from varves.values.value import Value


class Side(Value):
    """One side of a file that git could not merge."""

    content: bytes
    commit: str | None
    """Whose log it belongs to; None where nobody can tell."""
    within: str | None = None
    """The commit that has both sides in one file, marks and all; None: it is not committed."""
    own: bool = False
    """Whether it is the local person's: work that was stashed."""


class CommitGraph(Value):
    """Some of the commits before one, each with its parents among those that matter."""

    nearest: str
    parents: dict[str, tuple[str, ...]]
