"""`varves mcp --http`: serves on a loopback port, to clients with the token."""

from __future__ import annotations

from varves.errors import Refused
from varves.streams import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.mcp.desk import Opening

PORT = 8737


def listen(opening: Opening, *, port: int | None, as_json: bool) -> int:
    """Serve the project until the process ends.

    Raises:
        Refused: the SDK is not installed, the port is in use, or the token file is not safe.
    """
    try:
        from varves.loopback.doorway import HttpServer, OneLine
        from varves.mcp.http import PATH, app
    except ImportError:
        raise Refused(
            "the HTTP server needs the package mcp", "pip install 'varves[mcp]'"
        ) from None
    import logging

    from varves import settings
    from varves.loopback.gate import Gate
    from varves.loopback.listening import HOST, bound
    from varves.mcp.bearer import Bearer, token_in
    from varves.mcp.catalogue import MemoryCatalogue
    from varves.values.ids import IdSource

    token, file = token_in(settings.load(opening.root).home, IdSource())
    socket = bound(PORT if port is None else port)
    number = socket.getsockname()[1]
    catalogue = MemoryCatalogue(opening)
    gate = Gate(app(catalogue), port=number, passes=Bearer(token))
    _say({"url": f"http://{HOST}:{number}{PATH}", "token_file": file}, as_json=as_json)
    try:
        logging.getLogger().addHandler(OneLine("mcp"))
        HttpServer(gate).run(sockets=[socket])
    except KeyboardInterrupt:
        pass
    finally:
        catalogue.close()
    return 0


def _say(where: dict[str, str], *, as_json: bool) -> None:
    """Print the server's address; the token is only in its file."""
    if as_json:
        from json import dumps

        line = dumps(where)
    else:
        line = f"{where['url']}\ntoken: {where['token_file']}"
    say(f"{line}\n")
