"""Bringing the index up to the logs: read what changed, then fold again the families it touches."""

from __future__ import annotations

import gc

from varves.errors import Busy
from varves.events.kinds import ACCESSED, INJECTED, PURGED, touches
from varves.events.tellings import accesses, tellings
from varves.index.sqlite.away import fit_to_keep, holder
from varves.index.sqlite.folding import Folding
from varves.index.sqlite.returned import note_purges
from varves.index.sqlite.rows import CONTENT, counts, mark
from varves.index.sqlite.tallies import count, save
from varves.index.sqlite.told import save_accessed, save_told, told_in
from varves.log.sources import elsewhere as away
from varves.values.instants import first_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from varves.events.event import Event
    from varves.index.sqlite.index import Index
    from varves.index.sqlite.tallies import Counted
    from varves.log.port import Blobs, Changes, Source
    from varves.log.sources import Part

    Progress = Callable[[int], None]

BULK_BYTES = 1 << 20
_REPORT_EVERY = 2000


def catch_up(
    index: Index,
    logs: Sequence[Source],
    *,
    now: int,
    hold_back: bool,
    progress: Progress | None,
    most: int | None = None,
) -> None:
    """Apply everything the logs hold and the index does not, in one transaction.

    Raises:
        Busy: that is more than so many bytes.
    """
    db = index.db
    collecting = gc.isenabled()
    db.execute("begin immediate")
    try:
        # Looked at again under the lock: another process may have done the work meanwhile.
        found = [(log, log.since(index.known(log.key))) for log in logs]
        work = _Work(index, logs, now=now if hold_back else None, progress=progress)
        size = sum(changes.behind for _, changes in found)
        _check_near(size, most)
        if size > BULK_BYTES:
            gc.disable()  # all of it is kept until the end, so looking for garbage is in vain
        for key in index.sources() - {log.key for log in logs}:
            work.drop_source(key)
        for log, changes in found:
            work.take(log.key, changes)
        work.read_again()
        work.hold_or_release()
        work.save_heads()
        save(db, work.counted)
        note_purges(index, work.fresh, work.touched, back=work.back)
        work.fold()
        db.execute("commit")
    except BaseException:
        if db.in_transaction:  # a full disk has rolled back by itself
            db.execute("rollback")
        raise
    finally:
        if collecting:
            gc.enable()


def _check_near(size: int, most: int | None) -> None:
    if most is not None and size > most:
        raise Busy("the index is far behind the log", "varves status brings it up to date")


def load(
    index: Index,
    events: list[tuple[Event, bytes]],
    logs: Mapping[str, Blobs],
    *,
    elsewhere: Mapping[str, str],
    progress: Progress | None,
) -> None:
    """Fill an index from events alone, for a view of the past.

    Args:
        index: an empty one.
        events: what it shall hold, with their lines.
        logs: where the texts are that are not in the lines, by source.
        elsewhere: the sources of events that only other worktrees hold, by event.
        progress: is told how many events are done.
    """
    work = _Work(index, (), now=None, progress=progress)
    work.logs = logs
    index.db.execute("begin")
    for event, line in events:
        work.where = elsewhere.get(event.id, "")
        work.add(event, line, 0)
    save(index.db, work.counted)
    work.fold()
    index.db.execute("commit")


class _Work(Folding):
    """One catching up: the events it read and the memories they touched."""

    def __init__(
        self,
        index: Index,
        logs: Sequence[Source],
        *,
        now: int | None,
        progress: Progress | None,
    ) -> None:
        self._sources = {log.key: log for log in logs}
        super().__init__(index, self._sources)
        self.limit, self.now = first_held(now), now
        self.progress = progress
        self.heads: dict[tuple[str, str], Event] = {}
        self.lost_heads: set[tuple[str, str]] = set()
        self.again: set[int] = set()
        self.counted: Counted = {}
        self.where = ""  # the source being read, if it is another worktree's
        self.read_before = index.path is not None and index.has_parts()
        self.back = False  # whether a whole line came of an event that is known as erased

    # Reading

    def take(self, key: str, changes: Changes) -> None:
        """Take in what a log has gained, and out what it has lost."""
        self.where = away(key)
        for part in changes:
            if part.gone:
                self.drop_part(key, part.name)
            else:
                self.take_part(key, part)
        closed = [(key, name) for name in changes.closed]
        self.db.executemany("update part set closed = 1 where source = ? and name = ?", closed)
        if changes.whole:
            kept = (key, changes.whole)
            self.db.execute("insert or replace into source values (?, ?)", kept)
        else:
            self.db.execute("delete from source where key = ?", (key,))

    def drop_source(self, key: str) -> None:
        """Take out all that was read from a place nobody names any more."""
        names = self.db.execute("select name from part where source = ?", (key,)).fetchall()
        for (name,) in names:
            self.drop_part(key, name)
        self.db.execute("delete from source where key = ?", (key,))
        self.db.execute("delete from missing where source = ?", (key,))

    def drop_part(self, key: str, name: str) -> None:
        """Take a vanished part's events out of the set, unless another part holds them too."""
        row = self.db.execute("select n from part where source = ? and name = ?", (key, name))
        found = row.fetchone()
        if found:
            self._unplace(found[0])
            self.db.execute("delete from part where n = ?", found)

    def take_part(self, key: str, part: Part) -> None:
        """Take in one part: what was added to it, or all of it anew."""
        n = self._number(key, part.name)
        if part.fresh:
            self._unplace(n)
        elif part.unread:
            self.db.execute("delete from bad where part = ?", (n,))
        self.db.executemany("insert into bad values (?, ?, ?, ?)", [(n, *bad) for bad in part.bad])
        for event, line in fit_to_keep(self.index, list(part.events), self.where):
            self.add(event, line, n)
        size = sum(len(line) + 1 for _, line in part.events)
        size += sum(stop - start for start, stop, _ in part.bad)
        anew = part.fresh or part.unread
        self.db.execute(
            "update part set mark = ?, bytes = ? + case when ? then 0 else bytes end,"
            " closed = case when ? then 0 else closed or ? end where n = ?",
            (part.mark, 0 if part.unread else size, anew, part.unread, part.closed, n),
        )

    def _number(self, key: str, name: str) -> int:
        """Return a part's number; a new one's too."""
        select = "select n from part where source = ? and name = ?"
        row = self.db.execute(select, (key, name)).fetchone()
        if row is None:
            insert = "insert into part values (null, ?, ?, x'', 0, 0)"
            return int(self.db.execute(insert, (key, name)).lastrowid or 0)
        return int(row[0])

    def _unplace(self, part: int) -> None:
        self.db.execute("delete from bad where part = ?", (part,))
        held = self.db.execute("select event, 0 from place where part = ?", (part,)).fetchall()
        self.db.execute("delete from place where part = ?", (part,))
        for event in dict(held):
            places = "select part, mark from place where event = ?"
            others = self.db.execute(places, (event,)).fetchall()
            columns = "log, writer, h, line, away"
            row = self.db.execute(f"select {columns} from event where id = ?", (event,))
            log, writer, h, line, where = row.fetchone()
            if all(there != mark(h, purged=CONTENT not in line) for _, there in others):
                self.lost_heads.add((log, writer))
                self.db.execute("update event set present = 0 where id = ?", (event,))
                self._touch(event)
                self.again.update(part for part, _ in others)  # they hold another line of it
            elif (now := holder(self.db, event)) != where:
                self._move(event, now)
                self.lost_heads.add((log, writer))

    def _move(self, event: str, where: str) -> None:
        """Note that an event is held here again, or only elsewhere from now on."""
        self.db.execute("update event set away = ? where id = ?", (where, event))
        self._touch(event)

    def read_again(self) -> None:
        """Read parts once more that hold another line of an event whose own line is gone."""
        for n in self.again:
            row = self.db.execute("select source, name from part where n = ?", (n,)).fetchone()
            if row is not None:
                key, name = row
                self.where = away(key)
                for event, line in self._sources[key].part(name):
                    self.add(event, line, n)

    def _touch(self, event: str) -> None:
        for (memory,) in self.db.execute("select memory from touch where event = ?", (event,)):
            self.touched[memory] = None
        self.used.update(told_in(self.db, event))

    def add(self, event: Event, line: bytes, part: int) -> None:
        """Put one event into the set."""
        name = event.id
        own = mark(event.digest, purged=event.purged)
        self.db.execute("insert or ignore into place values (?, ?, ?)", (part, name, own))
        row = self.db.execute(
            "select present, line, hlc, writer, h, away, kind, session, protocol"
            " from event where id = ?",
            (name,),
        ).fetchone()
        text, where = line.decode("ascii"), self.where
        if row is not None and (row[1] == text or (row[0] and counts(row, event))):
            self.back = self.back or (CONTENT in text and CONTENT not in row[1])
            if not row[0]:
                self.db.execute("update event set present = 1 where id = ?", (name,))
            elif where >= row[5]:  # nothing, for this checkout, comes before any other source
                return
            self._move(name, where)
            self._note_head(event, where)
            return
        if row is not None:  # purged meanwhile, or another line of the same id
            if event.purged and CONTENT in row[1]:
                self.index.taint()
            self._retract(name)
            count(self.counted, row[6:], row[2], step=-1)
            where = min(where, row[5]) if row[0] else where
        held = event.hlc >= self.limit
        count(self.counted, (event.kind, event.session, event.protocol), event.hlc)
        self.db.execute(
            "insert or replace into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)",
            (
                *(name, event.hlc, event.writer, event.time, event.kind, event.actor),
                *(event.session, event.log, event.seq, event.digest),
                *(text, held, where, event.protocol),
            ),
        )
        for memory in touches(event):
            self.db.execute("insert or ignore into touch values (?, ?)", (memory, name))
            self.touched[memory] = None
        if event.kind == INJECTED:
            self.used.update(save_told(self.db, name, tellings(event)))
        elif event.kind == ACCESSED:
            save_accessed(self.db, name, accesses(event))
        if event.kind == PURGED and self.read_before:
            self.index.taint()
        self.fresh[name] = event
        self._note_head(event, where)
        if self.progress and len(self.fresh) % _REPORT_EVERY == 0:
            self.progress(len(self.fresh))

    def _retract(self, event: str) -> None:
        """Take back what an event did, for another line of the same id."""
        self._touch(event)
        lifted = self.db.execute("select target from lift where event = ?", (event,)).fetchall()
        self.freed |= self.keys_of([event, *(target for (target,) in lifted)])
        row = self.db.execute("select log, writer from event where id = ?", (event,))
        self.lost_heads.add(row.fetchone())
        for table in ("touch", "rejection", "lift", "told", "accessed"):
            self.db.execute(f"delete from {table} where event = ?", (event,))

    def _note_head(self, event: Event, where: str) -> None:
        before = self.heads.get((event.log, event.writer))
        if where or event.hlc >= self.limit:  # `seen` speaks of this checkout's log only
            return
        if before is None or before.seq < event.seq:
            self.heads[event.log, event.writer] = event

    def hold_or_release(self) -> None:
        """Let the events count whose time has come, and no others: clocks are also set back."""
        late = "select id, log, writer, 0 from event where held and hlc < ?"
        early = "select id, log, writer, 1 from event where hlc >= ? and not held"
        turned = self.db.execute(f"{late} union all {early}", (self.limit, self.limit))
        for event, log, writer, held in turned.fetchall():
            self.db.execute("update event set held = ? where id = ?", (held, event))
            self.lost_heads.add((log, writer))
            self._touch(event)

    def save_heads(self) -> None:
        """Record the newest event of each writer."""
        for log, writer in self.lost_heads:
            self.db.execute("delete from head where log = ? and writer = ?", (log, writer))
            self.db.execute(
                "insert into head select log, writer, seq, hlc, h from event"
                " where log = ? and writer = ? and present and not held and away = ''"
                " order by seq desc limit 1",
                (log, writer),
            )
        for (log, writer), event in self.heads.items():
            self.db.execute(
                "insert into head values (?, ?, ?, ?, ?) on conflict do update set"
                " seq = excluded.seq, hlc = excluded.hlc, h = excluded.h where seq < excluded.seq",
                (log, writer, event.seq, event.hlc, event.digest),
            )
