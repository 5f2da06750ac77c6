"""The purges this clone wrote, kept where no branch, reset or checkout takes them away.

A commit from before a purge holds the text and not the line that bars it. So that line is kept a
second time, beside git's own files, and read as one more source of the project's log. It says which
memory is barred and why, and nothing of what that said.
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
    """One file of lines, each of them whole in a log somewhere too.

    Args:
        place: the folder it is in.
        spool: in which earlier purges are found, if there is one.
        clones: the names under which this clone and this user write.
    """

    def __init__(self, place: FileStore, spool: Spool | None, clones: Collection[str]) -> None:
        self.place = place
        self.root = place.root
        self._spool = spool
        self._clones = clones

    def lines(self) -> list[bytes]:
        """Return the lines that are kept."""
        try:
            return self.place.read(KEPT_PURGES).splitlines()
        except FileNotFoundError:
            return []

    def add(self, lines: Iterable[bytes]) -> None:
        """Keep some lines more, and those of earlier purges, each once.

        Earlier ones are found in the spool, which holds nothing that others wrote in our name. Of
        two processes at the same moment one waits; where locks do not hold, a line that is lost so
        is found there again.
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
    """Return the lines by which these clones purged and that the spool holds.

    Anybody can commit a line in our name; only what we wrote ourselves is in the spool.
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
