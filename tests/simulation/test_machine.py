"""A machine that does at random what people and agents do, and a model of what must hold.

Each seed of `machine_seeds.txt` is played every time; one that ever failed is added there. To play
one alone: `pytest tests/simulation/test_machine.py -k seed-17`. At full size, where time is no
matter, Hypothesis shortens what fails.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.figures import add_figure, full_size
from tests.simulation.machine import Machine
from varves.context.context import Context
from varves.fold import family
from varves.index import work
from varves.log.files import erase

if TYPE_CHECKING:
    from collections.abc import Iterator

SEEDS = [
    int(line.split()[0])
    for line in Path(__file__).with_name("machine_seeds.txt").read_text("utf-8").splitlines()
]
PLAYED = [*SEEDS, *range(1000, 1200)] if full_size() else SEEDS[:1]
HISTORIES = 3
STEPS = 30
MEMORY = "/dev/shm"  # noqa: S108 - a fresh folder is made there


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a folder in memory where the machine offers it: git is started hundreds of times."""
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        yield tmp_path_factory.mktemp("machine")
        return
    folder = tempfile.mkdtemp(prefix="varves-machine-", dir=MEMORY)
    yield Path(folder)
    shutil.rmtree(folder)


def play(folder: Path, number: int) -> None:
    """Let the machine run, everything derived from one number."""
    machine = type("Seeded", (Machine,), {"inside": folder})
    how = settings(
        max_examples=HISTORIES,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink) if full_size() else (Phase.generate,),
        report_multiple_bugs=False,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(machine), settings=how)


@pytest.mark.parametrize("number", PLAYED, ids="seed-{}".format)
def test_commands_crashes_clocks_and_git_leave_the_model_standing(tmp_path, home, number):
    play(tmp_path, number)
    add_figure("R16", machine_histories=HISTORIES, machine_steps=HISTORIES * STEPS)


# Deliberately broken: the model must notice each of these.


def publish_everything(patch):
    """Private memories go into the project's log."""
    patch.setattr(Context, "log_of", lambda context, where, *, private: "project")


def reject_nothing(patch):
    """What was corrected or forgotten may be said again."""
    patch.setattr(family, "rejections", lambda event: iter(()))


def keep_the_spool(patch):
    """A purge leaves the second name of a segment as it was."""
    patch.setattr(erase, "erase_spooled", lambda *args: [])


def keep_what_is_gone(patch):
    """The index goes on believing in files that a checkout took away."""
    patch.setattr(work.Work, "_drop", lambda update, part: None)


@pytest.mark.full_size
@pytest.mark.parametrize(
    "fault",
    [publish_everything, reject_nothing, keep_the_spool, keep_what_is_gone],
    ids=lambda fault: fault.__name__,
)
def test_a_fault_is_found(tmp_path, home, monkeypatch, fault):
    fault(monkeypatch)
    for number in SEEDS:
        try:
            play(tmp_path, number)
        except BaseException:  # noqa: BLE001 - Hypothesis may wrap what it found
            return
    pytest.fail(f"{fault.__doc__} was not found")
