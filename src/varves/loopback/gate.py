"""The gate in front of a local HTTP server: refuses unauthorised requests before reading bodies.

A web page, a rebound DNS name or another user of the machine can reach a loopback port. So a
request must have this address as its host, and a request that a browser sends for a page must come
from a page of this server. What else a request must have is decided by the server's own `Pass`. A
refusal consists of the status and at most one line. The number of concurrent requests is limited.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from typing import Any

    Part = dict[str, Any]
    App = Callable[[Part, Any, Any], Awaitable[None]]
    Headers = Mapping[bytes, list[str]]
    Pass = Callable[[Part, Headers], int | None]
    """Returns the status with which to refuse a request; None to accept it."""

# the most concurrent requests; a few more connections are accepted, to read their headers
BUSY = 60
_OWN = ("same-origin", "none")  # what a browser says of a request from our page, or from no page


class Gate:
    """Accepts requests that have this host, no foreign origin, and the server's pass.

    Args:
        app: the server behind the gate.
        port: the port of the server, which is part of its address.
        passes: the server's own check, made after the checks of host and origin.
        busy: the most concurrent requests.
        says: the line of a refusal, by status; by default there is none.
    """

    def __init__(
        self,
        app: App,
        *,
        port: int,
        passes: Pass,
        busy: int = BUSY,
        says: Mapping[int, str] | None = None,
    ) -> None:
        self._app = app
        self._free = busy
        self._passes = passes
        self._says = says or {}
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Part, receive: Any, send: Any) -> None:
        """Pass a request on to the application, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        status = self._status(scope) if scope["type"] == "http" else 403
        if status is None and self._free > 0:
            self._free -= 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._free += 1
        elif scope["type"] == "http":
            await self._refuse(status or 503, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _status(self, scope: Part) -> int | None:
        headers = headers_of(scope["headers"])
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421
        if any(origin.lower() not in self._origins for origin in headers.get(b"origin", [])):
            return 403
        if any(site.lower() not in _OWN for site in headers.get(b"sec-fetch-site", [])):
            return 403
        return self._passes(scope, headers)

    async def _refuse(self, status: int, send: Any) -> None:
        body = self._says.get(status, "").encode()
        # The body of a refused request is not read, so its connection cannot be used again.
        headers = [(b"content-length", b"%d" % len(body)), (b"connection", b"close")]
        if body:
            headers.append((b"content-type", b"text/plain; charset=utf-8"))
        if status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        if status == 503:
            headers.append((b"retry-after", b"1"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def headers_of(pairs: Iterable[tuple[bytes, bytes]]) -> dict[bytes, list[str]]:
    """Return the headers of a request by name, in lower case."""
    found: dict[bytes, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name.lower(), []).append(value.decode("latin-1").strip())
    return found


def is_same(one: str, other: str) -> bool:
    """Return whether two secrets are equal, in a time that does not depend on where they differ."""
    from hmac import compare_digest

    return compare_digest(one.encode(), other.encode())
