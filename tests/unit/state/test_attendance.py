"""Notes of a session: what was added is read back, folded and bounded, whatever it says."""

from __future__ import annotations

import pytest

from varves.state import attendance
from varves.state.attendance import Attendance, leaf


@pytest.fixture
def notes(tmp_path):
    return Attendance(str(tmp_path), private=True)


def test_what_was_noted_is_read_back(notes):
    notes.add("s-x", [("who", "claude", "x", ""), ("told", "mem_a mem_b"), ("wrote", "a.py")])
    notes.add("s-x", [("failed", "make: 100%\n\tof \u2028 it"), ("at", "12", "/t/a b.jsonl")])
    found = notes.noted("s-x")
    assert (found.client, found.session) == ("claude", "x")
    assert [*found.told] == ["mem_a", "mem_b"]
    assert [*found.failed] == ["make: 100%\n\tof \u2028 it"]
    assert found.offsets == {"/t/a b.jsonl": 12}


def test_a_turn_that_was_learned_from_leaves_no_fresh_files(notes):
    notes.add("s-x", [("wrote", "a.py"), ("turn", "Fix it"), ("wrote", "b.py")])
    found = notes.noted("s-x")
    assert ([*found.fresh], [*found.wrote], found.task) == (["b.py"], ["a.py", "b.py"], "Fix it")


def test_a_compaction_forgets_what_was_told(notes):
    notes.add("s-x", [("told", "mem_a"), ("compacted",), ("told", "mem_b")])
    assert [*notes.noted("s-x").told] == ["mem_b"]


def test_a_long_file_is_folded_to_what_it_comes_to(notes, tmp_path, monkeypatch):
    monkeypatch.setattr(attendance, "LIMIT", 1000)
    lines = [("who", "claude", "x", "a1"), ("at", "7", "/t"), ("caught", "9", "/t")]
    lines += [("told", "mem_a"), ("learned", "mem_b"), ("turn", "Fix it"), ("ended", "x")]
    lines += [("checkpoint", "mem_c", "mark"), ("wrote", "a.py"), ("failed", "make")]
    notes.add("s-x", [*lines, *([("wrote", "b.py")] * 100), ("compacted",), ("told", "mem_a")])
    before, file = vars(notes.noted("s-x")), tmp_path / attendance.ATTENDANCE / "s-x"
    size = file.stat().st_size
    notes.settle("s-x")
    assert vars(notes.noted("s-x")) == before
    assert file.stat().st_size < size


def test_only_so_many_sessions_are_kept(notes, monkeypatch):
    monkeypatch.setattr(attendance, "SESSIONS", 3)
    for number in range(6):
        notes.add(f"s-{number}", [("begun",)])
    assert len(notes.leaves()) == 3
    assert len(notes.entries(attendance.ATTENDANCE)) == 3


def test_a_session_and_its_subagents_have_files_of_their_own():
    assert len({leaf("x", None), leaf("x", "a"), leaf("x", "b"), leaf("xa", None)}) == 4
    assert "/" not in leaf("../x", "../y")


def test_where_nothing_can_be_written_nothing_is_noted(tmp_path):
    (tmp_path / "attendance").write_text("in the way", encoding="utf-8")
    notes = Attendance(str(tmp_path), private=True)
    assert notes.add("s-x", [("begun",)]) is False
    assert notes.noted("s-x").told == {}
    assert notes.leaves() == []
