"""A server that accepts a connection and then says nothing more hangs no verb."""

from __future__ import annotations

import json
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


def processes(word: str) -> list[int]:
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (one / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if word in words and "-c" in words:
                found.append(int(one.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="it counts processes in /proc")
def test_sessions_do_not_pile_up_processes_at_a_silent_server(
    varves, varves_process, hub, proxy, project
):
    root = ("--root", str(project))
    varves("remote", "add", "db", hub, *root)
    varves("remember", "The kiln fires at 1200 degrees", *root)
    proxy.stop(900)
    session = {"session_id": "s1", "cwd": str(project), "hook_event_name": "SessionEnd"}
    sent = json.dumps(session)
    for _ in range(4):
        varves_process("hook", "SessionEnd", "--client", "claude-code", *root, stdin=sent)
    try:
        assert 1 <= len(processes(str(project))) <= 2
    finally:
        proxy.stop(None)
    until = time.monotonic() + 60
    while processes(str(project)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not processes(str(project))
    assert "sent" in varves("remote", "list", *root).out


def test_the_list_and_the_status_say_since_when_a_remote_fails(
    varves, hub, proxy, project, monkeypatch
):
    root = ("--root", str(project))
    varves("remote", "add", "db", hub, *root)
    varves("remember", "The kiln fires at 1200 degrees", *root)
    proxy.stop(900)
    for hour in (10, 11, 12):
        monkeypatch.setenv("VARVES_NOW", f"2026-11-20T{hour}:00:00Z")
        varves("sync", *root)
    for words in (("remote", "list"), ("status",)):
        said = varves(*words, *root).out
        assert "last use failed 2026-11-20 12:00 UTC (it has failed since 2026-11-20 10:00" in said
    proxy.stop(None)
    assert varves("sync", *root).code == 0
    proxy.stop(900)
    monkeypatch.setenv("VARVES_NOW", "2026-11-20T13:00:00Z")
    varves("sync", *root)
    assert "since" not in varves("remote", "list", *root).out
