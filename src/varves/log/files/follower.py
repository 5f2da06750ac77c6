"""Finds the lines that were added to a log since a reader's last read, without the index.

A write uses this to learn what other processes have just recorded.
"""

from __future__ import annotations

import sys

from varves.events.codec import BadLine, decode
from varves.events.raw import is_closing
from varves.log.files.layout import LOG, is_pack
from varves.log.files.survey import (
    ENDING,
    UNKNOWN,
    file_mark,
    folders_of,
    read_up_to,
    stat_of,
    still,
    survey,
)
from varves.values.instants import SystemClock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.log.port import Known
    from varves.places.port import FileStore, OpenedFile, Stat

READERS = 64


class FileFollower:
    """Follows one log from the marks of an index; each poll returns the lines added since."""

    def __init__(self, store: FileStore, known: Known) -> None:
        self._store = store
        self._known = known
        self._folders = folders_of(known.whole())
        self._growing: dict[str, Stat] = {}
        self._stats: dict[str, Stat] = {}
        self._ends: dict[str, tuple[int, bytes]] = {}
        self._own: dict[str, Stat | None] = {}
        self._readers: dict[str, OpenedFile] = {}
        for name, mark in known.open().items():
            self._growing[name] = stat_of(mark)
            self._ends[name] = _end(mark)

    def poll(self) -> list[bytes] | None:
        """Return the lines added since the last poll; None if lines were removed."""
        try:
            if any(self._is_rewritten(name, seen) for name, seen in self._own.items()):
                return None
            calm = still(self._store, self._folders, {})
            gained = self._look_on() if calm else self._look_around()
        # the file was removed between two checks, for example because it was packed
        except FileNotFoundError:
            return None
        for line in gained or ():
            if is_closing(line):
                self._retire(line)
        return gained

    def _look_on(self) -> list[bytes] | None:
        """Return the new lines of files that may still grow; None if lines were removed.

        If no file was added or removed, there are no other new lines.
        """
        gained: list[bytes] = []
        for name, seen in list(self._growing.items()):
            stat = self._store.stat(name)
            if stat is None or (more := self._gained(name, seen, stat)) is None:
                return None
            self._growing[name] = stat
            gained += more
        return gained

    def _look_around(self) -> list[bytes] | None:
        """Return the new lines of all files, including new files.

        None if lines were removed.
        """
        clock = SystemClock()
        found = survey(
            self._store,
            folders=self._folders,
            files={name: file_mark(stat) for name, stat in self._growing.items()},
            files_in=self._below,
            now_ns=lambda: clock.now() * 1_000_000,
        )
        if found.gone:
            return None
        gained: list[bytes] = []
        for name, stat in found.changed.items():
            self._stats[name] = stat
            if name in self._own:
                continue
            more = None if is_pack(name) else self._gained(name, self._growing.get(name), stat)
            if more is None:
                return None
            self._growing[name] = stat
            gained += more
        self._folders.update({name: stat for name, stat in found.folders.items() if stat})
        return gained

    def _gained(self, name: str, seen: Stat | None, stat: Stat) -> list[bytes] | None:
        """Return the lines added to a file; None if the lines before them may have changed.

        If lines were only appended, the last known line is still at its offset.
        """
        if seen is not None and seen[:2] == stat[:2] and seen[2] in (stat[2], UNKNOWN):
            return []
        if name not in self._ends:
            self._ends[name] = _end(self._known.mark(name))
        end, ending = self._ends[name]
        if stat[0] <= end or (seen is not None and seen[2] not in (stat[2], UNKNOWN)):
            return None if end else []
        start = end - len(ending)
        reader = self._reader(name)
        if reader is not None and reader.inode != stat[2]:
            return None
        content = reader.read(start, stat[0]) if reader else self._store.read(name, start)
        if not content.startswith(ending):
            return None
        whole, newline, _torn = content[len(ending) :].rpartition(b"\n")
        if not newline:
            return []
        self._ends[name] = end + len(whole) + 1, (ending + whole + newline)[-ENDING:]
        return whole.split(b"\n")

    def _retire(self, line: bytes) -> None:
        """Stop following a file that is closed, as the first line of the next file shows."""
        try:
            closed = str(decode(line, "").data.get("segment"))
        except BadLine:
            return
        self._growing.pop(closed, None)
        self._readers.pop(closed, None)

    def _reader(self, name: str) -> OpenedFile | None:
        """Return an open handle on a file that may still grow, or None.

        A limited number of handles stay open for the next call.
        """
        reader = self._readers.get(name)
        if reader is None and len(self._readers) < READERS:
            try:
                reader = self._readers[name] = self._store.reader(name)
            except OSError:
                return None
        return reader

    def waiting(self) -> int:
        """Return roughly how many bytes were added to the log, without reading them."""
        if not self._folders and self._store.stat(LOG) is not None:
            return sys.maxsize  # the log has not been read yet
        return sum(
            max(0, (self._store.stat(name) or seen)[0] - seen[0])
            for name, seen in self._growing.items()
        )

    def own(self, name: str) -> None:
        """Do not report the lines of a file that this process writes itself."""
        self._growing.pop(name, None)
        self._own[name] = self._store.stat(name)

    def _is_rewritten(self, name: str, seen: Stat | None) -> bool:
        """Return whether another process changed a file that this process writes."""
        now = self._store.stat(name)
        if now is None or seen is None:
            return now is not seen
        return now[0] < seen[0] or (now[0] == seen[0] and now != seen)

    def _below(self, folder: str) -> dict[str, bytes]:
        known = self._known.below(f"{folder}/")
        below = {n: stat for n, stat in self._stats.items() if n.startswith(f"{folder}/")}
        return known | {name: file_mark(stat) for name, stat in below.items()}


def _end(mark: bytes) -> tuple[int, bytes]:
    end, _, ending = read_up_to(mark)
    return end, ending
