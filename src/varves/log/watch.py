"""What a log has gained since its reader last looked, kept in memory.

A write looks at it to know what other processes have just recorded, without touching the index.
"""

from __future__ import annotations

import sys

from varves.events.codec import decode
from varves.events.memories import CLOSED
from varves.log.layout import LOG
from varves.log.segments import read_lines
from varves.log.survey import still, survey
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.events.event import Event
    from varves.log.port import LogStore, Reader, Stat


READERS = 64
MANY = 500  # lines of others read one by one before the quick decoder is worth its import


class Watch:
    """A moving view of one log, starting from what an index has of it."""

    def __init__(
        self,
        log: str,
        store: LogStore,
        *,
        folders: dict[str, Stat],
        growing: dict[str, Stat],
        files_in: Callable[[str], dict[str, Stat]],
        read_up_to: Callable[[str], int],
    ) -> None:
        self.log = log
        self._store = store
        self._folders = folders
        self._growing = growing
        self._files_in = files_in
        self._read_up_to = read_up_to
        self._seen: dict[str, tuple[Stat, int]] = {}
        self._own: set[str] = set()
        self._decode: Callable[[bytes, str], Event] = decode
        self._patience = MANY
        self._readers: dict[str, Reader] = {}

    def poll(self) -> list[Event] | None:
        """Return the events added since the last poll; None if something was taken away."""
        if still(self._store, self._folders, self._growing):
            return []
        clock = SystemClock()
        found = survey(
            self._store,
            folders=self._folders,
            growing=self._growing,
            files_in=self._files,
            now_ns=lambda: clock.now() * 1_000_000,
        )
        if found.gone:
            return None
        gained: list[Event] = []
        for name, stat in found.changed.items():
            if name in self._own:
                self._seen[name] = (stat, 0)
                continue
            start = self._seen[name][1] if name in self._seen else self._read_up_to(name)
            if stat[0] < start:
                return None
            content = self._tail(name, start, stat)
            reading = read_lines(name, content, self.log, start=start, read=self._decode)
            gained += [event for event, _ in reading.events]
            self._seen[name] = (stat, reading.end)
            self._growing[name] = stat
        self._patience -= len(gained)
        if self._patience < 0 and self._decode is decode:
            from varves.events.bulk import decode_quickly  # dear to import, cheap to use

            self._decode = decode_quickly
        for event in gained:
            if event.kind == CLOSED:  # by its successor: it never grows again
                self._growing.pop(str(event.data.get("segment")), None)
                self._readers.pop(str(event.data.get("segment")), None)
        self._folders.update({name: stat for name, stat in found.folders.items() if stat})
        return gained

    def _tail(self, name: str, start: int, stat: Stat) -> bytes:
        """Read what a file has gained, through a handle kept for the next time."""
        reader = self._readers.get(name)
        if reader is None and len(self._readers) < READERS:
            reader = self._readers[name] = self._store.reader(name)
        if reader is None or reader.inode != stat[2]:  # too many, or another file by now
            self._readers.pop(name, None)
            return self._store.read(name, start)
        return reader.read(start, stat[0])

    def waiting(self) -> int:
        """Return roughly how many bytes the log has gained, without reading them."""
        if not self._folders and self._store.stat(LOG) is not None:
            return sys.maxsize  # nothing is known of it yet
        return sum(
            max(0, (self._store.stat(name) or seen)[0] - seen[0])
            for name, seen in self._growing.items()
        )

    def own(self, name: str) -> None:
        """Leave out a segment this process itself writes."""
        if name not in self._own:
            self._own.add(name)
            self._growing.pop(name, None)

    def _files(self, folder: str) -> dict[str, Stat]:
        known = dict(self._files_in(folder))
        known.update({n: stat for n, (stat, _) in self._seen.items() if n.startswith(folder + "/")})
        return known
