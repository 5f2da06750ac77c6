"""R3: many writers at once, as processes, as threads and across a fork."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.reader import read_log, read_private
from tests.durability.scene import DEEP, REPOSITORY, assert_kept, program
from tests.figures import full_size, note_figure

if TYPE_CHECKING:
    from pathlib import Path

PROCESSES, EACH = (64, 1000) if DEEP else (16, 50)
THREADS, SAID = (16, 500) if DEEP else (8, 50)
ON_DISK = DEEP


def assert_told_exactly(root: Path, acknowledged: list[str]) -> None:
    """Check that the files hold what was acknowledged, once each, in whole chains, and no more."""
    assert len(acknowledged) == len(set(acknowledged))
    found = assert_kept(root, acknowledged)
    recorded = [event["id"] for event in found if event["kind"] == "memory.recorded"]
    assert sorted(recorded) == sorted(acknowledged)
    chains: dict[str, list[int]] = {}
    for segment in read_log(root) + read_private(root):
        assert not segment.torn
        for event in segment.events:
            chains.setdefault(event["writer"], []).append(event["seq"])
    for numbers in chains.values():
        assert sorted(numbers) == list(range(1, len(numbers) + 1))


@pytest.mark.full_size
def test_many_processes_lose_double_and_mix_nothing(project):
    options = json.dumps({"each": EACH})
    told = program("crowd", "insist", str(PROCESSES), str(project), options, timeout=3600)
    assert [len(ids) for ids, _ in told] == [EACH] * PROCESSES
    refused = sum(count for _, count in told)
    assert_told_exactly(project, [name for ids, _ in told for name in ids])
    note_figure("R3", processes=PROCESSES, events=PROCESSES * EACH, lost=0, doubled=0, mixed=0)
    note_figure("R3", busy_and_tried_again=refused)
    assert full_size() or not refused


@pytest.mark.full_size
def test_a_whole_crowd_of_processes_is_served_at_once(project):
    crowd = 256 if full_size() else 24
    told = program("crowd", "remember", str(crowd), str(project), json.dumps({"each": 4}))
    assert_told_exactly(project, [name for ids in told for name in ids])
    note_figure("R3", processes_at_once=crowd, lost_by_them=0)


RATES = """
import json
from benchmarks.processes import cores, run, wanted
from benchmarks.scene import Scene
with Scene(quick=False) as scene:
    appends = run(scene)[0]
print(json.dumps([float(appends.ratio), wanted(cores()), cores()]))
"""


@pytest.mark.skipif(not full_size(), reason="a rate is measured at full size only")
def test_eight_processes_append_quicker_than_one():
    done = subprocess.run(
        [sys.executable, "-c", RATES],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
        timeout=1800,
    )
    ratio, wanted, cores = json.loads(done.stdout)
    note_figure("R3", rate_of_8_to_one=ratio, cores=cores)
    assert ratio >= wanted


def test_each_of_many_processes_has_a_lane_of_its_own(project):
    told = program("crowd", "remember", "6", str(project), json.dumps({"each": 5}))
    writer_of = {
        event["id"]: event["writer"] for segment in read_log(project) for event in segment.events
    }
    by_process = [{writer_of[name] for name in ids} for ids in told]
    assert all(len(writers) == 1 for writers in by_process)


def test_threads_share_one_ledger(project):
    acknowledged: list[str] = []
    faults: list[BaseException] = []
    gate = threading.Barrier(THREADS)

    def say(ledger: varves.Ledger, number: int) -> None:
        try:
            gate.wait()
            for n in range(SAID):
                acknowledged.append(str(ledger.remember(f"thread {number} says {n}").event))
                if n % 20 == 0:
                    assert ledger.recall(f"says {n}").hits
        except BaseException as fault:  # noqa: BLE001 - a thread's fault is judged below
            faults.append(fault)

    with varves.open(project) as ledger:
        threads = [threading.Thread(target=say, args=(ledger, n)) for n in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not faults
        assert len(ledger.log(kind=["memory.recorded"])) == THREADS * SAID
    assert_told_exactly(project, acknowledged)


def test_ledgers_of_one_process_write_side_by_side(project):
    ledgers = [varves.open(project) for _ in range(4)]
    acknowledged = [
        str(ledger.remember(f"ledger {number} says {n}").event)
        for n in range(10)
        for number, ledger in enumerate(ledgers)
    ]
    for ledger in ledgers:
        ledger.close()
    assert_told_exactly(project, acknowledged)


FORK = """
import json, os, sys, varves
ledger = varves.open(sys.argv[1])
told = [ledger.remember("before the fork").event]
ledger.log()
children = []
for number in range(3):
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        own = [ledger.remember(f"child {number} says {n}").event for n in range(5)]
        seen = len(ledger.log())
        if number == 0:
            ledger.close()
        os.write(theirs, json.dumps([own, seen]).encode())
        os._exit(0)
    os.close(theirs)
    children.append((pid, ours))
    told += [ledger.remember(f"parent says {number} {n}").event for n in range(5)]
for pid, ours in children:
    assert os.waitpid(pid, 0)[1] == 0
    own, seen = json.loads(os.read(ours, 1 << 16))
    assert seen >= 6, seen
    told += own
told.append(ledger.remember("after the fork").event)
assert len(ledger.log()) == len(told), (len(ledger.log()), len(told))
ledger.close()
print(json.dumps(told))
"""


def test_children_of_a_writer_go_on_in_lanes_of_their_own(project):
    told = run_here(FORK, project)
    assert len(told) == 32
    assert_told_exactly(project, told)


def run_here(script: str, project: Path) -> Any:
    """Run a script in a process without threads."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(project)],
        capture_output=True,
        encoding="utf-8",
        env=dict(os.environ),
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
