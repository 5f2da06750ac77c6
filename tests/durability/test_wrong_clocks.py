"""R12 with the operating system's own clock: processes whose time is wrong, each in its own way."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys

import pytest

import varves as package
from tests.figures import full_size, note_figure

COMMANDS = 300 if full_size() else 8
HOUR = 3600

pytestmark = pytest.mark.skipif(shutil.which("faketime") is None, reason="no faketime here")


def run(project, off: int, *words: str):
    """Run a verb under a clock that is off by some seconds, and return its answer."""
    done = subprocess.run(
        ["faketime", "-f", f"{off:+d}s", sys.executable, "-m", "varves", *words, "--json"],
        cwd=project,
        env={**os.environ, "FAKETIME_DONT_FAKE_MONOTONIC": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return json.loads(done.stdout)


def test_processes_with_wrong_clocks_keep_cause_before_effect(project):
    """An hour ahead, an hour behind, set back between two commands: each answers the last."""
    chance = random.Random(20261115)
    name = run(project, 0, "remember", "Number 0")["id"]
    for number in range(1, COMMANDS):
        off = chance.choice((-HOUR, HOUR, chance.randint(-HOUR, HOUR)))
        name = run(project, off, "correct", name, f"Number {number}")["id"]
    with package.open(project) as ledger:
        [memory] = ledger.list()
        assert memory.text == f"Number {COMMANDS - 1}"
        events = [event for event in ledger.log() if event.kind != "segment.closed"]
        said = [event.data.get("record", event.data)["text"] for event in events]
        assert said == [f"Number {number}" for number in range(COMMANDS)]
        assert ledger.verify(deep=True).ok
    times = [event.time for event in events]
    assert times != sorted(times), "no clock was set back, so nothing was shown"
    note_figure("R12", processes_under_faketime=COMMANDS, inversions_there=0)


def test_what_a_clock_of_next_week_writes_waits_for_its_time(project):
    run(project, 7 * 24 * HOUR, "remember", "From next week")
    assert run(project, 0, "list")["memories"] == []
    assert run(project, 0, "remember", "From today")["status"] == "recorded"
    assert [one["text"] for one in run(project, 0, "list")["memories"]] == ["From today"]
    both = run(project, 6 * 24 * HOUR + 1, "list")["memories"]
    assert {one["text"] for one in both} == {"From next week", "From today"}
