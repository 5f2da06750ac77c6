"""Whether locks can be trusted here: some shared mounts grant one twice, and others have none.

Locks keep things tidy; names and digests carry the proof. So where they do not hold we go on: each
process writes a segment of its own, and what a lock would have to prove is refused.
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
LONGEST_PAUSE = 0.003  # a writer that comes again at once leaves others a short moment
_NONE = (ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP)


class NoLocks(Exception):
    """A lock was granted twice, or there are none."""


def exclusive(store: Lockable, name: str) -> int | None:
    """Take a lock and see that a second descriptor is refused it; None if another holds it.

    Raises:
        NoLocks: locks do not hold here.
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
    """Write down that locks do not hold, for those who only read; they will not test it."""
    if not noted(store):
        try:
            store.replace(NO_LOCKS, b"a lock was granted twice, or not at all\n")
        except OSError:
            pass  # the next writer finds out for itself


def noted(store: FileStore) -> bool:
    """Tell whether somebody has found that locks do not hold."""
    return store.stat(NO_LOCKS) is not None


def tested(store: FileStore) -> bool:
    """Find out now whether locks hold, and keep the note true."""
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
    """Take a lock, for a few seconds if need be; None where that fails: locks only keep it tidy."""
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
    """Holds the decide lock of a log, or of a folder, for the length of a `with` block.

    Others decide on what they can read, so nothing there may wait for its sync beyond the lock.
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
                reason = f"locks do not hold in {self._store.root}"
                raise Damaged(reason, "leave --expect out; see varves doctor") from None
        self._settle()

    def _take(self) -> int:
        from time import monotonic, sleep

        until = monotonic() + WAIT_SECONDS
        pause = 0.001
        while (handle := exclusive(self._store, self._name)) is None:
            if monotonic() > until:
                raise Busy("another process is deciding", "try again")
            sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)
        return handle

    def __exit__(self, *exc: object) -> None:
        self._settle()
        if self._handle is not None:
            self._store.close(self._handle)
