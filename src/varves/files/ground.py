"""What adopting and rendering stand on: a protocol's core, and what only the ledger may touch."""

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
        """A core, with the context, the files and what they are rendered from."""

        name: str
        context: Context
        views: Views
        unreadable: dict[str, str]
        joint: Joint
        """What git could not merge, where the verb is to settle that."""

        def stock(self, touched: Touched | None = None) -> Stock:
            """Return what files are rendered from, as the log stands now."""
            ...

        def stock_at(self, commit: str, *, purged: bool = False) -> Stock:
            """Return what files were rendered from, by the project's log as a commit holds it.

            `purged`: without what was purged since.
            """
            ...
