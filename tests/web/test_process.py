"""`varves ui` as a process: its first line, its end, and a port that is taken."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys

import pytest

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/open\?t=[0-9a-f]{48}\n")


@pytest.fixture
def started(project, home):
    running = []

    def start(*words):
        command = [sys.executable, "-m", "varves", *words, "ui", "--no-open"]
        process = subprocess.Popen(
            command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def test_the_first_line_is_the_address_and_an_interrupt_ends_it(started):
    process = started()
    (port,) = ADDRESS.fullmatch(process.stdout.readline()).groups()
    assert int(port) > 1023
    process.send_signal(signal.SIGINT)
    rest, error = process.communicate(timeout=60)
    assert (process.returncode, rest, error) == (0, "", "")


def test_each_run_has_a_port_and_a_token_of_its_own(started):
    urls = [json.loads(started("--json").stdout.readline())["url"] for _ in range(2)]
    parts = [re.split(r":|/open\?t=", url)[-2:] for url in urls]
    assert parts[0][0] != parts[1][0]
    assert parts[0][1] != parts[1][1]


def test_a_port_that_is_taken_is_refused_in_one_line(started, varves_process):
    port = ADDRESS.fullmatch(started().stdout.readline())[1]
    told = varves_process("ui", "--no-open", "--port", port)
    assert told.code == 3
    assert told.out == ""
    assert told.err.startswith(f"varves: port {port} is not available")
    assert len(told.err.splitlines()) == 1
