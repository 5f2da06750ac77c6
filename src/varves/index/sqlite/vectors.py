"""The table of vectors; a vector has the number of its memory.

A vector is deleted with its memory or its text, in one transaction. So a purge that erases a text
from the index erases its vector.
"""

from __future__ import annotations

from sqlite3 import DatabaseError

from varves.index.sqlite.conditions import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from sqlite3 import Connection
    from typing import Any

_PORTION = 500  # the most numbers in one SQL query
_CHANGES = (
    "create temp table if not exists changed (n integer primary key)",
    *(
        f"create temp trigger if not exists changed_{event} after {event} on main.memory"
        f" begin insert or ignore into changed values ({row}.n); end"
        for event, row in (("insert", "new"), ("update", "new"), ("delete", "old"))
    ),
)
_ROWS = (  # a cast is needed, because a damaged blob may not be valid text
    "select m.n, m.text, m.speaker, m.session, cast(v.seal as blob), cast(v.row as blob)"
    " from memory m left join vector v on v.n = m.n"
)
# A memory that was purged in the meantime no longer exists and gets no vector.
_KEEP = (
    "insert or replace into vector select :n, :seal, :row"
    " where exists (select 1 from memory where n = :n and text = :text)"
)
_KEPT = ("n", "seal", "row", "text")


class SqliteVectors:
    """The stored vectors of an index, and the memories changed since the last call of `changed`."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._version: int | None = None

    def count(self) -> int:
        """Return how many vectors are stored."""
        return int(self._db.execute("select count(*) from vector").fetchone()[0])

    def changed(self) -> set[int] | None:
        """Return the memories that changed since the last call; None if this is not known.

        Triggers record the changes of this connection. Changes by other processes are visible only
        in the database's version.
        """
        db, known = self._db, self._version
        self._version = db.execute("pragma data_version").fetchone()[0]
        if known is None:
            db.execute("pragma temp_store = memory")
            for statement in _CHANGES:
                db.execute(statement)
        changed = {n for (n,) in db.execute("select n from temp.changed")}
        if changed:
            db.execute("delete from temp.changed")
        return changed if known == self._version else None

    def forget_changes(self) -> None:
        """Make the next call of `changed` return None."""
        self._version = None

    def rows(self, numbers: AbstractSet[int] | None) -> Iterator[tuple[Any, ...]]:
        """Yield (number, text, speaker, session, seal, vector) of the given memories, or of all."""
        if numbers is None:
            yield from self._db.execute(_ROWS)
            return
        ordered = sorted(numbers)
        for start in range(0, len(ordered), _PORTION):
            part = ordered[start : start + _PORTION]
            yield from self._db.execute(f"{_ROWS} where m.n in ({marks(part)})", part)

    def keep(self, rows: Iterable[tuple[int, bytes, bytes, str]]) -> None:
        """Store rows of (number, seal, vector, text), if possible.

        A row is skipped if the text of its memory has changed.
        """
        try:
            self._db.execute("begin immediate")
            self._db.executemany(_KEEP, (dict(zip(_KEPT, row, strict=True)) for row in rows))
            self._db.execute("commit")
        # the database is busy or the disk is full: the vectors are used now and made again later
        except DatabaseError:
            if self._db.in_transaction:
                self._db.execute("rollback")

    def chains(self, sessions: AbstractSet[str] | None) -> list[tuple[str, int]]:
        """Return (session, number) of the memories of the given sessions, or of all, in order."""
        where, values = "session is not null", list[str]()
        if sessions is not None and len(sessions) <= _PORTION:
            values = sorted(sessions)
            where = f"session in ({marks(values)})"
        sql = f"select session, n from memory where {where} order by session, place"
        return self._db.execute(sql, values).fetchall()
