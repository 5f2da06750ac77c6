"""Lanes: one lock, one writer, one line of segments.

A process that writes takes the first free lane and keeps it while it lives, so short-lived
processes share a few segments and long-lived ones never wait for each other. What the lane wrote
last is noted in its lock file. The note is only a shortcut: the segment itself is the truth, and a
lane whose note is lost simply starts a fresh chain under a fresh name.
"""

from __future__ import annotations

import json
import os

from varves.errors import Busy
from varves.log.segments import read_lines
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.log.port import LogStore
    from varves.log.spool import Spool
    from varves.values.ids import IdSource

LANES = "local/lanes"
MAX_LANES = 4096


class Tail(Value):
    """Where a lane's chain stands: its last segment and its last event."""

    segment: str | None = None
    day: int = 0
    inode: int = 0
    size: int = 0
    lines: int = 0
    seq: int = 0
    prev: str | None = None
    hlc: str = "0" * 16
    head: tuple[object, ...] = ()


class Lane:
    """A held lane of one log."""

    def __init__(self, store: LogStore, handle: int, *, name: str, tail: Tail) -> None:
        self.store = store
        self.handle = handle
        self.name = name
        self.tail = tail
        self.pid = os.getpid()

    @classmethod
    def take(cls, store: LogStore, clone: str, ids: IdSource, *, fresh: bool = False) -> Lane:
        """Take the first free lane of this clone, making one if all are busy.

        A `fresh` lane starts a new chain, whatever was written there before.
        """
        for number in range(MAX_LANES):
            name = f"{LANES}/{number}.lock"
            handle = store.lock(name)
            if handle is None:
                continue
            try:
                noted = _note(store.read(name))
            except BaseException:
                store.close(handle)
                raise
            if noted.get("clone", clone) != clone:  # a shared folder: that lane is another's
                store.close(handle)
                continue
            tail = None if fresh or not noted else _tail(noted["tail"])
            if tail is None:
                return cls(store, handle, name=ids.word(4), tail=Tail())
            return cls(store, handle, name=noted["lane"], tail=tail)
        raise Busy("every lane of the log is taken", "let some writers finish")

    def note(self, clone: str) -> None:
        """Write down where the lane stands, for whoever takes it next."""
        content = {"clone": clone, "lane": self.name, "tail": self.tail.as_dict()}
        self.store.rewrite(self.handle, json.dumps(content).encode("ascii"))

    def catch_up(self, spool: Spool | None) -> bytes:
        """Bring the tail up to what the segment really holds; return a torn rest, if any.

        A process may have died between its last write and its last note. A segment with anything
        else in it than our chain is never continued.
        """
        tail = self.tail
        if tail.segment is None:
            return b""
        ending = f'"h":"{tail.prev}"}}\n'.encode("ascii")  # of the last line that was noted
        start = max(0, tail.size - len(ending))
        try:
            content = self.store.read(tail.segment, start)
        except OSError:
            content = ((spool and spool.read(tail.segment)) or b"")[start:]
        if not content.startswith(ending):
            self.tail = tail.replace(head=("foreign lines",))
            return b""
        content = content[len(ending) :]
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

    def release(self, clone: str) -> None:
        """Give the lane to others."""
        if self.pid == os.getpid():
            try:
                self.note(clone)
            except OSError:
                pass  # the note is a shortcut; its loss costs a fresh chain
        self.store.close(self.handle)


def _note(content: bytes) -> dict[str, Any]:
    try:
        noted = json.loads(content)
        whole = isinstance(noted["tail"], dict) and str(noted["lane"]).isalnum()
        return noted if whole else {}
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}


def _tail(noted: dict[str, Any]) -> Tail | None:
    """Read a noted tail; None if it is not one we wrote."""
    fields = {**noted, "head": _frozen(noted.get("head", ()))}
    kinds: dict[str, Any] = {"segment": str | None, "prev": str | None, "hlc": str, "head": tuple}
    try:
        tail = Tail(**fields)
        int(tail.hlc, 16)
    except (TypeError, ValueError):
        return None
    sound = all(isinstance(value, kinds.get(name, int)) for name, value in fields.items())
    return tail if sound else None


def _frozen(value: Any) -> Any:
    return tuple(_frozen(part) for part in value) if isinstance(value, list) else value
