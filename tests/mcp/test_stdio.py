"""The server as a process of its own: nothing but messages on stdout, whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

import varves
from tests.architecture.source import loaded_by
from tests.mcp.conftest import read

COMMAND = [sys.executable, "-m", "varves", "mcp"]
MAIN = "import sys; from varves.cli.main import main; sys.exit(main())"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "it"}},
}
NEVER = {
    *("argparse", "asyncio", "click", "dataclasses", "datetime", "email", "hashlib"),
    *("inspect", "logging", "numpy", "pathlib", "queue", "sqlite3", "subprocess", "threading"),
    *("tomllib", "typing", "uuid", "varves.ledger", "varves.mcp.tools", "varves.mcp.calls"),
}


def call(number, tool, **arguments):
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def frames(*messages) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


@pytest.fixture
def server(project):
    made = subprocess.Popen(
        COMMAND, cwd=project, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    yield made
    made.kill()
    made.communicate()


def test_the_first_answer_loads_almost_nothing(project):
    loaded = loaded_by(MAIN, "mcp", cwd=project)
    assert "varves.mcp.server" in loaded
    assert sorted(loaded & NEVER) == []


def test_what_was_asked_before_the_end_is_answered_even_where_the_last_line_is_torn(server):
    torn = json.dumps({"jsonrpc": "2.0", "id": 4, "method": "ping"})[:-5].encode()
    asked = frames(HELLO, call(2, "remember", text="Tabs"), call(3, "recall", query="tabs")) + torn
    out, err = server.communicate(asked, timeout=60)
    told = {one["id"]: one for one in map(json.loads, out.splitlines())}
    assert told[None]["error"]["code"] == -32700
    assert [one["text"] for one in read(told[3]["result"])["memories"]] == ["Tabs"]
    assert (server.returncode, err) == (0, b"")


def test_a_termination_ends_it_quietly_and_keeps_what_was_recorded(server, ledger):
    server.stdin.write(frames(HELLO, call(2, "remember", text="Tabs")))
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["id"] == 1
    assert json.loads(server.stdout.readline())["id"] == 2
    server.send_signal(signal.SIGTERM)
    out, err = server.communicate(timeout=60)
    assert (server.returncode, out, err) == (0, b"", b"")
    assert [one.text for one in ledger.list()] == ["Tabs"]


def test_a_client_that_is_gone_stops_it(server):
    server.stdout.close()
    server.stdin.write(frames(HELLO, HELLO, HELLO))
    server.stdin.flush()
    assert server.wait(timeout=60) == 0
    assert server.stderr.read() == b""


def test_the_project_is_what_the_host_names_and_stray_prints_go_elsewhere(project, tmp_path):
    loud = (
        "import os, sys, varves.mcp.catalogue as c\n"
        "real = c.MemoryCatalogue.tools\n"
        "def tools(self):\n"
        "    print('stray', flush=True); os.write(1, b'raw\\n'); return real(self)\n"
        "c.MemoryCatalogue.tools = tools\n" + MAIN
    )
    asked = frames(HELLO, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    asked += frames(call(3, "remember", text="Tabs"))
    done = subprocess.run(
        [sys.executable, "-c", loud, "mcp"],
        cwd=tmp_path,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(project), "VARVES_ACTOR": "ada"},
        input=asked,
        capture_output=True,
        check=True,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in told] == [1, 2, 3]
    assert done.stderr == b"stray\nraw\n"
    with varves.open(str(project)) as ledger:
        assert [(one.text, one.created_by) for one in ledger.list()] == [("Tabs", "ada")]
