"""The purges this clone wrote, kept where no branch, reset or checkout takes them away.

A commit from before a purge holds the text and not the line that bars it. So that line is kept a
second time, beside git's own files, and read as one more source of the project's log. It says which
memory is barred and why, and nothing of what that said.
"""

from __future__ import annotations

from varves.events.memories import PURGED
from varves.events.purge import purges
from varves.log.layout import KEPT_PURGES
from varves.log.segments import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from varves.log.port import LogStore
    from varves.log.spool import Spool

_LOCK = "purges.lock"
_BARRING = f'"kind":"{PURGED}"'.encode("ascii")


class Kept:
    """One file of lines, each of them whole in a log somewhere too."""

    def __init__(self, place: LogStore) -> None:
        self.place = place

    def lines(self) -> list[bytes]:
        """Return the lines that are kept."""
        try:
            return self.place.read(KEPT_PURGES).splitlines()
        except FileNotFoundError:
            return []

    def add(self, lines: Iterable[bytes]) -> None:
        """Keep some lines more, each once.

        Of two processes at the same moment one waits; where locks do not hold, a line that is lost
        so is found again in the spool.
        """
        wanted = list(lines)
        if set(wanted) <= set(self.lines()):
            return
        lock = self._lock()
        try:
            content = dict.fromkeys([*self.lines(), *wanted])
            self.place.replace(KEPT_PURGES, b"".join(line + b"\n" for line in content))
        finally:
            if lock is not None:
                self.place.close(lock)

    def _lock(self) -> int | None:
        from time import sleep

        for _ in range(1000):
            try:
                handle = self.place.lock(_LOCK)
            except OSError:
                return None
            if handle is not None:
                return handle
            sleep(0.005)
        return None


def spooled_purges(spool: Spool, clones: Collection[str]) -> list[bytes]:
    """Return the lines by which these clones purged and that the spool holds.

    Anybody can commit a line in our name; only what we wrote ourselves is in the spool.
    """
    found = []
    for name in spool.names():
        content = spool.read(name) or b""
        if _BARRING in content:
            found += [
                line
                for event, line in read_lines(name, content, "project").events
                if purges(event) and event.writer.partition(".")[0] in clones
            ]
    return found
