"""The gate before the HTTP server: who may not come in is refused before anything is read.

A web page, a rebound name, another user of the machine can all reach a loopback port. So the host
must be this address, a page's origin must be this server, and every request must carry the token
that lies in a file only this user can read. Nothing is said about why beyond the
status. Nor do more come in at once than can be served.
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
BUSY = 60  # requests at once; the doorway keeps a few more places, in which headers are read
_OTHERS = 0o077


class Gate:
    """Lets through what names this host, comes from no foreign page and carries the token."""

    def __init__(self, app: App, *, port: int, token: str, busy: int = BUSY) -> None:
        self._app = app
        self._free = busy
        self._token = token
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Part, receive: Any, send: Any) -> None:
        """Hand a request on, or refuse it."""
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
            # What is refused is not read: a connection whose body may follow is of no more use.
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
        """Return with what a request is refused; None: it is not."""
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
    """Return the token of this user and the file it lies in, made where there is none.

    Raises:
        Refused: the file is a link, somebody else's, or others can read it.
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
        raise Refused(f"{path} cannot be written: {fault.strerror}", "allow it") from None
    return _read(path), path


def _read(path: str) -> str:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), encoding="ascii") as file:
            found = os.fstat(file.fileno())
            token = file.read(200).strip()
    except (OSError, ValueError):
        raise Refused(f"{path} cannot be read", "remove it; a token is made anew") from None
    own = modes.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and found.st_nlink == 1
    if not own or found.st_mode & _OTHERS or len(token) < _LENGTH:
        raise Refused(f"{path} is not a token of yours alone", "remove it; one is made anew")
    return token
