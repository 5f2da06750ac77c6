"""The gate in front of the HTTP server: refuses unauthorised requests before reading their bodies.

A web page, a rebound DNS name or another user of the machine can reach a loopback port. So a
request must have this address as its host, and the origin of a page must be this server. Every
request must contain the token from a file that only this user can read. A refusal consists of the
status alone. The number of concurrent requests is limited too.
"""

from __future__ import annotations

import os
import stat as modes

from varves.errors import Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import Any

    from varves.values.ids import IdSource

    Part = dict[str, Any]
    App = Callable[[Part, Any, Any], Awaitable[None]]

TOKEN_FILE = "mcp-token"  # noqa: S105 - a name
_LENGTH = 32
# the most concurrent requests; a few more connections are accepted, to read their headers
BUSY = 60
_OTHERS = 0o077


class Gate:
    """Accepts requests that have this host, no foreign origin, and the token."""

    def __init__(self, app: App, *, port: int, token: str, busy: int = BUSY) -> None:
        self._app = app
        self._free = busy
        self._token = token
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Part, receive: Any, send: Any) -> None:
        """Pass a request on to the application, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        status = self._status(scope["headers"]) if scope["type"] == "http" else 403
        if status is None and self._free > 0:
            self._free -= 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._free += 1
        elif scope["type"] == "http":
            # The body of a refused request is not read, so its connection cannot be used again.
            headers = [(b"content-length", b"0"), (b"connection", b"close")]
            if status == 401:
                headers.append((b"www-authenticate", b"Bearer"))
            if status is None:
                headers.append((b"retry-after", b"1"))
            start = {"type": "http.response.start", "status": status or 503, "headers": headers}
            await send(start)
            await send({"type": "http.response.body", "body": b""})
        else:
            await send({"type": "websocket.close", "code": 1008})

    def _status(self, headers: Iterable[tuple[bytes, bytes]]) -> int | None:
        """Return the HTTP status with which to refuse a request; None to accept the request."""
        found: dict[bytes, list[str]] = {}
        for name, value in headers:
            found.setdefault(name.lower(), []).append(value.decode("latin-1").strip())
        hosts = found.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return 421
        if any(origin.lower() not in self._origins for origin in found.get(b"origin", [])):
            return 403
        return None if self._is_token(found.get(b"authorization", [])) else 401

    def _is_token(self, given: list[str]) -> bool:
        from hmac import compare_digest

        kind, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        same = compare_digest(token.strip().encode(), self._token.encode())
        return same and kind.lower() == "bearer"


def token_in(home: str, ids: IdSource) -> tuple[str, str]:
    """Return this user's token and its file, creating them if needed.

    Raises:
        Refused: the file is a link, belongs to another user, or others can read it.
    """
    os.makedirs(home, mode=0o700, exist_ok=True)
    path = f"{home}/{TOKEN_FILE}"
    made = ids.entropy(_LENGTH).hex()
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(path, flags, 0o600), "w", encoding="ascii") as file:
            file.write(made + "\n")
        return made, path
    except FileExistsError:
        pass
    except OSError as fault:
        raise Refused(f"{path} cannot be written: {fault.strerror}", "make it writable") from None
    return _read(path), path


def _read(path: str) -> str:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="ascii") as file:
            found = os.fstat(file.fileno())
            token = file.read(200).strip()
    except (OSError, ValueError):
        raise Refused(f"{path} cannot be read", "remove it; a new token is created") from None
    own = modes.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and found.st_nlink == 1
    if not own or found.st_mode & _OTHERS or len(token) < _LENGTH:
        raise Refused(
            f"{path} is not a token file that only you can read", "remove it; a new one is created"
        )
    return token
