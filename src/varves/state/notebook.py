"""A small SQLite file in the local folder that may be thrown away at any time.

What is missing, damaged, made elsewhere or behind a link is made again, or done without: then it
lives in memory for as long as the process does.
"""

from __future__ import annotations

import os
import sqlite3
import stat as modes

from varves.log.files.local import VIEWS
from varves.log.files.locks import NOTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.log.files.places import Places

_VERSION = "1"
_OTHERS = 0o077
_TABLES = f"""
create table meta (name text primary key, value text) without rowid;
create table file (path text primary key, owner text, latest blob, seen blob,
    size int, modified int, changed int, inode int) without rowid;
create table rendered (path text, digest blob, n int, primary key (path, digest)) without rowid;
create table version (path text, n int, digest blob, content blob,
    primary key (path, n)) without rowid;
create table adopted (path text, digest blob, event text,
    primary key (path, digest)) without rowid;
create table verdict (path text, digest blob, head text, verdict text,
    primary key (path, digest)) without rowid;
insert into meta values ('version', '{_VERSION}');
"""


class Notebook:
    """The file, opened when it is first asked; reads find nothing and writes do nothing in need."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._db: sqlite3.Connection | None = None
        self._lasting = False
        self._pid = 0
        self._inode = 0

    @property
    def path(self) -> str:
        """Where it lies."""
        return f"{self._places.local.root}/{VIEWS}"

    def _all(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        for _ in range(2):
            try:
                return self._opened().execute(sql, values).fetchall()
            except sqlite3.DatabaseError as fault:
                self._give_up(fault)
        return []

    def _write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Note rows, or note nothing: what is not known is found out again."""
        if not rows:
            return
        db = self._opened()
        try:
            db.execute("begin immediate")
            db.executemany(sql, rows)
            db.execute("commit")
        except sqlite3.DatabaseError as fault:
            if db.in_transaction:
                db.execute("rollback")
            self._give_up(fault)

    def _give_up(self, fault: sqlite3.DatabaseError) -> None:
        """Throw a damaged file away and go on without; one that is in use is left."""
        self.close()
        if not _is_busy(fault):
            _discard(self.path)
        self._db, self._lasting, self._pid = _in_memory(), True, os.getpid()

    def _opened(self) -> sqlite3.Connection:
        if self._pid != os.getpid():
            self._db = None
        if self._db is None or (not self._lasting and self._places.exists()):
            self.close()
            self._db, self._lasting, self._pid = self._open(), self._places.exists(), os.getpid()
            self._inode = _inode(self.path)
        return self._db

    def _open(self) -> sqlite3.Connection:
        path = self.path
        try:
            if self._places.exists() and not _is_doubtful(self._places.folder, path):
                return self._connect(path)
        except (OSError, sqlite3.DatabaseError, UnicodeDecodeError):
            pass
        return _in_memory()

    def _connect(self, path: str) -> sqlite3.Connection:
        for _ in range(2):
            self._create(path)
            escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
            db = sqlite3.connect(
                f"file:{escaped}?mode=rw",
                timeout=10,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
            )
            try:
                if _is_ours(db, path):
                    return db
            except sqlite3.DatabaseError as fault:
                if _is_busy(fault):
                    db.close()
                    raise
            except UnicodeDecodeError:  # SQLite could not even say what is wrong
                pass
            db.close()
            _discard(path)
        raise sqlite3.DatabaseError("cannot be made")

    def _create(self, path: str) -> None:
        """Make the file ourselves: SQLite would follow links on the way to it."""
        if os.path.lexists(path):
            return
        store = self._places.local
        store.close(store.create(VIEWS))

    def reopen(self) -> None:
        """Let go of a file that somebody has thrown away meanwhile."""
        if self._db is not None and self._inode != _inode(self.path):
            self.close()

    def scrub(self) -> None:
        """Leave nothing of deleted rows in the file; where that fails, leave no file."""
        try:
            self._opened().execute("vacuum")
            busy = self._opened().execute("pragma wal_checkpoint(truncate)").fetchone()[0]
        except sqlite3.DatabaseError:
            busy = True
        if busy:
            self.close()
            _discard(self.path)

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._db is not None and self._pid == os.getpid():
            self._db.close()
        self._db = None


def _is_ours(db: sqlite3.Connection, path: str) -> bool:
    """Make the tables of an empty file; tell whether a full one was made here, by this version."""
    place = f"{os.stat(path).st_ino}.{os.stat(os.path.dirname(path)).st_ino}"
    if db.execute("select count(*) from sqlite_master").fetchone()[0] == 0:
        db.execute("pragma journal_mode = wal")
        _make(db)
        db.execute("insert or ignore into meta values ('place', ?)", (place,))
    db.execute("pragma synchronous = normal")
    found = dict(db.execute("select name, value from meta where name in ('version', 'place')"))
    return found == {"version": _VERSION, "place": place}


def _make(db: sqlite3.Connection) -> None:
    try:
        db.executescript("begin immediate;" + _TABLES + "commit;")
    except sqlite3.OperationalError as fault:
        if "already exists" not in str(fault):
            raise
        db.execute("rollback")  # another process has just made them


def _in_memory() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _make(db)
    return db


def _inode(path: str) -> int:
    try:
        return os.lstat(path).st_ino
    except OSError:
        return 0


def _is_busy(fault: sqlite3.DatabaseError) -> bool:
    return "locked" in str(fault) or "busy" in str(fault)


def _is_doubtful(folder: str, path: str) -> bool:
    """Tell whether this is no place for a file of ours: a link, or a mount without locks."""
    if os.path.islink(folder) or os.path.islink(os.path.dirname(path)):
        return True
    if os.path.lexists(f"{folder}/{NOTE}"):
        return True
    for suffix in ("-wal", "-journal"):
        if os.path.lexists(path + suffix) and os.lstat(path + suffix).st_mode & _OTHERS:
            _discard(path)  # SQLite's own are as closed as the file itself: git brought this one
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    if not modes.S_ISREG(found.st_mode):
        return True
    if found.st_nlink > 1 or found.st_mode & _OTHERS:
        _discard(path)
    return False


def _discard(path: str) -> None:
    """Remove the file and its journals."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + suffix)
        except OSError:
            pass
