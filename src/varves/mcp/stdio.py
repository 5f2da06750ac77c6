"""Serves on stdin and stdout: each line is a JSON message, and stdout has nothing else.

The real stdout is replaced first, so that anything printed goes to stderr. One thread reads
messages. A second thread, which is started when it is first needed, runs the functions that need
the ledger, in order.
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
"""The most bytes of a line; a longer line is refused."""
EVERY = 1.0
"""Seconds between two checks for changes."""
_LEAVING = 5.0  # seconds that current work may take after the process was asked to terminate


class _Ended(BaseException):
    """Raised when the process is asked to terminate."""


class Worker:
    """Runs jobs one after another, in its own thread."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None] | None] | None = None
        self._thread: Thread | None = None

    def __call__(self, job: Callable[[], None]) -> None:
        """Add a job; it runs after all jobs that were added before."""
        if self._jobs is None:
            from queue import SimpleQueue
            from threading import Thread

            self._jobs = SimpleQueue()
            self._thread = Thread(target=self._run, args=(self._jobs,), name="work", daemon=True)
            self._thread.start()
        self._jobs.put(job)

    def finish(self, limit: float | None = None) -> bool:
        """Wait at most `limit` seconds until all jobs are done; return whether they are."""
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
    """Writes messages to a file, one on each line, from any thread; drops them once closed."""

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
    """Return a message as one line; characters that UTF-8 cannot encode are escaped."""
    from json import dumps

    try:
        text = dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        text = dumps(message, separators=(",", ":")).encode()
    return text + b"\n"


def decoded(line: bytes) -> object:
    """Return the message in a line.

    Raises:
        Fault: the line is not JSON, or is too long.
    """
    if len(line) > LONGEST:
        raise Fault(INVALID, f"a message is larger than {LONGEST} bytes")
    from json import loads

    try:
        return loads(line.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise Fault(PARSE, "Parse error") from None


def _refuse_constant(_word: str) -> None:
    raise ValueError


def frames(source: BinaryIO) -> Iterator[bytes]:
    """Yield the non-empty lines of a source; a line that is too long is cut above the limit."""
    while line := source.readline(LONGEST + 1):
        whole = line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = source.readline(LONGEST + 1)
        if whole.strip():
            yield whole


def serve(server: Server, source: BinaryIO, send: Outlet) -> None:
    """Pass incoming messages to a server until input or output is closed."""
    for line in frames(source):
        try:
            server.receive(decoded(line))
        except Fault as fault:
            send({"jsonrpc": "2.0", "id": None, "error": fault.as_dict()})
        if send.closed:
            return


def verb(given: Any) -> int:
    """Serve on stdin and stdout until stdin ends; or serve over HTTP until the process ends."""
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
    """Serve over HTTP until the process ends."""
    from varves.errors import UsageError
    from varves.mcp.desk import Opening
    from varves.mcp.listener import listen

    if "http" not in given.own:
        raise UsageError("--port is only for --http", "give both options, or neither")
    opening = Opening(**_opening(given.shared))
    return listen(opening, port=given.own.get("port"), as_json="json" in given.shared)


def _opening(shared: dict[str, Any]) -> dict[str, Any]:
    """Return the options for opening ledgers: from the call or, if not given there, environment."""
    from varves import settings

    words = ("root", "actor", "session", "mode")
    found = settings.served() | {name: part for name, part in shared.items() if name in words}
    return {**found, "lost": found["lost"] and not found["root"]}


class Aside:
    """Replaces stdout, so that anything printed goes to stderr and not into the messages.

    After a termination signal, no more messages are read, so that current work can be finished.
    """

    def __enter__(self) -> Self:
        """Replace stdout."""
        import signal

        self._real: FileIO | None = None
        self._shown = sys.stdout
        try:
            if sys.stdout.fileno() == 1:
                self._real = open(os.dup(1), "wb", buffering=0)
                os.dup2(2, 1)
        except (AttributeError, OSError, ValueError):  # stdout is not a file, as in tests
            pass
        sys.stdout = sys.stderr
        self._term = signal.signal(signal.SIGTERM, _end)
        return self

    def __exit__(self, *exc: object) -> None:
        """Restore stdout."""
        import signal

        signal.signal(signal.SIGTERM, self._term)
        sys.stdout = self._shown
        if self._real is not None:
            os.dup2(self._real.fileno(), 1)
            self._real.close()

    def write(self, line: bytes) -> None:
        """Write a line to the real stdout."""
        if self._real is not None:
            write(self._real, line)
        elif self._shown is not None:
            write(self._shown.buffer, line)
            self._shown.buffer.flush()
        else:
            raise OSError


def _end(number: int, _frame: object) -> None:
    import signal

    # further signals are ignored, because closing once is enough
    signal.signal(number, signal.SIG_IGN)
    raise _Ended
