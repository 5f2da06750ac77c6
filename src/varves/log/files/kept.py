"""Stores this clone's own purges where no git branch, reset or checkout removes them.

A commit from before a purge contains the text, but not the purge's line in the log. So that line is
stored a second time, next to git's own files. It is read as an additional source of the project's
log. The line names the purged memory and the reason, and contains nothing of the memory's text.
"""

from __future__ import annotations

from varves.events.remnants import PURGE_MARKS, is_purge
from varves.log.files.layout import KEPT_PURGES
from varves.log.files.segments import read_lines
from varves.places.locks import waited

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from varves.log.files.spool import Spool
    from varves.places.port import FileStore

_LOCK = "purges.lock"


class KeptPurges:
    """A file with second copies of the purges that this clone recorded.

    Args:
        place: the folder of the file.
        spool: the spool to search for earlier purges, if there is one.
        clones: the names under which this clone and this user write.
    """

    def __init__(self, place: FileStore, spool: Spool | None, clones: Collection[str]) -> None:
        self.place = place
        self.root = place.root
        self._spool = spool
        self._clones = clones

    def lines(self) -> list[bytes]:
        """Return the stored lines."""
        try:
            return self.place.read(KEPT_PURGES).splitlines()
        except FileNotFoundError:
            return []

    def add(self, lines: Iterable[bytes]) -> None:
        """Store the lines of purges, together with lines of earlier purges from the spool.

        A line is stored only once.

        The spool contains only lines that this clone wrote. Of two concurrent processes, one waits
        for the other. If locks do not work, a line may be lost from this file, but the next call
        finds it in the spool again.
        """
        earlier = spooled_purges(self._spool, self._clones) if self._spool is not None else []
        wanted = [*earlier, *lines]
        if set(wanted) <= set(self.lines()):
            return
        lock = waited(self.place, _LOCK)
        try:
            content = dict.fromkeys([*self.lines(), *wanted])
            self.place.replace(KEPT_PURGES, b"".join(line + b"\n" for line in content))
        finally:
            if lock is not None:
                self.place.close(lock)


def spooled_purges(spool: Spool, clones: Collection[str]) -> list[bytes]:
    """Return the purge lines that these clones wrote and of which the spool has links or copies.

    Anyone can commit a line in the name of this clone, but the spool contains only lines that this
    clone wrote.
    """
    found = []
    for name in spool.names():
        content = spool.read(name) or b""
        if any(mark in content for mark in PURGE_MARKS):
            found += [
                line
                for event, line in read_lines(name, content, "project").events
                if is_purge(event) and event.writer.partition(".")[0] in clones
            ]
    return found
