"""The index at an earlier moment: memories folded from the events up to that moment.

The events are not copied. A view over the file in use leaves out what came later, and the tables of
memories, with the words in them, are made in a file without a name. They begin as a copy of the
nearest state that is known: the present, nothing, or a checkpoint, which is such a state of another
moment in a file beside the index. Only memories on which an event acts that counts in one of the
two states, but not in the other, are folded again.

A checkpoint may be deleted at any time. It is used only if nothing has happened to the events that
the index had read when it was made, except that more of them arrived.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing
from json import dumps, loads

from varves.index.rows import is_compared
from varves.index.sqlite.conditions import of_event
from varves.index.sqlite.file import CACHE_KIB, PAST, IndexFile, uri_of
from varves.index.sqlite.index import SqliteIndex
from varves.index.sqlite.schema import COLUMNS, LATE, MAKING, SEARCHED, VERSION
from varves.index.sqlite.update import UNWORDS, WORDS, SqliteUpdate, values_of
from varves.values.ids import IdSource
from varves.values.memory import SPLIT
from varves.values.progress import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.port import Index
    from varves.index.sqlite.nearby import SqliteNearby
    from varves.index.where import EventWhere, Trusted

MOST_BYTES = 200_000_000  # of all checkpoints of an index
WORTH_KEEPING = 2000  # memories that were copied or folded; fewer are as quickly made again
_MADE = "moment"  # the note that a checkpoint is complete, and of which moment it is
# what an event costs that counts no more, and one that is copied, if one more costs 1
_BACK, _COPIED = 0.3, 0.12
_REPORT_EVERY = 500
_NOW = "not held"  # selects the events that count at present
_FEW = 8  # if less than one of so many memories changes, the word index is kept in step
_UNKNOWN = 1 << 40  # memories that the index in use does not have get higher numbers than this
_EVENT = (
    "select id, hlc, writer, time, kind, actor, session, log, seq, h, line, {shown} as present,"
    " 0 as held, away, protocol from present.event {by} where present and ({counts})"
)
_VIEWS = """
create temp view kind as
    select kind as name, count(*) as count, max(hlc) as last from event group by 1;
create temp view talk as select session, protocol, kind, count(*) as count from event
    where session is not null group by 1, 2, 3;
create temp view head as select log, writer, max(seq) as seq, hlc, h from event
    where present and away = '' group by 1, 2;
create temp view use as select t.memory as memory, sum(t.count) as count, max(t.last) as last
    from told t join event e on e.id = t.event where e.present group by 1;
"""
# The tables that an index of the past reads in the index in use; it has the other tables itself.
_READ = "event kind talk touch head told accessed use"
_OWN = [
    one for one in MAKING if not re.search(rf"(?:table|on) (?:{_READ.replace(' ', '|')}) \(", one)
]
_TABLES = "".join(one for one in _OWN if one not in LATE)
# these indexes are needed while memories are folded
_SOON = [one for one in _OWN if one in LATE and re.search("memory_(?:id|key) |(?:rejec|lif)t", one)]
_LAST = [one for one in _OWN if one in LATE and one not in _SOON]
_INSERT = f"insert into memory values ({', '.join('?' * (1 + len(COLUMNS)))})"
# a query that stays unfinished after its first row
_LASTING = "select 1 from present.meta union all select 2 union all select 3 union all select 4"
_COMPARED = ("status", "away", "type", "trust", "tags", "protocol", "view")


def past_of(
    present: Index,
    wish: EventWhere,
    *,
    stamp: str,
    later: Sequence[str],
    chosen: Mapping[str, str] | None = None,
) -> SqlitePast | None:
    """Return the index at an earlier moment, to be completed by `travel` of `index/runner.py`.

    None if the index in use has no file, or no folder that can be written, or does not have an
    event that is named; then an empty index is filled with the events.

    Args:
        present: the index in use.
        wish: the events that count at the moment, among those of the index in use.
        stamp: the stamp of the moment, roughly.
        later: the ids of later events that count too, but are hidden from queries of events.
        chosen: events that count besides, by id, with their digests.
    """
    if not isinstance(present, SqliteIndex) or present.file.first is None:
        return None
    while True:
        try:
            past = SqlitePast(present, wish, stamp=stamp, later=later, chosen=chosen)
        except CheckpointLost:
            continue  # its file is gone now
        except OSError:
            return None  # the folder of the index cannot be written
        if not past.lacks:
            return past
        past.close()
        return None


class CheckpointLost(Exception):
    """A checkpoint was removed by another process while it was read, or is damaged."""


class PastFile(IndexFile):
    """A database of a moment, which is closed and vanishes when nothing uses it any more.

    A connection that is not closed stays open until the garbage collector comes, with its memory:
    Python's connections are part of a reference cycle.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__(None)
        self._db = db

    def open(self) -> sqlite3.Connection:
        """Return the database."""
        return self._db

    def __del__(self) -> None:
        """Close the database."""
        self._db.close()


class SqlitePast(SqliteIndex):
    """The index at an earlier moment; see `past_of`, and `Past` in `index/port.py`."""

    ordered = "event_in_order"
    apart = "event"

    def __init__(
        self,
        present: SqliteIndex,
        wish: EventWhere,
        *,
        stamp: str,
        later: Sequence[str],
        chosen: Mapping[str, str] | None,
    ) -> None:
        self._kept_in = present.file
        self._stamp = stamp
        self._listed = False  # whether the memories that are to be compared are listed
        self._later = tuple(later)
        asked = _literal(wish)
        if chosen is not None:
            asked = f"({asked} or id in (select id from chosen))"
        self._counts = f"({asked} or id in ({', '.join(map(_quoted, later))}))"
        self._shown = asked if later else "1"
        self._chosen = chosen
        super().__init__(None, file=PastFile(_connected(present)))
        self.branch_of = present.branch_of
        # an unfinished query: until it ends, this connection sees the file as it is now
        self._pin = self.db.execute(_LASTING)
        self._pin.fetchone()
        self._of_the_past = True
        self.lacks = self._lacks(chosen or {})
        self._numbering, self._arrived = present.logs().arrived()
        self._base = self._begin()
        self.keeps_words = False
        self._show("1")
        self.db.executescript(_VIEWS)
        self.folded: list[str] = []
        self.progress: Callable[[int], None] | None = None
        self._done = 0
        self.freed: list[bytes] = []

    def _lacks(self, chosen: Mapping[str, str]) -> int:
        """Note the chosen events; return how many of them this checkout has not, as they are."""
        db = self.db
        db.execute("create temp table chosen (id text primary key, h text) without rowid")
        db.executemany("insert into chosen values (?, ?)", chosen.items())
        same = "e.h = c.h and e.present and e.away = ''"
        sql = f"select count(*) from chosen c join present.event e on e.id = c.id where {same}"
        return len(chosen) - int(db.execute(sql).fetchone()[0])

    # What is known

    def _begin(self) -> dict[str, Any] | None:
        """Take the state from which the moment is reached soonest.

        Return what a checkpoint says of itself; None without a checkpoint.
        """
        before, after = self._between("", self._stamp), self._between(self._stamp, "g")
        known: list[tuple[float, str, dict[str, Any]]] = [
            (before, "", {"counts": "0"}),
            (after * _BACK + before * _COPIED, "", {"counts": _NOW}),
        ]
        for path, said in self._checkpoints():
            far = self._between(*sorted((said["stamp"], self._stamp)))
            known.append((far * (1 if said["stamp"] < self._stamp else _BACK), path, said))
        _, path, said = min(known, key=lambda one: one[:2])
        self._was = said["counts"]
        if not path:
            self.db.executescript(_TABLES)
            return None
        try:
            with _opened(path) as file:
                file.backup(self.db)
        except sqlite3.Error:
            self.close()
            self._kept_in.remove(path)
            raise CheckpointLost from None
        return said

    def _between(self, low: str, high: str) -> int:
        sql = "select count(*) from present.event where hlc > ? and hlc <= ?"
        return int(self.db.execute(sql, (low, high)).fetchone()[0])

    def _checkpoints(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the usable checkpoints with what they say of themselves; remove the others."""
        if self._chosen is not None:
            return  # the difference to them is not known
        for path in self._kept_in.checkpoints():
            try:
                with _opened(path) as file:
                    row = file.execute("select value from meta where name = ?", (_MADE,)).fetchone()
            except sqlite3.Error:
                continue  # another process is making or removing it
            if row is None:
                continue
            said = loads(row[0])
            if self._is_usable(said):
                yield path, said
            else:
                self._kept_in.remove(path)

    def _is_usable(self, said: dict[str, Any]) -> bool:
        if said["made"] != self._made_by() or said["numbering"] != self._numbering:
            return False
        sql = "select 1 from present.arrival where n > ? and event is null"
        return self.db.execute(sql, (said["arrived"],)).fetchone() is None

    def _made_by(self) -> str:
        """Return what must be unchanged: the tables, and the start of the machine.

        A checkpoint is not synced.
        """
        return f"{VERSION} {self._kept_in.store.machine_start()}"

    # What has to be folded

    def prepare(self) -> None:
        """Find what differs from the known state, and take over the rest of it."""
        db, known = self.db, self._base
        seen = f"(({self._was}) <> ({self._counts}))"
        if known is not None:
            seen += f" or id in (select event from present.arrival where n > {known['arrived']:d})"
        db.executescript(f"""
            create temp table moved_event (id text primary key) without rowid;
            create temp table moved_memory (id text primary key) without rowid;
            insert into moved_event select id from present.event where present and ({seen});
            insert or ignore into moved_memory
                select memory from present.touch where event in (select id from moved_event);
        """)
        if self._was == _NOW:
            db.executescript("""
                insert into memory select * from present.memory
                    where id not in (select id from moved_memory);
                insert into rejection select * from present.rejection;
                insert into lift select * from present.lift;
                insert into missing select * from present.missing;
            """)
        if known is None:
            db.executescript("".join(_SOON))
        lost = "event in (select id from moved_event)"
        lifted = f"event in (select target from lift where {lost})"
        found = db.execute(f"select distinct key from rejection where {lost} or {lifted}")
        self.freed = [key for (key,) in found]
        db.execute(f"delete from rejection where {lost}")
        db.execute(f"delete from lift where {lost}")
        self.folded = [
            name
            for (name,) in db.execute(
                "select c.id from moved_memory c where exists (select 1 from touch t"
                " join event e on e.id = t.event where t.memory = c.id) order by"
                " (select n from present.memory m where m.id = c.id), c.id"
            )
        ]
        gone = "id in (select id from moved_memory)"
        rows, changed = (
            db.execute(f"select count(*) from {table}").fetchone()[0]
            for table in ("memory", "moved_memory")
        )
        self.keeps_words = known is not None and changed * _FEW < rows
        if self.keeps_words:
            rows = db.execute(f"select n, {', '.join(SEARCHED)} from memory where {gone}")
            db.executemany(UNWORDS, rows.fetchall())
        db.execute(f"delete from memory where {gone}")

    def update(self) -> PastUpdate:
        """Return a `with` block in which memories are folded."""
        return PastUpdate(self, self._file)

    def note_folded(self) -> None:
        """Report how many families have been folded."""
        self._done += 1
        if self._done % _REPORT_EVERY == 0:
            report(self.progress, self._done, part=self._done, whole=len(self.folded))

    def number(self, name: str) -> int:
        """Return the number of a new memory: the same as in the index in use."""
        sql = "select n from present.memory where id = ?"
        row = self.db.execute(sql, (name,)).fetchone()
        if row is not None:
            return int(row[0])
        highest = self.db.execute("select max(n) from memory where n > ?", (_UNKNOWN,)).fetchone()
        return int(highest[0] or _UNKNOWN) + 1

    def finish(self) -> None:
        """Complete the view, and keep it as a checkpoint if it took long to make."""
        if self._base is None:
            self.db.executescript("".join(_LAST))
        if not self.keeps_words:
            self.db.execute("insert into words (words) values ('rebuild')")
        self._show(self._shown)
        made = len(self.folded)
        if self._base is None:
            made = max(made, self.db.execute("select count(*) from memory").fetchone()[0])
        if made > WORTH_KEEPING and self._chosen is None:
            try:
                self._keep()
            except (OSError, sqlite3.Error):
                pass  # the answer does not depend on it

    def _show(self, shown: str) -> None:
        """Let queries of events find those that meet a condition."""
        for name, by in (("event", ""), (self.ordered, "indexed by event_order")):
            self.db.execute(f"drop view if exists temp.{name}")
            body = _EVENT.format(shown=shown, by=by, counts=self._counts)
            self.db.execute(f"create temp view {name} as {body}")

    # The checkpoint

    def _keep(self) -> None:
        db, file = self.db, self._kept_in
        pages, size = (
            db.execute(f"pragma main.page_{of}").fetchone()[0] for of in ("count", "size")
        )
        kept = sorted(file.checkpoints(), key=lambda path: os.stat(path).st_mtime_ns)
        room = MOST_BYTES - pages * size
        if room < 0:
            return
        while kept and sum(os.stat(path).st_size for path in kept) > room:
            file.remove(kept.pop(0))
        path = _created(file)
        said = {
            "made": self._made_by(),
            "numbering": self._numbering,
            "arrived": self._arrived,
            "stamp": self._stamp,
            "counts": self._counts,
        }
        try:
            with _opened(path) as kept_file:
                kept_file.execute("pragma synchronous = off")
                kept_file.execute("pragma journal_mode = memory")
                db.backup(kept_file)
                # last, because the file is of no use before
                note = "insert or replace into meta values (?, ?)"
                kept_file.execute(note, (_MADE, dumps(said)))
        except BaseException:
            file.remove(path)
            raise

    # Queries

    def leave_out(self, events: Iterable[str]) -> None:
        """Do nothing: later events are left out already."""

    def nearby(self, now: str, rule: Trusted) -> SqliteNearby:
        """Return the queries for comparing memories; at the first call, none was compared yet."""
        if not self._listed:
            self._listed = True
            rows = self.db.execute(f"select n, {', '.join(_COMPARED)} from memory").fetchall()
            compared = []
            for n, *values in rows:
                row = dict(zip(_COMPARED, values, strict=True))
                row["tags"] = (row["tags"] or "").split(SPLIT)
                if is_compared(row):
                    compared.append((n,))
            self.db.executemany("insert or ignore into pending values (?, 0)", compared)
        return super().nearby(now, rule)

    def close(self) -> None:
        """Close the connection."""
        self._pin.close()
        super().close()


class PastUpdate(SqliteUpdate):
    """Stores folded memories in the index of an earlier moment."""

    _index: SqlitePast

    def read_line(self, line: str, log: str) -> Event:
        """Decode a stored line; its digest was checked when it was stored."""
        from varves.events.bulk import parse_quickly

        return parse_quickly(line.encode("ascii"), log)

    def replace_rows(self, members: Iterable[str], rows: Mapping[str, Row]) -> None:
        """Store the new rows of a family; delete the rows of members without a new row."""
        db, index = self._db, self._index
        index.note_folded()
        for name in members:
            old = f"select n, {', '.join(SEARCHED)} from memory where id = ?"
            found = db.execute(old, (name,)).fetchone()
            row = rows.get(name)
            n = index.number(name) if found is None else found[0]
            if found is not None:
                if index.keeps_words:
                    db.execute(UNWORDS, found)
                db.execute("delete from memory where n = ?", found[:1])
            if row is not None:
                values = values_of(row)
                db.execute(_INSERT, (n, *values))
                if index.keeps_words:
                    searched = dict(zip(COLUMNS, values, strict=True))
                    db.execute(WORDS, (n, *(searched[name] for name in SEARCHED)))


def _connected(present: SqliteIndex) -> sqlite3.Connection:
    """Return a new database that can also read the file of the index in use.

    Its file has no name any more, so it vanishes with the connection. Memory holds only a part.
    """
    file = present.file
    path = _created(file)
    db = sqlite3.connect(
        uri_of(path, "rw"), isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        for setting in (
            "main.locking_mode = exclusive",
            "journal_mode = memory",
            "synchronous = off",
            f"cache_size = -{CACHE_KIB}",
            "temp_store = memory",  # it cannot be set later, because of the open query
        ):
            db.execute(f"pragma {setting}")
        db.execute("attach ? as present", (uri_of(str(present.path), "ro"),))
    finally:
        file.remove(path)
    return db


def _created(file: IndexFile) -> str:
    """Create an empty file beside an index, which only this user can read."""
    path = file.beside(f"{PAST}{IdSource().word(10)}")
    file.store.close(file.store.create(os.path.basename(path)))
    return path


def _opened(path: str) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(uri_of(path, "rw"), isolation_level=None, uri=True))


def _literal(wish: EventWhere) -> str:
    """Return the SQL condition for a query of events; a view cannot have parameters."""
    where, values = of_event(wish)
    parts = where.split("?")
    given = [*map(_quoted, values), ""]
    return "".join(text for pair in zip(parts, given, strict=True) for text in pair)


def _quoted(value: str) -> str:
    return f"'{value.replace(chr(39), chr(39) * 2)}'"
