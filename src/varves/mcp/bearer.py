"""The token that an MCP client sends over HTTP, and the file that only this user can read."""

from __future__ import annotations

import os
import stat as modes

from varves.errors import Refused
from varves.loopback.gate import is_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.loopback.gate import Headers, Part
    from varves.values.ids import IdSource

TOKEN_FILE = "mcp-token"  # noqa: S105 - a name
_LENGTH = 32
_OTHERS = 0o077


class Bearer:
    """Accepts requests that contain the token."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, _scope: Part, headers: Headers) -> int | None:
        """Return 401 for a request without the token."""
        given = headers.get(b"authorization", [])
        kind, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        same = is_same(token.strip(), self._token)
        return None if same and kind.lower() == "bearer" else 401


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
