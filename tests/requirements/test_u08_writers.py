from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

import varves as package
from tests.requirements.sources import segments

WRITER = """
import sys, varves
name, root = sys.argv[1:]
with varves.open(root, actor=name) as ledger:
    for number in range(10_000):
        print(ledger.remember(f"{name} says {number}", scope=f"agent:{name}").id, flush=True)
        if number + 1 == 40 and name != "writer-0":
            break
"""
WRITERS = 8


def acknowledged(process):
    return [line.strip() for line in process.stdout if line.endswith("\n")]


@pytest.mark.requirement("U-08")
def test_eight_writers_of_whom_one_is_killed_lose_nothing_acknowledged(project, varves):
    crowd = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, f"writer-{number}", str(project)],
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        for number in range(WRITERS)
    ]
    first = [crowd[0].stdout.readline().strip() for _ in range(10)]
    crowd[0].send_signal(signal.SIGKILL)
    said = [first + acknowledged(crowd[0]), *(acknowledged(process) for process in crowd[1:])]
    codes = [process.wait(timeout=60) for process in crowd]
    for process in crowd:
        process.stdout.close()
    assert codes == [-signal.SIGKILL, *[0] * (WRITERS - 1)]
    assert [len(ids) for ids in said[1:]] == [40] * (WRITERS - 1)

    checked = varves("verify", "--deep", "--json")
    assert (checked.code, checked.json["damage"]) == (0, [])
    with package.open(project) as ledger:
        held = {memory.id for memory in ledger.list()}
        assert {name for ids in said for name in ids} <= held
        assert len(held) - sum(map(len, said)) <= 1, "at most one was written and not yet told"
        before = segments(project)
        assert ledger.remember("the next one goes on").status == "recorded"
        assert ledger.verify(deep=True).ok
    for name, content in before.items():
        whole = content[: content.rfind(b"\n") + 1]
        assert segments(project)[name].startswith(whole)


@pytest.mark.requirement("U-08")
def test_every_line_is_whole_and_every_event_there_once(project, ledger):
    for number in range(50):
        ledger.remember(f"statement {number}")
    lines = [line for text in segments(project).values() for line in text.splitlines()]
    assert all(text.endswith(b"\n") for text in segments(project).values())
    assert len({json.loads(line)["id"] for line in lines}) == len(lines) == 50


@pytest.mark.requirement("U-08")
def test_a_process_may_write_through_several_doors_at_once(project):
    """Locks are re-entrant: a second ledger of the same process waits for nobody."""
    with package.open(project) as one, package.open(project) as other:
        one.remember("one", id="mem_aaaaaaaaaaaa")
        other.remember("two", id="mem_bbbbbbbbbbbb")
        one.remember("three")
        other.remember("four")
        assert len(one.list()) == len(other.list()) == 4
        assert one.verify(deep=True).ok


HOLDER = """
import os, signal, sys, varves
ledger = varves.open(sys.argv[1])
ledger.remember("written while holding")
with ledger._context.deciding("project"):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.requirement("U-08")
def test_locks_of_a_process_that_died_hold_nobody_up(project, varves):
    done = subprocess.run([sys.executable, "-c", HOLDER, str(project)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert varves("remember", "after", "--id", "mem_aaaaaaaaaaaa").code == 0
    texts = {memory["text"] for memory in varves("list", "--json").json["memories"]}
    assert texts == {"written while holding", "after"}
    assert len(segments(project)) == 1, "the dead one's lane was taken up again"
