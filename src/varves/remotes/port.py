"""The interface of a remote: another place that keeps copies of a ledger's logs.

A remote stores lines as they are and derives nothing from them. It is reached for the length of a
call; between calls no connection is open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from varves.log.copies import Copy


class Remote(Protocol):
    """An open connection to a remote, for one ledger."""

    def identity(self, ours: str) -> str:
        """Return the identity of the ledger on the remote; if it has none yet, record `ours`."""
        ...

    def logs(self) -> list[str]:
        """Return the names of the logs of which the remote has a copy that this person may read."""
        ...

    def others(self) -> list[str]:
        """Return the names of the ledgers on the remote if this one is not among them."""
        ...

    def copy(self, log: str) -> Copy:
        """Return the remote's copy of a log; it may be empty."""
        ...

    def remains(self) -> str:
        """Return, in words, where this kind of remote may still have purged text."""
        ...


class Adapter(Protocol):
    """A kind of remote."""

    def open(self, *, write: bool = True) -> AbstractContextManager[Remote]:
        """Connect; the connection is closed when the `with` block ends.

        Args:
            write: whether lines may be sent; a remote that sends at the end does so only then.
        """
        ...

    def names(self) -> list[str]:
        """Return the names of the ledgers on the remote that this person may read."""
        ...

    def wait(self, position: str, seconds: float) -> str:
        """Wait until the remote has news for a reader at this position, or the time is over.

        Return the new position: a mark that changes whenever a line is added or erased there. With
        an empty position, return at once.
        """
        ...
