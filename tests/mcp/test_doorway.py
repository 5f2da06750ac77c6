"""Who has the token is served, however many others stand in the doorway of the HTTP server."""

from __future__ import annotations

import _socket
import asyncio
import json
import logging
import socket
import subprocess
import sys
import threading

import pytest

from varves.loopback.doorway import HttpServer, OneLine
from varves.loopback.gate import Gate
from varves.mcp.bearer import Bearer

TOKEN = "t" * 64
FILES = 160  # file descriptors that the server may have: fewer than come to it
CROWD = 200
WAIT = 60  # seconds after which a test gives up

BODY = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
).encode()


OPEN = []


@pytest.fixture(autouse=True)
def ends():
    yield
    while OPEN:
        OPEN.pop().close()


def connected(port):
    made = socket.socket()
    OPEN.append(made)
    made.settimeout(WAIT)
    _socket.socket.connect(made, ("127.0.0.1", port))
    return made


def head(port, *lines, method="POST"):
    return "\r\n".join(
        (f"{method} /mcp HTTP/1.1", f"Host: 127.0.0.1:{port}", *lines, "", "")
    ).encode()


def whole(got):
    """Say whether an answer is there, with its body where its length is told."""
    start, ended, body = got.partition(b"\r\n\r\n")
    size = start.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]
    return bool(ended) and len(body) >= int(size or 0)


def answer_of(one):
    """Read an answer's status, or None where the connection was closed without one."""
    got = b""
    try:
        while not whole(got) and (more := one.recv(4096)):
            got += more
    except ConnectionError:
        pass
    return int(got.split()[1]) if got else None


def closed(one):
    """Wait until the other side has closed a connection; say whether it did."""
    try:
        while one.recv(4096):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def greeted(port, token, one=None):
    one = one or connected(port)
    accept = "Accept: application/json, text/event-stream"
    key, size = f"Authorization: Bearer {token}", f"Content-Length: {len(BODY)}"
    one.sendall(head(port, accept, key, size, "Content-Type: application/json") + BODY)
    return answer_of(one)


@pytest.fixture
def process(project, home):
    """Run `varves mcp --http` with few file descriptors; give its port, its token, its stderr."""
    with subprocess.Popen(
        [
            *("sh", "-c", f'ulimit -n {FILES}; exec "$0" "$@"', sys.executable),
            *("-m", "varves", "mcp", "--http", "--port", "0", "--json"),
        ],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        where = json.loads(running.stdout.readline())
        with open(where["token_file"], encoding="ascii") as file:
            token = file.read().strip()
        port = int(where["url"].split(":")[2].split("/")[0])
        ended = []

        def end():
            running.terminate()
            ended.append(running.communicate(timeout=WAIT)[1].decode())
            return ended[0]

        yield port, token, end
        if not ended:
            end()


def test_a_crowd_that_asks_for_nothing_starves_nobody_and_fills_no_log(process):
    port, token, end = process
    crowd = [connected(port) for _ in range(CROWD)]
    for one in crowd[::2]:
        one.sendall(b"POST /mcp HTTP/1.1\r\nHost: ")
    assert greeted(port, token) == 200
    assert sum(closed(one) for one in crowd[: CROWD - 64]) == CROWD - 64
    said = end()
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 2


def test_a_body_is_not_read_before_the_token_is_known(process):
    port, token, end = process
    for key in ("Authorization: Bearer guess", "X-Nothing: here"):
        one = connected(port)
        one.sendall(head(port, key, "Content-Length: 100000000"))
        sent, piece = 0, b"x" * 65536
        try:
            while sent < 100_000_000:
                sent += one.send(piece)
        except ConnectionError:
            pass
        assert sent < 20_000_000
    assert greeted(port, token) == 200
    assert "Traceback" not in end()


def test_a_refused_connection_is_told_why_and_closed(process):
    port, token, _ = process
    one = connected(port)
    one.sendall(head(port, "Content-Length: 0"))
    assert answer_of(one) == 401
    assert closed(one)
    assert greeted(port, token) == 200


def test_a_connection_that_is_kept_serves_again(process):
    port, token, _ = process
    one = connected(port)
    for _ in range(3):
        one.sendall(head(port, f"Authorization: Bearer {token}", "Content-Length: 0", method="PUT"))
        assert answer_of(one) in (404, 405)


# ------------------------------------------------------------------ the limits themselves


SIZED = [(b"content-length", b"2")]


class Held:
    """An application that answers when it is told to, and notes what it was sent."""

    def __init__(self):
        self.inside = threading.Semaphore(0)
        self.bodies = []
        self._going = asyncio.Event()
        self._loop = None

    def release(self):
        self._loop.call_soon_threadsafe(self._going.set)

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        self._loop = asyncio.get_running_loop()
        self.inside.release()
        message = await receive()
        while message.get("more_body"):
            message = await receive()
        self.bodies.append(message["type"])
        if message["type"] == "http.disconnect":
            return
        if scope["path"] == "/mcp":
            await self._going.wait()
        await send({"type": "http.response.start", "status": 200, "headers": SIZED})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def serve():
    """Serve an application with limits of a test's own."""
    running = []

    def start(app, *, busy=60, **limits):
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        port = listening.getsockname()[1]
        server = HttpServer(Gate(app, port=port, passes=Bearer(TOKEN), busy=busy), **limits)
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
        thread.start()
        running.append((server, thread))
        return port

    yield start
    for server, thread in running:
        server.should_exit = server.force_exit = True
        thread.join(WAIT)


def request(port, *more, path="/mcp"):
    return head(port, f"Authorization: Bearer {TOKEN}", *more).replace(b"/mcp", path.encode(), 1)


@pytest.mark.parametrize("begun", [b"", b"POST /mcp HT", b"POST /mcp HTTP/1.1\r\nHost: x\r\nA: "])
def test_a_header_has_its_time(serve, begun):
    port = serve(Held(), header=0.05)
    one = connected(port)
    one.sendall(begun)
    assert answer_of(one) == 408
    assert closed(one)


def test_a_header_that_comes_in_drops_gets_no_more_time(serve):
    port = serve(Held(), header=0.2)
    one = connected(port)
    one.settimeout(0.005)
    got = b""
    for _ in range(10_000):
        one.sendall(b"x")
        try:
            got = one.recv(4096)
            break
        except TimeoutError:
            continue
    assert got.startswith(b"HTTP/1.1 408 ")


def test_the_second_header_of_a_connection_has_its_time_too(serve):
    port = serve(Held(), header=2.0)
    one = connected(port)
    one.sendall(request(port, "Content-Length: 0", path="/at-once"))
    assert answer_of(one) == 200
    one.sendall(b"POST /mcp HT")
    assert answer_of(one) == 408


def test_a_body_has_its_time_and_the_server_goes_on(serve):
    app = Held()
    port = serve(app, body=0.05)
    one = connected(port)
    one.sendall(request(port, "Content-Length: 10") + b"half")
    assert closed(one)
    other = connected(port)
    other.sendall(request(port, "Content-Length: 4", path="/at-once") + b"full")
    assert answer_of(other) == 200
    assert app.bodies == ["http.disconnect", "http.request"]


def test_a_long_answer_outlives_every_limit_and_the_crowd(serve):
    app = Held()
    port = serve(app, most=4, header=1.0, body=1.0, grace=0.5)
    one = connected(port)
    one.sendall(request(port, "Content-Length: 0"))
    app.inside.acquire()
    crowd = [connected(port) for _ in range(8)]
    assert all(closed(late) for late in crowd)
    app.release()
    assert answer_of(one) == 200


def test_one_too_many_is_told_to_come_again(serve):
    app = Held()
    port = serve(app, busy=2)
    both = [connected(port) for _ in range(2)]
    for one in both:
        one.sendall(request(port, "Content-Length: 0"))
        app.inside.acquire()
    third = connected(port)
    third.sendall(request(port, "Content-Length: 0"))
    assert answer_of(third) == 503
    app.release()
    assert [answer_of(one) for one in both] == [200, 200]


def test_trouble_is_said_once_in_one_line(capsys):
    log = logging.getLogger("trouble")
    log.propagate = False
    log.addHandler(OneLine("mcp"))
    for number in range(1000):
        log.error("Exception in application %s\n", number, exc_info=ValueError(number))
        log.error("no more files\nat all")
        log.info("nothing")
    assert capsys.readouterr().err == (
        "varves: mcp: Exception in application 0: ValueError\nvarves: mcp: no more files\n"
    )
