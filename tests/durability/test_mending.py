"""R7: verify and repair are safe at any moment: beside live writers, and killed on the way."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import varves
from tests.durability.mending import CLASSES, floor, held
from tests.durability.scene import bare, program
from tests.figures import full_size, note_figure
from varves.places.store import Files

ROUNDS, KILLS = (60, 1_000) if full_size() else (2, 5)
SEED = "20261115"


def harm(found: dict[str, int], *names: str) -> dict[str, int]:
    return {name: found[name] for name in names if found.get(name)}


def test_beside_live_writers_nothing_is_damaged_shrunk_or_lost(tmp_path, home):
    found = program("mending", "beside", str(tmp_path), str(ROUNDS), SEED, timeout=3600)
    assert not harm(found, "crashed", "false alarms", "shrunk", "lost", "not idempotent"), found
    assert found["rounds"] == ROUNDS
    assert found["acknowledged"] > 5 * ROUNDS, found
    assert found["eaten"] > ROUNDS // 5, found
    note_figure(
        "R7",
        verified_beside_8_writers=found["verified"],
        false_alarms=0,
        repaired_beside_them=found["restore"] + found.get("mend", 0),
        files_eaten_and_brought_back=found["eaten"],
    )


def test_a_repair_killed_anywhere_leaves_what_was_there_and_the_next_one_ends_it(tmp_path, home):
    found = program("mending", "killed", str(tmp_path), str(KILLS), SEED, timeout=3600)
    assert not harm(
        found, "crashed", "shrunk", "lost", "damage", "half a file", "not idempotent"
    ), found
    assert found["kills"] >= KILLS
    hits = {name: found.get(name, 0) for name in CLASSES}
    assert min(hits.values()) >= floor(KILLS), found
    note_figure("R7", repairs_killed=found["kills"], lost=0, shrunk=0)


def eager(ledger: varves.Ledger) -> None:
    """Cut off every torn tail, as only its owner may."""
    for path in (Path(ledger.root) / ".varves" / "log").glob("*/*.jsonl"):
        os.truncate(path, path.read_bytes().rfind(b"\n") + 1)


def test_a_reader_that_cuts_off_the_tail_of_a_live_writer_is_caught(tmp_path, home, monkeypatch):
    """Deliberately broken, a bug others have shipped: half a line finds no other half."""
    root = bare(tmp_path / "live")
    with varves.open(root) as writer, varves.open(root) as keeper:
        told = {str(writer.remember("before").event)}

        def write(store: Any, handle: int, content: bytes) -> int:
            os.write(handle, content[:40])
            eager(keeper)
            return 40 + os.write(handle, content[40:])

        monkeypatch.setattr(Files, "write", write)
        told.add(str(writer.remember("torn while it was written").event))
    with pytest.raises((AssertionError, ValueError, KeyError)):
        assert told <= held(root)
