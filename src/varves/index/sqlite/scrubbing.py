"""Leaving no byte of purged content in the index's file.

Deleted rows stay in free pages, words in the word index and all of it in the journal. So the words
are gathered anew, the file is written afresh and the journal emptied.
"""

from __future__ import annotations

import sqlite3

from varves.events.codec import purged_line
from varves.events.purge import holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from varves.events.event import Event

    FromLine = Callable[[str, str], Event]


def scrub(db: sqlite3.Connection, barred: AbstractSet[str], from_line: FromLine) -> bool:
    """Write the file afresh; tell whether it could be done beside those who use it too."""
    try:
        db.execute("begin immediate")
        _scrub_absent(db, barred, from_line)
        db.execute("delete from fate")
        db.execute("insert into words (words) values ('rebuild')")
        db.execute("commit")
        db.execute("vacuum")
        busy = db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        db.execute("delete from meta where name = 'tainted'")
    except sqlite3.DatabaseError:
        if db.in_transaction:
            db.execute("rollback")
        return False
    return not busy


def _scrub_absent(db: sqlite3.Connection, barred: AbstractSet[str], from_line: FromLine) -> None:
    """Erase in what is remembered of files that are gone."""
    absent = db.execute("select id, log, line from event where not present").fetchall()
    for name, log, line in absent:
        if holds(from_line(line, log), barred):
            left = purged_line(line.encode("ascii")).decode("ascii")
            db.execute("update event set line = ? where id = ?", (left, name))
            db.execute("delete from touch where event = ?", (name,))
