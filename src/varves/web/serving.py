"""`varves ui`: opens the ledger and serves the window until the process ends."""

from __future__ import annotations

import logging
import signal
from json import dumps

import varves
from varves import settings
from varves.errors import UsageError
from varves.loopback.doorway import HttpServer, OneLine
from varves.loopback.gate import Gate
from varves.loopback.listening import HOST, bound
from varves.streams import say
from varves.values.ids import IdSource
from varves.values.instants import FixedClock, SystemClock, instant
from varves.web.app import application
from varves.web.export import USUAL
from varves.web.export import export as exported
from varves.web.visitor import OPENING, Visitor
from varves.web.window import Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket
    from typing import Any

    from varves import Ledger
    from varves.values.instants import Clock
    from varves.web.port import VerbSource

SAYS = {
    401: "Run varves ui and open the address that it prints.\n",
    403: "Only pages of this window may ask for this. Open the address in a new tab.\n",
    421: "This is not the address of this window.\n",
}


def clock_of(ledger: Ledger) -> Clock:
    """Return the clock of a ledger, which VARVES_NOW may fix."""
    fixed = settings.load(ledger.root).now
    return FixedClock(instant(fixed)) if fixed else SystemClock()


def serve(
    shared: dict[str, str],
    verbs: VerbSource,
    *,
    port: int = 0,
    read_only: bool = False,
    no_open: bool = False,
    as_json: bool = False,
    **unused: Any,
) -> int:
    """Serve the window; the first line of the output is its address.

    Args:
        shared: the root and the actor, if they were given.
        verbs: the verbs' own answers.
        port: the port; 0 means any free one.
        read_only: whether acts are refused.
        no_open: whether no browser is opened.
        as_json: whether the first line is JSON.
        unused: options that only matter to an export.
    """
    if unused:
        name = next(iter(unused)).replace("_", "-")
        raise UsageError(f"--{name} needs --export", "give a folder")
    listening = bound(port)
    try:
        with varves.open(shared.get("root"), actor=shared.get("actor")) as ledger:
            visitor = Visitor(IdSource(), listening.getsockname()[1])
            clock, key = clock_of(ledger), visitor.form_key
            window = Window(ledger, verbs, clock, form_key=key, read_only=read_only)
            _serve(window, visitor, listening, shows=not no_open, as_json=as_json)
    except KeyboardInterrupt:
        pass  # this is how a person ends it
    return 0


def _serve(
    window: Window, visitor: Visitor, listening: socket, *, shows: bool, as_json: bool
) -> None:
    port = listening.getsockname()[1]
    gate = Gate(application(window, visitor), port=port, passes=visitor, says=SAYS)
    url = f"http://{HOST}:{port}{OPENING}?t={visitor.token}"
    logging.getLogger().addHandler(OneLine("ui"))
    server = HttpServer(gate, ending=window.live.end)
    # an interrupt between the first line and the start of the server also ends it without a trace
    signal.signal(signal.SIGINT, server.handle_exit)
    say(f'{{"url": "{url}"}}\n' if as_json else f"{url}\n")
    if shows:
        _show(url)
    server.run(sockets=[listening])


def write(
    shared: dict[str, str],
    verbs: VerbSource,
    *,
    export: str,
    limit: int = USUAL,
    private: bool = False,
    as_json: bool = False,
    **unused: Any,
) -> int:
    """Write the pages as files into a folder.

    Args:
        shared: the root and the actor, if they were given.
        verbs: the verbs' own answers.
        export: the folder.
        limit: how many of the newest memories get a page.
        private: whether memories that git does not publish are shown too.
        as_json: whether the answer is JSON.
        unused: options that only matter to a server.
    """
    if unused:
        name = next(iter(unused)).replace("_", "-")
        raise UsageError(f"--{name} has no meaning with --export", "leave one of them out")
    if limit < 1:
        raise UsageError(f"the limit must be 1 or more, not {limit}", "give a whole number")
    with varves.open(shared.get("root"), actor=shared.get("actor")) as ledger:
        clock = clock_of(ledger)
        count = exported(ledger, verbs, clock, export, limit=limit, private=private)
    if as_json:
        say(f"{dumps({'folder': export, 'pages': count})}\n")
    else:
        say(f"{count} pages in {export}\n")
    return 0


def _show(url: str) -> None:
    """Open the address in the person's browser, if there is a screen; it is printed anyway."""
    if not settings.has_screen():
        return  # a browser in the terminal would take the terminal away
    import webbrowser

    try:
        webbrowser.open(url)
    except webbrowser.Error:
        pass
