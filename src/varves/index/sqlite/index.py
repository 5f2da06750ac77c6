"""The index: memories and their events in SQLite, for look-up.

It is caught up by whoever reads next, never by a write. Nothing in it is a source: a missing,
damaged or outdated file is made again from the logs.
"""

from __future__ import annotations

import sqlite3

from varves.index.sqlite.opening import Opened
from varves.index.sqlite.schema import ERASED, FIELDS
from varves.index.sqlite.tallies import tally
from varves.values.instants import first_held
from varves.values.memory import SPLIT, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Any

    from varves.events.event import Event
    from varves.log.port import LogStore, Stat
    from varves.log.survey import Survey

    Step = tuple[str, tuple[str, ...]]

FAULTS = sqlite3.DatabaseError  # what a damaged or busy index raises
LOOKED_AT = 64  # closed files of a log that a plain look compares
EVERY = -1  # instead of a number: all of them
_SELECT = ", ".join(f"m.{name}" for name in FIELDS)
_SHORT = 300  # characters of JSON that are not worth taking apart
_LEAN = _SELECT.replace("m.text", "''").replace(
    "m.extra",
    f"case when length(m.extra) > {_SHORT} then json_remove(m.extra, '$.body') else m.extra end",
)
_JSON_FIELDS: dict[str, Any] = {"evidence": (), "links": {}, "extra": {}}


class Index(Opened):
    """One index, in a file or in memory."""

    def __init__(self, path: str | None, create: Callable[[], None] | None = None) -> None:
        super().__init__(path, create)
        self.branch_of: Callable[[str], str | None] = str  # of a source in another worktree
        self.looked_at = LOOKED_AT
        self._of_the_past = False

    def taint(self) -> None:
        """Note, in the running transaction, that the file is to be scrubbed."""
        self.db.execute("insert or ignore into meta values ('tainted', '')")
        self.tainted = True

    def scrub(self, barred: AbstractSet[str]) -> None:
        """Leave no byte of purged content in the file, while other processes go on using it."""
        from varves.index.sqlite.scrubbing import scrub

        self.tainted = False
        if self.path is not None and not scrub(self.db, barred, from_line):
            self.remake()

    # What is known of the logs

    def folders(self, log: str) -> dict[str, Stat]:
        """Return the signatures of a log's folders as last surveyed."""
        found = self.db.execute("select name, size, mtime, inode from folder where log = ?", (log,))
        return {row[0]: row[1:] for row in found}

    def growing(self, log: str) -> dict[str, Stat]:
        """Return the files of a log that may still grow."""
        found = self.db.execute(
            "select name, size, ctime, inode from file where log = ? and growing", (log,)
        )
        return {row[0]: row[1:] for row in found}

    def _files(self, log: str) -> dict[str, Stat]:
        """Return the files to look at in any case: those that may grow, and the last of others."""
        found = self.db.execute(
            "select name, size, ctime, inode from file where log = ? and not growing"
            " order by n desc limit ?",
            (log, self.looked_at),
        )
        return self.growing(log) | {row[0]: row[1:] for row in found}

    def files_in(self, log: str, folder: str) -> dict[str, Stat]:
        """Return the files known in one folder of a log."""
        found = self.db.execute(
            "select name, size, ctime, inode from file where log = ? and name > ? and name < ?",
            (log, folder + "/", folder + "0"),
        )
        return {row[0]: row[1:] for row in found}

    def closed(self, log: str) -> list[str]:
        """Return the files of a log that never grow again: packs, and what a successor closed."""
        found = self.db.execute("select name from file where log = ? and not growing", (log,))
        return [name for (name,) in found]

    def survey(self, log: str, store: LogStore) -> Survey:
        """Compare a log with what is known of it."""
        from varves.log.survey import Survey, survey
        from varves.values.instants import SystemClock

        clock = SystemClock()  # files carry the machine's time, whatever the ledger's clock says
        try:
            return survey(
                store,
                folders=self.folders(log),
                files=self._files(log),
                files_in=lambda folder: self.files_in(log, folder),
                now_ns=lambda: clock.now() * 1_000_000,
            )
        except OSError:
            if not log.startswith("project@"):
                raise
            return Survey()  # what is wrong in another worktree is not this one's trouble

    def read_up_to(self, log: str, name: str) -> tuple[int, bytes]:
        """Return how far a file has been read, and the bytes before that place."""
        row = self.db.execute(
            "select read, ending from file where log = ? and name = ?", (log, name)
        ).fetchone()
        return row or (0, b"")

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
        return self.to_memory(row) if row else None

    def memories(
        self, where: str, values: Iterable[Any], order: str, *, lean: bool = False
    ) -> list[Memory]:
        """Return the memories that match a condition over `m`; lean ones without text and body."""
        sql = f"select {_LEAN if lean else _SELECT} from memory m where {where} order by {order}"
        return [self.to_memory(row) for row in self.db.execute(sql, tuple(values))]

    def sizes(self, where: str, values: Iterable[Any]) -> dict[str, int]:
        """Return how many memories that match a condition over `m` each scope has."""
        sql = f"select m.scope, count(*) from memory m where {where} group by m.scope"
        return dict(self.db.execute(sql, tuple(values)).fetchall())

    def flagged(self) -> list[tuple[str, Memory]]:
        """Return (flag, memory) of everything in conflict."""
        sql = f"select m.flag, {_SELECT} from memory m where m.flag <> ''"
        return [(row[0], self.to_memory(row[1:])) for row in self.db.execute(sql)]

    def rejecting(self, key: bytes) -> list[str]:
        """Return the events that reject a value and have not been lifted."""
        found = self.db.execute(
            "select distinct event from rejection r where key = ?"
            " and not exists (select 1 from lift where target = r.event) order by event",
            (key,),
        )
        return [row[0] for row in found]

    def standing(
        self, key: bytes, now: str, free: tuple[str, list[str]] = ("1", [])
    ) -> tuple[str | None, bool]:
        """Return, in one look, the memory that holds a value and whether it was ever rejected.

        A memory that lives only in another worktree does not hold it: it may go with that.
        """
        where, values = free
        row = self.db.execute(
            "select exists (select 1 from rejection where key = ?),"
            " (select id from memory m where key = ? and status = 'active' and not away"
            " and (extra is null or not instr(extra, '\"heads\"'))"  # a document will say otherwise
            f" and (expires_at is null or expires_at > ?) and {where} order by hlc limit 1)",
            (key, key, now, *values),
        ).fetchone()
        return row[1], bool(row[0])

    def passes(self, name: str, where: str, values: Iterable[Any]) -> bool:
        """Tell whether a memory meets a condition over the memory table `m`."""
        sql = f"select 1 from memory m where m.id = ? and {where}"
        return self.db.execute(sql, (name, *values)).fetchone() is not None

    def rejected_memory(self, event: str, key: bytes) -> str | None:
        """Return the memory whose value an event rejected."""
        row = self.db.execute(
            "select memory from rejection where event = ? and key = ?", (event, key)
        ).fetchone()
        return row[0] if row else None

    def protocols(self) -> set[str]:
        """Return the protocols whose memories this checkout holds, or whose sessions it ran."""
        found = {name for (name,) in self.db.execute("select distinct protocol from memory")}
        story = "kind in ('session.started', 'protocol.begun')"
        return found | {event.protocol for event in self.events(story)}

    def accessed(self, *, until: str | None = None) -> dict[str, tuple[int, str]]:
        """Return (how often, when last) by memory, as the protocols' own events count."""
        from varves.index.sqlite.told import accessed

        return accessed(self.db, until=until)

    # Events

    def event(self, name: str) -> Event | None:
        """Return an event by id, if this checkout or another worktree holds it."""
        return next(iter(self.events("id = ?", (name,))), None)

    def history(self, memory: str) -> list[Event]:
        """Return every event that touched a memory, in order."""
        return self.events("id in (select event from touch where memory = ?)", (memory,))

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

    def events(self, where: str = "1", values: tuple[Any, ...] = ()) -> list[Event]:
        """Return the events in order that match a condition over the event table.

        Those that only another worktree holds carry its branch; `away = ''` leaves them out.
        """
        return [event for event, _ in self.lines(where, values)]

    def lines(self, where: str, values: tuple[Any, ...]) -> list[tuple[Event, bytes]]:
        """Return events in order with their stored lines."""
        columns, order = "line, log, away", "hlc, writer, id"
        sql = f"select {columns} from event where present and ({where}) order by {order}"
        found: list[tuple[Event, bytes]] = []
        branches: dict[str, str | None] = {}
        for line, log, away in self.db.execute(sql, values):
            event = from_line(line, log)
            if away and away not in branches:
                branches[away] = self.branch_of(away)
            event.branch = branches.get(away)
            found.append((event, line.encode("ascii")))
        return found

    def elsewhere(self) -> dict[str, str]:
        """Return the source of every event that only another worktree holds."""
        return dict(self.db.execute("select id, away from event where present and away <> ''"))

    def is_held(self, event: str) -> bool:
        """Tell whether an event is too far ahead to count yet."""
        found = self.db.execute("select 1 from event where id = ? and held", (event,))
        return found.fetchone() is not None

    def erased(self) -> list[tuple[Event, bytes]]:
        """Return the events whose content was purged, as what is left of them."""
        return self.lines(ERASED, ())

    def purged(self, *names: str) -> set[str]:
        """Return the memories that were purged, of these or of all; also since, seen from a past.

        What a view of the past leaves out counts in it all the same. With all of them come the
        events of talk that went with them.
        """
        from varves.events.purge import purged_by

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
        from varves.index.sqlite.covering import covered

        return covered(self.db, from_line, gone=self._of_the_past)

    def leave_out(self, events: Iterable[str]) -> None:
        """Show some events no longer, though they stay folded: for a view that is never remade."""
        self._of_the_past = True
        self.db.executemany("update event set present = 0 where id = ?", ((e,) for e in events))

    def count(self, table: str, where: str = "1", values: Iterable[Any] = ()) -> int:
        """Count the rows of a table."""
        sql = f"select count(*) from {table} where {where}"
        return int(self.db.execute(sql, tuple(values)).fetchone()[0])

    def tally(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        """Return by kind the number and the last stamp of all events, and of those that stand not.

        Neither takes longer where there are more events that stand.
        """
        return tally(self.db, kinds)

    def is_sound(self) -> bool:
        """Tell whether SQLite finds nothing wrong with the file."""
        return bool(self.db.execute("pragma quick_check(1)").fetchone()[0] == "ok")

    def held_here(self) -> Iterator[str]:
        """Yield the ids of the events that this checkout's own logs hold."""
        for (name,) in self.db.execute("select id from event where present and away = ''"):
            yield name

    def absent(self) -> Iterator[tuple[str, str, str]]:
        """Yield (id, log, line) of events once read whose files are gone."""
        yield from self.db.execute("select id, log, line from event where not present")

    def bad_lines(self) -> list[tuple[str, str, int, int, str]]:
        """Return (log, file, start, stop, reason) of every line here that could not be read."""
        return self.db.execute(
            "select log, name, start, stop, reason from bad join file on file.n = bad.file"
            " where log not like 'project@%'"
        ).fetchall()

    def sources(self) -> set[str]:
        """Return the keys of the sources it has read from."""
        return {key for (key,) in self.db.execute("select distinct log from folder")}

    def stale(self, sources: list[tuple[str, LogStore]], *, now: int, hold_back: bool) -> bool:
        """Tell whether the logs hold anything the index does not, as far as a look tells."""
        from varves.index.sqlite.blobs import found
        from varves.log.survey import still

        if self.mistimed(first_held(now if hold_back else None)) or found(self.db, dict(sources)):
            return True
        if not self.sources() <= {key for key, _ in sources}:
            return True  # a worktree was removed, or a team left
        return not all(still(store, self.folders(log), self._files(log)) for log, store in sources)

    def to_memory(self, row: tuple[Any, ...]) -> Memory:
        """Make a memory of its selected columns."""
        fields = dict(zip(FIELDS, row, strict=True))
        fields["tags"] = tuple(fields["tags"].split(SPLIT)) if fields["tags"] else ()
        for name, nothing in _JSON_FIELDS.items():
            fields[name] = _from_json(fields[name]) if fields[name] else nothing
        if fields["branch"]:
            fields["branch"] = self.branch_of(fields["branch"])
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
