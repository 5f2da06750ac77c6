"""The identity of a ledger, by which its clones recognise each other."""

from __future__ import annotations

from varves.index.where import EventWhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context


def identity(context: Context) -> str | None:
    """Return the project's identity, or None.

    It is the id of the repository's first commit; without a commit, the id of the log's first
    event.
    """
    git = context.places.git
    if git is not None:
        roots = git.run("rev-list", "--max-parents=0", "HEAD", check=False).decode().split()
        if roots:
            return roots[-1]
    first = context.fresh().index.events(EventWhere(log="project", here=True), first=1)
    return first[0].id if first else None
