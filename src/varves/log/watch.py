"""What a log has gained since its reader last looked, kept in memory.

A write looks at it to know what other processes have just recorded, without touching the index.
"""

from __future__ import annotations

import sys

from varves.log.layout import LOG
from varves.log.segments import read_lines
from varves.log.survey import still, survey
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.events.event import Event
    from varves.log.port import LogStore, Stat


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
        self._newest: dict[str, tuple[int, str]] = {}

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
            start = self._seen[name][1] if name in self._seen else self._read_up_to(name)
            if stat[0] < start:
                return None
            reading = read_lines(name, self._store.read(name, start), self.log, start=start)
            gained += [event for event, _ in reading.events]
            self.own(name, stat, reading.end)
            if reading.events:
                last = reading.events[-1][0]
                self._retire(last.writer, last.seq, name)
        self._folders.update({name: stat for name, stat in found.folders.items() if stat})
        return gained

    def waiting(self) -> int:
        """Return roughly how many bytes the log has gained, without reading them."""
        if not self._folders and self._store.stat(LOG) is not None:
            return sys.maxsize  # nothing is known of it yet
        return sum(
            max(0, (self._store.stat(name) or seen)[0] - seen[0])
            for name, seen in self._growing.items()
        )

    def own(self, name: str, stat: Stat, end: int) -> None:
        """Take note of what this process itself has just written or read."""
        self._seen[name] = (stat, end)
        self._growing[name] = stat

    def _retire(self, writer: str, seq: int, name: str) -> None:
        """Stop looking at a writer's older files: only its newest can grow."""
        newest = self._newest.get(writer)
        if newest is not None and newest[1] != name:
            self._growing.pop(name if newest[0] > seq else newest[1], None)
        if newest is None or newest[0] <= seq:
            self._newest[writer] = (seq, name)

    def _files(self, folder: str) -> dict[str, Stat]:
        known = dict(self._files_in(folder))
        known.update({n: stat for n, (stat, _) in self._seen.items() if n.startswith(folder + "/")})
        return known
