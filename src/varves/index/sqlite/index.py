"""The index in SQLite: memories and their events, for look-up.

A read updates the index first; a write never updates it. The index is never a source of truth: a
missing, damaged or outdated file is rebuilt from the logs.
"""

from __future__ import annotations

import sqlite3
from functools import cache

from varves.index.sqlite.conditions import HOLDS, is_trusted, marks, of_event, of_memory
from varves.index.sqlite.file import (
    BUSY_MS,
    NUMBERING,
    TAINTED,
    IndexFile,
    from_line,
    from_lines,
)
from varves.index.sqlite.schema import ERASED, FIELDS, OUT, PROTOCOL, STATUS
from varves.index.where import EventWhere, Where
from varves.values.memory import FIELDS as ROWS
from varves.values.memory import JSON, LIST, SPLIT, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from json import JSONDecoder
    from typing import Any

    from varves.events.event import Event
    from varves.index.sqlite.counts import SqliteCounts
    from varves.index.sqlite.filling import SqliteFilling
    from varves.index.sqlite.nearby import SqliteNearby
    from varves.index.sqlite.purges import SqlitePurges
    from varves.index.sqlite.search import SqliteSearch, Stems
    from varves.index.sqlite.update import SqliteUpdate
    from varves.index.sqlite.uses import SqliteUses
    from varves.index.sqlite.vectors import SqliteVectors
    from varves.index.where import Trusted
    from varves.places.port import FileStore
    from varves.values.outline import Outline

    Place = tuple[str, str, str]
    _Rows = dict[str, tuple[tuple[Any, ...], Memory]]

_REMEMBERED = 12_000  # the most rows whose memories are kept
FAULTS = sqlite3.DatabaseError  # the errors of a damaged or busy index
LOOKED_AT = 64  # how many closed parts of a log an ordinary freshness check looks at
EVERY = -1  # used as a number of parts: all parts
_SELECT = ", ".join(f"m.{name}" for name in FIELDS)
_SHORT = 300  # if the JSON is shorter than this, it is not worth parsing
_LEAN = _SELECT.replace("m.text", "''").replace(
    "m.extra",
    f"case when length(m.extra) > {_SHORT} then json_remove(m.extra, '$.body') else m.extra end",
)
# the fields of `Outline`; the links are read only if a memory has one that is shown
_OUTLINE = """
    m.id, m.scope, m.kept, m.status, m.type, m.nature, json_extract(m.extra, '$.subtype'),
    case when instr(m.extra, '"file"') then json_extract(m.extra, '$.file') end,
    coalesce(m.tags, ''), m.summary, m.priority, m.created_at, m.updated_at, m.session,
    case when instr(m.links, 'supersede') then m.links else '' end
"""
_ORDERS = {
    "recorded": "m.hlc, m.id",
    "newest": "m.hlc desc, m.id",
    "latest": "m.hlc desc, m.id desc",
    "scope": "m.scope, m.hlc, m.id",
    "trust": "m.trust desc, m.hlc, m.id",
    "id": "m.id",
}
_LISTS = tuple(name for name, row in ROWS.items() if row.column == LIST)
_JSON = {name: row.default for name, row in ROWS.items() if row.column == JSON}


# the protocols of memories, one after the other in their index
_PROTOCOLS = f"""
    with recursive following (name) as (
        select min({PROTOCOL}) from memory
        union all
        select (select min({PROTOCOL}) from memory where {PROTOCOL} > name) from following
        where name is not null
    ) select name from following where name is not null
"""


class SqliteIndex:
    """One index, in a file or in memory; see `index/port.py` for its contract."""

    # tables of events for queries that are slow without a hint
    ordered = "event indexed by event_order"
    apart = "event indexed by event_apart"

    def __init__(
        self, path: str | None, store: FileStore | None = None, file: IndexFile | None = None
    ) -> None:
        # from the key of a source in another worktree to its branch
        self.branch_of: Callable[[str], str | None] = str
        # by id, the rows read before with their memories: whole rows, and those without a text
        self._read_rows: tuple[_Rows, _Rows]
        self.looked_at = LOOKED_AT
        self._file = file or IndexFile(path, store)
        self._of_the_past = False
        self._read_rows = ({}, {})
        self._open()

    def _open(self) -> None:
        self.db = self._file.open()
        self._stems: Stems | None = None

    @property
    def path(self) -> str | None:
        """The path of the file in use; None if the index is in memory only."""
        return self._file.path

    @property
    def file(self) -> IndexFile:
        """The file, or the database in memory."""
        return self._file

    @property
    def tainted(self) -> bool:
        """Whether the file may still contain purged content."""
        return self._file.tainted

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    def remake(self) -> None:
        """Delete the index and start an empty one."""
        self.db.close()
        self._file.discard()
        self._open()

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Remove every byte of purged content from the file while other processes use it.

        After a row is deleted, its bytes remain in free pages, in the word index and in the
        journal. So the word index is rebuilt, the file is rewritten and the journal is emptied.
        """
        self._file.tainted = False
        self._read_rows = ({}, {})
        if self.path is not None:
            self._file.forget_past()
        if self.path is not None and not self._scrubbed(barred):
            self.remake()

    def _scrubbed(self, barred: AbstractSet[str]) -> bool:
        """Rewrite the file; return False if other processes prevented this."""
        db = self.db
        try:
            db.execute("begin immediate")
            self._erase_lost(barred)
            db.execute("delete from fate")
            db.execute("insert into words (words) values ('rebuild')")
            db.execute("commit")
            db.execute("vacuum")
            busy = db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
            self.notes().drop(TAINTED)
        except sqlite3.DatabaseError:
            if db.in_transaction:
                db.execute("rollback")
            return False
        return not busy

    def _erase_lost(self, barred: AbstractSet[str]) -> None:
        """Erase purged content in stored events whose files no longer exist."""
        from varves.events.codec import purged_line
        from varves.events.remnants import holds

        for name, log, line in list(self.logs().lost_events()):
            if holds(from_line(line, log), barred):
                left = purged_line(line.encode("ascii")).decode("ascii")
                self.db.execute("update event set line = ? where id = ?", (left, name))
                self.db.execute("delete from touch where event = ?", (name,))

    def wait(self, milliseconds: int | None) -> None:
        """Set how long a call waits for another process that writes; None for the default."""
        patience = BUSY_MS if milliseconds is None else milliseconds
        self.db.execute(f"pragma busy_timeout = {patience}")

    def is_sound(self) -> bool:
        """Return whether SQLite finds no error in the file."""
        return bool(self.db.execute("pragma integrity_check(1)").fetchone()[0] == "ok")

    @property
    def generation(self) -> object:
        """An object that identifies the index until it is opened again or rebuilt from the logs."""
        return self.db

    def changes(self) -> tuple[object, int, int]:
        """Return a value that changes if something is written to this index."""
        (others,) = self.db.execute("pragma data_version").fetchone()
        return self.db, others, self.db.total_changes

    def update(self) -> SqliteUpdate:
        """Return a `with` block that is a transaction: all of its writes are stored, or none."""
        from varves.index.sqlite.update import SqliteUpdate

        return SqliteUpdate(self, self._file)

    def aside(self) -> SqliteFilling:
        """Return a new index beside this one, to be filled in bulk and then used instead of it."""
        from varves.index.sqlite.filling import SqliteFilling

        return SqliteFilling(self, self._file)

    def over(self, file: IndexFile) -> SqliteIndex:
        """Return an index over a file that is being filled."""
        index = SqliteIndex(None, file=file)
        index.branch_of = self.branch_of
        return index

    def reopen(self) -> None:
        """Open the file that is in use now, because it was replaced as a whole."""
        self.db.close()
        self._open()

    def use(self, db: sqlite3.Connection) -> None:
        """Use another database in memory from now on."""
        self.db.close()
        self.db = db
        self._stems = None

    def search(self) -> SqliteSearch:
        """Return the full-text search over the memories, for recall."""
        from varves.index.sqlite.search import SqliteSearch, Stems

        if self._stems is None:
            self._stems = Stems(self.db)
        return SqliteSearch(self.db, self._stems, self._to_memory)

    def nearby(self, now: str, rule: Trusted) -> SqliteNearby:
        """Return the queries for comparing memories that are current at an instant."""
        from varves.index.sqlite.nearby import SqliteNearby

        return SqliteNearby(self.db, now, rule)

    def vectors(self) -> SqliteVectors:
        """Return the store of the memories' vectors."""
        from varves.index.sqlite.vectors import SqliteVectors

        return SqliteVectors(self.db)

    def uses(self) -> SqliteUses:
        """Return the queries about how often memories were shown to agents."""
        from varves.index.sqlite.uses import SqliteUses

        return SqliteUses(self.db)

    def counts(self) -> SqliteCounts:
        """Return the queries about the numbers of events, by kind and session."""
        from varves.index.sqlite.counts import SqliteCounts

        return SqliteCounts(self.db, self.apart)

    def purges(self) -> SqlitePurges:
        """Return the queries about purged memories and their remains."""
        from varves.index.sqlite.purges import SqlitePurges

        return SqlitePurges(self.db, of_the_past=self._of_the_past)

    def notes(self) -> SqliteNotes:
        """Return the store of notes; they are deleted with the index."""
        return SqliteNotes(self.db)

    def logs(self) -> SqliteLogs:
        """Return the queries about the logs that the index has read, and how far."""
        return SqliteLogs(self)

    def heads(
        self, log: str, *, after: str = "", other_than: str = "", most: int | None = None
    ) -> list[tuple[str, str, str]]:
        """Return (writer, stamp, digest) of each writer's last event, the newest first.

        Args:
            log: the log that was written.
            after: return only events with a higher stamp.
            other_than: leave this writer out.
            most: the maximum number of writers.
        """
        return self.db.execute(
            "select writer, hlc, h from head where log = ? and hlc > ? and writer <> ?"
            " order by hlc desc limit ?",
            (log, after, other_than, EVERY if most is None else most),
        ).fetchall()

    def latest_hlc(self) -> str:
        """Return the highest stamp of the events in all logs."""
        # of all events, not only of heads, because a clock may have been set back
        row = self.db.execute(
            "select hlc from event where present and not held order by hlc desc limit 1"
        ).fetchone()
        return row[0] if row else "0" * 16

    # Memories

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        found = self.db.execute(f"select {_SELECT} from memory m where m.id = ?", (name,))
        row = found.fetchone()
        return self._to_memory(row) if row else None

    def memories(
        self,
        wish: Where,
        *,
        order: str = "recorded",
        lean: bool = False,
        most: int | None = None,
    ) -> list[Memory]:
        """Return the matching memories.

        Args:
            wish: the conditions on the memories.
            order: recorded, newest, latest (newest; if equal, by descending id), scope, trust
                (highest first) or id.
            lean: leave out the texts and bodies.
            most: the maximum number of memories.
        """
        where, values = of_memory(wish)
        if wish.saying is not None:
            self.db.create_function("folded", 1, _folded, deterministic=True)
        sql = f"select {_LEAN if lean else _SELECT} from memory m where {where}"
        sql += f" order by {_ORDERS[order]}"
        if most is not None:
            sql += " limit ?"
            values.append(most)
        return [self._to_memory(row) for row in self.db.execute(sql, values)]

    def outlines(self, wish: Where) -> list[Outline]:
        """Return the outlines of the matching memories, in order of recording."""
        from varves.values.outline import SHOWN, Outline

        def ids(links: str) -> str:
            held = _from_json(links)
            return SPLIT.join(name for link in SHOWN for name in held.get(link, ()))

        where, values = of_memory(wish)
        sql = f"select {_OUTLINE} from memory m where {where} order by {_ORDERS['recorded']}"
        return [
            Outline._make((*row[:-1], ids(row[-1])) if row[-1] else row)
            for row in self.db.execute(sql, values)
        ]

    def exists(self, wish: Where) -> bool:
        """Return whether any memory matches."""
        where, values = of_memory(wish)
        sql = f"select exists (select 1 from memory m where {where})"
        return bool(self.db.execute(sql, values).fetchone()[0])

    def count(self, wish: Where | EventWhere) -> int:
        """Count the matching memories or events."""
        if wish == EventWhere():
            return self.logs().present()
        if isinstance(wish, EventWhere) and wish == EventWhere(short_of=wish.short_of):
            # without hints, SQLite reads all events
            where, values = of_event(wish)
            every = f"select count(*) from {self.ordered} where {where}"
            out = f"{self.apart} where {OUT} and not present"
            gone = f"select count(*) from {out} and {where}"
            return int(self.db.execute(f"select ({every}) - ({gone})", values * 2).fetchone()[0])
        if isinstance(wish, EventWhere):
            (where, values), table = of_event(wish), "event where present and"
        else:
            (where, values), table = of_memory(wish), "memory m where"
        return int(self.db.execute(f"select count(*) from {table} {where}", values).fetchone()[0])

    def count_by(self, wish: Where, field: str) -> dict[str, int]:
        """Count the matching memories by a field, in the order of their first memories.

        If the field has several values, such as tags, each of them counts.
        """
        if wish == Where() and field == "status":
            sql = f"select {STATUS}, count(*) from memory group by 1 order by min(hlc), 1"
            return dict(self.db.execute(sql).fetchall())
        where, values = of_memory(wish)
        sql = f"select m.{field}, count(*) from memory m where {where} group by m.{field}"
        sql += " order by min(m.hlc), m." + field
        rows = self.db.execute(sql, values).fetchall()
        if field not in _LISTS:
            return dict(rows)
        found: dict[str, int] = {}
        for joined, count in rows:
            for one in filter(None, (joined or "").split(SPLIT)):
                found[one] = found.get(one, 0) + count
        return found

    def versions(self, wish: Where) -> set[tuple[str, str]]:
        """Return (id, event that changed it last) of the matching memories."""
        where, values = of_memory(wish)
        return set(self.db.execute(f"select m.id, m.version from memory m where {where}", values))

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) for every memory with a flag: a rejected value, or a rival."""
        sql = f"select m.flag, {_SELECT} from memory m where m.flag <> ''"
        return [(row[0], self._to_memory(row[1:])) for row in self.db.execute(sql)]

    def find_value(
        self,
        key: bytes,
        now: str,
        *,
        trusted: Trusted | None = None,
        protocol: str | None = None,
    ) -> tuple[str | None, bool]:
        """Return the memory that states a value, or None, and whether the value was ever rejected.

        A memory that only another worktree has is left out, because the worktree may be removed.
        """
        where, values = ("1", []) if trusted is None else is_trusted(trusted)
        if protocol is not None:
            where, values = f"({where}) and m.protocol = ?", [*values, protocol]
        row = self.db.execute(
            "select exists (select 1 from rejection where key = ?),"
            " (select id from memory m where key = ? and status = 'active' and not away"
            # the value of a document may change
            " and (extra is null or not instr(extra, '\"heads\"'))"
            f" and {HOLDS} and {where} order by hlc limit 1)",
            (key, key, now, *values),
        ).fetchone()
        return row[1], bool(row[0])

    def rejections(self, key: bytes) -> dict[str, str]:
        """Return the rejections of a value that are in force, as ids: event → rejected memory."""
        found = self.db.execute(
            "select event, min(memory) from rejection r where key = ?"
            " and not exists (select 1 from lift where target = r.event)"
            " group by event order by event",
            (key,),
        )
        return dict(found.fetchall())

    def protocols(self) -> set[str]:
        """Return the protocols with memories, sessions or conversation events in the index."""
        from varves.events.kinds import BARRING, SESSION_STARTED

        purges = f"select id from event where kind in ({marks(BARRING)})"
        barred = f"select memory from touch where event in ({purges})"
        about = f"id in (select event from touch where memory in ({barred}))"
        sql = (
            f"{_PROTOCOLS} union select protocol from event where present and"
            f" kind in ('{SESSION_STARTED}', 'protocol.begun')"
            f" union select protocol from event where present and away = '' and {ERASED}"
            f" union select protocol from event where present and away = '' and {about}"
        )
        return {name for (name,) in self.db.execute(sql, BARRING)}

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id, if this checkout or another worktree contains it."""
        return next(iter(self.events(EventWhere(ids=(name,)))), None)

    def events(
        self, wish: EventWhere, *, first: int | None = None, last: int | None = None
    ) -> list[Event]:
        """Return the matching events in order.

        An event that only another worktree contains has that worktree's branch in `branch`.

        Args:
            wish: the conditions on the events.
            first: only this many events from the start.
            last: only this many events from the end.
        """
        where, values = of_event(wish)
        if first is not None or last is not None:
            way, most = ("", first) if last is None else (" desc", last)
            order = f"order by hlc{way}, writer{way}, id{way} limit {int(most or 0)}"
            # without a hint, SQLite reads and sorts all events
            table = self.ordered if _is_broad(wish) else "event"
            where = f"id in (select id from {table} where present and {where} {order})"
        return [event for event, _ in self._read(where, values)]

    def lines(self, wish: EventWhere) -> list[tuple[Event, bytes]]:
        """Return the matching events in order, with their stored lines."""
        return self._read(*of_event(wish))

    def event_sources(self, wish: EventWhere) -> dict[str, str]:
        """Return the source of each matching event, by the event's id; no line is decoded.

        The source is empty for an event of this checkout.
        """
        where, values = of_event(wish)
        sql = f"select id, away from event where present and {where}"
        return dict(self.db.execute(sql, values).fetchall())

    def touched(self, wish: EventWhere) -> list[tuple[str, str, Place]]:
        """Return (memory, kind of event, place in order) for the memories of matching events."""
        where, values = of_event(wish)
        found = self.db.execute(
            "select memory, kind, hlc, writer, id from event join touch on event = id"
            f" where present and {where} order by hlc, writer, id",
            values,
        )
        return [(memory, kind, (hlc, writer, name)) for memory, kind, hlc, writer, name in found]

    def _read(self, where: str, values: Iterable[Any] = ()) -> list[tuple[Event, bytes]]:
        """Return the events that meet an SQL condition over the table `event`, with their lines."""
        columns, order = "line, log, away", "hlc, writer, id"
        sql = f"select {columns} from event where present and ({where}) order by {order}"
        found: list[tuple[Event, bytes]] = []
        branches: dict[str, str | None] = {}
        rows = self.db.execute(sql, tuple(values)).fetchall()
        events = from_lines([(line, log) for line, log, _ in rows])
        for (line, _, away), event in zip(rows, events, strict=True):
            if away and away not in branches:
                branches[away] = self.branch_of(away)
            event.branch = branches.get(away)
            found.append((event, line.encode("ascii")))
        return found

    # The index itself

    def leave_out(self, events: Iterable[str]) -> None:
        """Hide some events from queries of events; their effects on the memories remain.

        Used for a view of the past, which is never updated.
        """
        self._of_the_past = True
        self.db.executemany("update event set present = 0 where id = ?", ((e,) for e in events))

    def _to_memory(self, row: tuple[Any, ...]) -> Memory:
        """Return the memory of a row with selected columns; of an equal row, the same memory."""
        known = self._read_rows[not row[1]]
        held = known.get(row[0])
        if held is not None and held[0] == row:
            return held[1]
        memory = self._made(row)
        if not memory.branch:  # the branch of a worktree may change
            if len(known) >= _REMEMBERED:
                known.clear()
            known[row[0]] = row, memory
        return memory

    def _made(self, row: tuple[Any, ...]) -> Memory:
        fields = dict(zip(FIELDS, row, strict=True))
        for name in _LISTS:
            fields[name] = tuple(fields[name].split(SPLIT)) if fields[name] else ()
        for name, nothing in _JSON.items():
            fields[name] = _from_json(fields[name]) if fields[name] else nothing
        if fields["branch"]:
            fields["branch"] = self.branch_of(fields["branch"])
        return Memory.of_checked(fields)


class SqliteNotes:
    """Stores notes by name, and verdicts on evidence; both are deleted with the index."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def get(self, name: str) -> str | None:
        """Return the text of the note with this name, or None."""
        row = self._db.execute("select value from meta where name = ?", (name,)).fetchone()
        return row[0] if row else None

    def put(self, name: str, text: str, *, once: bool = False) -> None:
        """Store a note; if `once` is set, an existing note with this name is not changed."""
        how = "ignore" if once else "replace"
        self._db.execute(f"insert or {how} into meta values (?, ?)", (name, text))

    def drop(self, name: str) -> None:
        """Remove a note."""
        self._db.execute("delete from meta where name = ?", (name,))

    def verdict(self, pointer: str, seen: str) -> tuple[Any, ...] | None:
        """Return a stored verdict as (state, path, line, reason, found text).

        None if there is no verdict for this state of the files.
        """
        row: tuple[Any, ...] | None = self._db.execute(
            "select state, path, line, why, there from fate where pointer = ? and seen = ?",
            (pointer, seen),
        ).fetchone()
        return row

    def put_verdict(self, pointer: str, seen: str, verdict: tuple[Any, ...]) -> None:
        """Store a verdict on evidence; if this fails or another process writes, do nothing."""
        waits = self._db.execute("pragma busy_timeout").fetchone()[0]
        self._db.execute("pragma busy_timeout = 0")
        try:
            sql = "insert or replace into fate values (?, ?, ?, ?, ?, ?, ?)"
            self._db.execute(sql, (pointer, seen, *verdict))
        except FAULTS:
            pass
        finally:
            self._db.execute(f"pragma busy_timeout = {waits}")


class SqliteLogs:
    """Queries about the logs that the index has read: sources, parts, marks, unreadable lines."""

    def __init__(self, index: SqliteIndex) -> None:
        self._index = index
        self._db = index.db

    def sources(self) -> set[str]:
        """Return the keys of the sources that were read."""
        return {key for (key,) in self._db.execute("select key from source")}

    def known(self, key: str) -> SqliteKnown:
        """Return the marks that were stored for a source."""
        return SqliteKnown(self._index, key)

    def closed(self, key: str) -> list[str]:
        """Return the parts of a source that are closed: they never grow again."""
        found = self._db.execute("select name from part where source = ? and closed", (key,))
        return [name for (name,) in found]

    def has_read(self, log: str | None = None) -> bool:
        """Return whether any part of a log was read; without a log, whether any log was."""
        where, values = ("1", ()) if log is None else ("source in (?, ?)", (log, f"{log}@here"))
        sql = f"select exists (select 1 from part where {where})"
        return bool(self._db.execute(sql, values).fetchone()[0])

    def extent(self, key: str) -> tuple[int, int]:
        """Return the number of parts and of events that a source has."""
        sql = "select count(*), coalesce(sum(events), 0) from part where source = ?"
        parts, events = self._db.execute(sql, (key,)).fetchone()
        placed = self._db.execute("select coalesce(sum(events), 0) from part").fetchone()[0]
        if placed != self.present():  # an event is in several parts
            sql = "select count(distinct event) from place join part on n = part where source = ?"
            events = self._db.execute(sql, (key,)).fetchone()[0]
        return parts, events

    def present(self) -> int:
        """Return the number of events that a log contains now."""
        counted = "select coalesce(sum(count), 0) from kind"
        gone = f"select count(*) from event where {OUT} and not present"
        return int(self._db.execute(f"select ({counted}) - ({gone})").fetchone()[0])

    def arrived(self) -> tuple[str, int]:
        """Return the name of this index's numbering of events, and the last number."""
        sql = "select value, (select max(n) from arrival) from meta where name = ?"
        name, last = self._db.execute(sql, (NUMBERING,)).fetchone()
        return name, last or 0

    def published_parts(self) -> list[tuple[str, str, int]]:
        """Return (source, part, size in bytes) of all parts of logs that git may publish."""
        return self._db.execute(
            "select source, name, bytes from part"
            " where source not like 'project@%' and source <> 'private' order by source, name"
        ).fetchall()

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (source, part, start, stop, reason) for each unreadable range in this checkout."""
        return self._db.execute(
            "select source, name, start, stop, reason from bad join part on part.n = bad.part"
            " where source not like 'project@%'"
        ).fetchall()

    def missing_blobs(self) -> list[tuple[str, str]]:
        """Return (source, digest) for each blob that was missing when its text was needed."""
        return self._db.execute("select distinct source, digest from missing").fetchall()

    def lost_events(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) for each event that was read earlier and is now in no log."""
        yield from self._db.execute("select id, log, line from event where not present")

    def is_mistimed(self, limit: str) -> bool:
        """Return whether an event's held state is wrong: stamps above `limit` must be held back."""
        row = self._db.execute(
            "select exists (select 1 from event where held and hlc < :limit)"
            " or exists (select 1 from event where hlc >= :limit and not held)",
            {"limit": limit},
        ).fetchone()
        return bool(row[0])


class SqliteKnown:
    """The marks that an index stores for one source; only its log can read them."""

    def __init__(self, index: SqliteIndex, key: str) -> None:
        self._index = index
        self._key = key

    def whole(self) -> bytes:
        """Return the mark of the log as a whole; empty if the log was never read."""
        found = self._index.db.execute("select mark from source where key = ?", (self._key,))
        row = found.fetchone()
        return row[0] if row else b""

    def open(self) -> dict[str, bytes]:
        """Return the marks of the parts that may still grow."""
        return self._marks("source = ? and not closed")

    def recent(self) -> dict[str, bytes]:
        """Return the marks of the closed parts that are still checked for changes."""
        last = "source = ? and closed order by n desc limit ?"
        return self._marks(last, self._index.looked_at)

    def below(self, prefix: str) -> dict[str, bytes]:
        """Return the marks of all parts whose names begin with `prefix`."""
        until = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else chr(0x10FFFF)
        return self._marks("source = ? and name >= ? and name < ?", prefix, until)

    def mark(self, name: str) -> bytes:
        """Return the mark of one part; empty if the part was never read."""
        return self._marks("source = ? and name = ?", name).get(name, b"")

    def _marks(self, where: str, *values: str | int) -> dict[str, bytes]:
        sql = f"select name, mark from part where {where}"
        try:
            return dict(self._index.db.execute(sql, (self._key, *values)))
        except UnicodeEncodeError:  # SQLite cannot have stored such a name
            return {}


def _is_broad(wish: EventWhere) -> bool:
    """Return whether so many events may match that they are best read in order."""
    narrow = (wish.ids, wish.kinds, wish.about, wish.session, wish.held)
    return all(one is None for one in narrow) and not (
        wish.noted or wish.erased or wish.said_again or wish.kept_purge
    )


def _from_json(text: str) -> Any:
    try:
        value, end = _decoder().raw_decode(text)  # quicker than `decode`, which skips white space
    except ValueError as fault:
        raise sqlite3.DatabaseError(f"malformed column: {fault}") from None
    if end < len(text):
        raise sqlite3.DatabaseError(f"malformed column: more at {end}")
    return tuple(value) if isinstance(value, list) else value


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder

    return JSONDecoder()


def _folded(text: str | None) -> str:
    from varves.values.text import fold

    return fold(text or "")
