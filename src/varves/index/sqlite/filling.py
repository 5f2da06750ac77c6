"""Fills a new index in bulk, in a file beside the index in use.

Rows are written many at once, without indexes and without the rules for changing a stored row. So
only a new index can be filled. At the end, the indexes are made, and the file is declared complete.
"""

from __future__ import annotations

import sqlite3
from typing import Protocol

from varves.index.rows import is_compared, mark
from varves.index.sqlite.file import IndexFile
from varves.index.sqlite.schema import COLUMNS, LATE, TOLD, VERSION
from varves.index.sqlite.update import values_of
from varves.values.ids import IdSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.port import Index
    from varves.log.sources import Lines

    Lived = tuple[int, str, list[tuple[str, str, str]]]

_PORTION = 500  # memories whose events are read at once
_PARTLY = "filled in part"  # the note in a file that was left between two portions
# the memories that are folded after all events were read, because several events act on them
_WAITING = "create table if not exists waiting (memory text primary key, n integer) without rowid"
# a memory keeps the number that it got when the first of its events was read
_HIGHEST = (
    "select coalesce(max(n), 0) from"
    " (select max(n) as n from memory union all select max(n) from waiting)"
)
_SEVERAL = """
    begin immediate;
    insert or ignore into waiting select memory, null from touch group by 1 having count(*) > 1;
    update waiting set n = m.n from memory m where m.id = memory;
    create index if not exists waiting_order on waiting (n);
    commit;
"""
_OF_WAITING = (
    "select w.memory, e.id, e.log, e.line from waiting w join touch t on t.memory = w.memory"
    " join event e on e.id = t.event"
    " where w.n > ? and w.n <= ? and e.present and not e.held"
)
_PUT = "insert into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, '', ?)"
_PLACE = "insert or ignore into place values (?, ?, ?)"
_TOUCH = "insert or ignore into touch values (?, ?)"
_VALUES = ", ".join("?" * (1 + len(COLUMNS)))
_ROW = f"insert or replace into memory (n, {', '.join(COLUMNS)}) values ({_VALUES})"
_SUMS = f"select t.memory, sum(t.count), max(t.last) from {TOLD} group by 1"
# Only a row that was active can be changed by a rejection of its value; such a row is still active,
# or other memories that replaced the same one have changed it.
_REJECTED = (
    "select distinct m.id from rejection r join memory m on m.key = r.key"
    " where (m.status = 'active' or m.flag <> '' or m.reason = ?)"
    " and not exists (select 1 from lift where target = r.event)"
)


class SideFile(IndexFile):
    """A file that is being filled, which only this process reads."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__(None)
        self._db = db

    def open(self) -> sqlite3.Connection:
        """Return the connection that fills the file."""
        return self._db


class Replaced(Protocol):
    """The index that is replaced by a new one."""

    branch_of: Callable[[str], str | None]

    def over(self, file: IndexFile) -> Index:
        """Return an index over a file that is being filled."""
        ...

    def use(self, db: sqlite3.Connection) -> None:
        """Use another database in memory from now on."""
        ...

    def reopen(self) -> None:
        """Open the file that is in use now."""
        ...


class SqliteFilling:
    """A new index that is being filled; see `Filling` in `index/port.py`."""

    def __init__(self, replaced: Replaced, file: IndexFile) -> None:
        self._replaced = replaced
        self._file = file
        self._connected = False  # from then on, memories are changed in the ordinary way
        self.resumed = False
        self._path, self._db = self._begun()
        self._db.execute(_WAITING)
        self.last: int = self._db.execute(_HIGHEST).fetchone()[0]
        self._side = SideFile(self._db)
        self.index = replaced.over(self._side)

    def _begun(self) -> tuple[str, sqlite3.Connection]:
        """Return the path of the file to fill, and a connection to it.

        A file is used again if an interrupted process has filled a part of it.
        """
        if self._file.first is None:
            return ":memory:", self._file.start(":memory:")
        for path in self._file.others():
            try:
                db = self._file.go_on(path)
            except sqlite3.OperationalError:
                continue  # another process fills it
            except sqlite3.DatabaseError:
                self._file.remove(path)
                continue
            if self._is_of_use(db):
                self.resumed = True
                return path, db
            db.close()
            self._file.remove(path)
        path = self._file.beside(IdSource().word(10))
        return path, self._file.start(path)

    def _is_of_use(self, db: sqlite3.Connection) -> bool:
        """Return whether a file was left between two portions; from now on, it is not."""
        try:
            row = db.execute("select value from meta where name = ?", (_PARTLY,)).fetchone()
            if row is not None:
                db.execute("delete from meta where name = ?", (_PARTLY,))
                db.execute("drop index if exists memory_id")
        except sqlite3.DatabaseError:
            return False
        return row is not None and row[0] == self._state()

    def _state(self) -> str:
        """Return what must be unchanged for a file to be of use: the tables, the machine's start.

        A file is not synced while it is filled.
        """
        return f"{VERSION} {self._file.store.machine_start()}"

    def leave(self, *, resumable: bool) -> None:
        """Give up a filling; see the port."""
        path = self._path
        try:
            if self._db.in_transaction:
                self._db.execute("rollback" if self._side.journaled else "commit")
            if resumable and not self._connected and self._file.first is not None:
                note = (_PARTLY, self._state())
                self._db.execute("insert or replace into meta values (?, ?)", note)
                return
        except sqlite3.Error:
            pass
        finally:
            self._db.close()
        if self._file.first is not None:
            self._file.remove(path)

    # Events

    def put(
        self, part: int, events: Lines, *, limit: str, disputed: AbstractSet[str]
    ) -> tuple[Lines, list[str]]:
        """Store the events of a part; see the port."""
        rows = [_row(event, line, limit) for event, line in events]
        self._db.execute("savepoint part")
        try:
            self._db.executemany(_PUT, rows)
            added, others = events, list[str]()
        except sqlite3.IntegrityError:  # some of them are stored already
            self._db.execute("rollback to part")
            added, others = self._put_each(events, rows, disputed)
        self._db.execute("release part")
        places = [(part, one.id, mark(one.digest, purged=one.purged)) for one, _ in events]
        self._db.executemany(_PLACE, places)
        return added, others

    def _put_each(
        self, events: Lines, rows: Sequence[tuple[Any, ...]], disputed: AbstractSet[str]
    ) -> tuple[Lines, list[str]]:
        added: list[tuple[Event, bytes]] = []
        others: list[str] = []
        for pair, row in zip(events, rows, strict=True):
            found = self._db.execute("select line from event where id = ?", row[:1]).fetchone()
            if found is None:
                self._db.execute(_PUT, row)
                added.append(pair)
            elif found[0] != row[_LINE] or row[0] in disputed:
                others.append(row[0])
        return added, others

    def touch(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Record which memories events act on, as (memory, event)."""
        self._db.executemany(_TOUCH, pairs)

    # Memories

    def add_rows(self, rows: Sequence[tuple[int, Row]]) -> None:
        """Store rows of memories that have no row yet, with their numbers."""
        self._db.executemany(_ROW, [(n, *values_of(row)) for n, row in rows])
        compared = [(n,) for n, row in rows if is_compared(row)]
        self._db.executemany("insert into pending values (?, 0)", compared)

    def wait(self, memories: Iterable[tuple[str, int]]) -> None:
        """Note memories, with numbers for them, to be folded after all events were read."""
        self._db.executemany("insert or ignore into waiting values (?, ?)", memories)

    def end_events(self) -> None:
        """Find the memories that are folded now, after all events were read."""
        self._identify()
        # from here on, a portion is never taken back, but each step may be repeated
        self._db.execute("pragma journal_mode = off")
        self._side.journaled = False
        self._db.executescript(_SEVERAL)

    def waiting(self) -> Iterator[Lived]:
        """Yield the memories that wait: number, id, and (id, log, line) of the events on each."""
        portion = "select n, memory from waiting where n > ? order by n limit ?"
        last = 0
        while found := self._db.execute(portion, (last, _PORTION)).fetchall():
            lives: dict[str, list[tuple[str, str, str]]] = {name: [] for _, name in found}
            for name, *event in self._db.execute(_OF_WAITING, (last, found[-1][0])):
                lives[name].append(tuple(event))
            yield from ((n, name, lives[name]) for n, name in found)
            last = found[-1][0]

    def _identify(self) -> None:
        """Make the index of ids; of several rows with one id, only the first is kept."""
        try:
            self._db.execute(_IDS)
        except sqlite3.IntegrityError:
            firsts = "select min(n) from memory group by id"
            self._db.execute(f"delete from memory where n not in ({firsts})")
            self._db.execute("delete from pending where n not in (select n from memory)")
            self._db.execute(_IDS)

    def replace_rows(self, families: Iterable[tuple[Iterable[str], Mapping[str, Row]]]) -> None:
        """Store the rows of families of memories; see the port."""
        kept: list[tuple[int, Row]] = []
        gone: list[tuple[int]] = []
        for members, rows in families:
            for name in members:
                if name in rows:
                    kept.append((self._number(name), rows[name]))
                else:
                    gone.append((self._number(name),))
        self._db.executemany("delete from memory where n = ?", gone)
        self._db.executemany("delete from pending where n = ?", [*gone, *(row[:1] for row in kept)])
        self.add_rows(kept)

    def _number(self, name: str) -> int:
        for table, column in (("memory", "id"), ("waiting", "memory")):
            sql = f"select n from {table} where {column} = ? and n is not null"
            row = self._db.execute(sql, (name,)).fetchone()
            if row is not None:
                return int(row[0])
        self.last += 1
        return self.last

    def add_rejections(
        self, rejections: Iterable[tuple[str, bytes, str]], lifts: Iterable[tuple[str, str]]
    ) -> None:
        """Store rejections, as (event, key of the value, memory), and the events that lift them."""
        self._db.executemany("insert or ignore into rejection values (?, ?, ?)", rejections)
        self._db.executemany("insert or ignore into lift values (?, ?)", lifts)

    def rejected(self, twin: str) -> list[str]:
        """Return the memories whose rows may change, because their value is rejected."""
        return [name for (name,) in self._db.execute(_REJECTED, (twin,))]

    # The end

    def connect(self) -> None:
        """Make what needs all rows: the indexes, the word index and the sums of uses."""
        self._db.execute("begin immediate")
        for statement in LATE:
            self._db.execute(statement.replace("index", "index if not exists", 1))
        self._db.execute("insert into words (words) values ('rebuild')")
        self._db.execute(f"insert or replace into use {_SUMS}")
        self._db.execute("drop table waiting")
        self._db.execute("commit")
        self._connected = True

    def replace(self) -> None:
        """Let every process use this index instead of the earlier one from now on."""
        path = self._path
        try:
            self._file.complete(self._db, path)
        except FileNotFoundError:
            self.leave(resumable=False)
            reason = "no such file: a purge removed the new index"  # the next reader fills another
            raise sqlite3.OperationalError(reason) from None
        except BaseException:
            self.leave(resumable=False)
            raise
        if self._file.first is None:
            self._replaced.use(self._db)
        else:
            self._file.point_to(path)
            self._replaced.reopen()


_IDS = next(one for one in LATE if "memory_id" in one).replace("index", "index if not exists", 1)
_LINE = 10  # the position of the line in a row of the table `event`


def _row(event: Event, line: bytes, limit: str) -> tuple[Any, ...]:
    hlc = event.hlc
    return (
        *(event.id, hlc, event.writer, event.time, event.kind, event.actor, event.session),
        *(event.log, event.seq, event.digest, line.decode("ascii"), hlc >= limit, event.protocol),
    )
