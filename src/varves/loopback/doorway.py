"""Limits on the connections of the HTTP server: their number, and the time for each request.

Without limits, the HTTP library accepts connections as long as the system has file descriptors, and
waits for ever for the rest of a header. Here, the number of connections is limited. If the limit is
reached, the connection that has waited longest without sending a request is closed. A client with
the token sends its whole header at once and is not affected.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from functools import partial

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from socket import socket
    from typing import Any

    from varves.loopback.gate import App

MOST = 64  # the most connections
HEADER = 5.0  # the seconds within which a whole header must arrive
BODY = 30.0  # the seconds within which a whole body must arrive
GRACE = 0.25  # the seconds before a connection without a header may be closed
_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Doorway:
    """The open connections of the HTTP server, with the rule for which connection to close."""

    def __init__(
        self, *, most: int = MOST, header: float = HEADER, body: float = BODY, grace: float = GRACE
    ) -> None:
        self.header, self.body = header, body
        self._most, self._grace = most, grace
        self._open: set[Connection] = set()
        self._left = asyncio.Event()

    def enter(self, connection: Connection) -> None:
        """Add a connection."""
        self._open.add(connection)

    def leave(self, connection: Connection) -> None:
        """Remove a connection."""
        self._open.discard(connection)
        self._left.set()

    async def place(self) -> None:
        """Wait until there is room for another connection; if needed, close an idle connection."""
        while len(self._open) >= self._most:
            self._left.clear()
            waiting = [one for one in self._open if one.waiting]
            first = min(waiting, key=lambda one: (one.proven, one.since), default=None)
            rest = self._grace
            if first is not None:
                rest -= asyncio.get_running_loop().time() - first.since
            if first is not None and rest <= 0:
                first.transport.abort()
                self.leave(first)
                continue
            try:
                await asyncio.wait_for(self._left.wait(), rest)
            except TimeoutError:
                continue


class Connection(H11Protocol):  # type: ignore[misc]
    """One connection, with a time limit for each header and each body."""

    def __init__(self, doorway: Doorway, **given: Any) -> None:
        super().__init__(**given)
        self._doorway = doorway
        self._awaited: object = None
        self._timer: asyncio.TimerHandle | None = None
        self.since = self.loop.time()

    @property
    def waiting(self) -> bool:
        """Whether the connection is idle: no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    @property
    def proven(self) -> bool:
        """Whether a request was accepted; a connection is closed after a refused request."""
        return self.cycle is not None

    def connection_made(self, transport: Any) -> None:
        """Start the time limit for a header."""
        super().connection_made(transport)
        self._doorway.enter(self)
        self._await("header", self._doorway.header)

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection from the open connections."""
        self._await(None)
        self._doorway.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read data; a partial header or body does not restart its time limit."""
        super().data_received(data)
        if self.transport.is_closing():
            self._await(None)
        elif self.waiting:
            self._await((id(self.cycle), "header") if self.proven else "header")
        elif self.conn.their_state is h11.SEND_BODY:
            self._await((id(self.cycle), "body"), self._doorway.body)
        else:
            self._await(None)

    def on_response_complete(self) -> None:
        """Wait for the next request, up to the server's keep-alive time."""
        self._await(None)
        self.since = self.loop.time()
        super().on_response_complete()

    def _await(self, what: object, seconds: float | None = None) -> None:
        if what == self._awaited:
            return
        self._awaited = what
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if what is not None:
            limit = self._doorway.header if seconds is None else seconds
            self._timer = self.loop.call_later(limit, self._late)

    def _late(self) -> None:
        if self.transport.is_closing():
            return
        if not self.waiting:
            self.transport.abort()
            return
        self.transport.write(_LATE)
        self.transport.close()


class HttpServer(uvicorn.Server):  # type: ignore[misc]
    """The HTTP server, which limits the number of connections.

    Args:
        app: the application.
        ending: called when the server begins to end, so that open streams can end too.
        limits: those of `Doorway`.
    """

    def __init__(
        self, app: App, *, ending: Callable[[], object] = lambda: None, **limits: Any
    ) -> None:
        self._limits, self._ending = limits, ending
        self._accepting: asyncio.Task[None] | None = None
        super().__init__(
            uvicorn.Config(app, log_config=None, access_log=False, ws="none", server_header=False)
        )

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start accepting connections from a listening socket."""
        await super().startup(sockets=[])
        for one in sockets or ():
            one.setblocking(False)
            self._accepting = asyncio.create_task(self._accept(one))

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop accepting connections, and end."""
        if self._accepting is not None:
            self._accepting.cancel()
        self._ending()
        await super().shutdown(sockets)

    async def _accept(self, listening: socket) -> None:
        loop, doorway = asyncio.get_running_loop(), Doorway(**self._limits)
        made = partial(
            Connection,
            doorway,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        while True:
            try:
                accepted, _ = await loop.sock_accept(listening)
            except OSError:  # the client has disconnected, or the system has no more resources
                await asyncio.sleep(GRACE)
                continue
            await doorway.place()
            try:
                await loop.connect_accepted_socket(made, accepted)
            except OSError:
                accepted.close()


class OneLine(logging.Handler):
    """A logging handler that prints each kind of error once, on one line, without a traceback."""

    def __init__(self, name: str) -> None:
        super().__init__(logging.WARNING)
        self._name = name
        self._said: set[tuple[str, str]] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print an error, unless an error of its kind was printed before."""
        fault = record.exc_info[1] if record.exc_info else None
        kind = "" if fault is None else f": {type(fault).__name__}"
        first = str(record.msg).partition("\n")[0]
        if (first, kind) not in self._said:
            self._said.add((first, kind))
            said = record.getMessage().partition("\n")[0]
            sys.stderr.write(f"varves: {self._name}: {said}{kind}\n")
