"""Finds the changes of a log's files since a reader's last read."""

from __future__ import annotations

from binascii import crc32

from varves.events.codec import decode
from varves.events.kinds import CLOSED
from varves.log.files.layout import is_pack
from varves.log.files.segments import read_lines
from varves.log.files.survey import (
    AGAIN,
    ENDING,
    UNKNOWN,
    Survey,
    file_mark,
    folders_mark,
    folders_of,
    read_up_to,
    survey,
)
from varves.log.sources import Part, elsewhere, log_of
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from varves.events.event import Event
    from varves.log.port import Known
    from varves.places.port import FileStore, Stat

BULK_BYTES = 1 << 20
_LOOKS = 8  # more than the number of packs that can be made while a log is read


class FileChanges:
    """The changes of one log since a reader's last read, found by the marks that it stored."""

    def __init__(self, key: str, store: FileStore, known: Known) -> None:
        self.closed: set[str] = set()
        self.whole = known.whole()
        self._key = key
        self._store = store
        self._known = known
        self._told: dict[str, bytes] = {}  # the marks of yielded parts; empty if the file is gone
        self._vanished = False
        self._found = self._look()
        self.behind = sum(self._unread(*one) for one in self._found.changed.items())
        self._decode: Callable[[bytes, str], Event] = decode
        if self.behind > BULK_BYTES:
            from varves.events.bulk import decode_quickly  # slow to import

            self._decode = decode_quickly

    def __iter__(self) -> Iterator[Part]:
        """Yield the parts that were changed, added or removed."""
        for _ in range(_LOOKS):
            found = self._found
            self._vanished = bool(found.gone)
            # grown files first, because packing does not change them
            for name, stat in found.changed.items():
                yield self._told_of(self._read(name, stat))
            for name in found.gone:
                yield self._told_of(Part(name=name, gone=True))
            folders = folders_of(self.whole) | found.folders
            self.whole = folders_mark({name: seen for name, seen in folders.items() if seen})
            if not self._vanished:
                return
            self._found = self._look()

    def _told_of(self, part: Part) -> Part:
        self._told[part.name] = part.mark
        return part

    def _look(self) -> Survey:
        # file times come from the machine's clock, whatever clock the ledger uses
        clock = SystemClock()
        try:
            return survey(
                self._store,
                folders=folders_of(self.whole),
                files=self._up_to_date(self._known.open() | self._known.recent() | self._told),
                files_in=self._below,
                now_ns=lambda: clock.now() * 1_000_000,
            )
        except OSError:
            if not elsewhere(self._key):
                raise
            return Survey()  # an error in another worktree must not affect this checkout

    def _below(self, folder: str) -> dict[str, bytes]:
        known = self._known.below(f"{folder}/")
        known |= {name: m for name, m in self._told.items() if name.startswith(f"{folder}/")}
        return self._up_to_date(known)

    def _up_to_date(self, known: dict[str, bytes]) -> dict[str, bytes]:
        """Return the reader's marks, with new marks for the parts that were yielded."""
        marks = {name: self._told.get(name, mark) for name, mark in known.items()}
        return {name: mark for name, mark in marks.items() if mark}

    def _mark(self, name: str) -> bytes:
        return self._told[name] if name in self._told else self._known.mark(name)

    def _unread(self, name: str, stat: Stat) -> int:
        """Return the maximum number of unread bytes of a file.

        If the file became shorter, this is its whole size.
        """
        end = read_up_to(self._mark(name))[0]
        return stat[0] - end if stat[0] >= end else stat[0]

    def _read(self, name: str, stat: Stat) -> Part:
        """Return the lines added to a file, or all its lines if the bytes before them changed.

        The bytes are compared. Size, times and inode do not show whether a file was only appended
        to, or was edited, cut or restored in place.
        """
        end, checksum, _ = read_up_to(self._mark(name))
        try:
            content = self._store.read(name)
        except FileNotFoundError:
            self._vanished = True
            return Part(name=name, gone=True)
        except OSError as fault:
            return _unreadable(name, stat, fault)
        fresh = len(content) < end or crc32(memoryview(content)[:end]) != checksum
        if fresh:
            end = checksum = 0
        log = log_of(self._key)
        reading = read_lines(name, content[end:], log, start=end, read=self._decode)
        # A writer's highest event number does not show which files are closed: after a crash, or in
        # a copied clone, a chain can have two continuations.
        self.closed |= {
            str(event.data.get("segment")) for event, _ in reading.events if event.kind == CLOSED
        }
        kept = (*stat[:2], UNKNOWN) if name in self._found.unsettled else stat
        checksum = crc32(memoryview(content)[end : reading.end], checksum)
        ending = content[max(0, reading.end - ENDING) : reading.end]
        return Part(
            name=name,
            mark=file_mark(kept, reading.end, checksum, ending),
            fresh=fresh,
            closed=is_pack(name),
            events=reading.events,
            bad=reading.bad,
        )


def _unreadable(name: str, stat: Stat, fault: OSError) -> Part:
    """Return the changes to report for an unreadable file.

    Events read earlier from this file still count, unless access is denied.
    """
    problem = (0, stat[0], fault.strerror or str(fault))
    forbidden = isinstance(fault, PermissionError)
    return Part(name=name, mark=AGAIN, fresh=forbidden, unread=True, bad=(problem,))
