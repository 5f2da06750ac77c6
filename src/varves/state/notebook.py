"""The notebook: one SQLite file with a checkout's own notes, `state.sqlite` in the local folder.

It stores reads that are not in an event yet, the questions of the last 90 days, hooks' notes about
sessions, the last results of checks, and the state of rendered files. The file may be deleted at
any time. If it is missing, damaged or from another place, it is created again. If the file cannot
be written, or locks do not work, the notebook is in memory until the process ends. No operation
fails because of the notebook: a note that cannot be stored is dropped.

The file has a write-ahead journal, so that readers never wait, and it is not synced. If a process
is killed, the next process reads its journal. A power cut may damage the file; it is then created
again.

Every recall adds one line with the memories it showed; lines are stored by session. To settle a
session (to record its lines in an event), a process first claims its lines: each line gets the id
of the event that will contain it. Lines that are added later wait for the next event. When the
event is durable, its lines are deleted. Only one process settles at a time. So if a claim exists,
its process has died, and the log shows whether the event was recorded.

The lines count what was shown, by verb. What an agent was shown at one moment is one record next to
them, which is claimed and deleted with the lines. Only a record with the user's question is kept
until it expires, because no event contains a question.
"""

from __future__ import annotations

import os
import sqlite3
import stat as modes
from _thread import RLock
from errno import EAGAIN

from varves.places.local import BESIDE, NO_LOCKS, STATE
from varves.values.ids import is_memory_id
from varves.values.instants import SystemClock, is_instant
from varves.values.text import runs
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar

    from varves.places.places import Places
    from varves.places.port import FileStore

    Found = TypeVar("Found")

# the most bytes of memory ids that a session's lines may have before it is settled
LIMIT = 256 << 10
SESSIONS = 400  # the most sessions that may have unsettled lines
LOCK = "usage.lock"  # the lock that is held by the process that settles
_TRIES = 100
_PAUSE = 0.002
_LONGEST = 180
_LINE = "time, verb, actor, agent, session, memories"
_ADD = (
    f"insert into told (leaf, event, n, at, size, {_LINE}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD_SHOWN = "insert into shown values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_RECORD = "at, session, client, moment, question, memories, tokens"
_OLD = "at < strftime('%Y-%m-%dT%H:%M:%fZ', ?, '-90 days')"  # how long questions are kept
# a record that no event contains yet loses only its question
_EXPIRING = (
    f"delete from shown where event != '' and {_OLD}",
    f"update shown set question = null where event = '' and {_OLD}",
)
_WORD = 12  # a part of a name with at most this many letters cannot be a secret
_NUMBER = 8
_WORDS = 6
_UUID = [8, 4, 4, 4, 12]
QUESTION = 300  # the most characters of a question that are stored
_READ = 1200  # the most characters of a prompt of which a question is made
_RUN = 14  # a run of more letters in a prompt, or of more letters in mixed case, may be a secret
_MIXED_RUN = 9
_DIGITS = 5  # a run of more letters and digits in a prompt may be a secret
_NEAR = 11  # a longer word near one of the following may be a secret; so may any other than a word
_NAMES = (
    *("pass", "pw", "secret", "token", "key", "cred", "login", "auth", "basic", "bearer", "acces"),
    *("zugang", "senha", "clave", "parola", "mdp", "wort", "contrase", "frase", "phrase", "jeton"),
    *("identif", "anmeld", "chave", "chiave", "clef", "sig=", "://", "-----"),
)
_SIGNS = "!@#$%^&*?~+=:<>"
_AROUND = ".,;:!?()[]{}\"'`<>%"
PATIENCE = 10_000  # the milliseconds that a verb waits for another process
HASTE = 5  # the milliseconds that a hook waits for another process
_VERSION = "1"
_SHAPE = "4"  # raised when a table is added; an older file gets the new tables
_OTHERS = 0o077
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
FAULTS = (sqlite3.DatabaseError, UnicodeDecodeError, OSError)
_TABLES = """
create table if not exists meta (name text primary key, value text) without rowid;
create table if not exists told (leaf text, event text, n int, at int, size int, time text,
    verb text, actor text, agent text, session text, memories text,
    primary key (leaf, event, n)) without rowid;
create table if not exists shown (leaf text, event text, n int, at text, session text,
    client text, moment text, question text, memories text, tokens int);
create index if not exists shown_event on shown (event, leaf);
create index if not exists shown_at on shown (at);
create table if not exists checked (name text primary key, at text, ok int,
    says text) without rowid;
create table if not exists failing (name text primary key, since text) without rowid;
create table if not exists attended (leaf text, n int, at int, kind text, first text, second text,
    third text, primary key (leaf, n)) without rowid;
create table if not exists file (path text primary key, owner text, latest blob, seen blob,
    size int, modified int, changed int, inode int) without rowid;
create table if not exists rendered (path text, digest blob, n int,
    primary key (path, digest)) without rowid;
create table if not exists version (path text, n int, digest blob, content blob,
    primary key (path, n)) without rowid;
create table if not exists written (path text primary key, modified int) without rowid;
create table if not exists adopted (path text, digest blob, event text,
    primary key (path, digest)) without rowid;
create table if not exists verdict (path text, digest blob, head text, verdict text,
    primary key (path, digest)) without rowid;
"""


class Notebook:
    """The notebook's file, opened at its first use.

    If the file cannot be used, reads return nothing and writes do nothing.
    """

    def __init__(self, store: FileStore | None = None, no_locks: str = "") -> None:
        """Set the notebook's folder; without a folder, the notebook is in memory.

        `no_locks` is the path of a file that exists if locks do not work.
        """
        self.store = store
        self.fault = ""
        """The reason why the last write or read failed; "" if it succeeded."""
        self._no_locks = no_locks
        self._patience = PATIENCE
        self._lock = RLock()
        self._db: sqlite3.Connection | None = None
        self._inode = 0  # the inode of the open file; 0 if the notebook is in memory
        self._pid = 0
        self._ahead = True  # whether the file has a write-ahead journal
        self._helpless = False  # whether the file has failed twice

    @property
    def path(self) -> str:
        """The path of the notebook's file."""
        return f"{self.store.root}/{STATE}" if self.store is not None else ""

    @property
    def is_in_memory(self) -> bool:
        """Whether the notebook is open in memory, and not in a file."""
        return self._db is not None and not self._inode

    def wait(self, milliseconds: int) -> None:
        """Set how long a call waits for another process that writes."""
        if self._patience != milliseconds:
            self._patience = milliseconds
            if self._db is not None and self._pid == os.getpid():
                self._db.execute(f"pragma busy_timeout = {milliseconds}")

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query; none if the file cannot be read. Creates no file."""

        def call() -> list[tuple[Any, ...]]:
            db = self._found()
            return [] if db is None else db.execute(sql, values).fetchall()

        return self._tried(call) or []

    def write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> bool:
        """Run one statement for all rows, or for none if it fails; return whether it succeeded."""

        def work(db: sqlite3.Connection) -> bool:
            db.executemany(sql, rows)
            return True

        return not rows or self.do(work) is not None

    def do(self, work: Callable[[sqlite3.Connection], Found]) -> Found | None:
        """Run `work` in one transaction; return its result, or None if it failed."""
        return self._tried(lambda: _committed(self._opened(), work))

    def _tried(self, call: Callable[[], Found]) -> Found | None:
        """Try a call on the file; then on a newly created file; then on a notebook in memory."""
        with self._lock:
            for attempt in range(3):
                try:
                    return call()
                except FAULTS as fault:
                    if not self._mend(fault, helpless=attempt > 0):
                        break
        return None

    def _mend(self, fault: Exception, *, helpless: bool) -> bool:
        """Try to repair the notebook after an error; return whether to try the call again."""
        self.fault = f"{STATE}: {fault}"
        if is_busy(fault):
            return False
        self.close()
        if _code(fault) in _DAMAGED or isinstance(fault, UnicodeDecodeError):
            discard(self.path)
        self._helpless = helpless or isinstance(fault, OSError)
        return True

    # Opening

    def _found(self) -> sqlite3.Connection | None:
        """Return the connection, or None if there is no file."""
        if self._helpless or self.is_in_memory or os.path.lexists(self.path):
            return self._opened()
        return None

    def _opened(self) -> sqlite3.Connection:
        """Return the connection; create the file if it is missing."""
        mine = self._pid == os.getpid()
        if self._db is not None and mine and self._inode in (0, _inode(self.path)):
            return self._db
        self.close()
        self._db = self._in_memory() if self._is_doubtful() else self._connected()
        self._pid = os.getpid()
        return self._db

    def _in_memory(self) -> sqlite3.Connection:
        db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        db.executescript(_TABLES)
        self._inode = 0
        return db

    def _connected(self) -> sqlite3.Connection:
        for _ in range(3):
            fresh = self._create()
            db = connected(self.path, patience=self._patience)
            try:
                db.execute("pragma synchronous = off")
                if self._is_ours(db):
                    self._inode = _inode(self.path)
                    return db
            except sqlite3.OperationalError as fault:
                db.close()
                if not fresh or not self._ahead or is_busy(fault):
                    raise
                # if files cannot be mapped into memory, the older journal mode is used
                self._ahead = False
            except BaseException:
                db.close()
                raise
            db.close()
            discard(self.path)
        raise OSError("cannot be created")

    def _create(self) -> bool:
        """Create the file, because SQLite would follow links; return whether it was missing."""
        if self.store is None or os.path.lexists(self.path):
            return False
        try:
            self.store.close(self.store.create(STATE))
        except FileExistsError:
            return False  # another process has created the file first
        return True

    def _is_ours(self, db: sqlite3.Connection) -> bool:
        """Return whether the file was made at this place; first add the tables that it lacks."""
        made = f"{_VERSION} {place_of(self.path)}"
        asked = "select name, value from meta where name in ('made', 'shape')"
        try:
            found = dict(db.execute(asked))
            if found.get("made") != made or found.get("shape") == _SHAPE:
                return found.get("made") == made
        except sqlite3.OperationalError as fault:
            if "no such table" not in str(fault):
                raise
            if db.execute("select count(*) from sqlite_master").fetchone()[0]:
                return False
        if self._ahead:
            try:
                db.execute("pragma journal_mode = wal")
            except sqlite3.OperationalError:
                pass  # another process is setting this, and SQLite does not wait here
        by = f"insert or ignore into meta values ('made', '{made}');"
        by += f"insert or replace into meta values ('shape', '{_SHAPE}');"
        db.executescript("begin immediate;" + _TABLES + by + "commit;")
        return dict(db.execute(asked)).get("made") == made

    def _is_doubtful(self) -> bool:
        """Return whether the path cannot be used: it is a link, or locks do not work there."""
        if self.store is None or self._helpless:
            return True
        folder = self.store.root
        if os.path.lexists(self._no_locks) or os.path.islink(folder):
            return True
        if os.path.islink(os.path.dirname(folder)):
            return True
        for journal in (f"{self.path}-wal", f"{self.path}-journal"):
            if os.path.lexists(journal) and os.lstat(journal).st_mode & _OTHERS:
                # SQLite gives a journal the mode of its database; a journal with another mode is
                # from git
                discard(self.path)
        try:
            found = os.lstat(self.path)
        except FileNotFoundError:
            return False
        if not modes.S_ISREG(found.st_mode):
            return True
        if not is_ours(found):
            discard(self.path)
        return False

    def file(self) -> sqlite3.Connection:
        """Return the open file.

        Raises:
            OSError: the notebook is in memory, or the file is in use.
        """
        db = self._tried(self._opened)
        if db is None or not self._inode:
            raise BlockingIOError(EAGAIN, self.fault, self.path)
        return db

    # Closing

    def scrub(self) -> None:
        """Remove the bytes of deleted rows from the file; if that fails, remove the file."""
        with self._lock:
            try:
                db = self._found()
                if db is None:
                    return
                db.execute("vacuum")
                busy = db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
                if self._inode and busy != 1:
                    return
            except FAULTS:
                pass
            self.close()
            if self.store is not None:
                discard(self.path)

    def close(self) -> None:
        """Close the file."""
        if self._db is not None and self._pid == os.getpid():
            self._db.close()
        self._db = None

    def __del__(self) -> None:
        self.close()


def notebook_of(places: Places) -> Notebook:
    """Return the notebook of a checkout; without a ledger, the user's notebook."""
    store = places.notes
    ledger = places.folder if places.exists() else f"{places.home}/global"
    return places.keep_open(
        f"{store.root}/{STATE}", lambda: Notebook(store, f"{ledger}/{NO_LOCKS}")
    )


def connected(path: str, *, patience: int) -> sqlite3.Connection:
    """Open an SQLite file, which must exist."""
    escaped = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    try:
        return sqlite3.connect(
            f"file:{escaped}?mode=rw",
            timeout=patience / 1000,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
    except UnicodeEncodeError as fault:
        raise OSError(str(fault)) from None  # SQLite does not accept this path


def place_of(path: str) -> str:
    """Return a value that differs if the file was copied to another place, for example by git."""
    return f"{os.stat(path).st_ino}.{os.stat(os.path.dirname(path)).st_ino}"


def is_ours(found: os.stat_result) -> bool:
    """Return whether this program created a file; git would have given it another mode."""
    return modes.S_ISREG(found.st_mode) and not found.st_mode & _OTHERS and found.st_nlink == 1


def plain(text: str) -> str:
    """Return a text that SQLite can store, with lone surrogates replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _committed(db: sqlite3.Connection, work: Callable[[sqlite3.Connection], Found]) -> Found:
    db.execute("begin immediate")
    try:
        found = work(db)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise
    return found


def is_busy(fault: Exception) -> bool:
    """Return whether another process is using the file."""
    return _code(fault) in _BUSY


def _code(fault: Exception) -> int:
    return int(getattr(fault, "sqlite_errorcode", 0)) & 0xFF


def _inode(path: str) -> int:
    try:
        return os.lstat(path).st_ino
    except OSError:
        return 0


def discard(path: str) -> None:
    """Remove the file and its journals."""
    for end in BESIDE:
        try:
            os.unlink(path + end)
        except OSError:
            pass


# What agents were shown


class Line(Value):
    """One answer that showed memories: its time and verb, the reader, the memories, the session."""

    time: str
    verb: str
    actor: str
    agent: str
    session: str | None
    memories: tuple[str, ...]

    @property
    def owner(self) -> str:
        """The session, or the actor and the day of a call without a session."""
        return self.session or f"{self.actor}-{self.time[:10]}"


class Shown(Value):
    """What an agent was shown at one moment: the memories, their tokens, and why."""

    at: str
    session: str
    client: str
    moment: str
    """The moment of the session, or the verb that was called outside one."""
    question: str | None = None
    """The user's prompt, shortened and without secrets."""
    ids: tuple[str, ...]
    tokens: int


def reading(
    who: tuple[str, str | None, str | None], time: str, *, verb: str, names: Iterable[str]
) -> Line:
    """Return the line for one answer that showed memories; `who` is (actor, session, agent)."""
    actor, session, agent = who
    return Line(
        time=time,
        verb=verb,
        actor=masked(actor),
        agent=masked(agent or actor),
        session=session and masked(session),
        memories=tuple(dict.fromkeys(names)),
    )


def leaf_of(actor: str, session: str | None, time: str) -> str:
    """Return the key of a session; without a session, the key of the actor and the day."""
    return f"s-{shortened(session)}" if session else f"d-{time[:10]}-{shortened(actor)}"


def counter_of(protocol: str) -> str:
    """Return the key under which lines on reads are stored that a protocol's files count."""
    return f"p-{protocol}"


def shortened(name: str) -> str:
    """Return a name, shortened if it is too long for a key in every row."""
    if len(name) <= _LONGEST:
        return name
    from hashlib import sha256

    return f"%{sha256(name.encode('utf-8', 'replace')).hexdigest()}"


def masked(name: str) -> str:
    """Return a name in the form in which it may be stored, with secrets masked."""
    if is_harmless(name):
        return name
    from varves.events.redact import scrub_tree

    return str(scrub_tree(name)[0])


def is_harmless(name: str) -> bool:
    """Return whether a name clearly has no secret, because it consists of words, a date or a UUID.

    This check is cheap. The rules for secrets are slow to load, and a recall must not wait for
    them.
    """
    if not name.isascii():
        return False
    parts = name.replace("_", "-").replace(".", "-").split("-")
    if [len(part) for part in parts] == _UUID:
        return not name.lower().strip("-0123456789abcdef")
    return len(parts) <= _WORDS and all(
        (part.isalpha() and len(part) <= _WORD) or (part.isdigit() and len(part) <= _NUMBER)
        for part in parts
    )


def question_of(prompt: str) -> str | None:
    """Return a prompt in the form in which it may be stored: without secrets, in one short line."""
    asked = prompt
    if len(prompt) > _READ:  # without its last word, which may be the beginning of a secret
        asked = prompt[:_READ].rstrip().rpartition(" ")[0]
    if not is_prose(asked):
        from varves.events.redact import scrub

        asked = scrub(asked)[0]
    return plain(" ".join(asked.split())[:QUESTION]) or None


def is_prose(text: str) -> bool:
    """Return whether a text clearly has no secret, because it consists of words and short numbers.

    This check is cheap, as the one of names is. Near a word such as `password`, any number counts
    as a secret here, and so does any word with a sign in it.
    """
    if not text.isascii() or not all(map(_is_tame, runs(text))):
        return False
    low = text.lower()
    named = any(name in low for name in _NAMES)
    for word in text.split():
        bare = word.strip(_AROUND)
        if bare.isalpha():
            if named and (len(bare) > _NEAR or not _is_cased(bare)):
                return False
        elif not bare.isdigit():
            counts = any(map(str.isdigit, bare))
            signs = any(sign in bare for sign in _SIGNS)
            if (counts and signs) or (named and (counts or signs or len(bare) > _NEAR)):
                return False
    return True


def _is_tame(run: str) -> bool:
    if run.isalpha():
        return len(run) <= (_RUN if _is_cased(run) else _MIXED_RUN)
    return len(run) <= _DIGITS


def _is_cased(run: str) -> bool:
    return run.islower() or run.istitle() or run.isupper()


class Usage:
    """The lines and records of a notebook that are not recorded in an event yet."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook

    def note(self, *lines: Line, shown: Shown | None = None) -> None:
        """Add the lines of one session, and the record of the moment; do nothing if this fails."""
        leaf = plain(leaf_of(lines[0].actor, lines[0].session, lines[0].time))

        def work(db: sqlite3.Connection) -> bool:
            if add_lines(db, leaf, lines, at=machine_time()) and shown is not None:
                add_shown(db, leaf, shown)
            return True

        self._notebook.do(work)

    def count(self, protocol: str, line: Line) -> None:
        """Add a line for the counters of a protocol; do nothing if this fails."""
        leaf = counter_of(protocol)
        self._notebook.do(lambda db: add_lines(db, leaf, [line], at=machine_time()))

    def waiting(self, leaf: str) -> list[str]:
        """Return the ids of the events that will contain lines of a session.

        The id is "" for lines that no event will contain yet.
        """
        sql = "select distinct event from told where leaf = ? order by event"
        return [event for (event,) in self._notebook.rows(sql, leaf)]

    def left(self) -> list[tuple[str, str, int]]:
        """Return (session, event, time in milliseconds) of all lines.

        The event is the one for which a process claimed the line, or "".
        """
        sql = "select leaf, event, max(at) from told where leaf not like 'p-%' group by 1, 2"
        return self._notebook.rows(sql)

    def unsettled(self) -> list[Line]:
        """Return the lines that are not recorded in an event yet, oldest first."""
        sql = f"select {_LINE} from told where event = '' and leaf not like 'p-%' order by time"
        return _lines(self._notebook.rows(sql))

    def lines(self, leaf: str) -> list[Line]:
        """Return all lines of a session, including those that an event will contain."""
        return _lines(self._notebook.rows(f"select {_LINE} from told where leaf = ?", leaf))

    # What was shown

    def expire(self, now: str) -> None:
        """Delete the questions that are too old."""
        if self._notebook.rows(f"select 1 from shown where {_OLD} limit 1", now):
            self._notebook.do(lambda db: _expire(db, now))

    def shown(self) -> list[tuple[str, Shown]]:
        """Return (event, record) of the records that are waiting or claimed, oldest first."""
        known = "exists (select 1 from told t where t.leaf = s.leaf and t.event = s.event)"
        sql = f"select event, {_RECORD} from shown s where event = '' or {known} order by at, rowid"
        rows = self._notebook.rows(sql)
        return [(event, one) for event, *parts in rows if (one := _shown_of(parts)) is not None]

    def questions(self) -> dict[tuple[str, int], str]:
        """Return the questions by (event, place in the event)."""
        sql = "select event, n, question from shown where event != '' and question is not null"
        return {(event, n): str(asked) for event, n, asked in self._notebook.rows(sql)}

    def erase(self, is_doomed: Callable[[str, str], bool]) -> bool:
        """Erase the questions for which `is_doomed` returns True for (session, question).

        Return whether there were any.
        """
        sql = "select rowid, session, question from shown where question is not null"
        gone = [(row,) for row, *asked in self._notebook.rows(sql) if is_doomed(*map(str, asked))]
        self._notebook.write("update shown set question = null where rowid = ?", gone)
        return bool(gone)

    # Settling

    def alone(self) -> Alone:
        """Return a `with` block during which no other process records lines in an event.

        The block gets True if it holds the lock.
        """
        return Alone(self._notebook)

    def claim(self, leaf: str, event: str, *, anew: bool) -> list[Line] | None:
        """Return the lines that an event will contain; None if they cannot be read now.

        Args:
            leaf: the session's key.
            event: the id of the event that will contain the lines.
            anew: claim the waiting lines for this event first. If it is not set, only the lines
                that a dead process has claimed for this event are returned.
        """

        def work(db: sqlite3.Connection) -> list[Line]:
            if anew:
                sql = "update told set event = ? where leaf = ? and event = ''"
                db.execute(sql, (event, leaf))
                _claim_shown(db, leaf, event)
            sql = f"select {_LINE} from told where leaf = ? and event = ? order by n"
            return _lines(db.execute(sql, (leaf, event)))

        return self._notebook.do(work)

    def claimed(self, leaf: str, event: str) -> list[Shown]:
        """Return the records of the moments whose lines are claimed for an event."""
        sql = f"select {_RECORD} from shown where leaf = ? and event = ? order by n"
        return [
            one
            for parts in self._notebook.rows(sql, leaf, event)
            if (one := _shown_of(parts)) is not None
        ]

    def drop(self, leaf: str, event: str, *, but: Sequence[Line] = ()) -> None:
        """Delete the lines that an event in the log contains; those in `but` wait for another."""

        def work(db: sqlite3.Connection) -> bool:
            db.execute("delete from told where leaf = ? and event = ?", (leaf, event))
            done = "delete from shown where leaf = ? and event = ? and question is null"
            db.execute(done, (leaf, event))
            add_lines(db, leaf, but, at=machine_time())
            return True

        self._notebook.do(work)


class Alone:
    """A `with` block under the lock for recording lines; it gets False if the lock is taken."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._handle: int | None = None

    def __enter__(self) -> bool:
        if self._notebook.is_in_memory or self._notebook.store is None:
            return True
        from time import sleep

        for _ in range(_TRIES):
            try:
                self._handle = self._notebook.store.lock(LOCK)
            except OSError:
                return False
            if self._handle is not None:
                return True
            sleep(_PAUSE)
        return False

    def __exit__(self, *exc: object) -> None:
        if self._handle is not None and self._notebook.store is not None:
            self._notebook.store.close(self._handle)


def usage_of(places: Places) -> Usage:
    """Return the lines of a ledger's notebook that are not recorded in an event yet."""
    return Usage(notebook_of(places))


def add_lines(
    db: sqlite3.Connection, leaf: str, lines: Iterable[Line], *, at: int, event: str = ""
) -> bool:
    """Add lines to a session, for `event` or for a later one; stop at the session's limit.

    Return whether all lines were added.
    """
    last = "select n, size from told where leaf = ? and event = ? order by n desc limit 1"
    n, size = db.execute(last, (leaf, event)).fetchone() or (0, 0)
    for line in lines:
        ids = " ".join(name for name in line.memories if is_memory_id(name))
        size += len(ids)
        if not ids or size > LIMIT or (not n and _sessions(db) >= SESSIONS):
            return False
        n += 1
        parts = (line.time, line.verb, line.actor, line.agent, line.owner, ids)
        db.execute(_ADD, (leaf, event, n, at, size, *map(plain, parts)))
    return True


def add_shown(db: sqlite3.Connection, leaf: str, shown: Shown) -> None:
    """Add the record of a moment, which waits for its event; delete what is too old."""
    ids = " ".join(filter(is_memory_id, shown.ids))
    asked = None if shown.question is None else plain(shown.question)
    who = (plain(shown.session), plain(shown.client), shown.moment)
    db.execute(_ADD_SHOWN, (leaf, "", 0, shown.at, *who, asked, ids, shown.tokens))
    _expire(db, shown.at)


def _claim_shown(db: sqlite3.Connection, leaf: str, event: str) -> None:
    """Claim the records of a session that wait, and number them by their place in the event."""
    sql = "select rowid from shown where event = '' and leaf = ? order by rowid"
    rows = [(event, n, row) for n, (row,) in enumerate(db.execute(sql, (leaf,)))]
    db.executemany("update shown set event = ?, n = ? where rowid = ?", rows)


def _expire(db: sqlite3.Connection, now: str) -> bool:
    for change in _EXPIRING:
        db.execute(change, (now,))
    return True


def _shown_of(parts: Sequence[Any]) -> Shown | None:
    """Return the record that stored values contain; None if they are not valid."""
    at, session, client, moment, question, ids, tokens = parts
    names = tuple(filter(is_memory_id, ids.split(" ")))
    if not names or not is_instant(at) or not (session + client + moment).isprintable():
        return None
    return Shown(
        at=at,
        session=session,
        client=client,
        moment=moment,
        question=question,
        ids=names,
        tokens=tokens,
    )


def _sessions(db: sqlite3.Connection) -> int:
    return int(db.execute("select count(distinct leaf) from told").fetchone()[0])


def line_of(parts: Sequence[str]) -> Line | None:
    """Return the line that stored texts contain; None if they are not a valid line."""
    time, verb, actor, agent, session, ids = parts
    names = tuple(name for name in ids.split(" ") if is_memory_id(name))
    if not names or not is_instant(time) or not all(map(str.isprintable, parts)):
        return None
    return Line(time=time, verb=verb, actor=actor, agent=agent, session=session, memories=names)


def _lines(rows: Iterable[tuple[Any, ...]]) -> list[Line]:
    return [line for line in map(line_of, rows) if line is not None]


def machine_time() -> int:
    """Return the machine's time in milliseconds; a session ends a day after its last line."""
    return SystemClock().now()
