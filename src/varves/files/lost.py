"""Checks whether git, or the links next to git's files, still have a log that is missing.

A branch that was made before the first memory has no log, and neither has its work tree: nothing is
missing there if every event is on another branch.
"""

from __future__ import annotations

from varves.errors import Damaged
from varves.index.where import EventWhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context
    from varves.files.ground import FilesCore
    from varves.git import Git
    from varves.index.port import Index
    from varves.log.eaten import Eaten

_RESTORE = "varves doctor --restore"
_SHORT = 12  # digits of a commit's id in a hint


def refuse_held_log(core: FilesCore) -> None:
    """Raise an error if the project's log is missing but could be restored."""
    places = core.context.places
    git = places.git
    if git is None:
        return
    folder = f"{places.folder[len(git.top) + 1 :]}/log"
    ways = []
    if git.run("--literal-pathspecs", "ls-files", "--", folder, check=False):
        ways = ["run git checkout -- .varves", _RESTORE]
    elif git.run("rev-parse", "--verify", "--quiet", f"HEAD:{folder}", check=False):
        ways = ["run git checkout HEAD -- .varves", _RESTORE]
    else:
        _, kept = core.context.logs.tracked().spooled() or ("", 0)
        if kept:
            removed = _removal(git, folder)
            ways = [f"run git checkout {removed}^ -- .varves"] if removed else []
            ways += [_RESTORE] if eaten_events(core.context).events else []
    if ways:
        said = " or ".join(ways)
        raise Damaged(f"{places.folder}/log is missing, but its segments exist elsewhere", said)


def _removal(git: Git, folder: str) -> str:
    """Return the commit of this branch that removed a folder; empty if the branch never had it."""
    asked = ("--literal-pathspecs", "rev-list", "--max-count=1", "HEAD", "--", folder)
    return git.run(*asked, check=False).decode("ascii").strip()[:_SHORT]


def eaten_events(context: Context) -> Eaten:
    """Return the events that only the spool, the index or git's index still has."""
    gone = context.fresh(every_file=True).index.logs().lost_events()
    # The second argument updates the index again, so that events that were written meanwhile are
    # not reported as lost.
    return context.logs.tracked().eaten(gone, lambda: _Present(context.fresh().index))


class _Present:
    """The ids of the events in this checkout's logs."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __contains__(self, name: object) -> bool:
        return self._index.count(EventWhere(ids=(str(name),), here=True)) > 0
