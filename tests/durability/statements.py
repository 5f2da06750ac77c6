"""SQLite as the notebook uses it, with something that happens before each statement."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Statements:
    """The module `sqlite3`, but for what happens before a file is opened or a statement run."""

    def __init__(self, before: Callable[[str], None]) -> None:
        self._before = before

    def __getattr__(self, name: str) -> Any:
        return getattr(sqlite3, name)

    def connect(self, *args: Any, **options: Any) -> sqlite3.Connection:
        """Open a database as SQLite does."""
        before = self._before
        before("open")

        class Connection(sqlite3.Connection):
            """A connection that tells what it is asked."""

            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                before(sql)
                return super().execute(sql, *given)

        return sqlite3.connect(*args, factory=Connection, **options)
