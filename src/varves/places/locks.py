"""Tests whether locks work. Some shared file systems grant a lock twice, others have no locks.

Integrity depends on names and digests, not on locks. So without working locks each process writes
its own segment, and operations that need a reliable lock are refused.
"""

from __future__ import annotations

from errno import ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP

from varves.errors import Busy, Damaged
from varves.places.local import NO_LOCKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.places.port import FileStore, Lockable

DECIDE = "local/decide.lock"
PACKING = "local/pack.lock"
WAIT_SECONDS = 60.0
LONGEST_PAUSE = 0.003  # the longest pause of a waiting process between two attempts
_NONE = (ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP)


class NoLocks(Exception):
    """A lock was granted twice, or the file system has no locks."""


def exclusive(store: Lockable, name: str) -> int | None:
    """Take a lock, and test whether it works; None if another process has the lock.

    Raises:
        NoLocks: locks do not work here.
    """
    try:
        handle = store.lock(name)
    except OSError as fault:
        if fault.errno in _NONE:
            raise NoLocks from None
        raise
    if handle is None:
        return None
    try:
        second = store.lock(name)
    except BaseException:
        store.close(handle)
        raise
    if second is not None:
        store.close(second)
        store.close(handle)
        raise NoLocks
    return handle


def note(store: FileStore) -> None:
    """Record that locks do not work; readers rely on this note, because they do not test locks."""
    if not noted(store):
        try:
            store.replace(NO_LOCKS, b"a lock was granted twice, or not at all\n")
        except OSError:
            pass  # the next writer tests it again


def noted(store: FileStore) -> bool:
    """Return whether a process has recorded that locks do not work."""
    return store.stat(NO_LOCKS) is not None


def tested(store: FileStore) -> bool:
    """Test whether locks work, and update the note."""
    try:
        handle = exclusive(store, "local/test.lock")
    except NoLocks:
        note(store)
        return False
    if handle is not None:
        store.close(handle)
    if noted(store):
        store.remove(NO_LOCKS)
    return True


def waited(store: Lockable, name: str) -> int | None:
    """Take a lock whose absence does no harm.

    Wait for it for a few seconds; return None if it was not granted.
    """
    from time import sleep

    for _ in range(1000):
        try:
            handle = store.lock(name)
        except OSError:
            return None
        if handle is not None:
            return handle
        sleep(0.005)
    return None


class Deciding:
    """A `with` block in which no other process decides on the state of a log or folder.

    Every pending sync is completed before the lock is released, so that other processes can rely on
    what they read.
    """

    def __init__(
        self,
        store: Lockable,
        settle: Callable[[], None],
        *,
        proven: bool = False,
        name: str = DECIDE,
    ) -> None:
        self._store = store
        self._settle = settle
        self._proven = proven
        self._name = name
        self._handle: int | None = None

    def __enter__(self) -> None:
        try:
            self._handle = self._take()
        except NoLocks:
            if self._proven:
                reason = f"locks do not work in {self._store.root}"
                raise Damaged(reason, "leave --expect out; see varves doctor") from None
        self._settle()

    def _take(self) -> int:
        from time import monotonic, sleep

        until = monotonic() + WAIT_SECONDS
        pause = 0.001
        while (handle := exclusive(self._store, self._name)) is None:
            if monotonic() > until:
                raise Busy("another process holds the lock for decisions", "try again")
            sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        return handle

    def __exit__(self, *exc: object) -> None:
        self._settle()
        if self._handle is not None:
            self._store.close(self._handle)
