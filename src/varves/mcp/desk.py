"""The ledgers of one server: one project, opened for each client under the client's name."""

from __future__ import annotations

from _thread import allocate_lock

from varves.errors import UsageError
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.ledger import Ledger
    from varves.mcp.eras import Caller

NAMELESS = "agent"
MOST = 16
"""The most clients of one process whose ledgers are open at once."""
_LONGEST = 64
_HOOKED = ("claude", "codex", "gemini", "copilot", "cursor", "opencode", "goose")
"""The coding agents that also call hooks, by the actor name that their hooks use."""
# endings in the names of agents' MCP clients that are removed
_ADDED = ("-mcp-client", "-cli", "-code", "-vscode")
_LOST = (
    "no project is known: this server was started in a plugin's folder, and no project was named",
    "start it with --root DIR or VARVES_ROOT, or configure it with varves install",
)
_PERSON = "user"  # the person whom agents work for; no client may use this name


class Opening(Value):
    """The options with which a server opens every ledger."""

    root: str | None = None
    actor: str | None = None
    session: str | None = None
    mode: str | None = None
    lost: bool = False
    """Whether the project is not known; it must not be guessed."""


class LedgerDesk:
    """Opens a ledger for each client at the client's first request."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._ledgers: dict[str, Ledger] = {}
        self._lock = allocate_lock()

    @property
    def lost(self) -> bool:
        """Whether the server does not know which project to serve."""
        return self._opening.lost

    def move(self, root: str | None) -> None:
        """Serve another project from now on; with None, serve no project."""
        with self._lock:
            if root == self._opening.root and root is not None:
                return
            self._opening = self._opening.replace(root=root, lost=root is None)
            self._close()

    def ledger(self, client: Caller) -> Ledger:
        """Return a client's ledger; its writes have an agent's origin.

        Raises:
            UsageError: no project is known.
        """
        import varves

        who = self._opening.actor or actor_of(client.name)
        with self._lock:
            if self._opening.lost:
                raise UsageError(*_LOST)
            if who not in self._ledgers:
                if len(self._ledgers) >= MOST:
                    self._ledgers.pop(next(iter(self._ledgers))).close()
                given = {**self._opening.__dict__, "actor": who}
                given.pop("lost", None)
                self._ledgers[who] = varves.open(**given, origin="agent")
            return self._ledgers[who]

    def close(self) -> None:
        """Close every ledger."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        while self._ledgers:
            self._ledgers.popitem()[1].close()


def project_of(roots: Any) -> str | None:
    """Return the project to which a client's folders (roots) belong; None if there are several."""
    found = roots if isinstance(roots, list) else []
    uris = [one.get("uri") for one in found if isinstance(one, dict)]
    if len(uris) != 1 or len(found) != 1 or not isinstance(uris[0], str):
        return None
    from os.path import isabs, isdir
    from urllib.parse import unquote, urlsplit

    from varves.settings import find_root

    try:
        parts = urlsplit(uris[0])
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return None
    return find_root(path) if isabs(path) and isdir(path) else None


def actor_of(name: str) -> str:
    """Return the actor name of a client; for an agent with hooks, the name that its hooks use."""
    short = name.casefold()
    for added in _ADDED:
        short = short.removesuffix(added)
    if short in _HOOKED:
        return short
    kept = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in name[:_LONGEST])
    found = kept.strip("-. ")
    if not found or found.casefold() == _PERSON:
        return NAMELESS
    from varves.errors import UnsafeName
    from varves.values.names import safe_name

    try:
        return safe_name(found, "actor")
    except UnsafeName:
        return NAMELESS
