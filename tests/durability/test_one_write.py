"""Every answer is one write, however Python buffers: processes that share a pipe never mix.

Stdout and stderr are sockets that keep each write apart, so the writes can be counted.
"""

from __future__ import annotations

import io
import json
import os
import re
import select
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from varves import streams

if TYPE_CHECKING:
    from collections.abc import Iterator

MAIN = (sys.executable, "-m", "varves")
INIT = (sys.executable, "-c", "import sys; from varves.cli.published import init; sys.exit(init())")
LONG = "the deploy script takes its version from the tag, " * 400  # longer than any buffer
PROMPT = {"session_id": "s-1", "prompt": "Which database is on staging?"}
ANSWERED = {
    "a memory recorded": ("remember", "The port is 5433"),
    "a memory known already": ("remember", "The staging database is called heron"),
    "several lines": ("recall", "what is on staging?"),
    "a long list": ("list",),
    "a document": ("list", "--json"),
    "a help page": ("--help",),
    "the version": ("--version",),
    "the state": ("status",),
    "events": ("log",),
    "an error as a document": ("show", "mem_unknown", "--json"),
    "a protocol's verb": ("scoped", "init"),
}


class Packets:
    """One end of a socket that hands over each write as it was made."""

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)

    def writes(self) -> list[str]:
        """Return what was written, write by write, once the writer is gone."""
        self.theirs.close()
        found = [packet.decode() for packet in iter(self.next, b"")]
        self._ours.close()
        return found

    def next(self) -> bytes:
        """Return the next write."""
        return self._ours.recv(1 << 20)

    def is_waiting(self) -> bool:
        """Tell whether there is one."""
        return bool(select.select([self._ours], [], [], 0)[0])


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def told(request, project, ledger):
    """Run a command and return its exit code and its writes to stdout and to stderr."""
    for text in ("The staging database is called heron", "Staging is wiped on Mondays", LONG):
        ledger.remember(text)

    def run(
        *args: str, call: tuple[str, ...] = MAIN, stdin: str = "", **env: str
    ) -> tuple[int, list[str], list[str]]:
        out, err = Packets(), Packets()
        done = subprocess.run(
            [*call, *args],
            cwd=project,
            env={**os.environ, "PYTHONUNBUFFERED": request.param, **env},
            input=stdin.encode(),
            stdout=out.theirs,
            stderr=err.theirs,
            check=False,
        )
        return done.returncode, out.writes(), err.writes()

    return run


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("words", ANSWERED.values(), ids=ANSWERED)
def test_an_answer_is_one_write(told, words):
    _, out, err = told(*words)
    assert len(out) == 1, out
    assert out[0].endswith("\n")
    assert err == []


def test_an_answer_longer_than_a_buffer_is_one_write(told):
    _, [text], _ = told("list", "--json")
    assert len(text) > io.DEFAULT_BUFFER_SIZE
    assert len(json.loads(text)["memories"]) == 3


def test_nothing_to_say_is_no_write(told):
    assert told("list", "--tag", "none") == (0, [], [])


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    "words", [("show", "mem_unknown"), ("remembr", "x"), ("remember",), ("import", "jsonl", "no")]
)
def test_an_error_is_one_write(told, words):
    code, out, err = told(*words)
    assert code
    assert out == []
    assert len(err) == 1
    assert re.fullmatch(r"varves: [^\n]+\n", err[0])


@pytest.mark.full_size(sample=1)
def test_what_will_be_mended_is_one_write_and_what_was_another(told, project):
    (project / ".varves/.gitignore").unlink()
    (project / ".varves/format.json").unlink()
    code, [done], [plan] = told("doctor", "--fix")
    assert code == 0
    assert all(line.startswith("will  ") for line in plan.splitlines())
    assert all(line.startswith("done  ") for line in done.splitlines())


@pytest.mark.full_size(sample=1)
def test_a_published_command_answers_in_one_write(told):
    code, out, _ = told(call=INIT)
    assert code == 0
    assert len(out) == 1


def test_a_hook_answers_in_one_write(told):
    code, [text], err = told(
        "hook", "UserPromptSubmit", "--client", "claude", stdin=json.dumps(PROMPT)
    )
    assert (code, err) == (0, [])
    assert "heron" in json.loads(text)["hookSpecificOutput"]["additionalContext"]


def test_an_mcp_server_writes_each_message_at_once(told):
    asked = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "ping"},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    code, out, err = told("mcp", stdin=lines)
    assert (code, err) == (0, [])
    assert [json.loads(text)["id"] for text in out] == [1, 2, 3]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["lines", "documents"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_log_that_is_followed_writes_each_event_at_once(project, ledger, unbuffered, form):
    """It tells what comes after its start, so facts are recorded until the first one is told."""
    ledger.remember("Fact 0")
    out, number = Packets(), 0
    running = subprocess.Popen(
        [*MAIN, "log", "--follow", *form],
        cwd=project,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        stdout=out.theirs,
    )
    try:
        while not out.is_waiting():
            ledger.remember(f"Fact {(number := number + 1)}")
    finally:
        running.terminate()
        running.wait()
    seen = out.writes()
    assert seen
    assert all(re.search(r"Fact \d+", text) for text in seen)
    assert all(text.count("\n") == 1 and text.endswith("\n") for text in seen)


@pytest.mark.full_size
def test_eight_processes_never_meet_on_one_line(project, ledger):
    ledger.init()
    reading, writing = os.pipe()
    running = [
        subprocess.Popen(
            [*MAIN, "remember", f"Fact {number}"],
            cwd=project,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=writing,
            stderr=writing,
        )
        for number in range(8)
    ]
    os.close(writing)
    with open(reading, encoding="utf-8") as told:
        lines = told.readlines()
    assert [one.wait() for one in running] == [0] * 8
    assert len(lines) == 8
    assert all(re.fullmatch(r"mem_[0-9a-z]+ recorded\n", line) for line in lines)


class Hesitant(io.RawIOBase):
    """A file that takes three bytes at a time, or none just now."""

    def __init__(self, pipe: tuple[int, int]) -> None:
        self.taken: list[bytes] = []
        self._pipe = pipe
        self._turn = self._turns()

    def _turns(self) -> Iterator[int | None]:
        while True:
            yield 3
            yield None

    def fileno(self) -> int:
        """Return a file that can be written to at once."""
        return self._pipe[1]

    def write(self, content: bytes) -> int | None:  # type: ignore[override]
        """Take what there is room for."""
        count = next(self._turn)
        if count is not None:
            self.taken.append(bytes(content[:count]))
        return count


def test_what_a_file_did_not_take_at_once_follows():
    pipe = os.pipe()
    try:
        file = Hesitant(pipe)
        streams.write(file, b"a whole answer\n")
        assert b"".join(file.taken) == b"a whole answer\n"
    finally:
        for handle in pipe:
            os.close(handle)


def test_a_full_pipe_that_does_not_block_is_waited_for(project, ledger):
    """Regression: an answer was given up with exit code 5 where a parent's pipe did not block."""
    ledger.remember(LONG * 10)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    running = subprocess.Popen([*MAIN, "list", "--json"], cwd=project, stdout=writing)
    os.close(writing)
    with open(reading, encoding="utf-8") as told:
        assert len(json.load(told)["memories"]) == 1
    assert running.wait() == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
def test_an_error_that_stdout_does_not_take_is_told_on_stderr(project):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*MAIN, "show", "mem_unknown", "--json"],
            cwd=project,
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 4
    assert re.fullmatch(r"varves: [^\n]+\n", done.stderr)


def test_a_stderr_that_cannot_be_written_changes_nothing(project, ledger):
    ledger.init()
    reading, writing = os.pipe()
    os.close(reading)
    words = [*MAIN, "show", "mem_unknown"]
    done = subprocess.run(words, cwd=project, capture_output=False, stderr=writing, check=False)
    os.close(writing)
    assert done.returncode == 4
