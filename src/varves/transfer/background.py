"""Syncs with remotes in a process of its own, so that nobody waits for the network.

For each remote at most one process exchanges lines, and one for each verb waits for its turn. A
further one is not needed: the one that waits reads the log only when its turn has come.
"""

from __future__ import annotations

import os
from hashlib import sha256
from time import sleep

from varves.errors import VarvesError
from varves.places.store import Files
from varves.program import start_apart
from varves.remotes.known import remotes_of
from varves.settings import checkout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from varves.settings import Settings

_EXCHANGE = """
import sys
from varves import open
from varves.transfer.background import in_turn
root, home, name, verb, waiting = sys.argv[1:]
in_turn(root, home, name, int(waiting))
with open(root) as ledger:
    getattr(ledger, verb)(name)
"""
_PAUSE = 0.1  # seconds between two looks at whose turn it is


def begin(settings: Settings, *, when: Container[str], push_only: bool = False) -> None:
    """Start a process for each remote of this checkout that is used at these times.

    None is started where one waits already. How it ended is noted, because it says so nowhere; the
    next one sends and gets the same lines.
    """
    root, home = settings.root, settings.home
    try:
        found = [one.name for one in remotes_of(root, home) if one.when in when]
    except VarvesError:
        return  # verbs report the damaged file
    verb = "push" if push_only else "sync"
    for name in found:
        try:
            waiting = Files(home, private=True).lock(f"{_place(root, name)}.{verb}")
        except OSError:
            continue  # the folder cannot be written; verbs report it
        if waiting is not None:
            asked = ("-c", _EXCHANGE, root, home, name, verb, str(waiting))
            try:
                start_apart(asked, root=root, home=home, keep=(waiting,))
            finally:
                os.close(waiting)


def in_turn(root: str, home: str, name: str, waiting: int) -> None:
    """Wait until no other process in the background exchanges lines with a remote.

    Args:
        root: the checkout.
        home: the user's folder.
        name: the name of the remote.
        waiting: the open file whose lock says that this process waits.
    """
    files = Files(home, private=True)
    while files.lock(f"{_place(root, name)}.turn") is None:  # held until the process ends
        sleep(_PAUSE)
    os.close(waiting)


def _place(root: str, name: str) -> str:
    mark = sha256(f"{checkout(root)}\0{name}".encode()).hexdigest()[:16]
    return f"remotes/{mark}"
