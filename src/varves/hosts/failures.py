"""Records the failure of a hook as one line in a log of limited size, and nowhere else.

A hook that is slow or fails must not stop the user. So a watchdog ends the process at its time
limit, in the same way as a crash. Writes that the ledger has acknowledged are safe.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "hooks.log"
LARGEST = 128 << 10  # after this many bytes, a new file is started; one old file is kept
_LONGEST = 500
LAST_WORDS = 0.3  # the seconds in which it may be logged that the time limit was reached
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class HookLog:
    """The log of hooks: the ledger's own or, if there is no ledger, the user's."""

    def __init__(self, called: str) -> None:
        self.called = called
        """The hook's arguments, if they are known."""
        self.folder: str | None = None
        """The session's folder, if it is known."""
        self.root: str | None = None
        """The project, if it was given explicitly."""

    def fault(self, fault: BaseException) -> None:
        """Record an error in the log."""
        self.line(f"{type(fault).__name__}: {fault}")

    def line(self, said: str) -> None:
        """Write a line with secrets masked; if this fails, the line is lost."""
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
            text = "a fault whose message could not be masked"
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
    """Return whether a path is a folder and not a link."""
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
                return False  # the file is not a plain file of ours
            os.write(handle, line)
        finally:
            os.close(handle)
        if found.st_size + len(line) > LARGEST:
            os.replace(path, f"{path}.1")
    except OSError:
        return False
    return True


def watch(seconds: float, late: Callable[[], None]) -> Callable[[], None]:
    """End the process with code 0 after some seconds; calling the returned function prevents it.

    Another thread does this, because Python would handle a signal only after a slow SQLite call or
    sync returns. If an endless regular expression blocks that thread too, the system's alarm ends
    the process, but not with code 0.
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
            # in a thread, because writing may wait for a lock that the main thread holds
            start_new_thread(tell, ())
            told.acquire(timeout=LAST_WORDS)
            os._exit(0)

    signal(SIGALRM, SIG_DFL)
    setitimer(ITIMER_REAL, seconds + 3 * LAST_WORDS)
    start_new_thread(wait, ())
    return working.release
