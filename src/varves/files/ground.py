"""The interface through which files are compared with the log and rendered."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from varves.context.context import Context
    from varves.files.renderings import Views
    from varves.protocols.port import Core as Seen
    from varves.protocols.port import Stock, Touched
    from varves.protocols.tree import Joint

    class FilesCore(Seen, Protocol):
        """What the code that reads and renders a protocol's files needs of `LedgerCore`."""

        name: str
        context: Context
        views: Views
        unreadable: dict[str, str]
        joint: Joint
        """The merge conflicts of git that the verb resolves."""

        def stock(self, touched: Touched | None = None) -> Stock:
            """Return the data from which files are rendered, according to the current log.

            The data is called the stock.
            """
            ...

        def stock_at(self, commit: str, *, purged: bool = False) -> Stock:
            """Return the data from which files were rendered, according to the log in a commit.

            If `purged` is set, content that was purged later is left out.
            """
            ...
