"""What a log has gained since its reader last looked, kept in memory.

A write looks at it to know what other processes have just recorded, without touching the index.
"""

from __future__ import annotations

import sys

from varves.events.codec import BadLine, decode
from varves.events.raw import is_closing
from varves.log.layout import LOG, is_pack
from varves.log.survey import still, survey
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.log.port import LogStore, Reader, Stat

READERS = 64


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
        self._stats: dict[str, Stat] = {}
        self._ends: dict[str, int] = {}
        self._own: set[str] = set()
        self._readers: dict[str, Reader] = {}

    def poll(self) -> list[bytes] | None:
        """Return the lines added since the last poll; None if something was taken away."""
        try:
            calm = still(self._store, self._folders, {})
            gained = self._look_on() if calm else self._look_around()
        except FileNotFoundError:  # taken away between two looks, into a pack perhaps
            return None
        for line in gained or ():
            if is_closing(line):
                self._retire(line)
        return gained

    def _look_on(self) -> list[bytes] | None:
        """Read on in the files that grow; no other has come or gone."""
        gained: list[bytes] = []
        for name in list(self._growing):
            reader = self._reader(name)
            stat = None if reader else self._store.stat(name)
            size = reader.size() if reader else stat[0] if stat else -1
            end = self._end(name)
            if size < end:
                return None
            if size > end:
                content = reader.read(end, size) if reader else self._store.read(name, end)
                gained += self._whole_lines(name, end, content)
        return gained

    def _look_around(self) -> list[bytes] | None:
        """Compare the folders too."""
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
        gained: list[bytes] = []
        for name, stat in found.changed.items():
            self._stats[name] = stat
            if name in self._own:
                continue
            end = self._end(name)
            if stat[0] < end or is_pack(name) or self._growing.get(name, stat)[2] != stat[2]:
                return None
            self._growing[name] = stat
            gained += self._whole_lines(name, end, self._store.read(name, end))
        self._folders.update({name: stat for name, stat in found.folders.items() if stat})
        return gained

    def _whole_lines(self, name: str, end: int, content: bytes) -> list[bytes]:
        whole, newline, _torn = content.rpartition(b"\n")
        self._ends[name] = end + len(whole) + len(newline)
        return whole.split(b"\n") if newline else []

    def _end(self, name: str) -> int:
        """Return how far a file has been read, here or by the index."""
        if name not in self._ends:
            self._ends[name] = self._read_up_to(name)
        return self._ends[name]

    def _retire(self, line: bytes) -> None:
        """Stop looking at a segment that its successor has closed."""
        try:
            closed = str(decode(line, self.log).data.get("segment"))
        except BadLine:
            return
        self._growing.pop(closed, None)
        self._readers.pop(closed, None)

    def _reader(self, name: str) -> Reader | None:
        """Return a handle on a growing file, kept for the next time, unless there are too many."""
        reader = self._readers.get(name)
        if reader is None and len(self._readers) < READERS:
            try:
                reader = self._readers[name] = self._store.reader(name)
            except OSError:
                return None
        return reader

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
        known.update({n: stat for n, stat in self._stats.items() if n.startswith(folder + "/")})
        return known
