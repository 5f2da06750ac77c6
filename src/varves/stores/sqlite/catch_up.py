"""Bringing the index up to the logs: read what changed, then fold again the families it touches."""

from __future__ import annotations

import gc

from varves.events.blobs import inflate
from varves.events.codec import decode
from varves.events.memories import CLOSED, touches
from varves.log.layout import is_pack
from varves.log.segments import read_lines
from varves.log.survey import survey
from varves.projections.family import Family, fold_family, settle
from varves.stores.sqlite.blobs import log_of, note_missing, read_blob, take_found
from varves.stores.sqlite.index import from_line
from varves.stores.sqlite.rows import CONTENT, counts, mark, save_rows
from varves.values.instants import SystemClock, first_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.events.event import Event
    from varves.log.port import LogStore, Stat
    from varves.log.survey import Survey
    from varves.stores.sqlite.index import Index

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
) -> None:
    """Apply everything the logs hold and the index does not, in one transaction."""
    db = index.db
    collecting = gc.isenabled()
    db.execute("begin immediate")
    try:
        # Looked at again under the lock: another process may have done the work meanwhile.
        found = [(log, store, _survey(index, log, store)) for log, store in sources]
        work = _Work(index, dict(sources), now=now if hold_back else None, progress=progress)
        size = sum(stat[0] for _, _, seen in found for stat in seen.changed.values())
        if size > BULK_BYTES:
            from varves.events.bulk import decode_quickly  # dear to import

            work.decode = decode_quickly
            gc.disable()  # all of it is kept until the end, so looking for garbage is in vain
        for log, store, seen in found:
            for name in seen.gone:
                work.drop_file(log, name)
            for name, stat in seen.changed.items():
                work.read_file(log, store, name, stat)
            work.keep_folders(log, seen)
        work.read_again()
        work.hold_or_release()
        work.save_heads()
        work.save_growth()
        work.fold()
        db.execute("commit")
    except BaseException:
        if db.in_transaction:  # a full disk has rolled back by itself
            db.execute("rollback")
        raise
    finally:
        if collecting:
            gc.enable()


def load(index: Index, events: list[tuple[Event, bytes]], stores: dict[str, LogStore]) -> None:
    """Fill an index from events alone, for a view of the past."""
    work = _Work(index, stores, now=None, progress=None)
    index.db.execute("begin")
    for event, line in events:
        work.add(event, line, 0)
    work.fold()
    index.db.execute("commit")


def _survey(index: Index, log: str, store: LogStore) -> Survey:
    clock = SystemClock()  # files carry the machine's time, whatever clock the ledger was given
    return survey(
        store,
        folders=index.folders(log),
        growing=index.growing(log),
        files_in=lambda folder: index.files_in(log, folder),
        now_ns=lambda: clock.now() * 1_000_000,
    )


class _Work:
    """One catching up: the events it read and the memories they touched."""

    def __init__(
        self,
        index: Index,
        stores: dict[str, LogStore],
        *,
        now: int | None,
        progress: Progress | None,
    ) -> None:
        self.index = index
        self.db = index.db
        self.stores = stores
        self.limit = first_held(now)
        self.now = now
        self.progress = progress
        self.decode: Callable[[bytes, str], Event] = decode
        self.fresh: dict[str, Event] = {}
        self.touched: dict[str, None] = {}
        self.closed: set[tuple[str, str]] = set()
        self.heads: dict[tuple[str, str], Event] = {}
        self.lost_heads: set[tuple[str, str]] = set()
        self.freed: set[bytes] = set()
        self.again: set[int] = set()

    # Reading

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
            row = self.db.execute("select log, writer, h, line from event where id = ?", (event,))
            log, writer, h, line = row.fetchone()
            if all(there != mark(h, purged=CONTENT not in line) for _, there in others):
                self.lost_heads.add((log, writer))
                self.db.execute("update event set present = 0 where id = ?", (event,))
                self._touch(event)
                self.again.update(file for file, _ in others)  # they hold another line of it

    def read_again(self) -> None:
        """Read files once more that hold another line of an event whose own line is gone."""
        for file in self.again:
            row = self.db.execute("select log, name from file where n = ?", (file,)).fetchone()
            if row is not None:
                content = self.stores[row[0]].read(row[1])
                for event, line in read_lines(row[1], content, log_of(row[0])).events:
                    self.add(event, line, file)

    def _touch(self, event: str) -> None:
        for (memory,) in self.db.execute("select memory from touch where event = ?", (event,)):
            self.touched[memory] = None

    def read_file(self, log: str, store: LogStore, name: str, stat: Stat) -> None:
        """Read a new file, or what was added to one, or all of one that was replaced."""
        row = self.db.execute(
            "select n, size, inode, read from file where log = ? and name = ?", (log, name)
        ).fetchone()
        start = 0
        if row is None:
            columns, zeros = "log, name, size, mtime, inode, read, growing", "?, ?, 0, 0, 0, 0, 1"
            insert = f"insert into file ({columns}) values ({zeros})"
            file = self.db.execute(insert, (log, name)).lastrowid
        else:
            file = row[0]
            if row[2] == stat[2] and stat[0] > row[1]:
                start = row[3]
            else:
                self._unplace(file)
        try:
            reading = read_lines(
                name, store.read(name, start), log_of(log), start=start, read=self.decode
            )
        except OSError as fault:
            problem = (file, 0, stat[0], fault.strerror or str(fault))
            self.db.execute("insert into bad values (?, ?, ?, ?)", problem)
            self.db.execute("update file set inode = -1, growing = 1 where n = ?", (file,))
            return  # the next look tries again
        self.db.executemany(
            "insert into bad values (?, ?, ?, ?)", [(file, *bad) for bad in reading.bad]
        )
        for event, line in reading.events:
            self.add(event, line, int(file or 0))
        self.db.execute(
            "update file set size = ?, mtime = ?, inode = ?, read = ? where n = ?",
            (*stat, reading.end, file),
        )
        self._note_growth(log, name, int(file or 0), reading.events)

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
            "select present, line, hlc, writer, h from event where id = ?", (name,)
        ).fetchone()
        text = line.decode("ascii")
        if row is not None and (row[1] == text or (row[0] and counts(row, event))):
            if not row[0]:
                self.db.execute("update event set present = 1 where id = ?", (name,))
                self._touch(name)
                self._note_head(event)
            return
        if row is not None:  # purged meanwhile, or another line of the same id
            self._retract(name)
        held = event.hlc >= self.limit
        self.db.execute(
            "insert or replace into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
            (
                *(name, event.hlc, event.writer, event.time, event.kind, event.actor),
                *(event.session, event.log, event.seq, event.digest),
                *(text, held),
            ),
        )
        for memory in touches(event):
            self.db.execute("insert or ignore into touch values (?, ?)", (memory, name))
            self.touched[memory] = None
        self.fresh[name] = event
        self._note_head(event)
        if self.progress and len(self.fresh) % _REPORT_EVERY == 0:
            self.progress(len(self.fresh))

    def _retract(self, event: str) -> None:
        """Take back what an event did, for another line of the same id."""
        self._touch(event)
        lifted = self.db.execute("select target from lift where event = ?", (event,)).fetchall()
        self.freed |= self._keys_of([event, *(target for (target,) in lifted)])
        row = self.db.execute("select log, writer from event where id = ?", (event,))
        self.lost_heads.add(row.fetchone())
        for table in ("touch", "rejection", "lift"):
            self.db.execute(f"delete from {table} where event = ?", (event,))

    def _note_head(self, event: Event) -> None:
        before = self.heads.get((event.log, event.writer))
        if event.hlc < self.limit and (before is None or before.seq < event.seq):
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
                " where log = ? and writer = ? and present and not held order by seq desc limit 1",
                (log, writer),
            )
        for (log, writer), event in self.heads.items():
            self.db.execute(
                "insert into head values (?, ?, ?, ?, ?) on conflict do update set"
                " seq = excluded.seq, hlc = excluded.hlc, h = excluded.h where seq < excluded.seq",
                (log, writer, event.seq, event.hlc, event.digest),
            )

    # Folding

    def fold(self) -> None:
        """Fold every touched family, then those whose values are newly rejected or freed."""
        visited: set[str] = set()
        families: list[tuple[set[str], Family]] = []
        changed = set(self.freed)
        any_rejected = self._any_rejected()
        self.touched |= dict.fromkeys(take_found(self.db, self.stores))
        for name in self.touched:
            if name not in visited:
                members, family = self._family(name, visited)
                families.append((members, family))
                if any_rejected or family.rejections or family.lifts:
                    any_rejected = True
                    changed |= self._save_rejections(members, family)
        for key in changed:
            same = self.db.execute("select id from memory where key = ?", (key,)).fetchall()
            for (name,) in same:
                if name not in visited:
                    families.append(self._family(name, visited))
        for members, family in families:
            rows = settle(family, self._rejecting if any_rejected else None)
            save_rows(self.db, members, rows)

    def _any_rejected(self) -> bool:
        """Tell whether there is anything to judge values by; a lift may outlast what it lifted."""
        found = self.db.execute("select 1 from rejection union all select 1 from lift limit 1")
        return found.fetchone() is not None

    def _rejecting(self, key: bytes) -> str | None:
        return next(iter(self.index.rejecting(key)), None)

    def _family(self, start: str, visited: set[str]) -> tuple[set[str], Family]:
        """Gather all events that tie memories to this one, and fold them."""
        members: set[str] = set()
        events: dict[str, Event] = {}
        waiting = [start]
        while waiting:
            name = waiting.pop()
            if name in members:
                continue
            members.add(name)
            found = self.db.execute(
                "select e.id, e.log, e.line from touch t join event e on e.id = t.event"
                " where t.memory = ? and e.present and not e.held",
                (name,),
            )
            for identity, log, line in found.fetchall():
                if identity not in events:
                    event = self.fresh.get(identity) or from_line(line, log)
                    events[identity] = self._with_blobs(event)
                    waiting.extend(touches(event))
        visited |= members
        return members, fold_family(list(events.values()))

    def _with_blobs(self, event: Event) -> Event:
        """Put the texts of blobs where the fold looks for them."""

        def get(digest: str) -> bytes | None:
            for key, store in self.stores.items():
                if log_of(key) == event.log:
                    content = read_blob(store, digest)
                    if content is not None:
                        return content
                    note_missing(self.db, (key, digest), touches(event))
            return None

        inflate(event.data, get)
        return event

    def _save_rejections(self, members: set[str], family: Family) -> set[bytes]:
        """Replace what a family rejects and lifts; return the values whose standing may differ."""
        before = set()
        freed: list[str] = []
        own = "select event from touch where memory = ?"
        for name in members:
            before |= set(
                self.db.execute(
                    f"select event, key, memory from rejection where event in ({own})", (name,)
                )
            )
            lifted = f"select target from lift where event in ({own})"
            freed += [target for (target,) in self.db.execute(lifted, (name,))]
        keys = self._keys_of(freed)  # before the family's own rejections are taken out
        for name in members:
            self.db.execute(f"delete from rejection where event in ({own})", (name,))
            self.db.execute(f"delete from lift where event in ({own})", (name,))
        after = set(family.rejections)
        self.db.executemany("insert or ignore into rejection values (?, ?, ?)", after)
        self.db.executemany("insert or ignore into lift values (?, ?)", family.lifts)
        keys |= self._keys_of([target for target, _ in family.lifts])
        return keys | {key for _, key, _ in before ^ after}

    def _keys_of(self, events: list[str]) -> set[bytes]:
        keys = set()
        for event in events:
            found = self.db.execute("select key from rejection where event = ?", (event,))
            keys |= {key for (key,) in found}
        return keys
