"""The git work tree a log lies in: whether HEAD moved, what is staged, and the spool beside it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.log.files.git import Git, Signature
    from varves.log.files.spool import Spool


class WorkTree:
    """What an appender must know of git, and where it keeps a second name of its segments."""

    def __init__(self, git: Git, spool: Spool | None) -> None:
        self.git = git
        self.spool = spool

    def head(self) -> Signature:
        """Return a signature that differs whenever HEAD has moved."""
        return self.git.head()

    def staged(self, path: str) -> bool:
        """Tell whether git's index names a file."""
        return self.git.staged(path)
