"""Writes to the SQLite index: one transaction over events and memories' rows."""

from __future__ import annotations

from json import dumps
from operator import itemgetter
from typing import Protocol

from varves.index.rows import Stored, completed, is_compared
from varves.index.sqlite.file import TAINTED, from_line
from varves.index.sqlite.schema import COLUMNS, SAID_AGAIN, SEARCHED, TOLD
from varves.log.sources import ELSEWHERE
from varves.values.memory import FIELDS, JSON, LIST, SPLIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from sqlite3 import Connection
    from typing import Any, Self

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.sqlite.file import IndexFile
    from varves.log.sources import Part

    Counted = Mapping[tuple[str, str | None, str | None], tuple[int, str]]
    Rejection = tuple[str, bytes, str]  # (event that rejects, key of the value, memory that had it)

_STORED = (
    "select present, line, hlc, writer, h, away, kind, session, protocol, log"
    " from event where id = ?"
)
_PUT = "insert or replace into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)"
_HOLDER = (
    "select min(case when substr(p.source, 1, ?) = ? then p.source else '' end)"
    " from place l join part p on p.n = l.part where l.event = ?"
)
_OF_MEMORY = (
    "select e.id, e.log, e.line, e.away from touch t join event e on e.id = t.event"
    " where t.memory = ? and e.present and not e.held"
)
_OWN = "select event from touch where memory = ?"
_REJECTING = f"from rejection where memory = ? or event in ({_OWN})"
_KIND = """
    insert into kind values (?, ?, ?) on conflict (name)
    do update set count = count + excluded.count, last = max(last, excluded.last)
"""
_TALK = """
    insert into talk values (?, ?, ?, ?) on conflict (session, protocol, kind)
    do update set count = count + excluded.count
"""
_HEAD = (
    "insert into head values (?, ?, ?, ?, ?) on conflict do update set"
    " seq = excluded.seq, hlc = excluded.hlc, h = excluded.h where seq < excluded.seq"
)
_USE = f"select t.memory, sum(t.count), max(t.last) from {TOLD} and t.memory = ? group by 1"
_INSERT = f"insert into memory ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})"
_UPDATE = f"update memory set {', '.join(f'{name} = ?' for name in COLUMNS)} where n = ?"
_SEARCHED = ", ".join(SEARCHED)
_ordered = itemgetter(*COLUMNS)
_LISTS = [COLUMNS.index(name) for name, row in FIELDS.items() if row.column == LIST]
_JSON = [COLUMNS.index(name) for name, row in FIELDS.items() if row.column == JSON]
_EMBEDDED = [(1 + SEARCHED.index(name), name) for name in ("text", "speaker")]
WORDS = f"insert into words (rowid, {_SEARCHED}) values (?, {', '.join('?' * len(SEARCHED))})"
UNWORDS = (
    f"insert into words (words, rowid, {_SEARCHED})"
    f" values ('delete', ?, {', '.join('?' * len(SEARCHED))})"
)


class Transaction:
    """A transaction: either all of its writes are stored or none."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def __enter__(self) -> Self:
        self._db.execute("begin immediate")
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            if kind is None:
                self._db.execute("commit")
        finally:
            # if the disk is full, SQLite has already rolled the transaction back
            if self._db.in_transaction:
                self._db.execute("rollback")


class Reopened(Protocol):
    """An index in a file that another process may replace as a whole."""

    db: Connection

    def reopen(self) -> None:
        """Open the file that is in use now."""
        ...


class SqliteUpdate(Transaction):
    """The methods that write to an SQLite index during one update."""

    def __init__(self, index: Reopened, file: IndexFile) -> None:
        super().__init__(index.db)
        self._index = index
        self._file = file
        self._disturbed = False

    def __enter__(self) -> Self:
        super().__enter__()
        # while this process waited, another one may have replaced the file as a whole
        while not self._file.is_in_use():
            self._db.execute("rollback")
            self._index.reopen()
            self._db = self._index.db
            super().__enter__()
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        super().__exit__(kind if self._file.journaled else None, *rest)

    def _disturb(self) -> None:
        """Note, once, that this update changes more than that events arrive.

        A checkpoint of the past that was made before is of no use then (`past.py`).
        """
        if not self._disturbed:
            self._disturbed = True
            self._db.execute("insert into arrival (event) values (null)")

    # Events

    def stored(self, event: str) -> Stored | None:
        """Return the stored row of an event, also if no log contains the event any more."""
        row = self._db.execute(_STORED, (event,)).fetchone()
        return Stored(*row) if row else None

    def put(self, event: Event, line: str, *, held: bool, where: str) -> None:
        """Store an event, in place of any stored event with the same id."""
        self._db.execute(
            _PUT,
            (
                *(event.id, event.hlc, event.writer, event.time, event.kind, event.actor),
                *(event.session, event.log, event.seq, event.digest),
                *(line, held, where, event.protocol),
            ),
        )

    def arrive(self, event: str) -> None:
        """Number an event that no log contained before."""
        self._db.execute("insert into arrival (event) values (?)", (event,))

    def touch(self, event: str, memories: Iterable[str]) -> None:
        """Record which memories an event acts on."""
        for memory in memories:
            self._db.execute("insert or ignore into touch values (?, ?)", (memory, event))

    def touched_by(self, event: str) -> list[str]:
        """Return the memories that an event acts on."""
        found = self._db.execute("select memory from touch where event = ?", (event,))
        return [memory for (memory,) in found]

    def show(self, event: str, *, present: bool) -> None:
        """Record whether any log contains an event."""
        self._disturb()
        self._db.execute("update event set present = ? where id = ?", (int(present), event))

    def move(self, event: str, where: str) -> None:
        """Record which source contains an event; `where` is "" if this checkout contains it."""
        self._disturb()
        self._db.execute("update event set away = ? where id = ?", (where, event))

    def hold(self, event: str, *, held: bool) -> None:
        """Record whether an event waits because its stamp is in the future."""
        self._disturb()
        self._db.execute("update event set held = ? where id = ?", (int(held), event))

    def taint(self) -> None:
        """Record that the file may contain purged content, which must be removed."""
        self._disturb()
        self._db.execute("insert or ignore into meta values (?, '')", (TAINTED,))
        self._file.tainted = True

    def mistimed(self, limit: str) -> list[tuple[str, str, str, bool]]:
        """Return (event, log, writer, held) for events that must start or stop waiting."""
        late = "select id, log, writer, 0 from event where held and hlc < ?"
        early = "select id, log, writer, 1 from event where hlc >= ? and not held"
        found = self._db.execute(f"{late} union all {early}", (limit, limit)).fetchall()
        return [(event, log, writer, bool(held)) for event, log, writer, held in found]

    def retract(self, event: str) -> None:
        """Remove what is stored about an event's effects: memories, rejections, lifts and uses."""
        self._disturb()
        for table in ("touch", "rejection", "lift", "told", "accessed"):
            self._db.execute(f"delete from {table} where event = ?", (event,))

    def count(self, counted: Counted) -> None:
        """Add to the counts of events, given as (number, last stamp) by kind and session."""
        for (kind, session, protocol), (number, last) in counted.items():
            self._db.execute(_KIND, (kind, number, last))
            if session is not None:
                self._db.execute(_TALK, (session, protocol or "", kind, number))

    def said_again(self, event: str) -> bool:
        """Return whether a stand-in (another event) repeats the effects of this purged event."""
        again = f"select 1 from event where {SAID_AGAIN} and instr(line, ?)"
        return self._db.execute(again, (f'"event":"{event}"',)).fetchone() is not None

    # Heads

    def raise_head(self, event: Event) -> None:
        """Record an event as its writer's newest, unless a newer one is known."""
        head = (event.log, event.writer, event.seq, event.hlc, event.digest)
        self._db.execute(_HEAD, head)

    def renew_head(self, log: str, writer: str) -> None:
        """Find and store a writer's newest event that is in effect in this checkout."""
        self._db.execute("delete from head where log = ? and writer = ?", (log, writer))
        self._db.execute(
            "insert into head select log, writer, seq, hlc, h from event"
            " where log = ? and writer = ? and present and not held and away = ''"
            " order by seq desc limit 1",
            (log, writer),
        )

    # What agents were shown

    def put_told(self, event: str, told: Mapping[tuple[str, str], tuple[int, str]]) -> None:
        """Store how often an event says that memories were shown, by memory and agent."""
        rows = [(memory, event, agent, *count) for (memory, agent), count in told.items()]
        self._db.executemany("insert or replace into told values (?, ?, ?, ?, ?)", rows)

    def told_by(self, event: str) -> list[str]:
        """Return the memories that were shown according to an event."""
        found = self._db.execute("select distinct memory from told where event = ?", (event,))
        return [memory for (memory,) in found]

    def put_accessed(self, event: str, counted: Mapping[str, tuple[int, str]]) -> None:
        """Store how often an event says that memories were accessed, by memory."""
        rows = [(memory, event, *count) for memory, count in counted.items()]
        self._db.executemany("insert or replace into accessed values (?, ?, ?, ?)", rows)

    def sum_uses(self, memories: Iterable[str]) -> None:
        """Compute again how often the given memories were shown.

        The sums are stored, so that ranking needs only one look-up for many memories. The uses of
        each event are stored too, so that removing an event subtracts exactly what the event added.
        """
        for memory in memories:
            self._db.execute("delete from use where memory = ?", (memory,))
            self._db.execute(f"insert into use {_USE}", (memory,))

    # Families

    def events_of(self, memory: str) -> list[tuple[str, str, str, str]]:
        """Return (id, log, line, source) for each event on a memory that has an effect now.

        The source is "" if this checkout contains the event.
        """
        return self._db.execute(_OF_MEMORY, (memory,)).fetchall()

    def read_line(self, line: str, log: str) -> Event:
        """Decode a stored line; raise an error if the line is damaged."""
        return from_line(line, log)

    def holding(self, key: bytes) -> list[str]:
        """Return the memories that state the value with this key."""
        found = self._db.execute("select id from memory where key = ?", (key,))
        return [name for (name,) in found]

    def any_rejected(self) -> bool:
        """Return whether the index has any rejection, or any event that lifts a rejection.

        A lift may remain when its rejection is gone.
        """
        found = self._db.execute("select 1 from rejection union all select 1 from lift limit 1")
        return found.fetchone() is not None

    def rejections_of(self, memory: str) -> set[Rejection]:
        """Return all rejections of a memory's values or by events that act on the memory."""
        return set(self._db.execute(f"select event, key, memory {_REJECTING}", (memory, memory)))

    def lifted_by(self, memory: str) -> list[str]:
        """Return the events whose rejection is lifted by an event that acts on a memory."""
        lifted = f"select target from lift where event in ({_OWN})"
        return [target for (target,) in self._db.execute(lifted, (memory,))]

    def lifted_in(self, event: str) -> list[str]:
        """Return the events whose rejection is lifted by an event."""
        found = self._db.execute("select target from lift where event = ?", (event,))
        return [target for (target,) in found]

    def rejected_in(self, event: str) -> list[bytes]:
        """Return the keys of the values that an event rejects."""
        found = self._db.execute("select key from rejection where event = ?", (event,))
        return [key for (key,) in found]

    def replace_rejections(
        self,
        members: Iterable[str],
        rejections: Iterable[Rejection],
        lifts: Iterable[tuple[str, str]],
    ) -> None:
        """Replace the stored rejections, and the events that lift them, of a family of memories."""
        for name in members:
            self._db.execute(f"delete {_REJECTING}", (name, name))
            self._db.execute(f"delete from lift where event in ({_OWN})", (name,))
        self._db.executemany("insert or ignore into rejection values (?, ?, ?)", rejections)
        self._db.executemany("insert or ignore into lift values (?, ?)", lifts)

    def replace_rows(self, members: Iterable[str], rows: Mapping[str, Row]) -> None:
        """Store the new rows of a family; delete the rows of members without a new row."""
        db = self._db
        for name in members:
            old = db.execute(f"select n, {_SEARCHED} from memory where id = ?", (name,)).fetchone()
            row = rows.get(name)
            if old is not None:
                db.execute(UNWORDS, old)
                db.execute("delete from said where n = ?", old[:1])
            if row is None:
                if old is not None:
                    db.execute("delete from memory where n = ?", old[:1])
                    db.execute("delete from vector where n = ?", old[:1])
                    self._leave_uncompared(old[0], name)
                continue
            values = values_of(row)
            if old is None:
                n = int(db.execute(_INSERT, values).lastrowid or 0)
            else:
                n = old[0]
                db.execute(_UPDATE, (*values, n))
            searched = dict(zip(COLUMNS, values, strict=True))
            if old is not None and any(old[place] != searched[name] for place, name in _EMBEDDED):
                db.execute("delete from vector where n = ?", (n,))
            db.execute(WORDS, (n, *(searched[name] for name in SEARCHED)))
            if is_compared(row):
                db.execute("insert or replace into pending values (?, 0)", (n,))
            elif old is not None:
                self._leave_uncompared(n, name)

    def _leave_uncompared(self, n: int, name: str) -> None:
        """Exclude a memory from comparisons, because it is no longer current or was deleted."""
        self._db.execute("delete from pending where n = ?", (n,))
        self._db.execute("delete from alike where newer = ? or older = ?", (name, name))

    # Blobs that were missing when they were needed

    def miss(self, source: str, digest: str, memories: Iterable[str]) -> None:
        """Record which memories need a blob that is missing in a source."""
        rows = [(source, digest, memory) for memory in memories]
        self._db.executemany("insert or ignore into missing values (?, ?, ?)", rows)

    def come(self, source: str, digest: str) -> list[str]:
        """Record that a long text (blob) is now available; return the memories that need it."""
        self._disturb()
        where = "from missing where source = ? and digest = ?"
        found = self._db.execute(f"select memory {where}", (source, digest)).fetchall()
        self._db.execute(f"delete {where}", (source, digest))
        return [name for (name,) in found]

    # Parts of the logs, and their content

    def number(self, source: str, name: str) -> int:
        """Return the number of a part of a log; a new part gets a number."""
        select = "select n from part where source = ? and name = ?"
        row = self._db.execute(select, (source, name)).fetchone()
        if row is None:
            insert = "insert into part values (null, ?, ?, x'', 0, 0, 0)"
            return int(self._db.execute(insert, (source, name)).lastrowid or 0)
        return int(row[0])

    def parts(self, source: str) -> list[int]:
        """Return the numbers of all stored parts of a source."""
        found = self._db.execute("select n from part where source = ?", (source,))
        return [n for (n,) in found]

    def name_of(self, part: int) -> tuple[str, str] | None:
        """Return the source and the name of a part, or None if the part is not stored."""
        select = "select source, name from part where n = ?"
        row: tuple[str, str] | None = self._db.execute(select, (part,)).fetchone()
        return row

    def keep_part(self, part: int, read: Part) -> None:
        """Store the mark and the unreadable ranges of a part of a log that was read."""
        if read.unread:
            self._db.execute("delete from bad where part = ?", (part,))
        rows = [(part, *place) for place in read.bad]
        self._db.executemany("insert into bad values (?, ?, ?, ?)", rows)
        size = sum(len(line) + 1 for _, line in read.events)
        size += sum(stop - start for start, stop, _ in read.bad)
        anew = read.fresh or read.unread
        self._db.execute(
            "update part set mark = ?, bytes = ? + case when ? then 0 else bytes end,"
            " closed = case when ? then 0 else closed or ? end,"
            " events = (select count(*) from place where part = n) where n = ?",
            (read.mark, 0 if read.unread else size, anew, read.unread, read.closed, part),
        )

    def close_parts(self, source: str, names: Iterable[str]) -> None:
        """Record that parts are closed, so that they never grow again."""
        closed = [(source, name) for name in names]
        self._db.executemany("update part set closed = 1 where source = ? and name = ?", closed)

    def clear(self, part: int) -> list[str]:
        """Delete everything stored of a part; return the ids of the events in the part."""
        self._db.execute("delete from bad where part = ?", (part,))
        held = self._db.execute("select event, 0 from place where part = ?", (part,)).fetchall()
        self._db.execute("delete from place where part = ?", (part,))
        return list(dict(held))

    def drop_part(self, part: int) -> None:
        """Delete a part of a log whose stored events were deleted with `clear`."""
        self._db.execute("delete from part where n = ?", (part,))

    def keep_source(self, source: str, mark: bytes) -> None:
        """Store the mark of a whole log; empty if the log no longer exists."""
        if mark:
            self._db.execute("insert or replace into source values (?, ?)", (source, mark))
        else:
            self._db.execute("delete from source where key = ?", (source,))

    def drop_source(self, source: str) -> None:
        """Delete a source whose parts were deleted with `drop_part`."""
        self._db.execute("delete from source where key = ?", (source,))
        self._db.execute("delete from missing where source = ?", (source,))

    def place(self, part: int, event: str, mark: str) -> None:
        """Record that a part contains a line of an event."""
        self._db.execute("insert or ignore into place values (?, ?, ?)", (part, event, mark))

    def places(self, event: str) -> list[tuple[int, str]]:
        """Return (part, mark of the line) for each part that contains a line of an event."""
        places = "select part, mark from place where event = ?"
        return self._db.execute(places, (event,)).fetchall()

    def holder(self, event: str) -> str:
        """Return the source that contains an event; "" if a part of this checkout does."""
        row = self._db.execute(_HOLDER, (len(ELSEWHERE), ELSEWHERE, event)).fetchone()
        return str(row[0] or "")


def values_of(row: Row) -> list[Any]:
    """Return the values of a memory's row, in the order of the columns."""
    completed(row)
    values = list(_ordered(row))
    for place in _LISTS:
        values[place] = SPLIT.join(values[place])
    for place in _JSON:
        value = values[place]
        values[place] = dumps(value) if value else None
    return values
