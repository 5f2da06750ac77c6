"""What becomes of a hook that fails: a line in a log of bounded size, and nothing else, ever.

A hook that answers late or breaks must not keep anybody from working, so a watch ends the process
at its limit as a crash would; what the ledger acknowledged is safe from that.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "hooks.log"
LARGEST = 128 << 10  # bytes, from which on a new file is begun; one old one is kept
_LONGEST = 500
_LAST_WORDS = 0.3  # seconds for the line that says so
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class HookLog:
    """The log of hooks: the ledger's own, or the user's where there is no ledger."""

    def __init__(self, called: str) -> None:
        self.called = called
        """What the hook was called with, as far as it is known."""
        self.folder: str | None = None
        """The folder the session is in, as far as it is known."""
        self.root: str | None = None
        """The project, where somebody named it."""

    def fault(self, fault: BaseException) -> None:
        """Write down what went wrong."""
        self.line(f"{type(fault).__name__}: {fault}")

    def line(self, said: str) -> None:
        """Write a line, secrets masked; where that fails too, there is nobody left to tell."""
        try:
            self._write(self._made(said))
        except BaseException:  # noqa: BLE001, S110 - nothing of a hook may reach its host
            pass

    def _made(self, said: str) -> bytes:
        from varves.values.instants import SystemClock, iso

        try:
            from varves.context.guard import masked

            text = masked(f"{self.called}: {said[: 4 * _LONGEST]}")
        except Exception:  # noqa: BLE001 - what cannot be masked is not written
            text = "a fault that could not be masked"
        shown = "".join(sign if sign.isprintable() else " " for sign in text)[:_LONGEST]
        return f"{iso(SystemClock().now())} {shown}\n".encode("utf-8", "replace")

    def _write(self, line: bytes) -> None:
        from varves.settings import hook_places

        found, home = hook_places(self.folder)
        root = self.root or found
        if root and is_plain(f"{root}/.varves"):
            from varves.context.context import local_of

            if _append(local_of(root, home), line):
                return
        _append(f"{home}/local", line)


def is_plain(path: str) -> bool:
    """Tell whether a path is a folder, and no link that leads elsewhere."""
    return os.path.isdir(path) and not os.path.islink(path)


def _append(folder: str, line: bytes) -> bool:
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        if not is_plain(folder):
            return False
        path = f"{folder}/{NAME}"
        handle = os.open(path, _FLAGS, 0o600)
        try:
            found = os.fstat(handle)
            if found.st_nlink > 1 or found.st_mode & 0o170000 != 0o100000:
                return False  # no plain file of ours
            os.write(handle, line)
        finally:
            os.close(handle)
        if found.st_size + len(line) > LARGEST:
            os.replace(path, f"{path}.1")
    except OSError:
        return False
    return True


def watch(seconds: float, late: Callable[[], None]) -> Callable[[], None]:
    """End the process with 0 after some seconds, unless what is returned is called before.

    A thread of its own sees to it: a signal's turn would come only after SQLite, or after a sync
    that hangs. Where a pattern that never ends keeps the thread from running, too, the system's
    alarm ends the process, though not with 0.
    """
    from _signal import (  # type: ignore[import-not-found]
        ITIMER_REAL,
        SIG_DFL,
        SIGALRM,
        setitimer,
        signal,
    )
    from _thread import allocate_lock, start_new_thread

    working, told = allocate_lock(), allocate_lock()
    working.acquire()
    told.acquire()

    def tell() -> None:
        late()
        told.release()

    def wait() -> None:
        if not working.acquire(timeout=seconds):
            start_new_thread(tell, ())  # it may wait for what the first thread is in the midst of
            told.acquire(timeout=_LAST_WORDS)
            os._exit(0)

    signal(SIGALRM, SIG_DFL)
    setitimer(ITIMER_REAL, seconds + 3 * _LAST_WORDS)
    start_new_thread(wait, ())
    return working.release
