"""R16: simulated histories, each from its seed, and the faults they must find.

A seed that ever failed stands in `seeds.txt` and is played every time. At full size 100,000 seeds
are shared out to all cores; `VARVES_SEEDS` asks for another number.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.figures import full_size, note_figure
from tests.simulation import disk
from tests.simulation.clone import SnapshotGit
from tests.simulation.run import simulate
from varves.fold import family
from varves.log.files.append import Appender
from varves.values.instants import Hlc

HERE = Path(__file__).parent
COMMITTED = [int(line.split()[0]) for line in (HERE / "seeds.txt").read_text("utf-8").splitlines()]
SEEDS = range(int(os.environ.get("VARVES_SEEDS", "100000")) if full_size() else 8)
FIRST = 40  # seeds within which a fault must be found


@pytest.mark.parametrize("seed", COMMITTED)
def test_a_history_that_once_failed_holds(seed):
    simulate(seed)


def test_whatever_happens_nothing_is_lost_and_all_agree():
    """Ranges of seeds in processes of their own; each names those that failed."""
    workers = os.cpu_count() or 1 if full_size() else 1
    size = -(-len(SEEDS) // workers)
    ranges = [SEEDS[start : start + size] for start in range(0, len(SEEDS), size)]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.simulation", f"{part[0]}-{part[-1]}"],
            cwd=HERE.parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        for part in ranges
    ]
    told = [one.communicate()[0] for one in running]
    summaries = [text.splitlines()[-1] for text in told]
    failed = sum(int(text.split()[2]) for text in summaries)
    rate = sum(float(text.split()[-1].removesuffix("/s")) for text in summaries)
    note_figure("R16", seeds=len(SEEDS), failed=failed, seeds_per_second=round(rate, 1))
    assert not failed, "\n".join(told)[-20_000:]


def test_a_seed_always_tells_the_same_story():
    def story(seed: int) -> tuple[list[str], list[dict[str, bytes]]]:
        simulation = simulate(seed)
        return simulation.trace, [clone.work_tree() for clone in simulation.clones]

    assert story(7) == story(7)
    assert story(7) != story(8)


# Deliberately broken: the simulation must find each of these.


def skip_sync(patch):
    """A disk that says it has synced."""
    patch.setattr(disk.File, "sync", lambda file: None)


def skip_folder_sync(patch):
    """Names that are not made safe."""
    patch.setattr(disk.Folder, "sync", lambda folder: None)


def acknowledge_early(patch):
    """An appender that answers first and syncs with its next write."""
    real = disk.Store.sync

    def sync(store: disk.Store, handle: int) -> None:
        if store._opened(handle).content.startswith(b'{"v"'):
            late = store._disk.handles.get(getattr(store, "late", -1))
            store.late = handle
            if late is not None:
                late[0].sync()
        else:
            real(store, handle)

    patch.setattr(disk.Store, "sync", sync)


def trust_a_failed_sync(patch):
    """A chain that goes on after a failed sync as if nothing had been lost."""
    patch.setattr(Appender, "_abandon", lambda appender: None)


def leave_torn_lines(patch):
    """A torn line that is written on behind."""
    patch.setattr(Appender, "_set_aside", lambda appender, lane, torn: None)
    patch.setattr(
        Appender,
        "_may_continue",
        lambda appender, lane, *, beyond=0: (
            lane.tail.segment is not None
            and appender._store.stat(lane.tail.segment) is not None
            and not appender._tree.staged(f"{appender._store.root}/{lane.tail.segment}")
            if appender._tree
            else lane.tail.segment is not None
        ),
    )


def ignore_git(patch):
    """A writer that goes on in a file git knows."""
    patch.setattr(SnapshotGit, "head", lambda git: ("never moves",))
    patch.setattr(SnapshotGit, "staged", lambda git, path: False)


def ignore_stamps(patch):
    """A clock that does not look at what it reads."""
    patch.setattr(Hlc, "read", lambda clock, stamp: None)


def fold_as_they_come(patch):
    """A fold that takes events in the order they arrive."""
    patch.setattr(family, "_order", lambda event: 0)


FAULTS = [
    skip_sync,
    skip_folder_sync,
    acknowledge_early,
    trust_a_failed_sync,
    leave_torn_lines,
    ignore_git,
    ignore_stamps,
    fold_as_they_come,
]


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(fault, monkeypatch):
    fault(monkeypatch)
    for seed in range(0, 3 * FIRST, 3):  # the rough days
        try:
            simulate(seed)
        except Exception:  # noqa: BLE001 - what is broken may break in any way
            return
    pytest.fail(f"{fault.__doc__} was not found in {FIRST} seeds")
