"""R1: acknowledged events survive the death of their writer, at whatever moment it dies.

The sweep must prove that it bites: enough kills in each phase of a write, torn lines seen and set
aside, and a writer that acknowledges too early caught by the same checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.durability.scene import DEEP, program
from tests.durability.sweep import CLASSES
from tests.figures import note_figure

if TYPE_CHECKING:
    from pathlib import Path

POINTS = 10_000 if DEEP else 40
LEAST = 20 if DEEP else 0  # where so few land depends on the load
HARM = (
    *("lost from log", "lost from files", "bad lines", "damage", "doubled"),
    *("wrongly set aside", "torn rests lost"),
)


def swept(place: Path, points: int, *options: str) -> dict[str, int]:
    """Run a sweep in a process of its own and return what it counted."""
    return program("sweep", str(place), str(points), "20261115", *options, timeout=3600)


def test_nothing_acknowledged_is_lost_wherever_the_kill_lands(tmp_path, home):
    found = swept(tmp_path, POINTS)
    assert found["crashed"] == 0, found
    assert {name: found.get(name, 0) for name in HARM} == dict.fromkeys(HARM, 0), found
    assert found["points"] == POINTS
    assert found["acknowledged"] > POINTS // 2, found
    assert {name: found.get(name, 0) for name in CLASSES if found.get(name, 0) < LEAST} == {}, found
    assert found.get("torn", 0) >= LEAST, found
    assert found.get("set aside", 0) >= LEAST, found
    landed = ", ".join(f"{name} {found.get(name, 0)}" for name in CLASSES)
    note_figure(
        "R1",
        kills=POINTS,
        acknowledged=found["acknowledged"],
        lost=found["lost from files"] + found["lost from log"],
        unreadable=found.get("bad lines", 0),
        torn_tails=found.get("torn", 0),
        landed=landed,
    )


@pytest.mark.full_size
def test_a_writer_that_acknowledges_too_early_is_caught(tmp_path, home):
    found = swept(tmp_path, 24, "--broken")  # it may also trip over its own lies
    assert found["lost from files"] > 0, found
    assert found["lost from log"] > 0, found
