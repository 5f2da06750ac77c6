"""What a checkout has noted for itself, read from and written to its `state.sqlite` directly."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.places import local_of

if TYPE_CHECKING:
    from pathlib import Path


def notebook(root: Path | str) -> Path:
    """Return where it is."""
    return local_of(root) / "state.sqlite"


def noted(root: Path | str, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Ask it, or change it; what is not there says nothing."""
    path = notebook(root)
    if not path.is_file():
        return []
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return db.execute(sql, values).fetchall()


def waiting(root: Path | str) -> list[str]:
    """Return the sessions of which something told waits for its event."""
    return [leaf for (leaf,) in noted(root, "select distinct leaf from told order by leaf")]


def add_row(root: Path | str, *row: object) -> None:
    """Add a line about something told, as it is stored."""
    noted(root, "insert into told values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)


def attended(root: Path | str) -> list[tuple[Any, ...]]:
    """Return what hooks noted of sessions, in order."""
    return noted(root, "select kind, first, second, third from attended order by leaf, n")
