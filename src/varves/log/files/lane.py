"""Lanes: a lane has a lock, one writer at a time, and one chain of files of the log.

A writing process takes the first free lane and keeps it until it ends. So short-lived processes
share a few segments, and long-lived processes never wait for each other. The lock file of a lane
contains a note of what the lane wrote last. The note only saves time: the segment itself is
authoritative, and a lane whose note is lost starts a new chain under a new name.
"""

from __future__ import annotations

import json
import os
from binascii import crc32
from errno import EACCES

from varves.errors import Busy
from varves.log.files.segments import read_lines
from varves.places import locks
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.log.files.spool import Spool
    from varves.places.port import FileStore
    from varves.values.ids import IdSource

LANES = "local/lanes"
MAX_LANES = 4096


class Tail(Value):
    """The end of a chain of events: the last file and the last event."""

    segment: str | None = None
    day: int = 0
    inode: int = 0
    size: int = 0
    lines: int = 0
    seq: int = 0
    prev: str | None = None
    hlc: str = "0" * 16
    head: tuple[object, ...] = ()
    start: str = ""
    """The boot id of the machine when the note was written; empty if it was not recorded."""


class Lane:
    """A lane that this process has locked; its holder writes one chain of events."""

    def __init__(self, store: FileStore, handle: int, *, name: str, tail: Tail) -> None:
        self.store = store
        self.handle = handle
        self.name = name
        self.tail = tail
        self.pid = os.getpid()

    @classmethod
    def take(cls, store: FileStore, clone: str, ids: IdSource, *, fresh: bool = False) -> Lane:
        """Take the first lane of this clone that is not in use; create one if all are in use.

        If `fresh` is set, the lane starts a new chain and does not continue an earlier one.
        """
        for number in range(MAX_LANES):
            name = f"{LANES}/{number}.lock"
            try:
                handle = locks.exclusive(store, name)
            except locks.NoLocks:
                return cls._alone(store, ids)
            except PermissionError as fault:
                if fault.errno != EACCES or store.stat(name) is None:
                    raise
                continue  # the lane belongs to another user
            if handle is None:
                continue
            try:
                noted = _note(store.read(name))
            except BaseException:
                store.close(handle)
                raise
            if noted.get("clone", clone) != clone:  # in a shared folder: the lane of another clone
                store.close(handle)
                continue
            tail = None if fresh or not noted else _tail(noted["tail"])
            if tail is None:
                return cls(store, handle, name=ids.word(4), tail=Tail())
            return cls(store, handle, name=noted["lane"], tail=tail)
        raise Busy("too many processes are writing to the log", "wait until some of them finish")

    @classmethod
    def _alone(cls, store: FileStore, ids: IdSource) -> Lane:
        """Return a new lane that no other process can use, with its own chain and file."""
        locks.note(store)
        name = f"{LANES}/{ids.word(10)}.alone"
        handle = store.create(name)
        store.remove(name)  # no other process reads the note of this lane
        return cls(store, handle, name=ids.word(4), tail=Tail())

    def note(self, clone: str) -> None:
        """Store the end of the chain in the lane's lock file, for the next holder of the lane."""
        content: dict[str, Any] = {"clone": clone, "lane": self.name, "tail": self.tail.as_dict()}
        content["sum"] = _sum(content)
        self.store.rewrite(self.handle, json.dumps(content).encode("ascii"))

    def catch_up(self, spool: Spool | None) -> bytes:
        """Update the tail (the known end of the chain) to the segment's real end.

        Return the bytes of an incomplete line at the end, or b"".

        A process may have died between its last write and its last note. If a segment contains
        anything other than this lane's chain, it is not continued.
        """
        tail = self._noted(spool)
        if tail is None:
            self.tail = self.tail.replace(head=("foreign lines",))
            return b""
        if tail.segment is None:
            return b""
        self.tail = tail
        content = self._read(spool, tail.size)
        reading = read_lines(tail.segment, content, "", start=tail.size)
        for event, line in reading.events:
            if event.seq == tail.seq + 1 and event.fields["prev"] == tail.prev:
                tail = tail.replace(
                    seq=event.seq,
                    prev=event.fields["h"],
                    hlc=event.hlc,
                    lines=tail.lines + 1,
                    size=tail.size + len(line) + 1,
                )
        if tail.size != reading.end:
            tail = tail.replace(head=("foreign lines",))
        torn = content[reading.end - self.tail.size :]
        self.tail = tail
        return torn

    def _noted(self, spool: Spool | None) -> Tail | None:
        """Return the end of the chain according to the lane's note, at the file's current length.

        None if the last line that the note names is gone.

        A purge may have shortened earlier lines, so the noted offset may be too high.
        """
        tail = self.tail
        if tail.segment is None:
            return tail
        ending = f'"h":"{tail.prev}"}}\n'.encode("ascii")
        if self._read(spool, max(0, tail.size - len(ending))).startswith(ending):
            return tail
        at = self._read(spool, 0).find(ending)
        return None if at < 0 else tail.replace(size=at + len(ending), head=("rewritten",))

    def _read(self, spool: Spool | None, start: int) -> bytes:
        """Read the lane's file of the log from an offset on, or the spool's copy of the file."""
        name = str(self.tail.segment)
        try:
            return self.store.read(name, start)
        except OSError:
            return ((spool and spool.read(name)) or b"")[start:]

    def release(self, clone: str) -> None:
        """Release the lane, so that other processes may use it."""
        if self.pid == os.getpid():
            try:
                self.note(clone)
            except OSError:
                pass  # the note only saves time; without it a new chain is started
        self.store.close(self.handle)


def last_segments(store: FileStore) -> dict[str, str]:
    """Return the last file of each lane of a log, according to the notes in the lock files.

    The result maps the segment to the digest of the last line that the note names. More lines may
    have been added since.
    """
    if store.stat(LANES) is None:
        return {}
    names = [f"{LANES}/{leaf}" for leaf, is_folder, _ in store.entries(LANES) if not is_folder]
    tails = [note["tail"] for note in (_note(store.read(name)) for name in names) if note]
    written = [tail for tail in tails if tail.get("segment") and tail.get("prev")]
    return {str(tail["segment"]): str(tail["prev"]) for tail in written}


def _note(content: bytes) -> dict[str, Any]:
    try:
        noted = json.loads(content)
        # after a crash the file may contain parts of two notes
        sound = noted.pop("sum") == _sum(noted)
        whole = isinstance(noted["tail"], dict) and str(noted["lane"]).isalnum()
        return noted if sound and whole else {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _sum(noted: dict[str, Any]) -> int:
    return crc32(json.dumps(noted).encode("ascii"))


def _tail(noted: dict[str, Any]) -> Tail | None:
    """Return the end of a chain that a lane's note contains; None for an invalid note."""
    fields = {**noted, "head": _frozen(noted.get("head", ()))}
    kinds: dict[str, Any] = {
        "segment": str | None,
        "prev": str | None,
        "hlc": str,
        "head": tuple,
        "start": str,
    }
    try:
        tail = Tail(**fields)
        int(tail.hlc, 16)
    except (TypeError, ValueError):
        return None
    sound = all(isinstance(value, kinds.get(name, int)) for name, value in fields.items())
    return tail if sound else None


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value
