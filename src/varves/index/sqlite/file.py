"""The file of an index: opened, created, and deleted if it may be damaged."""

from __future__ import annotations

import os
import sqlite3
from functools import cache

from varves.index.sqlite.schema import TABLES, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.events.event import Event

BUSY_MS = 60_000
PAGE = 4096  # in bytes; the default of SQLite, set here so that a file that was cut off is detected
TAINTED = "tainted"  # the note that the file may still contain purged content
_OTHERS = 0o077


class IndexFile:
    """The database of an index: a file, or a database in memory.

    SQLite follows links on the way to a file, so it never creates the file itself: `create` does.
    """

    def __init__(self, path: str | None, create: Callable[[], None] | None = None) -> None:
        self.path = path
        self.tainted = False  # whether it may still contain purged content
        self._create = create
        self._ahead = True

    def open(self) -> sqlite3.Connection:
        """Return a connection to an index of this version; creates the index if needed."""
        if self.path is None:
            return self._connect(":memory:")
        if _has_a_foreign_journal(self.path) or _is_cut(self.path):
            self.discard()
        try:
            return self._connect(self.path)
        except sqlite3.DatabaseError as fault:
            if isinstance(fault, sqlite3.OperationalError) and not _is_ours_to_remake(fault):
                raise
            self.discard()
        try:
            return self._connect(self.path)
        except sqlite3.OperationalError as fault:
            if not self._ahead or not _is_without_shared_memory(fault):
                raise
        # if files cannot be mapped into memory, the older journal mode is used
        self._ahead = False
        self.discard()
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
            made_at = db.execute("select value from meta where name = 'place'").fetchone()
        except sqlite3.OperationalError as fault:
            if "no such table" not in str(fault):
                db.close()
                raise
            row = made_at = None
        except sqlite3.DatabaseError:
            db.close()
            raise
        except UnicodeDecodeError:  # SQLite could not decode its own error message
            db.close()
            raise sqlite3.DatabaseError("malformed name") from None
        if row is None:
            self._make(db, path)
        elif row[0] != VERSION or made_at != (_place(self.path),):
            db.close()
            raise sqlite3.DatabaseError("made by another version, or somewhere else")
        db.execute("pragma synchronous = normal")
        taint = db.execute("select 1 from meta where name = ?", (TAINTED,)).fetchone()
        self.tainted = taint is not None
        return db

    def _make(self, db: sqlite3.Connection, path: str) -> None:
        if path == ":memory:":
            _empty().backup(db)
            return
        try:
            db.execute(f"pragma page_size = {PAGE}")
            if self._ahead:
                _write_ahead(db)
            made_at = f"insert into meta values ('place', '{_place(self.path)}');"
            db.executescript("begin immediate;" + TABLES + made_at + "commit;")
        except sqlite3.OperationalError as fault:
            if "already exists" not in str(fault):  # another process has just created the file
                db.close()
                raise
            db.execute("rollback")
            made = db.execute("select 1 from sqlite_master where name = 'meta'").fetchone()
            if made is None:
                db.close()
                raise sqlite3.DatabaseError("malformed: it has no version") from None

    def discard(self) -> None:
        """Remove the index's file, and the files that SQLite creates next to it."""
        if self.path is None:
            return
        for suffix in ("", "-wal", "-shm", "-journal"):
            try:
                os.unlink(f"{self.path}{suffix}")
            except FileNotFoundError:
                pass


@cache
def _empty() -> sqlite3.Connection:
    """Return an index in memory without events; a copy of it costs a tenth of its creation."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.execute(f"pragma page_size = {PAGE}")
    db.executescript(f"begin;{TABLES}insert into meta values ('place', '');commit;")
    return db


def _place(path: str | None) -> str:
    """Return a value that changes if the file is copied elsewhere, for example by git."""
    if path is None:
        return ""
    return f"{os.stat(path).st_ino}.{os.stat(os.path.dirname(path) or '.').st_ino}"


def _is_cut(path: str) -> bool:
    """Return whether a file's last page is cut off; SQLite would read missing bytes as 0."""
    try:
        return bool(os.stat(path).st_size % PAGE)
    except FileNotFoundError:
        return False


def _has_a_foreign_journal(path: str) -> bool:
    """Return whether the index's file has a journal next to it that SQLite did not write.

    Such a journal is recognised by its permissions, because git gives its files wider ones.
    """
    if not os.path.exists(path) or os.stat(path).st_mode & _OTHERS:
        return False  # this system has no useful file modes
    journals = [f"{path}{suffix}" for suffix in ("-wal", "-journal")]
    return any(os.path.exists(one) and os.stat(one).st_mode & _OTHERS for one in journals)


def _write_ahead(db: sqlite3.Connection) -> None:
    """Set the journal mode; wait for other processes here, because SQLite does not wait."""
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


def _is_without_shared_memory(fault: sqlite3.OperationalError) -> bool:
    """Return whether SQLite could not share its write-ahead log, as on some FUSE mounts."""
    return any(part in str(fault) for part in ("disk I/O", "readonly", "unable to open"))


def _is_ours_to_remake(fault: sqlite3.OperationalError) -> bool:
    words = str(fault)
    ours = ("malformed", "not a database", "disk I/O", "no such", "unsupported", "readonly")
    return any(part in words for part in ours)


def from_line(line: str, log: str) -> Event:
    """Decode a stored line; raise an error if the line is damaged."""
    from varves.events.codec import decode

    try:
        return decode(line.encode("ascii"), log)
    except ValueError as fault:
        raise sqlite3.DatabaseError(f"malformed line: {fault}") from None
