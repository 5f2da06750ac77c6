"""The index: memories and their events in SQLite, for look-up.

It is caught up by whoever reads next, never by a write. Nothing in it is a source: a missing,
damaged or outdated file is made again from the logs.
"""

from __future__ import annotations

import sqlite3

from varves.index.sqlite.conditions import HOLDS, is_trusted, marks, of_event, of_memory
from varves.index.sqlite.file import BUSY_MS, TAINTED, IndexFile
from varves.index.sqlite.schema import ANY_VIEW, ERASED, FIELDS, KEPT, OUT, TOLD
from varves.index.where import EventWhere
from varves.log.sources import ELSEWHERE
from varves.values.memory import FIELDS as ROWS
from varves.values.memory import JSON, LIST, SPLIT, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from varves.events.event import Event
    from varves.index.sqlite.nearby import SqliteNearby
    from varves.index.sqlite.search import SqliteSearch, Stems
    from varves.index.sqlite.update import SqliteUpdate
    from varves.index.sqlite.vectors import SqliteVectors
    from varves.index.where import Trusted, Where

    Step = tuple[str, tuple[str, ...]]

FAULTS = sqlite3.DatabaseError  # what a damaged or busy index raises
LOOKED_AT = 64  # closed parts of a log that a plain look compares
EVERY = -1  # instead of a number: all of them
_SELECT = ", ".join(f"m.{name}" for name in FIELDS)
_SHORT = 300  # characters of JSON that are not worth taking apart
_LEAN = _SELECT.replace("m.text", "''").replace(
    "m.extra",
    f"case when length(m.extra) > {_SHORT} then json_remove(m.extra, '$.body') else m.extra end",
)
_CLONE = 10  # letters of a clone's id
_ORDERS = {
    "recorded": "m.hlc, m.id",
    "newest": "m.hlc desc, m.id",
    "latest": "m.hlc desc, m.id desc",
    "scope": "m.scope, m.hlc, m.id",
    "trust": "m.trust desc, m.hlc, m.id",
    "id": "m.id",
}
_LAST = chr(0x10FFFF)
_CLAIMING = "kind = 'memory.purged' and instr(line, '\"sources\":')"
_UNTIL = {
    "memory": "event v on v.id = m.version",
    "scope": "(select o.protocol, o.scope, max(e.hlc) as hlc from memory o"
    " join event e on e.id = o.version group by 1, 2) v"
    " on v.protocol = m.protocol and v.scope = m.scope",
}
_WHOLE = (
    "select 1 from event e join place l on l.event = e.id join part p on p.n = l.part"
    f" where e.present and {ERASED} and substr(l.mark, -1) <> '-' and substr(p.source, 1, ?) <> ?"
)
_LISTS = tuple(name for name, row in ROWS.items() if row.column == LIST)
_JSON = {name: row.default for name, row in ROWS.items() if row.column == JSON}
_FREE = ", ".join(name for name, row in ROWS.items() if row.free)


class SqliteIndex:
    """One index, in a file or in memory; `index/port.py` says what it promises."""

    def __init__(self, path: str | None, create: Callable[[], None] | None = None) -> None:
        self.path = path
        self.branch_of: Callable[[str], str | None] = str  # of a source in another worktree
        self.looked_at = LOOKED_AT
        self._file = IndexFile(path, create)
        self._of_the_past = False
        self._open()

    def _open(self) -> None:
        self.db = self._file.open()
        self._stems: Stems | None = None
        self.tainted = self._file.tainted

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    def remake(self) -> None:
        """Throw the index away and start an empty one."""
        self.db.close()
        self._file.discard()
        self._open()

    def wait(self, milliseconds: int | None) -> None:
        """Say how long a call waits for another process that writes here; None: as usual."""
        patience = BUSY_MS if milliseconds is None else milliseconds
        self.db.execute(f"pragma busy_timeout = {patience}")

    def is_sound(self) -> bool:
        """Tell whether SQLite finds nothing wrong with the file."""
        return bool(self.db.execute("pragma quick_check(1)").fetchone()[0] == "ok")

    @property
    def generation(self) -> object:
        """What is another one whenever the index was opened or made anew."""
        return self.db

    def changes(self) -> tuple[object, int, int]:
        """Return what stays equal as long as nobody writes to this index."""
        (others,) = self.db.execute("pragma data_version").fetchone()
        return self.db, others, self.db.total_changes

    def update(self) -> SqliteUpdate:
        """Return a block within which what is written stays whole, or not at all."""
        from varves.index.sqlite.update import SqliteUpdate

        return SqliteUpdate(self.db)

    def search(self) -> SqliteSearch:
        """Return the words of the memories, as recall asks for them."""
        from varves.index.sqlite.search import SqliteSearch, Stems

        if self._stems is None:
            self._stems = Stems(self.db)
        return SqliteSearch(self.db, self._stems, self._to_memory)

    def nearby(self, now: str, rule: Trusted) -> SqliteNearby:
        """Return the memories that are current at an instant, as comparing asks for them."""
        from varves.index.sqlite.nearby import SqliteNearby

        return SqliteNearby(self.db, now, rule)

    def vectors(self) -> SqliteVectors:
        """Return the vectors of the memories, as far as they were made."""
        from varves.index.sqlite.vectors import SqliteVectors

        return SqliteVectors(self.db)

    # Purged content

    def taint(self) -> None:
        """Note, in the running transaction, that the file is to be scrubbed."""
        self.set_note(TAINTED, "", once=True)
        self.tainted = True

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Leave no byte of purged content in the file, while other processes go on using it.

        Deleted rows stay in free pages, words in the word index and all of it in the journal. So
        the words are gathered anew, the file is written afresh and the journal emptied.
        """
        self.tainted = False
        if self.path is not None and not self._scrubbed(barred):
            self.remake()

    def _scrubbed(self, barred: AbstractSet[str]) -> bool:
        """Write the file afresh; tell whether it could be done beside those who use it too."""
        db = self.db
        try:
            db.execute("begin immediate")
            self._erase_absent(barred)
            db.execute("delete from fate")
            db.execute("insert into words (words) values ('rebuild')")
            db.execute("commit")
            db.execute("vacuum")
            busy = db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
            self.drop_note(TAINTED)
        except sqlite3.DatabaseError:
            if db.in_transaction:
                db.execute("rollback")
            return False
        return not busy

    def _erase_absent(self, barred: AbstractSet[str]) -> None:
        """Erase in what is remembered of files that are gone."""
        from varves.events.codec import purged_line
        from varves.events.remnants import holds

        for name, log, line in list(self.absent()):
            if holds(from_line(line, log), barred):
                left = purged_line(line.encode("ascii")).decode("ascii")
                self.db.execute("update event set line = ? where id = ?", (left, name))
                self.db.execute("delete from touch where event = ?", (name,))

    def is_back(self, barred: AbstractSet[str]) -> bool:
        """Tell whether files of this checkout hold content of something that was purged.

        Of an event that another worktree has erased already, the index keeps the erased line alone.
        """
        from varves.events.remnants import holds

        if self.db.execute(_WHOLE, (len(ELSEWHERE), ELSEWHERE)).fetchone():
            return True
        about = "id = ?1 or id in (select event from touch where memory = ?1)"
        where = f"away = '' and instr(line, ',\"data\":') and ({about})"
        held = (event for name in barred for event in self._found(where, (name,)))
        return any(holds(event, barred) for event in held)

    def own_purged(self) -> list[str]:
        """Return the memories that this clone purged."""
        own = f"select memory from touch where event in ({KEPT})"
        return [name for (name,) in self.db.execute(own)]

    # What is known of the logs

    def known(self, key: str) -> SqliteKnown:
        """Return what was read of a source, as the marks that its log handed out."""
        return SqliteKnown(self, key)

    def closed(self, key: str) -> list[str]:
        """Return the parts of a source that never grow again."""
        found = self.db.execute("select name from part where source = ? and closed", (key,))
        return [name for (name,) in found]

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
        return self._to_memory(row) if row else None

    def memories(
        self,
        wish: Where,
        *,
        order: str = "recorded",
        lean: bool = False,
        most: int | None = None,
    ) -> list[Memory]:
        """Return the memories that are wanted; lean ones without text and body.

        Args:
            wish: which.
            order: recorded, newest, latest (as newest, ties too), scope, trust (most first) or id.
            lean: leave texts and bodies out.
            most: only the first so many.
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

    def sizes(self, wish: Where, *, by: str = "scope") -> dict[str, int]:
        """Return how many of the wanted memories each scope, or each status, has."""
        where, values = of_memory(wish)
        sql = f"select m.{by}, count(*) from memory m where {where} group by m.{by}"
        return dict(self.db.execute(sql, values).fetchall())

    def how_many(self, wish: Where) -> int:
        """Count the memories that are wanted."""
        where, values = of_memory(wish)
        sql = f"select count(*) from memory m where {where}"
        return int(self.db.execute(sql, values).fetchone()[0])

    def stored_texts(self) -> Iterator[tuple[str, str]]:
        """Yield each memory's id and all the words of others that are stored of it."""
        for name, *texts in self.db.execute(f"select id, {_FREE} from memory"):
            yield name, "\n".join(str(text) for text in texts if text)

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) of everything in conflict."""
        sql = f"select m.flag, {_SELECT} from memory m where m.flag <> ''"
        return [(row[0], self._to_memory(row[1:])) for row in self.db.execute(sql)]

    def rejecting(self, key: bytes) -> list[str]:
        """Return the events that reject a value and have not been lifted."""
        found = self.db.execute(
            "select distinct event from rejection r where key = ?"
            " and not exists (select 1 from lift where target = r.event) order by event",
            (key,),
        )
        return [row[0] for row in found]

    def standing(
        self,
        key: bytes,
        now: str,
        *,
        trusted: Trusted | None = None,
        protocol: str | None = None,
    ) -> tuple[str | None, bool]:
        """Return, in one look, the memory that holds a value and whether it was ever rejected.

        A memory that lives only in another worktree does not hold it: it may go with that.
        """
        where, values = ("1", []) if trusted is None else is_trusted(trusted)
        if protocol is not None:
            where, values = f"({where}) and m.protocol = ?", [*values, protocol]
        row = self.db.execute(
            "select exists (select 1 from rejection where key = ?),"
            " (select id from memory m where key = ? and status = 'active' and not away"
            " and (extra is null or not instr(extra, '\"heads\"'))"  # a document will say otherwise
            f" and {HOLDS} and {where} order by hlc limit 1)",
            (key, key, now, *values),
        ).fetchone()
        return row[1], bool(row[0])

    def rejected_memory(self, event: str, key: bytes) -> str | None:
        """Return the memory whose value an event rejected."""
        row = self.db.execute(
            "select memory from rejection where event = ? and key = ?", (event, key)
        ).fetchone()
        return row[0] if row else None

    def protocols(self) -> set[str]:
        """Return the protocols whose memories are here, whose sessions ran or whose events went.

        These are events that were purged, or are to be.
        """
        from varves.events.kinds import PURGED, SESSION_STARTED

        found = {name for (name,) in self.db.execute("select distinct protocol from memory")}
        purges = f"select id from event where kind = '{PURGED}'"
        barred = f"select memory from touch where event in ({purges})"
        about = f"id in (select event from touch where memory in ({barred}))"
        told = f"kind in ('{SESSION_STARTED}', 'protocol.begun')"
        where = f"{told} or (away = '' and ({ERASED} or {about}))"
        spoken = self.db.execute(f"select distinct protocol from event where present and ({where})")
        return found | {name for (name,) in spoken}

    # What was told

    def told_to(self, memory: str) -> list[tuple[str, int, str]]:
        """Return (agent, how often, when last) of everyone who was told a memory."""
        sql = f"select t.agent, sum(t.count), max(t.last) from {TOLD} and t.memory = ? group by 1"
        return self.db.execute(f"{sql} order by 1", (memory,)).fetchall()

    def told_last(self, *, but: str) -> tuple[str, str, tuple[str, ...]] | None:
        """Return (agent, when, memories) of what was told last to anybody but one."""
        newest = f"select t.agent, t.last from {TOLD} and t.agent != ? order by 2 desc limit 1"
        row = self.db.execute(newest, (but,)).fetchone()
        if row is None:
            return None
        sql = f"select distinct t.memory from {TOLD} and t.agent = ? and t.last = ? order by 1"
        return (*row, tuple(name for (name,) in self.db.execute(sql, row)))

    def uses(self, names: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Return (how often, when last) of those memories that were ever told."""
        sql = f"select memory, count, last from use where memory in ({marks(names)})"
        return {memory: (count, last) for memory, count, last in self.db.execute(sql, [*names])}

    def accessed(self, *, until: str | None = None) -> dict[str, tuple[int, str]]:
        """Return (how often, when last) by memory, as this checkout's own logs count.

        Up to the last other event about that memory (`memory`), about any of its scope (`scope`),
        or up to now.
        """
        told = "accessed a join event e on e.id = a.event"
        if until is not None:
            told += f" join memory m on m.id = a.memory join {_UNTIL[until]} and e.hlc < v.hlc"
        found = self.db.execute(
            f"select a.memory, sum(a.count), max(a.last) from {told}"
            " where e.present and not e.held and e.away = '' group by a.memory"
        )
        return {memory: (count, last) for memory, count, last in found}

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id, if this checkout or another worktree holds it."""
        return next(iter(self.events(EventWhere(ids=(name,)))), None)

    def history(self, memory: str) -> list[Event]:
        """Return every event that touched a memory, in order."""
        return self.events(EventWhere(about=memory))

    def steps(self, memories: Sequence[str], log: str) -> dict[str, list[Step]]:
        """Return by memory the kind and the place in order of its events in a log, unread."""
        found: dict[str, list[Step]] = {}
        sql = (
            "select t.memory, e.kind, e.hlc, e.writer, e.id from touch t"
            " join event e on e.id = t.event where e.present and e.log = ?"
            f" and t.memory in ({', '.join('?' * len(memories))}) order by e.hlc, e.writer, e.id"
        )
        for memory, kind, *order in self.db.execute(sql, (log, *memories)):
            found.setdefault(memory, []).append((kind, tuple(order)))
        return found

    def events(
        self, wish: EventWhere, *, first: int | None = None, last: int | None = None
    ) -> list[Event]:
        """Return the events that are wanted, in order.

        Those that only another worktree holds carry its branch.

        Args:
            wish: which.
            first: only the first so many of them.
            last: only the last so many of them.
        """
        where, values = of_event(wish)
        if first is not None or last is not None:
            way, most = ("", first) if last is None else (" desc", last)
            order = f"order by hlc{way}, writer{way}, id{way} limit {int(most or 0)}"
            where = f"id in (select id from event where present and {where} {order})"
        return self._found(where, values)

    def lines(self, wish: EventWhere) -> list[tuple[Event, bytes]]:
        """Return the events that are wanted, in order, with their stored lines."""
        return self._read(*of_event(wish))

    def count_events(self, wish: EventWhere) -> int:
        """Count the events that are wanted."""
        where, values = of_event(wish)
        return self._count("event", f"present and {where}", values)

    def event_ids(self, wish: EventWhere) -> set[str]:
        """Return the ids of the events that are wanted; none of them is read."""
        where, values = of_event(wish)
        sql = f"select id from event where present and {where}"
        return {name for (name,) in self.db.execute(sql, values)}

    def _found(self, where: str, values: Iterable[Any] = ()) -> list[Event]:
        return [event for event, _ in self._read(where, values)]

    def _read(self, where: str, values: Iterable[Any] = ()) -> list[tuple[Event, bytes]]:
        """Return the events that meet a condition over the event table, with their lines."""
        columns, order = "line, log, away", "hlc, writer, id"
        sql = f"select {columns} from event where present and ({where}) order by {order}"
        found: list[tuple[Event, bytes]] = []
        branches: dict[str, str | None] = {}
        for line, log, away in self.db.execute(sql, tuple(values)):
            event = from_line(line, log)
            if away and away not in branches:
                branches[away] = self.branch_of(away)
            event.branch = branches.get(away)
            found.append((event, line.encode("ascii")))
        return found

    def elsewhere(self) -> dict[str, str]:
        """Return the source of every event that only another worktree holds."""
        return dict(self.db.execute("select id, away from event where present and away <> ''"))

    def purged(self, *names: str) -> set[str]:
        """Return the memories that were purged, of these or of all; also since, seen from a past.

        What a view of the past leaves out counts in it all the same. With all of them come the
        events of talk that went with them.
        """
        from varves.events.remnants import purged_by

        sql = "select e.line, e.log from event e where e.kind = 'memory.purged'"
        if names:
            one = "e.id in (select event from touch where memory = ?)"
            sql += f" and ({' or '.join([one] * len(names))})"
        if not self._of_the_past:
            sql += " and e.present"
        rows = self.db.execute(sql, names).fetchall()
        found = purged_by(from_line(line, log) for line, log in rows)
        return found if names or not found else found | self.covered()

    def covered(self) -> set[str]:
        """Return the events of talk that go with purged memories."""
        from varves.events.remnants import covers

        known: dict[str, Event | None] = {}  # one event may prove many

        def find(name: str) -> Event | None:
            if name not in known:
                sql = "select line, log from event where id = ?"
                row = self.db.execute(sql, (name,)).fetchone()
                known[name] = from_line(*row) if row else None
            return known[name]

        where = _CLAIMING if self._of_the_past else f"{_CLAIMING} and present"
        purges = self.db.execute(f"select line, log from event where {where}").fetchall()
        return {name for line, log in purges for name in covers(from_line(line, log), find)}

    def leave_out(self, events: Iterable[str]) -> None:
        """Show some events no longer, though they stay folded: for a view that is never remade."""
        self._of_the_past = True
        self.db.executemany("update event set present = 0 where id = ?", ((e,) for e in events))

    def _count(self, table: str, where: str = "1", values: Iterable[Any] = ()) -> int:
        sql = f"select count(*) from {table} where {where}"
        return int(self.db.execute(sql, tuple(values)).fetchone()[0])

    def touched_since(self, hlc: str) -> set[str]:
        """Return the memories that events of this checkout after a stamp touch."""
        found = self.db.execute(
            "select distinct t.memory from event e join touch t on t.event = e.id"
            " where e.hlc > ? and e.present and not e.held and e.away = ''",
            (hlc,),
        )
        return {name for (name,) in found}

    def clones_of(self, log: str) -> list[str]:
        """Return the clones that have written a log."""
        sql = f"select distinct substr(writer, 1, {_CLONE}) from head where log = ? order by 1"
        return [clone for (clone,) in self.db.execute(sql, (log,))]

    # Notes: what is worth keeping beside the rows, and may be lost with them

    def note(self, name: str) -> str | None:
        """Return what was noted under a name."""
        row = self.db.execute("select value from meta where name = ?", (name,)).fetchone()
        return row[0] if row else None

    def set_note(self, name: str, text: str, *, once: bool = False) -> None:
        """Note something; `once`: unless there is a note already."""
        how = "ignore" if once else "replace"
        self.db.execute(f"insert or {how} into meta values (?, ?)", (name, text))

    def drop_note(self, name: str) -> None:
        """Take a note away."""
        self.db.execute("delete from meta where name = ?", (name,))

    # Verdicts on evidence

    def verdict(self, pointer: str, seen: str) -> tuple[Any, ...] | None:
        """Return (state, path, line, why, what is there) as judged for what was seen."""
        row: tuple[Any, ...] | None = self.db.execute(
            "select state, path, line, why, there from fate where pointer = ? and seen = ?",
            (pointer, seen),
        ).fetchone()
        return row

    def keep_verdict(self, pointer: str, seen: str, verdict: tuple[Any, ...]) -> None:
        """Keep a verdict without waiting for anybody, and go on where it cannot be kept."""
        waits = self.db.execute("pragma busy_timeout").fetchone()[0]
        self.db.execute("pragma busy_timeout = 0")
        try:
            sql = "insert or replace into fate values (?, ?, ?, ?, ?, ?, ?)"
            self.db.execute(sql, (pointer, seen, *verdict))
        except FAULTS:
            pass
        finally:
            self.db.execute(f"pragma busy_timeout = {waits}")

    # Numbers that are kept, so never counted. They are of all events ever read; those that do not
    # count here (held back, elsewhere, gone) are few, and have an index of their own.

    def kinds(self, *but: str) -> list[tuple[str, int, str]]:
        """Return the kinds of all events but some, with their number and their last stamp."""
        asked = f"name not in ({marks(but)}) and count"
        sql = f"select name, count, last from kind where {asked} order by name"
        return self.db.execute(sql, but).fetchall()

    def tally(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        """Return by kind the number and the last stamp of all events, and of those out of count.

        Neither takes longer where there are more events.
        """
        asked = f"in ({marks(kinds)})"
        found: dict[str, list[int | str]] = {}
        apart = f"{OUT} and kind {asked}"
        for sql in (
            f"select name, count, last from kind where name {asked} and count",
            f"select kind, count(*), max(hlc) from event where {apart} group by kind",
        ):
            for kind, *told in self.db.execute(sql, tuple(kinds)):
                found.setdefault(kind, []).extend(told)
        return found

    def said(self, session: str, protocol: str, kinds: Sequence[str]) -> int:
        """Return how many events of some kinds a session has here."""
        asked = f"session = ? and protocol = ? and kind in ({marks(kinds)})"
        sql = (
            f"select (select coalesce(sum(count), 0) from talk where {asked})"
            f" - (select count(*) from event indexed by event_apart where {OUT} and {asked})"
        )
        values = (session, protocol, *kinds)
        return int(self.db.execute(sql, values + values).fetchone()[0])

    def said_last(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[str, str]:
        """Return the stamp and the time of a session's last event here of some kinds."""
        sql = (
            "select hlc, time from event where session = ? and protocol = ? and kind = ?"
            " and present and not held and away = '' order by hlc desc limit 1"
        )
        looks = (self.db.execute(sql, (session, protocol, kind)).fetchone() for kind in kinds)
        return max((found for found in looks if found), default=("", ""))

    def apart(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[int, ...]:
        """Return how many events of a session do not count here, and a number made of their ids.

        Where a branch takes another's place, as many may come as go.
        """
        found = self.db.execute(
            "select count(*), total(unicode(substr(id, -1)) * 16384 + unicode(substr(id, -2)) * 128"
            f" + unicode(substr(id, -3))) from event indexed by event_apart where {OUT}"
            f" and session = ? and protocol = ? and kind in ({marks(kinds)})",
            (session, protocol, *kinds),
        ).fetchone()
        return tuple(map(int, found))

    def talks(self, prefix: str, protocol: str, kind: str) -> list[str]:
        """Return the sessions whose names begin so and that ever had events of a kind."""
        found = self.db.execute(
            "select session from talk where session >= ? and session < ?"
            " and protocol = ? and kind = ? and count > 0 order by session",
            (prefix, prefix + _LAST, protocol, kind),
        )
        return [name for (name,) in found if name.startswith(prefix)]

    # What was read

    def absent(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) of events once read whose files are gone."""
        yield from self.db.execute("select id, log, line from event where not present")

    def read_so_far(self) -> list[tuple[str, str, int]]:
        """Return (source, part, bytes) of what was read of the logs that published files show."""
        return self.db.execute(
            "select source, name, bytes from part"
            " where source not like 'project@%' and source <> 'private' order by source, name"
        ).fetchall()

    def has_parts(self) -> bool:
        """Tell whether anything was read at all, into a file that outlasts this process."""
        return self.path is not None and bool(self._count("part"))

    def has_read(self, log: str) -> bool:
        """Tell whether anything was read from a log."""
        return bool(self._count("part", "source = ? or source = ?", (log, f"{log}@here")))

    def extent(self, key: str) -> tuple[int, int]:
        """Return how many parts and events a source has."""
        held = "place l join part p on p.n = l.part where p.source = ?"
        events = self.db.execute(f"select count(distinct l.event) from {held}", (key,))
        return self._count("part", "source = ?", (key,)), int(events.fetchone()[0])

    def has_views(self) -> bool:
        """Tell whether any memory is a view of another."""
        return self.db.execute(ANY_VIEW).fetchone() is not None

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (source, part, start, stop, reason) of what could not be read in this checkout."""
        return self.db.execute(
            "select source, name, start, stop, reason from bad join part on part.n = bad.part"
            " where source not like 'project@%'"
        ).fetchall()

    def sources(self) -> set[str]:
        """Return the keys of the sources it has read from."""
        return {key for (key,) in self.db.execute("select key from source")}

    def missing(self) -> list[tuple[str, str]]:
        """Return (source, digest) of the blobs that were not there when they were wanted."""
        return self.db.execute("select distinct source, digest from missing").fetchall()

    def read_line(self, line: str, log: str) -> Event:
        """Read a line that was kept; if it is not what it was, the index is damaged."""
        return from_line(line, log)

    def _to_memory(self, row: tuple[Any, ...]) -> Memory:
        """Make a memory of its selected columns."""
        fields = dict(zip(FIELDS, row, strict=True))
        for name in _LISTS:
            fields[name] = tuple(fields[name].split(SPLIT)) if fields[name] else ()
        for name, nothing in _JSON.items():
            fields[name] = _from_json(fields[name]) if fields[name] else nothing
        if fields["branch"]:
            fields["branch"] = self.branch_of(fields["branch"])
        return Memory(**fields)


class SqliteKnown:
    """The marks that an index keeps of one source, for its log alone to read."""

    def __init__(self, index: SqliteIndex, key: str) -> None:
        self._index = index
        self._key = key

    def whole(self) -> bytes:
        """Return the mark of the log as a whole; empty: it was never read."""
        found = self._index.db.execute("select mark from source where key = ?", (self._key,))
        row = found.fetchone()
        return row[0] if row else b""

    def open(self) -> dict[str, bytes]:
        """Return the marks of the parts that may still grow."""
        return self._marks("source = ? and not closed")

    def recent(self) -> dict[str, bytes]:
        """Return those of the closed parts that are compared all the same."""
        last = "source = ? and closed order by n desc limit ?"
        return self._marks(last, self._index.looked_at)

    def below(self, prefix: str) -> dict[str, bytes]:
        """Return the marks of all parts whose names begin so."""
        until = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else chr(0x10FFFF)
        return self._marks("source = ? and name >= ? and name < ?", prefix, until)

    def mark(self, name: str) -> bytes:
        """Return the mark of one part; empty: it was never read."""
        return self._marks("source = ? and name = ?", name).get(name, b"")

    def _marks(self, where: str, *values: str | int) -> dict[str, bytes]:
        sql = f"select name, mark from part where {where}"
        try:
            return dict(self._index.db.execute(sql, (self._key, *values)))
        except UnicodeEncodeError:  # SQLite could not have kept such a name
            return {}


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


def _folded(text: str | None) -> str:
    from varves.values.text import fold

    return fold(text or "")
