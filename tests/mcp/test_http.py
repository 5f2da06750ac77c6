"""The same memory over HTTP: who may come in, and the reference client in both eras."""

from __future__ import annotations

import itertools
import json
import os
import socket
import stat
import threading
import time

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

from tests.tables import each_row
from varves.errors import Refused
from varves.loopback.doorway import HttpServer
from varves.loopback.gate import Gate
from varves.mcp.bearer import Bearer, token_in
from varves.mcp.catalogue import MemoryCatalogue
from varves.mcp.desk import Opening
from varves.mcp.http import app
from varves.values.ids import IdSource

pytestmark = pytest.mark.filterwarnings("ignore")
TOKEN = "t" * 64
HOSTS = {  # by what a request names, whether it is this server
    "127.0.0.1:8737": True,
    "localhost:8737": True,
    "LocalHost:8737": True,
    "[::1]:8737": True,
    "127.0.0.1": False,
    "127.0.0.1:80": False,
    "127.0.0.1:8737.evil.example": False,
    "evil.example:8737": False,
    "127.0.0.1:8737@evil.example": False,
    "": False,
    None: False,
}
ORIGINS = {
    None: True,
    "http://127.0.0.1:8737": True,
    "http://localhost:8737": True,
    "https://localhost:8737": False,
    "http://evil.example": False,
    "http://localhost:8737.evil.example": False,
    "null": False,
    "": False,
}
TOKENS = {
    f"Bearer {TOKEN}": True,
    f"bearer {TOKEN}": True,
    f"Bearer {TOKEN}x": False,
    f"Bearer {TOKEN[:-1]}": False,
    f"Basic {TOKEN}": False,
    TOKEN: False,
    "Bearer ": False,
    "Bearer é": False,
    None: False,
}
METHODS = ("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH")


def asked(gate, method, headers):
    """Send one request through the gate and return the status, or None where it came in."""
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        raise AssertionError("nothing is read before a request is let in")

    pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": "http", "method": method, "path": "/mcp", "headers": pairs}
    going = gate(scope, receive, send)  # it waits for nothing, so no loop is needed
    with pytest.raises(StopIteration):
        going.send(None)
    return sent[0]["status"] if sent else None


def test_only_this_host_from_no_foreign_page_with_the_token_comes_in():
    came = []

    async def inside(scope, _receive, _send):
        came.append(scope)

    gate = Gate(inside, port=8737, passes=Bearer(TOKEN))
    expected = 0
    pairs = itertools.product(METHODS, HOSTS.items(), ORIGINS.items(), TOKENS.items())
    for method, (host, here), (origin, own), (token, known) in pairs:
        given = (("host", host), ("origin", origin), ("authorization", token))
        status = asked(gate, method, [(name, value) for name, value in given if value is not None])
        if here and own and known:
            expected += 1
            assert status is None
        else:
            assert status == (421 if not here else 403 if not own else 401), given
    assert len(came) == expected == len(METHODS) * 4 * 3 * 2


@each_row(
    ("site", "status"),
    [("same-origin", None), ("none", None), ("cross-site", 403), ("same-site", 403), ("", 403)],
)
def test_a_browser_that_asks_for_another_page_is_refused(site, status):
    async def inside(*_args):
        pass

    gate = Gate(inside, port=8737, passes=Bearer(TOKEN))
    fitting = [("host", "127.0.0.1:8737"), ("authorization", f"Bearer {TOKEN}")]
    assert asked(gate, "POST", [*fitting, ("sec-fetch-site", site)]) == status


@pytest.mark.parametrize("doubled", ["host", "authorization"])
def test_a_header_given_twice_is_no_way_round(doubled):
    async def inside(*_args):
        raise AssertionError("let in")

    fitting = [("host", "127.0.0.1:8737"), ("authorization", f"Bearer {TOKEN}")]
    other = {"host": "evil.example", "authorization": "Bearer no"}[doubled]
    gate = Gate(inside, port=8737, passes=Bearer(TOKEN))
    assert asked(gate, "POST", [*fitting, (doubled, other)]) in (401, 421)
    assert asked(gate, "POST", [(doubled, other), *fitting]) in (401, 421)


def test_the_token_is_for_this_user_alone_and_stays(tmp_path):
    home = str(tmp_path / "home")
    os.umask(0)
    try:
        token, path = token_in(home, IdSource())
    finally:
        os.umask(0o022)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert len(token) == 64
    assert token_in(home, IdSource()) == (token, path)


@pytest.mark.parametrize("spoil", ["open", "link", "short"])
def test_a_token_that_others_could_know_is_refused(tmp_path, spoil):
    _, path = token_in(str(tmp_path), IdSource())
    if spoil == "open":
        os.chmod(path, 0o644)
    elif spoil == "link":
        os.rename(path, f"{path}.there")
        os.symlink(f"{path}.there", path)
    else:
        with open(path, "w", encoding="ascii") as file:
            file.write("abc")
    with pytest.raises(Refused, match="mcp-token"):
        token_in(str(tmp_path), IdSource())


@pytest.fixture
def served(project, ledger, monkeypatch, no_network):
    """Serve the project on a port of its own; it is the one address a test may connect to."""
    import _socket

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    port = listening.getsockname()[1]

    def connect(self, address):
        assert address[:2] == ("127.0.0.1", port), address
        _socket.socket.connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    catalogue = MemoryCatalogue(Opening(root=str(project)))
    gate = Gate(app(catalogue, every=0.05), port=port, passes=Bearer(TOKEN))
    server = HttpServer(gate)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    until = time.monotonic() + 20
    while not server.started and time.monotonic() < until:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{port}/mcp"
    server.should_exit = True
    thread.join(20)
    catalogue.close()


def client_of(url, mode, http, **callbacks):
    return Client(streamable_http_client(url, http_client=http), mode=mode, **callbacks)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_reference_client_reads_writes_and_settles(served, ledger, mode):
    ledger.remember("The database port of billing is 5432")
    done = ledger.remember("The database port of billing is 6543")
    conflict = done.conflicts[0].conflict

    async def elicit(_context, params):
        choice = params.requested_schema["properties"]["choice"]["enum"][0]
        return ElicitResult(action="accept", content={"choice": choice})

    async def talk():
        key = {"Authorization": f"Bearer {TOKEN}"}
        with anyio.fail_after(60):
            async with (
                httpx2.AsyncClient(headers=key) as http,
                client_of(served, mode, http, elicitation_callback=elicit) as client,
            ):
                assert len((await client.list_tools()).tools) == 8
                await client.call_tool("remember", {"text": "We use Zod"})
                found = await client.call_tool("recall", {"query": "zod"})
                assert json.loads(found.content[0].text) == found.structured_content
                assert found.structured_content["memories"][0]["text"] == "We use Zod"
                settled = await client.call_tool("conflicts", {"id": conflict})
                assert settled.structured_content["settled"] == conflict
                with pytest.raises(Exception, match="no memory mem_nothing"):
                    await client.read_resource("varves://memory/mem_nothing00000")
                return client.protocol_version

    version = anyio.run(talk)
    assert version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
    assert ledger.conflicts() == ()


def test_a_stream_tells_what_changed_whoever_changed_it(served, ledger):
    name = ledger.remember("Deploys are on Friday").id

    async def talk():
        key = {"Authorization": f"Bearer {TOKEN}"}
        with anyio.fail_after(60):
            async with (
                httpx2.AsyncClient(headers=key) as http,
                client_of(served, "auto", http) as client,
                client.listen(resource_subscriptions=[f"varves://memory/{name}"]) as changes,
            ):
                await anyio.to_thread.run_sync(lambda: ledger.edit(name, tag=["+late"]))
                return str((await anext(aiter(changes))).uri)

    assert anyio.run(talk) == f"varves://memory/{name}"


def test_nobody_comes_in_without_the_token(served, ledger):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    body["params"] = {"name": "remember", "arguments": {"text": "I was here"}}
    for headers in ({}, {"Authorization": "Bearer guess"}, {"Origin": "http://evil.example"}):
        answer = httpx2.post(served, json=body, headers=headers)
        assert answer.status_code in (401, 403)
        assert answer.content == b""
        assert not any(name.startswith("access-control") for name in answer.headers)
    assert ledger.list() == ()
