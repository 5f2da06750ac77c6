"""The interface that adopting and rendering use: a protocol's core and its internal parts."""

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
        """A core with its context, its files, and the data they are rendered from (the stock)."""

        name: str
        context: Context
        views: Views
        unreadable: dict[str, str]
        joint: Joint
        """The merge conflicts of git that the verb should resolve."""

        def stock(self, touched: Touched | None = None) -> Stock:
            """Return the data that files are rendered from, according to the current log."""
            ...

        def stock_at(self, commit: str, *, purged: bool = False) -> Stock:
            """Return the data that files were rendered from, according to the log in a commit.

            With `purged`, content purged since then is left out.
            """
            ...
