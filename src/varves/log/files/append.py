"""Appends events to a log in files; an event is durable before it is acknowledged.

A file that git tracks is never appended to. A segment (one file of the log) is continued only while
HEAD has not moved, the file still exists and git's index does not list it. If not, the lane (the
chain of this writer) continues in a new file, whose first line closes the previous file. So merging
two histories only adds files.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from errno import EDQUOT, EFBIG, ENOSPC

from varves.errors import NotDurable
from varves.events.codec import lawful, stamped
from varves.events.event import Draft
from varves.events.kinds import CLOSED
from varves.log.files.group import SyncFailed, Unsynced
from varves.log.files.lane import Lane, Tail
from varves.log.files.layout import MAX_BYTES, MAX_LINES, segment_name
from varves.places.local import SET_ASIDE
from varves.values.instants import DAY_MS, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.events.event import Event
    from varves.log.files.group import Group
    from varves.log.files.spool import LogTree
    from varves.places.port import FileStore
    from varves.values.ids import IdSource
    from varves.values.instants import Hlc

# noted in place of a HEAD, so that the lane's next owner does not continue the segment
_LEFT = ("left",)


class Appender:
    """Writes one log; safe for use by several threads, and after a fork."""

    def __init__(
        self,
        store: FileStore,
        log: str,
        *,
        clone: str,
        hlc: Hlc,
        ids: IdSource,
        tree: LogTree | None = None,
    ) -> None:
        self.log = log
        self.clone = clone
        self._store = store
        self._hlc = hlc
        self._ids = ids
        self._tree = tree
        self._spool = tree.spool if tree else None
        self.group: Group | None = None
        self.aside = store, f"local/{SET_ASIDE}"  # where torn lines are stored
        self._unsynced: Unsynced | None = None
        self._lane: Lane | None = None
        self._file: int | None = None
        self._start_afresh = False
        self._mutex = allocate_lock()

    def last(self) -> tuple[str, str]:
        """Return this writer's name and the stamp of its last event.

        If no lane is locked yet, lock one.
        """
        with self._mutex:
            try:
                lane = self._own_lane()
            except OSError as fault:
                raise not_durable(fault) from None
            return f"{self.clone}.{lane.name}", lane.tail.hlc

    @property
    def segment(self) -> str:
        """The file of the log that was written last."""
        return str(self._lane.tail.segment) if self._lane else ""

    def append(self, drafts: Sequence[Draft], seen: Sequence[str] = ()) -> list[Event]:
        """Record drafts in one write and one sync; they are durable when this method returns.

        In group mode they are durable when the ledger's lock is released.

        Raises:
            NotDurable: the disk did not accept the drafts; nothing was acknowledged.
        """
        now = self._hlc.clock.now()
        ids = [draft.id or self._ids.event(now) for draft in drafts]
        for draft in drafts:
            lawful(draft.data)
        pairs = list(zip(ids, drafts, strict=True))
        with self._mutex:
            try:
                return self._record_once_more(pairs, seen, now)
            except OSError as fault:
                raise not_durable(fault) from None

    def _record_once_more(
        self, drafts: list[tuple[str, Draft]], seen: Sequence[str], now: int
    ) -> list[Event]:
        """Record drafts; if the sync fails, record the same events once more in another file.

        After a failed sync the kernel may mark lost pages as clean. So the old chain is abandoned,
        and the same events are written to another file; readers count an id once.
        """
        try:
            return self._record(drafts, seen, now)
        except SyncFailed:
            self._abandon()
        try:
            return self._record(drafts, seen, now)
        except SyncFailed as fault:
            self._abandon()
            raise NotDurable(f"cannot sync the log: {fault}", "check the disk") from None

    def close(self) -> None:
        """Close the open file of the log, and release the lane (the lock of one chain)."""
        with self._mutex:
            self._sync_pending()
            self._close_file()
            if self._lane is not None:
                self._lane.release(self.clone)
                self._lane = None

    def _own_lane(self) -> Lane:
        lane = self._lane
        # this process was forked, and the lane belongs to its parent process
        if lane is not None and lane.pid != os.getpid():
            self._unsynced = None
            self._let_go(lane)
            lane = None
        elif self._unsynced is not None and self._unsynced.failed is not None:
            self._abandon()
            lane = None
        if lane is None:
            lane = Lane.take(self._store, self.clone, self._ids, fresh=self._start_afresh)
            try:
                noted = lane.tail.size
                torn = lane.catch_up(self._spool)
                if lane.tail.size > noted:
                    self._secure(lane)
                self._hlc.read(lane.tail.hlc)
                if torn and self._may_continue(lane, beyond=len(torn)):
                    self._set_aside(lane, torn)
            # the lane must not be continued after a torn line as if it were complete
            except BaseException:
                self._let_go(lane)
                raise
            self._lane, self._start_afresh = lane, False
        return lane

    def _let_go(self, lane: Lane) -> None:
        """Release the lane (the lock for one chain of events) without storing the chain's end.

        The next owner reads the state from the segment.
        """
        self._lane = None
        self._close_file()
        self._store.close(lane.handle)

    def _secure(self, lane: Lane) -> None:
        """Sync the lines of the lane's previous owner, which may have died without a sync.

        New lines then continue the chain of those lines.
        """
        try:
            file = self._store.reopen(str(lane.tail.segment))
        except FileNotFoundError:
            return  # git has removed the file; its content was read from the spool
        try:
            self._store.sync(file)
        except OSError:  # a later sync could succeed without these lines, so stop using this chain
            self._store.rewrite(lane.handle, b"")
            raise
        finally:
            self._store.close(file)

    def _set_aside(self, lane: Lane, torn: bytes) -> None:
        """Cut an incomplete last line off the lane's file, and store the bytes separately."""
        name, (place, folder) = str(lane.tail.segment), self.aside
        aside = f"{folder}/{name.rsplit('/', 1)[1]}.{lane.tail.size}"
        if place.stat(aside) is not None and place.read(aside) != torn:
            aside += f".{self._ids.word(6)}"  # a line was torn here before; keep those bytes too
        try:
            place.replace(aside, torn)
        except (NotADirectoryError, PermissionError):
            # the bytes cannot be stored elsewhere: they stay, and the lane starts a new segment
            return
        self._file = file = self._store.reopen(name)
        self._store.truncate(file, lane.tail.size)
        self._store.sync(file)
        self._go_on(lane, file, name)

    def _go_on(self, lane: Lane, file: int, name: str) -> None:
        self._file = file
        lane.tail = lane.tail.replace(start=self._store.machine_start())
        if self._spool is not None:
            self._spool.resume(self._store, name)

    def _may_continue(self, lane: Lane, *, beyond: int = 0) -> bool:
        """Return whether a file is as this lane left it, except for `beyond` incomplete bytes."""
        tail = lane.tail
        if tail.segment is None or tail.lines >= MAX_LINES or tail.size >= MAX_BYTES:
            return False
        found = self._store.stat(tail.segment)
        if found is None or found[2] != tail.inode or found[0] != tail.size + beyond:
            return False
        if self._tree is None:
            return True
        path = f"{self._store.root}/{tail.segment}"
        return self._tree.head() == tail.head and not self._tree.staged(path)

    def _record(
        self, drafts: list[tuple[str, Draft]], seen: Sequence[str], now: int
    ) -> list[Event]:
        lane = self._own_lane()
        day = max(now, self._hlc.latest >> 16) // DAY_MS
        if lane.tail.day == day and self._file is None and self._may_continue(lane):
            name = str(lane.tail.segment)
            self._go_on(lane, self._store.reopen(name), name)
        file = self._file
        # While this process checks and writes, no other process may replace the file: the lock
        # prevents it. If the lock is not granted, another process is about to replace the file.
        if lane.tail.day == day and file is not None and self._store.hold(file):
            try:
                if self._may_continue(lane):
                    return self._write(lane, lane.tail, self._stamp(lane, drafts, seen, now))
            finally:
                if self._file == file:
                    self._store.let_go(file)
        lane = self._depart(lane)
        closing = self._closing(lane, now)
        made = self._stamp(lane, [*closing, *drafts], seen, now)
        return self._write(lane, self._begin_segment(lane, day), made)[len(closing) :]

    def _closing(self, lane: Lane, now: int) -> list[tuple[str, Draft]]:
        tail = lane.tail
        if tail.segment is None:
            return []
        content: dict[str, object] = {
            "segment": tail.segment,
            "lines": tail.lines,
            "bytes": tail.size,
            "last": tail.prev,
        }
        if tail.start != self._store.machine_start() or not tail.start:
            # a power cut may have removed lines here that git still has
            content["restarted"] = True
        return [(self._ids.event(now), Draft(kind=CLOSED, data=content, actor="varves"))]

    def _depart(self, lane: Lane) -> Lane:
        """Stop using the lane's current segment (a file of the log).

        If the segment cannot be closed safely, also abandon the lane's chain.

        The note must be durable before the closing line: after a power cut the next owner of the
        lane would otherwise continue a closed segment.
        """
        self._close_file()
        lane.tail = lane.tail.replace(head=_LEFT)
        if lane.tail.segment is None:
            self._note(lane)
            return lane
        try:
            lane.note(self.clone)
            self._secure_note(lane)
        except OSError:
            self._abandon()
            return self._own_lane()
        return lane

    def _secure_note(self, lane: Lane) -> None:
        self._store.sync(lane.handle)

    def _begin_segment(self, lane: Lane, day: int) -> Tail:
        name = segment_name(iso(day * DAY_MS)[:10], self.clone, self._ids.word(10))
        head = self._tree.head() if self._tree else ()
        self._file = self._store.create(name)
        if self._spool is not None:
            self._spool.begin(self._store, name)
        inode = self._store.stat_handle(self._file)[2]
        start = self._store.machine_start()
        extent = {"inode": inode, "size": 0, "lines": 0}
        return lane.tail.replace(segment=name, day=day, head=head, start=start, **extent)

    def _stamp(
        self, lane: Lane, drafts: list[tuple[str, Draft]], seen: Sequence[str], now: int
    ) -> list[tuple[Event, bytes]]:
        """Return, for each draft, its event with a place in the lane's chain, and its line."""
        seq, prev = lane.tail.seq, lane.tail.prev
        writer, moment = f"{self.clone}.{lane.name}", iso(now)
        made: list[tuple[Event, bytes]] = []
        for identity, draft in drafts:
            seq += 1
            stamp = {
                "id": identity,
                "hlc": self._hlc.tick(now),
                "time": moment,
                "writer": writer,
                "seq": seq,
                "prev": prev,
                "seen": () if made else seen,
                "salt": self._ids.salt(),
            }
            made.append(stamped(draft, self.log, stamp))
            prev = made[-1][0].digest
        return made

    def _write(self, lane: Lane, tail: Tail, made: list[tuple[Event, bytes]]) -> list[Event]:
        """Write the lines to disk, and only then update the lane's end."""
        file = self._file
        assert file is not None  # noqa: S101 - both callers have just opened it
        content = b"".join([line for _, line in made])
        try:
            taken = self._store.write(file, content)
        except OSError:
            self._cut_back(lane, tail, file)
            raise
        if taken != len(content):  # the first sign of a full disk is that only a part is written
            self._cut_back(lane, tail, file)
            raise NotDurable(
                "the disk accepted only part of a line", "free some space and try again"
            )
        if self.group is None:
            try:
                self._store.sync(file)
            except OSError as fault:
                raise SyncFailed(fault.strerror) from None
        else:
            self._share_sync(self.group, file, tail, len(made))
        if self._spool is not None:
            self._spool.add(content)
        last = made[-1][0]
        lane.tail = tail.replace(
            seq=last.seq,
            prev=last.fields["h"],
            hlc=last.hlc,
            lines=tail.lines + len(made),
            size=tail.size + len(content),
        )
        if tail.size == 0:
            self._note(lane)
        return [event for event, _ in made]

    def _share_sync(self, group: Group, file: int, tail: Tail, events: int) -> None:
        """Let the callers of a group share one sync for these lines.

        A segment's first lines are synced now, because the lane's note will name the segment.
        """
        if self._unsynced is None:
            self._unsynced = Unsynced(group, self._store, file=file, abandon=self.sync_pending)
        self._unsynced.wrote(events, now=tail.size == 0)

    def sync_pending(self) -> None:
        """Sync the lines that wait for their group's sync; if it fails, abandon the chain."""
        with self._mutex:
            self._sync_pending()

    def _sync_pending(self) -> None:
        try:
            if self._unsynced is not None:
                self._unsynced.sync_pending()
        except SyncFailed:
            try:
                self._abandon()
            except OSError:
                pass  # the callers that wait receive the error of the failed sync

    def _cut_back(self, lane: Lane, tail: Tail, file: int) -> None:
        """Restore the segment to its state before a failed write.

        If a reader may have seen complete lines that are now removed, no other lines may be written
        in their place.
        """
        if self._unsynced is not None:
            self._unsynced.sync_pending()  # the note must not name lines that may be lost
        lane.tail = lane.tail.replace(head=_LEFT)
        self._note(lane)
        try:
            self._store.truncate(file, tail.size)
            self._store.sync(file)  # otherwise a power cut could bring the lines back
            self._close_file()
            if tail.size == 0:  # nothing in it was ever acknowledged, so do not leave an empty file
                self._store.remove(str(tail.segment))
                if self._spool is not None:
                    self._spool.drop(str(tail.segment))
        except OSError:
            self._let_go(lane)

    def _note(self, lane: Lane) -> None:
        try:
            lane.note(self.clone)
        except OSError:
            pass  # the note only saves time; without a note, a new chain is started

    def _abandon(self) -> None:
        """Stop using this writer's chain, and prevent other processes from continuing it."""
        self._start_afresh = True
        if self._lane is not None:
            try:
                self._store.rewrite(self._lane.handle, b"")
            finally:
                self._let_go(self._lane)

    def _close_file(self) -> None:
        if self._file is not None:
            lines, self._unsynced = self._unsynced, None
            try:
                if lines is not None and lines.failed is None:
                    lines.sync_pending()
            finally:
                self._store.close(self._file)
                self._file = None
        if self._spool is not None:
            self._spool.end()


def not_durable(fault: OSError) -> NotDurable:
    """Return the error for a write that the disk did not accept."""
    full = fault.errno in (ENOSPC, EDQUOT, EFBIG)
    hint = "free some space and try again" if full else "check the disk and the folder"
    return NotDurable(f"cannot write the log: {fault.strerror or fault}", hint)
