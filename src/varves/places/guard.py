"""Locks a file while it is replaced or removed, so that no other process appends to it."""

from __future__ import annotations

from errno import EAGAIN
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.places.port import FileStore

# seconds to wait for a process that writes; a writer holds the lock only during one write
_PATIENCE = 10.0


class FileGuard:
    """Locks a file during a `with` block, so that no other process appends to it."""

    def __init__(self, files: FileStore, name: str) -> None:
        self._files = files
        self._name = name
        self._handle = -1

    def __enter__(self) -> None:
        until = monotonic() + _PATIENCE
        while monotonic() < until:
            self._handle = handle = self._files.reopen(self._name)
            try:
                if self._files.hold(handle) and self._is_there(handle):
                    return
            except BaseException:  # otherwise the open handle would keep the lock
                self._files.close(handle)
                raise
            self._files.close(handle)  # another process is writing to it, or has replaced it
            sleep(0.002)
        raise BlockingIOError(EAGAIN, "another process holds it", self._name)

    def _is_there(self, handle: int) -> bool:
        there = self._files.stat(self._name)
        return there is None or there[2] == self._files.stat_handle(handle)[2]

    def __exit__(self, *exc: object) -> None:
        self._files.close(self._handle)
