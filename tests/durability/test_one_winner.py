"""R13: one event per id however often it is said, one winner per version, and locks that die."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import varves
from tests.durability.scene import assert_kept, program
from tests.figures import add_figure, full_size
from varves.errors import Busy, Stale
from varves.places import locks

if TYPE_CHECKING:
    from pathlib import Path

NAME = "mem_abcdefghijkl"


def kinds(root: Path) -> Counter[str]:
    return Counter(event["kind"] for event in assert_kept(root, []))


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("batch", [False, True], ids=["remember", "remember_many"])
def test_a_storm_of_retries_is_one_memory(project, batch):
    tries = 250 if full_size() else 5
    options = {"id": NAME, "tries": tries, "batch": batch}
    told = program("crowd", "storm", "8", str(project), json.dumps(options))
    answers = Counter(answer for answers in told for answer in answers)
    assert answers == {"recorded": 1, "known": 8 * tries - 1}
    assert kinds(project) == {"memory.recorded": 1}
    add_figure("R13", retries=8 * tries, events_of_them=1)


@pytest.mark.full_size
def test_a_storm_through_the_command_line_is_one_memory(project, varves):
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "varves", "remember", "said once", "--id", NAME, "--json"],
            cwd=project,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for _ in range(8)
    ]
    answers = [json.loads(one.communicate(timeout=60)[0]) for one in running]
    assert all(one.returncode == 0 for one in running)
    assert Counter(answer["status"] for answer in answers) == {"recorded": 1, "known": 7}
    assert {answer["id"] for answer in answers} == {NAME}
    assert kinds(project)["memory.recorded"] == 1
    assert varves("remember", "said otherwise", "--id", NAME).code == 3


def test_of_eight_that_change_one_version_exactly_one_wins(project, ledger):
    version = ledger.remember("as it was", id=NAME).event
    options = json.dumps({"memory": NAME, "version": version})
    told = program("crowd", "change", "8", str(project), options)
    outcomes = Counter(answer[0] for answer in told)
    assert outcomes == {"done": 1, "stale": 7}
    assert {answer[1] for answer in told if answer[0] == "stale"} == {"3"}
    assert len(ledger.log()) == 2


def test_every_version_has_exactly_one_winner(project, ledger):
    ledger.remember("raced over", id=NAME)
    rounds = 250 if full_size() else 12
    options = json.dumps({"memory": NAME, "rounds": rounds})
    told = program("crowd", "race", "8", str(project), options)
    tries = [answer for answers in told for answer in answers]
    won = [version for version, outcome, _ in tries if outcome == "done"]
    assert len(won) == len(set(won)), "two writers changed the same version"
    assert {outcome for _, outcome, _ in tries} <= {"done", "stale"}
    assert {version for version, _, _ in tries if version not in won} <= {ledger.show(NAME).version}
    chain = [event for event in ledger.history(NAME) if event.kind == "memory.revised"]
    assert sorted(event.id for event in chain) == sorted(e for _, o, e in tries if o == "done")
    assert [event.cause[0] for event in chain[1:]] == [event.id for event in chain[:-1]]
    add_figure("R13", racers=8, tries=len(tries), versions=len(won), versions_won_twice=0)


def test_a_stale_change_is_refused_and_writes_nothing(varves, ledger):
    ledger.remember("as it was", id=NAME)
    old = ledger.show(NAME).version
    ledger.edit(NAME, tag=["later"])
    before = len(ledger.log())
    for change in (
        ["correct", NAME, "as it is"],
        ["edit", NAME, "--tag", "+x"],
        ["forget", NAME, "--reason", "wrong"],
        ["restore", NAME],
    ):
        answer = varves(*change, "--expect", old, "--json")
        assert answer.code == 3
        assert answer.json["error"]["code"] == "stale"
    with pytest.raises(Stale):
        ledger.correct(NAME, "as it is", expect=old)
    assert len(ledger.log()) == before


HOLD = """
import fcntl, os, sys, time
handle = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600)
fcntl.flock(handle, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)
"""


def hold(project: Path) -> subprocess.Popen[str]:
    """Let another process hold the lock under which look and append are one step."""
    path = project / ".varves" / "local" / "decide.lock"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def end(holder: subprocess.Popen[str]) -> None:
    holder.kill()
    holder.communicate()


def test_a_lock_held_too_long_is_busy_and_writes_nothing(project, ledger, monkeypatch):
    ledger.remember("as it was", id=NAME)
    version = ledger.show(NAME).version
    monkeypatch.setattr(locks, "WAIT_SECONDS", 0.05)
    holder = hold(project)
    try:
        with pytest.raises(Busy) as refused:
            ledger.edit(NAME, tag=["x"], expect=version)
        assert (refused.value.exit, refused.value.code) == (6, "busy")
        with pytest.raises(Busy):
            ledger.remember("under an id", id="mem_bbbbbbbbbbbb")
        assert ledger.remember("needs no lock").status == "recorded"
    finally:
        end(holder)
    assert ledger.edit(NAME, tag=["x"], expect=version).event
    assert kinds(project)["memory.revised"] == 1


BUSY = """
import sys
from varves.places import locks
locks.WAIT_SECONDS = 0.05
from varves.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_busy_on_the_command_line_is_six(project, varves):
    varves("remember", "as it was", "--id", NAME)
    holder = hold(project)
    try:
        done = subprocess.run(
            [sys.executable, "-c", BUSY, "remember", "x", "--id", "mem_bbbbbbbbbbbb", "--json"],
            cwd=project,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
    finally:
        end(holder)
    assert done.returncode == 6
    assert json.loads(done.stdout)["error"]["code"] == "busy"


def test_a_killed_holder_holds_up_nobody(project, ledger):
    ledger.remember("as it was", id=NAME)
    holder = hold(project)
    assert held(project)
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert not held(project)
    version = ledger.show(NAME).version
    assert ledger.edit(NAME, tag=["x"], expect=version).event


def held(project: Path) -> bool:
    """Tell whether somebody holds the lock."""
    handle = os.open(project / ".varves" / "local" / "decide.lock", os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


KILLED = """
import os, sys, varves
from varves.log.files.append import Appender
def die(*args):
    os.kill(os.getpid(), 9)
Appender.append = die
varves.open(sys.argv[1]).edit(sys.argv[2], tag=["x"], expect=sys.argv[3])
"""


def test_a_process_killed_while_it_decides_leaves_the_others_free(project, ledger):
    """The lock is the kernel's: it ends with the process, and no file needs to be tidied up."""
    version = str(ledger.remember("as it was", id=NAME).event)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(project), NAME, version], check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    options = json.dumps({"memory": NAME, "version": version})
    told = program("crowd", "change", "4", str(project), options)
    assert Counter(answer[0] for answer in told) == {"done": 1, "stale": 3}
    with varves.open(project) as other:
        assert other.verify(deep=True).ok
