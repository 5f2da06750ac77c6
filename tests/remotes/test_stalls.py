"""A server that accepts a connection and then says nothing more hangs no verb."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from varves.remotes.postgres import patient
from varves.testing.postgres import PostgresServer

SILENCE = 1.0


class Proxy:
    """A socket in front of a server that stops after so many bytes from it."""

    def __init__(self, server: PostgresServer, folder: Path, wait: Callable[[float], None]) -> None:
        self._wait = wait
        self._stops_after: int | None = None
        self._server = str(server.folder / ".s.PGSQL.5432")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        self._passing: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self._server)
            self._passing += [near, far]
            threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        left = self._stops_after
        try:
            while content := source.recv(65536):
                if counted and left is not None:
                    content, left = content[:left], max(0, left - len(content))
                target.sendall(content)
            target.close()
        except OSError:
            pass

    def stop(self, after: int | None) -> None:
        """End all connections; each new one stops after so many bytes from the server."""
        self._stops_after = after
        self._wait(SILENCE if after is not None else 20.0)
        for one in self._passing:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._passing.clear()

    def close(self) -> None:
        self._listening.close()
        self.stop(None)


@pytest.fixture
def proxy(server, monkeypatch) -> Iterator[Proxy]:
    def wait(seconds: float) -> None:
        monkeypatch.setattr(patient, "SILENCE", seconds)

    made = Proxy(server, Path(os.environ["VARVES_HOME"]).parent, wait)
    yield made
    made.close()


@pytest.fixture
def hub(varves, server, database, proxy, project) -> str:
    """The address of a ledger behind the proxy."""
    varves("team", "init", f"{server.url(database)}#shop")
    folder = Path(os.environ["VARVES_HOME"]).parent
    return f"postgresql://postgres@/{database}?host={folder}#shop"


# in the first answer after the login, in the lines of a long log
@pytest.mark.parametrize("stops_after", [900, 20_000])
def test_a_server_that_stops_answering_hangs_no_verb(
    varves, hub, proxy, project, checkout, stops_after
):
    root, second = ("--root", str(project)), ("--root", str(checkout("second")))
    for where in (root, second):
        varves("remote", "add", "db", hub, *where)
    for number in range(3):
        varves("remember", f"{number} " + "x" * 15_000, *root)
    assert varves("sync", *root).code == 0
    proxy.stop(stops_after)
    # a push reads no lines
    for verb in ("pull", "sync", "push") if stops_after == 900 else ("pull", "sync"):
        began = time.monotonic()
        done = varves(verb, *second)
        assert done.code == 6, (verb, done)
        assert len(done.err.splitlines()) == 1
        assert "db cannot be reached: it has been silent for 1 second" in done.err
        assert time.monotonic() - began < SILENCE + 10
    assert "last use failed" in varves("remote", "list", *second).out
    proxy.stop(None)
    assert varves("sync", *second).out == "db: 0 sent, 3 received\n"


def test_a_write_is_kept_here_when_the_remote_stops_answering(varves, hub, proxy, project):
    root = ("--root", str(project))
    varves("remote", "add", "db", hub, "--when", "both", *root)
    proxy.stop(900)
    refused = varves("remember", "The kiln fires at 1200 degrees", *root)
    assert refused.code == 5
    assert "recorded here, but not on db" in refused.err
    assert "silent" in refused.err
    assert [one["text"] for one in varves("list", "--json", *root).json["memories"]] == [
        "The kiln fires at 1200 degrees"
    ]
    proxy.stop(None)
    assert varves("push", *root).out == "db: 1 sent, 0 received\n"


def test_a_pull_does_not_wait_for_a_lock_without_end(varves, hub, proxy, project, server, database):
    root = ("--root", str(project))
    varves("remote", "add", "db", hub, *root)
    proxy.stop(1_000_000)
    with psycopg.connect(server.url(database)) as other:
        other.execute("lock varves.segment in access exclusive mode")
        refused = varves("pull", *root)
    assert (refused.code, len(refused.err.splitlines())) == (6, 1)
    assert varves("pull", *root).code == 0
