"""The file of an index: opened, created, replaced as a whole, and deleted if it may be damaged.

An index is in `index.sqlite` until it is rebuilt in bulk. Then it is in a file beside it, under a
new name, and the file `index.sqlite.now` contains the end of this name. Other processes may have
the earlier file open, so no file is ever renamed over it: SQLite would apply the journal of the
earlier file to the new one. A file that is still being filled has no version, and no process reads
it.
"""

from __future__ import annotations

import os
import sqlite3
from functools import cache

from varves.index.sqlite.schema import EARLY, MADE, TABLES, VERSION
from varves.places.local import BESIDE, NOW
from varves.places.store import Files
from varves.values.ids import IdSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from varves.events.event import Event
    from varves.places.port import FileStore

BUSY_MS = 60_000
PAGE = 4096  # in bytes; the default of SQLite, set here so that a file that was cut off is detected
ENDING = 10  # the number of letters and digits at the end of the name of a file made later
MANY_LINES = 500  # if more lines are read, the quick decoder is worth its import
PAST = "past-"  # begins the end of the name of a checkpoint's file
LARGE_PAGE = 8192  # of a file that is filled in bulk
CACHE_KIB = 32 << 10
NUMBERING = "numbering"  # the note with a word that is another one in each index
TAINTED = "tainted"  # the note that the file may still contain purged content
_OTHERS = 0o077


class IndexFile:
    """The database of an index: a file, or a database in memory.

    SQLite follows links on the way to a file, so it never creates the file itself: the store does.

    Args:
        path: where the index is until it is rebuilt in bulk; None for a database in memory.
        store: the folder of the file.
    """

    def __init__(self, path: str | None, store: FileStore | None = None) -> None:
        self.first = path
        self.path = path if path is None else in_use(path)
        self.tainted = False  # whether it may still contain purged content
        self.journaled = True  # whether a transaction can be rolled back
        self._store = store
        self._ahead = True

    @property
    def store(self) -> FileStore:
        """The folder of the file."""
        if self._store is None:
            self._store = Files(os.path.dirname(self.first or "") or ".", private=True)
        return self._store

    def is_in_use(self) -> bool:
        """Return whether this is still the file of the index; another process may replace it."""
        return self.first is None or in_use(self.first) == self.path

    def open(self) -> sqlite3.Connection:
        """Return a connection to an index of this version; creates the index if needed."""
        if self.first is None:
            return self._connect(":memory:")
        while True:
            self.path = in_use(self.first)
            db = self._opened(self.path)
            if self.is_in_use():
                return db
            db.close()

    def _opened(self, path: str) -> sqlite3.Connection:
        if _has_a_foreign_journal(path) or _is_cut(path):
            self.discard()
        try:
            return self._connect(path)
        except sqlite3.DatabaseError as fault:
            if isinstance(fault, sqlite3.OperationalError) and not _is_ours_to_remake(fault):
                raise
            self.discard()
        try:
            return self._connect(path)
        except sqlite3.OperationalError as fault:
            if not self._ahead or not _is_without_shared_memory(fault):
                raise
        # if files cannot be mapped into memory, the older journal mode is used
        self._ahead = False
        self.discard()
        return self._connect(path)

    def _connect(self, path: str) -> sqlite3.Connection:
        if path != ":memory:":
            self._create(path)
        db = _open(path)
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
        elif row[0] != VERSION or made_at != (_place(None if path == ":memory:" else path),):
            db.close()
            raise sqlite3.DatabaseError("made by another version, or somewhere else")
        db.execute("pragma synchronous = normal")
        taint = db.execute("select 1 from meta where name = ?", (TAINTED,)).fetchone()
        self.tainted = taint is not None
        return db

    def _make(self, db: sqlite3.Connection, path: str) -> None:
        if path == ":memory:":
            _empty().backup(db)
            db.execute(_numbered())
            return
        try:
            db.execute(f"pragma page_size = {PAGE}")
            if self._ahead:
                _write_ahead(db)
            made = MADE + _made_at(path)
            db.executescript("begin immediate;" + TABLES + made + "commit;")
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
        if self.path is not None:
            self.remove(self.path)
            self.forget_past()

    def _create(self, path: str) -> None:
        if not os.path.lexists(path):
            try:
                self.store.close(self.store.create(os.path.basename(path)))
            except FileExistsError:
                pass  # another process has created it first

    # The file is replaced as a whole

    def beside(self, name: str) -> str:
        """Return the path of a file beside the first one; `name` is the end of its name."""
        return f"{self.first}.{name}"

    def start(self, path: str) -> sqlite3.Connection:
        """Return a connection to a new file that is to be filled; it has no indexes yet."""
        if path != ":memory:":
            self._create(path)
        db = _open(path)
        try:
            _for_filling(db)
            db.executescript(f"begin immediate;{EARLY}commit;")
        except BaseException:
            db.close()
            raise
        return db

    def go_on(self, path: str) -> sqlite3.Connection:
        """Return a connection to a file that was filled in part."""
        db = _open(path)
        try:
            db.execute("pragma busy_timeout = 0")
            _for_filling(db)
            db.execute("begin immediate")
            db.execute("commit")
        except BaseException:
            db.close()
            raise
        return db

    def complete(self, db: sqlite3.Connection, path: str) -> None:
        """Declare a file complete that was filled, and make it durable."""
        db.executescript(f"begin immediate;{MADE}{_made_at(path)}commit;")
        db.execute("pragma locking_mode = normal")
        if path == ":memory:":
            db.execute("pragma journal_mode = memory")
            return
        db.execute(f"pragma journal_mode = {'wal' if self._ahead else 'delete'}")
        db.close()
        handle = self.store.reopen(os.path.basename(path))
        try:
            self.store.sync(handle)
        finally:
            self.store.close(handle)

    def point_to(self, path: str) -> None:
        """Let every process use another file from now on, and remove the one used so far."""
        first = str(self.first)
        # another process may have replaced the file since this one opened it
        left = {str(self.path), in_use(first)} - {path}
        self.store.replace(
            f"{os.path.basename(first)}{NOW}", path[len(first) + 1 :].encode("ascii")
        )
        self.path = path
        for one in left:
            self.remove(one)
        self.forget_past()

    def others(self) -> list[str]:
        """Return the paths of files beside the one in use: files being filled, or left behind."""
        first = str(self.first)
        names = [leaf for leaf, _, _ in self.store.entries("")]
        known = f"{os.path.basename(first)}."
        paths = [f"{first}.{name[len(known) :]}" for name in names if name.startswith(known)]
        return [path for path in paths if path != self.path and _is_end(path[len(first) + 1 :])]

    def checkpoints(self) -> list[str]:
        """Return the paths of files that contain the index at earlier moments (`past.py`)."""
        first = str(self.first)
        known = f"{os.path.basename(first)}.{PAST}"
        names = [leaf for leaf, _, _ in self.store.entries("")]
        return [self.beside(leaf[len(known) - len(PAST) :]) for leaf in names if known in leaf]

    def forget_past(self) -> None:
        """Remove all checkpoints."""
        for path in self.checkpoints():
            self.remove(path)

    def remove(self, path: str) -> None:
        """Remove a file, and the files that SQLite keeps next to it."""
        for end in BESIDE:
            try:
                os.unlink(f"{path}{end}")
            except FileNotFoundError:
                pass


def in_use(first: str) -> str:
    """Return the path of the file of an index, given the path of its first file."""
    try:
        handle = os.open(f"{first}{NOW}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return first
    try:
        end = os.read(handle, 64).decode("ascii", "replace")
    except OSError:
        return first
    finally:
        os.close(handle)
    path = f"{first}.{end}"
    return path if _is_end(end) and os.path.lexists(path) else first


def _is_end(name: str) -> bool:
    return len(name) == ENDING and name.isascii() and name.isalnum()


def uri_of(path: str, mode: str) -> str:
    """Return the address of a file for SQLite."""
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{escaped}?mode={mode}"


def _open(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        path = uri_of(path, "rw")
    return sqlite3.connect(
        path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False, uri=True
    )


def _for_filling(db: sqlite3.Connection) -> None:
    """Set up a connection for writing much to a file that no other process reads.

    The journal is in memory, so that a portion can be taken back; after a power cut or a kill, the
    file is of no use.
    """
    for setting in (
        f"page_size = {LARGE_PAGE}",
        "locking_mode = exclusive",
        "journal_mode = memory",
        "synchronous = off",
        f"cache_size = -{CACHE_KIB}",
    ):
        db.execute(f"pragma {setting}")


@cache
def _empty() -> sqlite3.Connection:
    """Return an index in memory without events; a copy of it costs a tenth of its creation."""
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.execute(f"pragma page_size = {PAGE}")
    db.executescript(f"begin;{TABLES}{MADE}{_made_at(':memory:')}commit;")
    return db


def _place(path: str | None) -> str:
    """Return a value that changes if the file is copied elsewhere, for example by git."""
    if path is None:
        return ""
    return f"{os.stat(path).st_ino}.{os.stat(os.path.dirname(path) or '.').st_ino}"


def _made_at(path: str) -> str:
    place = _place(None if path == ":memory:" else path)
    return f"insert into meta values ('place', '{place}');{_numbered()}"


def _numbered() -> str:
    """Return the statement that gives an index the name under which it numbers arriving events."""
    return f"insert or replace into meta values ('{NUMBERING}', '{IdSource().word(ENDING)}');"


def _is_cut(path: str) -> bool:
    """Return whether a file's last page is cut off; SQLite would read missing bytes as 0."""
    try:
        size = os.stat(path).st_size
        if size % PAGE or not size % LARGE_PAGE:
            return bool(size % PAGE)
        with open(path, "rb", buffering=0) as file:
            return file.read(18)[16:] == LARGE_PAGE.to_bytes(2, "big")
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

    return _decoded(line, log, decode)


def from_lines(lines: Sequence[tuple[str, str]]) -> Iterator[Event]:
    """Decode stored lines, given as (line, log); raise an error if a line is damaged."""
    if len(lines) > MANY_LINES:
        from varves.events.bulk import decode_quickly as decode  # slow to import
    else:
        from varves.events.codec import decode
    for line, log in lines:
        yield _decoded(line, log, decode)


def _decoded(line: str, log: str, decode: Callable[[bytes, str], Event]) -> Event:
    try:
        return decode(line.encode("ascii"), log)
    except ValueError as fault:
        raise sqlite3.DatabaseError(f"malformed line: {fault}") from None
