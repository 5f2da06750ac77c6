"""The server on stdin and stdout: one JSON message a line, and nothing else on stdout, ever.

The real stdout is put aside first, and what anything prints goes to stderr. One thread reads; a
second runs what needs the ledger, in order, and is only started when there is such work.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock

from varves.mcp.faults import INVALID, PARSE, Fault
from varves.streams import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import FileIO
    from queue import SimpleQueue
    from threading import Thread
    from typing import Any, BinaryIO, Self

    from varves.mcp.server import Server

LONGEST = 16 << 20
"""Bytes of a line; more is refused unread."""
EVERY = 1.0
"""Seconds between two looks for changes."""
_LEAVING = 5.0  # seconds for the work at hand, when we are told to go


class _Ended(BaseException):
    """We are told to go."""


class Worker:
    """Runs jobs one after another, in a thread of its own."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] | None = None
        self._thread: Thread | None = None

    def __call__(self, job: Callable[[], None]) -> None:
        """Run a job when those before it are done."""
        if self._jobs is None:
            from queue import SimpleQueue
            from threading import Thread

            self._jobs = SimpleQueue()
            self._thread = Thread(target=self._run, args=(self._jobs,), name="work", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def finish(self, limit: float | None = None) -> bool:
        """Wait until all is done, or for so many seconds, and tell whether it is."""
        if self._jobs is None or self._thread is None:
            return True
        self._jobs.put(None)
        self._thread.join(limit)
        return not self._thread.is_alive()

    @staticmethod
    def _run(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
        while (job := jobs.get()) is not None:
            job()


class Outlet:
    """Writes messages to a file, one a line, from any thread; once closed it swallows them."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._lock = allocate_lock()
        self.closed = False

    def __call__(self, message: Any) -> None:
        """Write one message."""
        line = encoded(message)
        with self._lock:
            try:
                if not self.closed:
                    self._write(line)
            except (OSError, ValueError):
                self.closed = True


def encoded(message: Any) -> bytes:
    """Write a message as one line; what UTF-8 cannot write is escaped."""
    from json import dumps

    try:
        text = dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        text = dumps(message, separators=(",", ":")).encode()
    return text + b"\n"


def decoded(line: bytes) -> object:
    """Read a line.

    Raises:
        Fault: it is no JSON, or too long.
    """
    if len(line) > LONGEST:
        raise Fault(INVALID, f"a message is longer than {LONGEST} bytes")
    from json import loads

    try:
        return loads(line.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Fault(PARSE, "Parse error") from None


def _refuse_constant(_word: str) -> None:
    raise ValueError


def frames(source: BinaryIO) -> Iterator[bytes]:
    """Yield lines, empty ones left out; one that is too long comes cut off, the rest unread."""
    while line := source.readline(LONGEST + 1):
        whole = line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = source.readline(LONGEST + 1)
        if whole.strip():
            yield whole


def serve(server: Server, source: BinaryIO, send: Outlet) -> None:
    """Feed a server with what comes in, until there is no more or nobody listens."""
    for line in frames(source):
        try:
            server.receive(decoded(line))
        except Fault as fault:
            send({"jsonrpc": "2.0", "id": None, "error": fault.as_dict()})
        if send.closed:
            return


def verb(given: Any) -> int:
    """Serve the project until stdin ends, or over HTTP until the process does."""
    from varves.mcp.desk import Opening

    if given.own:
        return _other(given)
    from varves.mcp.catalogue import MemoryCatalogue
    from varves.mcp.server import Server

    with Aside() as aside:
        send, worker = Outlet(aside.write), Worker()
        catalogue = MemoryCatalogue(Opening(**_opening(given.shared)))
        server = Server(catalogue, send, work=worker, every=EVERY)
        if catalogue.lost:
            server.roots = catalogue.move
        limit: float | None = None
        try:
            serve(server, sys.stdin.buffer, send)
        except (_Ended, KeyboardInterrupt):
            limit = _LEAVING
            server.close()
        if worker.finish(limit):
            server.close()
            catalogue.close()
    return 0


def _other(given: Any) -> int:
    """Serve over HTTP."""
    from varves.errors import UsageError
    from varves.mcp.desk import Opening
    from varves.mcp.listener import listen

    if "http" not in given.own:
        raise UsageError("--port is for --http", "give both, or none")
    opening = Opening(**_opening(given.shared))
    return listen(opening, port=given.own.get("port"), as_json="json" in given.shared)


def _opening(shared: dict[str, Any]) -> dict[str, Any]:
    """Return what ledgers are opened with: as the call says, else the environment."""
    from varves import settings

    words = ("root", "actor", "session", "mode")
    found = settings.served() | {name: part for name, part in shared.items() if name in words}
    return {**found, "lost": found["lost"] and not found["root"]}


class Aside:
    """The real stdout, put aside: meanwhile whatever is printed goes to stderr.

    A termination ends the reading meanwhile, so that what is under way is finished.
    """

    def __enter__(self) -> Self:
        """Put it aside."""
        import signal

        self._real: FileIO | None = None
        self._shown = sys.stdout
        try:
            if sys.stdout.fileno() == 1:
                self._real = open(os.dup(1), "wb", buffering=0)
                os.dup2(2, 1)
        except (AttributeError, OSError, ValueError):  # not a file: somebody else collects it
            pass
        sys.stdout = sys.stderr
        self._term = signal.signal(signal.SIGTERM, _end)
        return self

    def __exit__(self, *exc: object) -> None:
        """Put it back."""
        import signal

        signal.signal(signal.SIGTERM, self._term)
        sys.stdout = self._shown
        if self._real is not None:
            os.dup2(self._real.fileno(), 1)
            self._real.close()

    def write(self, line: bytes) -> None:
        """Write a line to it."""
        if self._real is not None:
            write(self._real, line)
        elif self._shown is not None:
            write(self._shown.buffer, line)
            self._shown.buffer.flush()
        else:
            raise OSError


def _end(number: int, _frame: object) -> None:
    import signal

    signal.signal(number, signal.SIG_IGN)  # once is enough
    raise _Ended
