"""Whatever comes in, the server answers what can be answered, and goes on."""

from __future__ import annotations

import io
import json
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

import varves
from tests.mcp.conftest import Talk
from tests.tables import each_row
from varves.index.sqlite import past
from varves.mcp import stdio
from varves.mcp.eras import ABILITIES, VERSION
from varves.mcp.faults import Cancelled
from varves.mcp.port import Call
from varves.mcp.server import Server
from varves.values.instants import FixedClock, instant

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
METHODS = (
    *("initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read"),
    *("resources/templates/list", "resources/subscribe", "resources/unsubscribe", "prompts/list"),
    *("prompts/get", "completion/complete", "server/discover", "subscriptions/listen", "x"),
    *("notifications/cancelled", "notifications/initialized"),
)
ENVELOPE = {VERSION: "2026-07-28", ABILITIES: {"elicitation": {}}}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20)
    | st.sampled_from(["recall", "remember", "conflicts", "handoff", "varves://graph", "\ud800"])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "uri", "arguments", "query", "text", "_meta", "id", "ref"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "_meta": st.just(ENVELOPE) | JSON,
        "name": st.sampled_from(["recall", "show", "conflicts", "brief", "handoff"]) | JSON,
        "arguments": st.dictionaries(st.sampled_from(["query", "id", "k", "to", "take"]), JSON)
        | JSON,
        "uri": st.sampled_from(["varves://graph", "varves://scope/project"]) | JSON,
        "notifications": JSON,
        "ref": JSON,
        "argument": JSON,
        "requestId": JSON,
        "requestState": JSON,
        "inputResponses": JSON,
        "cursor": JSON,
        "protocolVersion": st.just("2025-11-25") | JSON,
        "clientInfo": JSON,
        "capabilities": JSON,
    },
)
MESSAGES = (
    st.fixed_dictionaries(
        {"jsonrpc": st.just("2.0"), "method": st.sampled_from(METHODS)},
        optional={"id": st.integers(0, 5) | JSON, "params": PARAMS | JSON},
    )
    | st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "result", "error"]), JSON)
    | JSON
)


class Nothing:
    """A catalogue in which everything fails."""

    server = {"name": "x", "version": "1"}  # noqa: RUF012 - a fake
    abilities = {}  # noqa: RUF012

    def __getattr__(self, name):
        def fail(*_args):
            raise RuntimeError("secret path /home/ada")

        return fail


def lines_of(heard: bytes) -> list[dict]:
    """Read what went out: every line must be a message."""
    found = [json.loads(line) for line in heard.splitlines()]
    for one in found:
        assert one["jsonrpc"] == "2.0"
        assert ("method" in one) != ("result" in one or "error" in one)
        if "error" in one:
            assert isinstance(one["error"]["code"], int)
            assert isinstance(one["error"]["message"], str)
    return found


def played(catalogue, content: bytes) -> list[dict]:
    """Serve some bytes and return what went out."""
    heard = bytearray()

    def write(line: bytes) -> int:
        heard.extend(line)
        return len(line)

    send = stdio.Outlet(write)
    stdio.serve(Server(catalogue, send), io.BytesIO(content), send)
    return lines_of(bytes(heard))


@each_row(
    ("line", "code", "name"),
    [
        (b"{", -32700, None),
        (b"\xff\xfe{}", -32700, None),
        ('{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"), -32700, None),
        (b'{"a":NaN}', -32700, None),
        (b"[" * 100_000, -32700, None),
        (b'{"id":' + b"9" * 5000 + b"}", -32700, None),
        (b"null", -32600, None),
        (b"[]", -32600, None),
        (b"3", -32600, None),
        (b"{}", -32600, None),
        (b'{"id":4}', -32600, 4),
        (b'{"jsonrpc":"1.0","id":4,"method":"ping"}', -32600, 4),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":4,"method":3}', -32600, 4),
        (b'{"jsonrpc":"2.0","id":4,"method":"ping","params":[]}', -32602, 4),
        (b'{"jsonrpc":"2.0","id":"a","method":"nope"}', -32601, "a"),
    ],
)
def test_an_invalid_line_gets_its_error_and_the_next_message_an_answer(line, code, name):
    first, second = played(Nothing(), line + b"\n" + json.dumps(PING).encode())
    assert (first["error"]["code"], first["id"]) == (code, name)
    assert second["result"] == {}


@each_row(
    "line",
    [
        b"",
        b"\r",
        b"   ",
        b'{"jsonrpc":"2.0","method":"nope"}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
        b'{"jsonrpc":"2.0","id":9,"result":{}}',
        b'{"jsonrpc":"2.0","id":null,"error":3}',
    ],
)
def test_a_line_that_expects_no_answer_gets_none(line):
    assert [
        one["result"] for one in played(Nothing(), line + b"\n" + json.dumps(PING).encode())
    ] == [{}]


def test_a_line_that_is_too_long_is_refused_and_left_behind(monkeypatch):
    monkeypatch.setattr(stdio, "LONGEST", 100)
    long = b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"' + b"y" * 1000 + b'"}}\n'
    first, second = played(Nothing(), long + json.dumps(PING).encode() + b"\n")
    assert first["error"]["code"] == -32600
    assert second["id"] == 1


def test_lone_surrogates_do_not_stop_an_answer():
    [answer] = played(Nothing(), b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}\n')
    assert answer["id"] == "\ud800"


def test_a_fault_of_ours_is_told_without_its_inside(capsys):
    talk = Talk(Nothing(), "2026-07-28")
    error = talk.ask("tools/call", name="x")["error"]
    assert error == {"code": -32603, "message": "internal error: RuntimeError"}


def test_a_closed_outlet_swallows_everything_and_ends_the_reading():
    asked = []

    def write(line: bytes) -> int:
        asked.append(line)
        raise BrokenPipeError

    send = stdio.Outlet(write)
    source = io.BytesIO((json.dumps(PING) + "\n").encode() * 5)
    stdio.serve(Server(Nothing(), send), source, send)
    assert len(asked) == 1
    assert source.readline()


def test_an_id_that_is_in_use_is_refused_under_no_id():
    jobs = []
    talk = Talk(Nothing(), "2026-07-28", work=jobs.append)
    first = talk.send("tools/call", name="x")
    talk.last -= 1
    talk.send("tools/call", name="x")
    [refused] = talk.heard
    assert (refused["id"], refused["error"]["code"]) == (None, -32600)
    [job] = jobs
    job()
    assert talk.answer(first)["error"]
    talk.last -= 1
    talk.send("tools/call", name="x")
    assert len(jobs) == 2, "an id may be used again once it was answered"


def test_a_number_and_its_digits_are_two_ids():
    jobs, heard = [], []
    server = Server(Nothing(), heard.append, work=jobs.append)
    call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "x", "_meta": ENVELOPE}}
    for name in (1, "1"):
        server.receive({**call, "id": name})
    for job in jobs:
        job()
    assert [one["id"] for one in heard] == [1, "1"]


def test_ping_and_cancellation_do_not_wait_for_a_long_call(catalogue, ledger):
    began, go = Event(), Event()

    class Slow(type(catalogue)):
        def call(self, name, arguments, call: Call):
            began.set()
            assert go.wait(20)
            call.progress(1)
            raise AssertionError("it was cancelled")

    slow, worker = object.__new__(Slow), stdio.Worker()
    slow.__dict__.update(catalogue.__dict__)
    talk = Talk(slow, "2025-11-25", work=worker)
    talk.begin()
    number = talk.send("tools/call", name="recall", arguments={"query": "x"})
    queued = talk.send("tools/call", name="recall", arguments={"query": "x"})
    assert began.wait(20)
    assert talk.ask("ping")["result"] == {}
    for one in (number, queued):
        talk.tell("notifications/cancelled", requestId=one)
    go.set()
    assert worker.finish(20)
    assert talk.heard == []


class Ticking:
    """A clock by which a second goes by at every look."""

    fixed = False

    def __init__(self):
        self.ms = 0

    def now(self):
        self.ms += 1000
        return self.ms


def test_long_work_tells_its_progress_and_can_be_stopped(talks, project, monkeypatch):
    monkeypatch.setattr(past, "_REPORT_EVERY", 5)

    def opened(day: int) -> varves.Ledger:
        clock = FixedClock(instant(f"2026-11-0{day}T00:00:00Z"))
        return varves.open(str(project), mode="fast", clock=clock)

    with opened(1) as ledger:
        ledger.remember_many({"text": f"Note {n}"} for n in range(20))
        written = [one.id for one in ledger.list()]
    for day, names in ((3, written[:10]), (5, written[10:])):
        with opened(day) as ledger:
            for name in names:
                ledger.forget(name, reason="test")
    talk = talks(clock=Ticking())
    asked = {"name": "recall", "arguments": {"query": "note", "as_of": "2026-11-04T00:00:00Z"}}
    number = talk.send("tools/call", **asked, _meta={"progressToken": "p"})
    assert talk.answer(number)["result"]["structuredContent"]["memories"]
    told = [one["params"] for one in talk.heard]
    assert {one["progressToken"] for one in told} == {"p"}
    assert [one["progress"] for one in told] == sorted({one["progress"] for one in told})
    call = Call(talk.server.client)
    call.cancelled = True
    earlier = asked["arguments"] | {"as_of": "2026-11-02T00:00:00Z"}
    with pytest.raises(Cancelled):
        talk.server.catalogue.call(asked["name"], earlier, call)
    assert talk.call("recall", **asked["arguments"])["memories"], "and nothing is the worse for it"


@given(messages=st.lists(MESSAGES, max_size=6))
def test_no_messages_make_it_fall(messages):
    """Fuzz: every request gets at most one answer, every line out is a message."""
    lines = [json.dumps(one).encode() for one in messages]
    told = played(Nothing(), b"\n".join(lines))
    names = [json.dumps(one.get("id")) for one in messages if isinstance(one, dict)]
    for one in told:
        if one.get("id") is not None and "method" not in one:
            assert names.count(json.dumps(one["id"])) >= 1


@given(content=st.binary(max_size=200), spot=st.integers(0, 80), cut=st.integers(0, 3))
def test_no_bytes_make_it_fall(content, spot, cut):
    """Fuzz: frames broken at any place, then one that is whole."""
    frame = json.dumps({**PING, "params": {"_meta": ENVELOPE}}).encode()
    broken = frame[:spot] + content + frame[spot + cut :]
    told = played(Nothing(), broken + b"\n" + json.dumps(PING).encode())
    assert told[-1] == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_no_messages_make_the_memory_fall(catalogue, ledger):
    """Fuzz with the real catalogue behind; nothing it is asked may be an internal error."""
    ledger.remember("Deploys are on Friday")

    @given(messages=st.lists(MESSAGES, max_size=4))
    def run(messages):
        hello = {
            "jsonrpc": "2.0",
            "id": "hello",
            "method": "initialize",
            "params": {"protocolVersion": "2025-11-25"},
        }
        lines = [json.dumps(one).encode() for one in (hello, *messages)]
        for one in played(catalogue, b"\n".join(lines)):
            assert "internal error" not in json.dumps(one), (one, messages)

    run()
