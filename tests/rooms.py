"""A ledger as its rooms see it: its context, opened beside whoever else has the ledger open."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from tests.places import local_of
from varves import settings
from varves.context.context import Opened
from varves.context.follow_up import FollowUp
from varves.values.ids import IdSource
from varves.values.instants import SystemClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from varves.context.context import Context
    from varves.values.instants import Clock


@contextmanager
def room(root: Path | str, *, clock: Clock | None = None, **chosen: Any) -> Iterator[Context]:
    """Open the logs and the index of a folder's ledger, as another process would."""
    found = settings.load(str(root), **chosen)
    opened = Opened(found, clock or SystemClock(), IdSource(), FollowUp(), origin="direct")
    try:
        yield opened.context
    finally:
        opened.close()


def indexed(root: Path | str, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Ask the file of a ledger's index, or change it."""
    with closing(sqlite3.connect(local_of(root) / "index.sqlite", isolation_level=None)) as db:
        return db.execute(sql, values).fetchall()
