"""Whatever moment an agent dies at, the next one boots, and only what was unfinished is gone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import varves
from tests.figures import full_size, note_figure
from tests.protocols.layers.ending import AGENTS, said, write
from varves.values.instants import FixedClock, instant

MORNING = "2026-11-15T10:00:00Z"
POINTS = 5_000 if full_size() else 3
STEPS = 10_000 if full_size() else 6
CALLS = {"write", "fsync", "ask git"} if full_size() else set()
REPOSITORY = Path(__file__).parents[3]
HARM = (
    *("crashed", "no boot", "lost", "doubled", "torn", "gone", "recorded twice"),
    *("log and file differ", "findings", "damage"),
)


def swept(mode, place, points):
    """Run a sweep in a process of its own and return what it found."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.protocols.layers.killing", mode, place, str(points), "7"],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout), done.stderr


@pytest.mark.requirement("S1-65")
def test_after_a_kill_at_a_random_moment_boot_succeeds_and_nothing_acknowledged_is_gone(
    project, tmp_path
):
    found, said_too = swept("crashes", tmp_path, POINTS)

    assert {name: found.get(name, 0) for name in HARM} == dict.fromkeys(HARM, 0), said_too[-3000:]
    assert found["points"] == POINTS
    assert found["acknowledged"] > (POINTS // 2 if full_size() else 0)
    assert not full_size() or (found["left waiting"] > 0 and found["shutdowns"] > 0)
    note_figure(
        "R21",
        kills=POINTS,
        acknowledged=found["acknowledged"],
        lost=found["lost"],
        doubled=found["doubled"],
        findings=found["findings"],
        died_over_a_file=found["left waiting"],
    )


@pytest.mark.requirement("S1-62")
def test_a_shutdown_killed_at_any_step_comes_to_the_same_end_when_it_is_called_again(
    project, tmp_path
):
    found, said_too = swept("steps", tmp_path, STEPS)

    assert found["problems"] == [], said_too[-3000:]
    assert found["points"] >= min(STEPS, 25)
    assert set(found["calls"]) >= CALLS


@pytest.mark.requirement("S1-68")
def test_who_reads_while_half_an_event_is_written_is_not_told_of_it(project, tmp_path):
    found, _ = swept("halves", tmp_path, 4)

    assert found == {"told": 0, "events": 0, "left": False}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S1-68")
@pytest.mark.parametrize("share", range(1, 9) if full_size() else (2, 7))
def test_a_write_cut_short_anywhere_is_no_event_and_costs_nothing_else(share, clone, tmp_path):
    tree = clone()
    write(tree.root, "AGENTS.md", AGENTS)
    layers = tree.at(MORNING, actor="ada", session="s0").layers
    layers.init()
    layers.append(**said("Whole"))
    path = tree.root / "CHANGELOG.md"
    before = path.read_bytes()
    added = written_alone(tmp_path / "probe", said("Torn"))
    whole = added.index(b"### Next Steps")
    rest = added[: whole * share // 9].rstrip(b"\n")
    path.write_bytes(before + rest)

    layers = tree.at(MORNING, actor="bob", session="s1").layers
    ready = layers.boot()

    assert "Torn" not in ready.context
    found = [*ready.findings, *(one.line for one in layers.validate())]
    assert any(one.startswith(f"{path.name}:") for one in found)
    recorded = tree.at(MORNING).log(kind=("log.entry",))
    assert [one.data["title"] for one in recorded] == ["Whole"]
    layers = tree.at(MORNING, actor="bob", session="s1").layers
    layers.append(**said("Next"))
    recorded = tree.at(MORNING).log(kind=("log.entry",))
    assert [one.data["title"] for one in recorded] == ["Whole", "Next"]


def written_alone(root, parts):
    """Return the bytes that an append adds to a log that has an event already."""
    write(root, "AGENTS.md", AGENTS)
    with varves.open(root, clock=FixedClock(instant(MORNING)), actor="ada") as ledger:
        ledger.layers.init()
        ledger.layers.append(**said("Whole"))
        before = (root / "CHANGELOG.md").read_bytes()
        ledger.layers.append(**parts)
        return (root / "CHANGELOG.md").read_bytes()[len(before) :]
