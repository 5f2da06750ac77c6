"""Packing killed at every step: each event is still there, and the next packing finishes."""

from __future__ import annotations

import pytest

from tests.durability.scene import DEEP, program

PHASES = {
    "before the pack",
    "before any is removed",
    "while they are removed",
    "after all are removed",
}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("where", ["in git", "without git"])
def test_packing_killed_at_any_step_loses_and_doubles_nothing(tmp_path, home, where):
    options = ["--no-git"] if where == "without git" else []
    found = program("pack_sweep", str(tmp_path), *options, "--stride", "1" if DEEP else "7")
    assert found["problems"] == []
    assert found["points"] > (20 if DEEP else 2)
    if DEEP:
        assert set(found["phases"]) == PHASES
        assert {"write", "fsync", "replace", "unlink"} <= set(found["calls"])


@pytest.mark.full_size
def test_the_sweep_catches_originals_that_go_before_their_pack_is_safe(tmp_path, home):
    """Deliberately broken, to show that the sweep bites."""
    found = program("pack_sweep", str(tmp_path), "--no-git", "--careless")
    assert any("lost" in problem for problem in found["problems"])
