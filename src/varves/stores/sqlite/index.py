"""The index: memories and their events in SQLite, for look-up.

It is caught up by whoever reads next, never by a write. Nothing in it is a source: a missing,
damaged or outdated file is made again from the logs.
"""

from __future__ import annotations

import os
import sqlite3

from varves.stores.sqlite.schema import FIELDS, SPLIT, TABLES, VERSION
from varves.values.instants import first_held
from varves.values.memory import Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from varves.events.event import Event
    from varves.log.port import LogStore, Stat

BUSY_MS = 60_000
FAULTS = sqlite3.DatabaseError  # what a damaged or busy index raises
_SELECT = ", ".join(f"m.{name}" for name in FIELDS)
_JSON_FIELDS: dict[str, Any] = {"evidence": (), "links": {}, "extra": {}}


class Index:
    """One index, in a file or in memory.

    SQLite follows links on the way to a file, so it is never let make one: `create` does.
    """

    def __init__(self, path: str | None, create: Callable[[], None] | None = None) -> None:
        self.path = path
        self._create = create
        self.db = self._open()

    def _open(self) -> sqlite3.Connection:
        if self.path is None:
            return self._connect(":memory:")
        try:
            return self._connect(self.path)
        except sqlite3.DatabaseError as fault:
            if isinstance(fault, sqlite3.OperationalError) and not _is_ours_to_remake(fault):
                raise
            self._discard()
            return self._connect(self.path)

    def _connect(self, path: str) -> sqlite3.Connection:
        if self._create is not None:
            if not os.path.lexists(path):
                self._create()
            escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            path = f"file:{escaped}?mode=rw"
        db = sqlite3.connect(
            path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            row = db.execute("select value from meta where name = 'version'").fetchone()
        except sqlite3.OperationalError as fault:
            if "no such table" not in str(fault):
                db.close()
                raise
            row = None
        except sqlite3.DatabaseError:
            db.close()
            raise
        except UnicodeDecodeError:  # SQLite could not even say what is wrong
            db.close()
            raise sqlite3.DatabaseError("malformed name") from None
        if row is None:
            self._make(db, path)
        elif row[0] != VERSION:
            db.close()
            raise sqlite3.DatabaseError("made by another version")
        db.execute("pragma synchronous = normal")
        return db

    def _make(self, db: sqlite3.Connection, path: str) -> None:
        if path != ":memory:":
            _write_ahead(db)
        try:
            db.executescript("begin immediate;" + TABLES + "commit;")
        except sqlite3.OperationalError as fault:
            if "already exists" not in str(fault):  # another process has just made it
                raise
            db.execute("rollback")
            made = db.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
            if made is None:
                db.close()
                raise sqlite3.DatabaseError("malformed: of no version") from None

    def _discard(self) -> None:
        for suffix in ("", "-wal", "-shm", "-journal"):
            try:
                os.unlink(f"{self.path}{suffix}")
            except FileNotFoundError:
                pass

    def remake(self) -> None:
        """Throw the index away and start an empty one."""
        self.db.close()
        if self.path is not None:
            self._discard()
        self.db = self._open()

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    # What is known of the logs

    def folders(self, log: str) -> dict[str, Stat]:
        """Return the signatures of a log's folders as last surveyed."""
        found = self.db.execute("select name, size, mtime, inode from folder where log = ?", (log,))
        return {row[0]: row[1:] for row in found}

    def growing(self, log: str) -> dict[str, Stat]:
        """Return the files of a log that may still grow."""
        found = self.db.execute(
            "select name, size, mtime, inode from file where log = ? and growing", (log,)
        )
        return {row[0]: row[1:] for row in found}

    def files_in(self, log: str, folder: str) -> dict[str, Stat]:
        """Return the files known in one folder of a log."""
        found = self.db.execute(
            "select name, size, mtime, inode from file where log = ? and name > ? and name < ?",
            (log, folder + "/", folder + "0"),
        )
        return {row[0]: row[1:] for row in found}

    def read_up_to(self, log: str, name: str) -> int:
        """Return how far a file has been read."""
        row = self.db.execute("select read from file where log = ? and name = ?", (log, name))
        found = row.fetchone()
        return found[0] if found else 0

    def heads(self, log: str, *, after: str, other_than: str) -> list[tuple[str, str]]:
        """Return (stamp, digest) of other writers' heads newer than a stamp, newest first."""
        return self.db.execute(
            "select hlc, h from head where log = ? and hlc > ? and writer <> ?"
            " order by hlc desc limit 16",
            (log, after, other_than),
        ).fetchall()

    def latest_hlc(self) -> str:
        """Return the highest stamp of all logs."""
        row = self.db.execute(  # not of heads: a writer's clock may have been set back
            "select hlc from event where present and not held order by hlc desc limit 1"
        ).fetchone()
        return row[0] if row else "0" * 16

    def mistimed(self, limit: str) -> bool:
        """Tell whether an event waits below a stamp, or counts from there on."""
        row = self.db.execute(
            "select exists (select 1 from event where held and hlc < ?1)"
            " or exists (select 1 from event where hlc >= ?1 and not held)",
            (limit,),
        ).fetchone()
        return bool(row[0])

    # What commands ask

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        found = self.db.execute(f"select {_SELECT} from memory m where m.id = ?", (name,))
        row = found.fetchone()
        return to_memory(row) if row else None

    def memories(self, where: str, values: Iterable[Any], order: str) -> list[Memory]:
        """Return the memories that match a condition over the memory table `m`."""
        sql = f"select {_SELECT} from memory m where {where} order by {order}"
        return [to_memory(row) for row in self.db.execute(sql, tuple(values))]

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) of everything in conflict."""
        sql = f"select m.flag, {_SELECT} from memory m where m.flag <> ''"
        return [(row[0], to_memory(row[1:])) for row in self.db.execute(sql)]

    def rejecting(self, key: bytes) -> list[str]:
        """Return the events that reject a value and have not been lifted."""
        found = self.db.execute(
            "select distinct event from rejection r where key = ?"
            " and not exists (select 1 from lift where target = r.event) order by event",
            (key,),
        )
        return [row[0] for row in found]

    def standing(self, key: bytes, now: str) -> tuple[str | None, bool]:
        """Return, in one look, the memory that holds a value and whether it was ever rejected."""
        row = self.db.execute(
            "select (select id from memory where key = ?1 and status = 'active'"
            " and (expires_at is null or expires_at > ?2) order by hlc limit 1),"
            " exists (select 1 from rejection where key = ?1)",
            (key, now),
        ).fetchone()
        return row[0], bool(row[1])

    def rejected_memory(self, event: str, key: bytes) -> str | None:
        """Return the memory whose value an event rejected."""
        row = self.db.execute(
            "select memory from rejection where event = ? and key = ?", (event, key)
        ).fetchone()
        return row[0] if row else None

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id, if a log of this checkout holds it."""
        return next(iter(self.events("id = ?", (name,))), None)

    def history(self, memory: str) -> list[Event]:
        """Return every event that touched a memory, in order."""
        return self.events("id in (select event from touch where memory = ?)", (memory,))

    def events(self, where: str = "1", values: tuple[Any, ...] = ()) -> list[Event]:
        """Return the events in order that match a condition over the event table."""
        return [event for event, _ in self.lines(where, values)]

    def lines(self, where: str, values: tuple[Any, ...]) -> list[tuple[Event, bytes]]:
        """Return events in order with their stored lines."""
        found = self.db.execute(
            f"select line, log from event where present and ({where}) order by hlc, writer, id",
            values,
        )
        return [(from_line(line, log), line.encode("ascii")) for line, log in found]

    def count(self, table: str, where: str = "1") -> int:
        """Count the rows of a table."""
        row = self.db.execute(f"select count(*) from {table} where {where}").fetchone()
        return int(row[0])

    def absent(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) of events once read whose files are gone."""
        yield from self.db.execute("select id, log, line from event where not present")

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (log, file, start, stop, reason) of every line that could not be read."""
        return self.db.execute(
            "select log, name, start, stop, reason from bad join file on file.n = bad.file"
        ).fetchall()

    def stale(self, sources: list[tuple[str, LogStore]], *, now: int, hold_back: bool) -> bool:
        """Tell whether the logs hold anything the index does not."""
        from varves.log.survey import still
        from varves.stores.sqlite.blobs import found

        if self.mistimed(first_held(now if hold_back else None)) or found(self.db, dict(sources)):
            return True
        return not all(still(store, self.folders(log), self.growing(log)) for log, store in sources)


def to_memory(row: tuple[Any, ...]) -> Memory:
    """Make a memory of its selected columns."""
    fields = dict(zip(FIELDS, row, strict=True))
    fields["tags"] = tuple(fields["tags"].split(SPLIT)) if fields["tags"] else ()
    for name, nothing in _JSON_FIELDS.items():
        fields[name] = _from_json(fields[name]) if fields[name] else nothing
    return Memory(**fields)


def from_line(line: str, log: str) -> Event:
    """Read a line the index has kept; if it is not what it was, the index is damaged."""
    from varves.events.codec import decode

    try:
        return decode(line.encode("ascii"), log)
    except ValueError as fault:
        raise sqlite3.DatabaseError(f"malformed line: {fault}") from None


def _from_json(text: str) -> Any:
    from json import loads

    try:
        value = loads(text)
    except ValueError as fault:
        raise sqlite3.DatabaseError(f"malformed column: {fault}") from None
    return tuple(value) if isinstance(value, list) else value


def _write_ahead(db: sqlite3.Connection) -> None:
    """Change the journal's mode; SQLite does not wait for other processes there, so we do."""
    from time import sleep

    for _ in range(BUSY_MS // 10):
        try:
            db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as fault:
            if "locked" not in str(fault):
                raise
            sleep(0.01)
    raise sqlite3.OperationalError("database is locked")


def _is_ours_to_remake(fault: sqlite3.OperationalError) -> bool:
    words = str(fault)
    ours = ("malformed", "not a database", "disk I/O", "no such", "unsupported")
    return any(part in words for part in ours)
