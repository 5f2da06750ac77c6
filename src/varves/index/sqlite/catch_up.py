"""Bringing the index up to the logs: read what changed, then fold again the families it touches."""

from __future__ import annotations

import gc
from binascii import crc32

from varves.errors import Busy
from varves.events.codec import decode
from varves.events.kinds import ACCESSED, CLOSED, INJECTED, PURGED, touches
from varves.events.tellings import accesses, tellings
from varves.index.sqlite.away import away, fit_to_keep, holder
from varves.index.sqlite.blobs import log_of
from varves.index.sqlite.folding import Folding
from varves.index.sqlite.returned import note_purges
from varves.index.sqlite.rows import CONTENT, counts, mark
from varves.index.sqlite.tallies import count, save
from varves.index.sqlite.told import save_accessed, save_told, told_in
from varves.log.files.layout import is_pack
from varves.log.files.segments import read_lines
from varves.log.files.survey import ENDING, UNKNOWN
from varves.values.instants import first_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from varves.events.event import Event
    from varves.index.sqlite.index import Index
    from varves.index.sqlite.tallies import Counted
    from varves.log.files.port import LogStore, Readable, Stat
    from varves.log.files.survey import Survey

    Progress = Callable[[int], None]

BULK_BYTES = 1 << 20
_REPORT_EVERY = 2000


def catch_up(
    index: Index,
    sources: list[tuple[str, LogStore]],
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
        found = [(log, store, index.survey(log, store)) for log, store in sources]
        work = _Work(index, dict(sources), now=now if hold_back else None, progress=progress)
        size = sum(_unread(index, log, seen) for log, _, seen in found)
        _check_near(size, most)
        if size > BULK_BYTES:
            from varves.events.bulk import decode_quickly  # dear to import

            work.decode = decode_quickly
            gc.disable()  # all of it is kept until the end, so looking for garbage is in vain
        for log in index.sources() - {log for log, _ in sources}:
            work.drop_source(log)
        for log, store, seen in found:
            work.take(log, store, seen)
        work.read_again()
        work.hold_or_release()
        work.save_heads()
        work.save_growth()
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


def _unread(index: Index, log: str, seen: Survey) -> int:
    """Return how many bytes there may be to take in; of a file that is shorter now, all."""
    size = 0
    for name, stat in seen.changed.items():
        end = index.read_up_to(log, name)[0]
        size += stat[0] - end if stat[0] >= end else stat[0]
    return size


def _check_near(size: int, most: int | None) -> None:
    if most is not None and size > most:
        raise Busy("the index is far behind the log", "varves status brings it up to date")


def load(
    index: Index,
    events: list[tuple[Event, bytes]],
    stores: Mapping[str, Readable],
    *,
    elsewhere: Mapping[str, str],
    progress: Progress | None,
) -> None:
    """Fill an index from events alone, for a view of the past.

    Args:
        index: an empty one.
        events: what it shall hold, with their lines.
        stores: where texts that are not in the lines lie.
        elsewhere: the sources of events that only other worktrees hold, by event.
        progress: is told how many events are done.
    """
    work = _Work(index, stores, now=None, progress=progress)
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
        stores: Mapping[str, Readable],
        *,
        now: int | None,
        progress: Progress | None,
    ) -> None:
        super().__init__(index, stores)
        self.limit, self.now = first_held(now), now
        self.progress = progress
        self.decode: Callable[[bytes, str], Event] = decode
        self.closed: set[tuple[str, str]] = set()
        self.heads: dict[tuple[str, str], Event] = {}
        self.lost_heads: set[tuple[str, str]] = set()
        self.again: set[int] = set()
        self.counted: Counted = {}
        self.where = ""  # the source being read, if it is another worktree's
        self.read_before = index.path is not None and index.has_files()
        self.vanished = False
        self.back = False  # whether a whole line came of an event that is known as erased

    # Reading

    def take(self, log: str, store: LogStore, seen: Survey) -> None:
        """Take in what a survey found, and look again for packs in the place of what is gone."""
        for _ in range(8):  # more often than any log is packed at a time
            self.vanished = bool(seen.gone)
            for name, stat in seen.changed.items():  # first: a pack changes nothing that way
                kept = (*stat[:2], UNKNOWN) if name in seen.unsettled else stat
                self.read_file(log, store, name, kept)
            for name in seen.gone:
                self.drop_file(log, name)
            self.keep_folders(log, seen)
            if not self.vanished:
                break
            seen = self.index.survey(log, store)

    def drop_source(self, log: str) -> None:
        """Take out all that was read from a place nobody names any more."""
        for (name,) in self.db.execute("select name from file where log = ?", (log,)).fetchall():
            self.drop_file(log, name)
        self.db.execute("delete from folder where log = ?", (log,))
        self.db.execute("delete from missing where source = ?", (log,))

    def drop_file(self, log: str, name: str) -> None:
        """Take a vanished file's events out of the set, unless another file holds them too."""
        row = self.db.execute("select n from file where log = ? and name = ?", (log, name))
        found = row.fetchone()
        if found:
            self._unplace(found[0])
            self.db.execute("delete from file where n = ?", found)

    def _unplace(self, file: int) -> None:
        self.db.execute("delete from bad where file = ?", (file,))
        held = self.db.execute("select event, 0 from place where file = ?", (file,)).fetchall()
        self.db.execute("delete from place where file = ?", (file,))
        for event in dict(held):
            places = "select file, mark from place where event = ?"
            others = self.db.execute(places, (event,)).fetchall()
            columns = "log, writer, h, line, away"
            row = self.db.execute(f"select {columns} from event where id = ?", (event,))
            log, writer, h, line, where = row.fetchone()
            if all(there != mark(h, purged=CONTENT not in line) for _, there in others):
                self.lost_heads.add((log, writer))
                self.db.execute("update event set present = 0 where id = ?", (event,))
                self._touch(event)
                self.again.update(file for file, _ in others)  # they hold another line of it
            elif (now := holder(self.db, event)) != where:
                self._move(event, now)
                self.lost_heads.add((log, writer))

    def _move(self, event: str, where: str) -> None:
        """Note that an event is held here again, or only elsewhere from now on."""
        self.db.execute("update event set away = ? where id = ?", (where, event))
        self._touch(event)

    def read_again(self) -> None:
        """Read files once more that hold another line of an event whose own line is gone."""
        for file in self.again:
            row = self.db.execute("select log, name from file where n = ?", (file,)).fetchone()
            if row is not None:
                self.where = away(row[0])
                content = self.stores[row[0]].read(row[1])
                for event, line in read_lines(row[1], content, log_of(row[0])).events:
                    self.add(event, line, file)

    def _touch(self, event: str) -> None:
        for (memory,) in self.db.execute("select memory from touch where event = ?", (event,)):
            self.touched[memory] = None
        self.used.update(told_in(self.db, event))

    def read_file(self, log: str, store: LogStore, name: str, stat: Stat) -> None:
        """Read what was added to a file, if what was read of it before is still there; else all.

        Only the bytes tell. Size, times and inode are those of an append for a file that was
        edited, cut or put back where it lies, and a line may change that is not the last.
        """
        file, end, known = self._known(log, name)
        self.where = away(log)
        try:
            content = store.read(name)
        except FileNotFoundError:
            self.vanished = True
            self.drop_file(log, name)
            return
        except OSError as fault:
            self._unreadable(file, stat, fault)
            return
        if len(content) < end or crc32(memoryview(content)[:end]) != known:
            self._unplace(file)
            end = known = 0
        reading = read_lines(name, content[end:], log_of(log), start=end, read=self.decode)
        self.db.executemany(
            "insert into bad values (?, ?, ?, ?)", [(file, *bad) for bad in reading.bad]
        )
        for event, line in fit_to_keep(self.index, reading.events, self.where):
            self.add(event, line, file)
        known = crc32(memoryview(content)[end : reading.end], known)
        ending = content[max(0, reading.end - ENDING) : reading.end]
        self.db.execute(
            "update file set size = ?, ctime = ?, inode = ?, read = ?, sum = ?, ending = ?"
            " where n = ?",
            (*stat, reading.end, known, ending, file),
        )
        self._note_growth(log, name, file, reading.events)

    def _unreadable(self, file: int, stat: Stat, fault: OSError) -> None:
        """Keep what was read of a file until it can be read again, or may not be any more."""
        if isinstance(fault, PermissionError):
            self._unplace(file)
        self.db.execute("delete from bad where file = ?", (file,))
        problem = (file, 0, stat[0], fault.strerror or str(fault))
        self.db.execute("insert into bad values (?, ?, ?, ?)", problem)
        # The next look reads all of it.
        again = "size = 0, inode = ?, read = 0, sum = ?, ending = x'', growing = 1"
        self.db.execute(f"update file set {again} where n = ?", (UNKNOWN, UNKNOWN, file))

    def _known(self, log: str, name: str) -> tuple[int, int, int]:
        """Return a file's number, how far it was read and the checksum of that; a new one's too."""
        select = "select n, read, sum from file where log = ? and name = ?"
        row = self.db.execute(select, (log, name)).fetchone()
        if row is None:
            values = (log, name, 0, 0, 0, 0, 0, b"", 1)
            insert = f"insert into file values (null, {', '.join('?' * len(values))})"
            return int(self.db.execute(insert, values).lastrowid or 0), 0, 0
        return int(row[0]), int(row[1]), int(row[2])

    def _note_growth(
        self, log: str, name: str, file: int, events: list[tuple[Event, bytes]]
    ) -> None:
        """Find out which files never grow again: packs, and those a successor has closed.

        A writer's highest number would not tell: a crash or a copied clone can fork its chain.
        """
        if is_pack(name):
            self.db.execute("update file set growing = 0 where n = ?", (file,))
        self.closed |= {
            (log, str(event.data.get("segment"))) for event, _ in events if event.kind == CLOSED
        }

    def save_growth(self) -> None:
        """Stop looking at closed files."""
        self.db.executemany("update file set growing = 0 where log = ? and name = ?", self.closed)

    def add(self, event: Event, line: bytes, file: int) -> None:
        """Put one event into the set."""
        name = event.id
        own = mark(event.digest, purged=event.purged)
        self.db.execute("insert or ignore into place values (?, ?, ?)", (file, name, own))
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

    def keep_folders(self, log: str, seen: Survey) -> None:
        """Remember the folders' signatures for the next look."""
        for name, stat in seen.folders.items():
            if stat is None:
                self.db.execute("delete from folder where log = ? and name = ?", (log, name))
            else:
                self.db.execute(
                    "insert or replace into folder values (?, ?, ?, ?, ?)", (log, name, *stat)
                )

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
