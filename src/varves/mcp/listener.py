"""`varves mcp --http`: serves on a loopback port, to clients with the token."""

from __future__ import annotations

from varves.errors import Refused
from varves.streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.mcp.desk import Opening

HOST = "127.0.0.1"
PORT = 8737
BACKLOG = 1024  # the pending connections that the system queues


def listen(opening: Opening, *, port: int | None, as_json: bool) -> int:
    """Serve the project until the process ends.

    Raises:
        Refused: the SDK is not installed, the port is in use, or the token file is not safe.
    """
    try:
        from varves.mcp.doorway import HttpServer, OneLine
        from varves.mcp.http import PATH, app
    except ImportError:
        raise Refused(
            "the HTTP server needs the package mcp", "pip install 'varves[mcp]'"
        ) from None
    import logging

    from varves import settings
    from varves.mcp.catalogue import MemoryCatalogue
    from varves.mcp.gate import Gate, token_in
    from varves.values.ids import IdSource

    token, file = token_in(settings.load(opening.root).home, IdSource())
    socket = _bound(PORT if port is None else port)
    number = socket.getsockname()[1]
    catalogue = MemoryCatalogue(opening)
    gate = Gate(app(catalogue), port=number, token=token)
    _say({"url": f"http://{HOST}:{number}{PATH}", "token_file": file}, as_json=as_json)
    try:
        logging.getLogger().addHandler(OneLine())
        HttpServer(gate).run(sockets=[socket])
    except KeyboardInterrupt:
        pass
    finally:
        catalogue.close()
    return 0


def _bound(port: int) -> Any:
    import socket

    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        # this is done before the address is printed, so that an early client waits
        made.listen(BACKLOG)
    except (OSError, OverflowError) as fault:
        made.close()
        reason = getattr(fault, "strerror", None) or fault
        raise Refused(
            f"port {port} is not available: {reason}", "choose another with --port"
        ) from None
    return made


def _say(where: dict[str, str], *, as_json: bool) -> None:
    """Print the server's address; the token is only in its file."""
    if as_json:
        from json import dumps

        line = dumps(where)
    else:
        line = f"{where['url']}\ntoken: {where['token_file']}"
    say(f"{line}\n")
