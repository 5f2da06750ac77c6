"""Whether locks can be trusted here: some shared mounts grant one twice, and others have none.

Locks keep things tidy; names and digests carry the proof. So where they do not hold we go on: each
process writes a segment of its own, and what a lock would have to prove is refused.
"""

from __future__ import annotations

from errno import ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.log.files.port import Lockable, LogStore

NOTE = "local/no-locks"
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


def note(store: LogStore) -> None:
    """Write down that locks do not hold, for those who only read; they will not test it."""
    if not noted(store):
        try:
            store.replace(NOTE, b"a lock was granted twice, or not at all\n")
        except OSError:
            pass  # the next writer finds out for itself


def noted(store: LogStore) -> bool:
    """Tell whether somebody has found that locks do not hold."""
    return store.stat(NOTE) is not None


def tested(store: LogStore) -> bool:
    """Find out now whether locks hold, and keep the note true."""
    try:
        handle = exclusive(store, "local/test.lock")
    except NoLocks:
        note(store)
        return False
    if handle is not None:
        store.close(handle)
    if noted(store):
        store.remove(NOTE)
    return True
