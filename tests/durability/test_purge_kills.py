"""S10: a purge killed, or failing, at any step is finished by whoever comes next."""

from __future__ import annotations

import errno
import fcntl
import shutil
import signal
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability import purge_sweep
from tests.durability.pack_sweep import Clock
from tests.durability.reader import events_of
from tests.durability.scene import DEEP, program
from tests.figures import add_figure
from tests.git import conftest as memory
from tests.security.erasing import TEXT, hits, state_of
from varves.errors import Damaged, VarvesError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.durability.faults import Faults

tmp_path = memory.tmp_path


def test_a_purge_killed_at_any_step_is_finished_and_loses_nothing(tmp_path, home):
    found = program("purge_sweep", str(tmp_path), "--stride", "1" if DEEP else "29")
    assert found["problems"] == []
    assert found["points"] > (100 if DEEP else 3)
    assert set(found["phases"]) >= {"nothing said", "all said"}
    if DEEP:
        assert set(found["phases"]) == {"nothing said", "half said", "all said"}
        assert set(found["calls"]) >= {"write", "fsync", "replace", "unlink", "flock", "index"}
    add_figure("S10", kills=found["points"], unfinished=0)


@pytest.mark.full_size
def test_the_sweep_catches_lines_that_go_before_what_they_name(tmp_path, home):
    """Deliberately broken, to show that the sweep bites."""
    found = program("purge_sweep", str(tmp_path), "--careless", "--stride", "23")
    assert any("bytes are left" in problem for problem in found["problems"])


@pytest.mark.full_size
def test_whichever_call_of_a_purge_fails_it_can_be_finished(tmp_path, home, faults):
    original = tmp_path / "original"
    purge_sweep.make(original)
    with varves.open(original, clock=Clock(), actor="ada") as ledger:
        before = (purge_sweep.ids_in(original), state_of(ledger, but=[purge_sweep.NAME]))
    nth = failed = 0
    numbers = (errno.EIO, errno.ENOSPC, errno.EMFILE)
    while True:
        nth += 3 if DEEP else 131
        root = tmp_path / "copy"
        shutil.copytree(original, root)
        met = fail_one(root, faults, (nth, numbers[nth % len(numbers)]))
        purge_sweep.check(root, before)
        shutil.rmtree(root)
        if not met:
            break
        failed += 1
    assert failed > (60 if DEEP else 0)
    add_figure("S10", failing_calls=failed)


def test_a_lock_that_does_not_open_at_once_is_tried_again(tmp_path, home, faults):
    """Regression: a process that kept the lock on its segment waited for itself, for ever."""
    root = tmp_path / "copy"
    purge_sweep.make(root)
    left = iter([errno.EIO])

    def pick(name: str, args: tuple[Any, ...]) -> int | None:
        opens = name == "flock" and args[1] == fcntl.LOCK_UN
        return next(left, None) if opens else None

    with varves.open(root, clock=Clock(), actor="ada") as ledger:
        ledger.remember("Holds a segment of its own")
        faults.arm(pick)
        ledger.purge(purge_sweep.NAME, reason="asked for")
        faults.heal()
        assert faults.failed == ["flock"]
        assert ledger.verify(deep=True).ok
        assert hits(root / ".varves", root / ".git/varves") == []


def fail_one(root: Path, faults: Faults, fault: tuple[int, int]) -> bool:
    """Let one call of a purge fail; tell whether there was one so late."""
    nth, number = fault
    with varves.open(root, clock=Clock(), actor="ada") as ledger:
        ledger.log()
        faults.fail_nth(nth, number)
        told: VarvesError | None = None
        try:
            ledger.purge(purge_sweep.NAME, reason="asked for")
        except VarvesError as error:
            told = error
        finally:
            faults.heal()
        assert told is None or (isinstance(told, Damaged) and told.hint)
        return bool(faults.failed)


WRITER = """
import sys, varves
ledger = varves.open(sys.argv[1], actor="killed")
for number in range(4):
    print(ledger.remember(f"{sys.argv[2]} {number}").id, flush=True)
sys.stdin.read()
"""


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("which", [0, 1, 3])
def test_a_lane_goes_on_with_its_chain_after_its_segment_was_rewritten(project, home, which):
    """Its last writer was killed, so its note lags; what was purged since made lines shorter.

    The next writer must find the place by the line that was noted, or the chain would fork.
    """
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(project), TEXT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert writer.stdout
    names = [writer.stdout.readline().strip() for _ in range(4)]
    with varves.open(project, actor="purger") as purger:
        purger.remember("Takes a lane of its own")
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        purger.purge(names[which], reason="asked for")
        with varves.open(project, actor="heir") as heir:
            heir.remember("Goes on in the lane of the killed one")
            found = heir.verify(deep=True)
            assert found.ok, found.damage
            assert found.gaps == ()
        assert_no_fork(project)
        for name in names:
            if name != names[which]:
                purger.purge(name, reason="asked for")
        with varves.open(project, actor="heir") as heir:
            heir.remember("And on")
            assert heir.verify(deep=True).ok
    assert_no_fork(project)
    assert hits(project, home) == []


def assert_no_fork(project: Path) -> None:
    """Check that each writer's events follow one another, in whichever files they stand."""
    chains: dict[str, dict[int, dict[str, object]]] = {}
    for event in events_of(project):
        chain = chains.setdefault(event["writer"], {})
        assert event["seq"] not in chain, f"{event['writer']} says {event['seq']} twice"
        chain[event["seq"]] = event
    assert len(chains) == 2, "a chain was begun anew"
    for chain in chains.values():
        ordered = [chain[seq] for seq in sorted(chain)]
        assert [event["seq"] for event in ordered] == list(range(1, len(ordered) + 1))
        assert all(after["prev"] == before["h"] for before, after in pairwise(ordered))
