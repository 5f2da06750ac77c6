"""Notes of a session: what was added is read back, folded and bounded, whatever it says."""

from __future__ import annotations

import pytest

from varves.state import attendance
from varves.state.attendance import Attendance, leaf
from varves.state.notebook import Notebook


@pytest.fixture
def notebook():
    return Notebook()


@pytest.fixture
def notes(notebook):
    return Attendance(notebook)


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


def test_many_notes_are_folded_to_what_they_come_to(notes, notebook, monkeypatch):
    lines = [("who", "claude", "x", "a1"), ("at", "7", "/t"), ("caught", "9", "/t")]
    lines += [("told", "mem_a"), ("learned", "mem_b"), ("turn", "Fix it"), ("ended", "x")]
    lines += [("checkpoint", "mem_c", "mark"), ("wrote", "a.py"), ("failed", "make")]
    notes.add("s-x", [*lines, *([("wrote", "b.py")] * 100), ("compacted",)])
    monkeypatch.setattr(attendance, "LIMIT", 100)
    notes.add("s-x", [("told", "mem_a")])
    found = notes.noted("s-x")
    assert (found.client, found.session, found.agent) == ("claude", "x", "a1")
    assert (found.offsets, found.caught) == ({"/t": 7}, {"/t": 9})
    assert ([*found.told], [*found.learned], found.task) == (["mem_a"], ["mem_b"], "Fix it")
    assert ([*found.fresh], [*found.failed]) == (["a.py", "b.py"], ["make"])
    assert (found.checkpoint, found.ended, found.owed) == (("mem_c", "mark"), True, True)
    assert notebook.rows("select count(*) from attended")[0][0] < 20


def test_only_so_many_sessions_are_kept(notes, notebook, monkeypatch):
    monkeypatch.setattr(attendance, "SESSIONS", 3)
    for number in range(6):
        monkeypatch.setattr(attendance, "machine_time", lambda number=number: number)
        notes.add(f"s-{number}", [("begun",)])
    assert notes.leaves() == ["s-5", "s-4", "s-3"]
    assert notebook.rows("select count(distinct leaf) from attended") == [(3,)]


def test_a_session_in_which_something_is_said_goes_whole(notes):
    notes.add("s-x", [("failed", "make tangerine"), ("turn", "Fix it")])
    notes.add("s-y", [("turn", "Fix it")])
    assert notes.erase(lambda said: b"tangerine" in said) == ["s-x"]
    assert notes.leaves() == ["s-y"]


def test_a_session_and_its_subagents_are_kept_apart():
    assert len({leaf("x", None), leaf("x", "a"), leaf("x", "b"), leaf("xa", None)}) == 4
    assert len(leaf("x" * 100_000, "y")) < 200


def test_lone_surrogates_are_stored_as_something_else(notes):
    notes.add(leaf("\ud800", None), [("failed", "a \udfff b")])
    assert [*notes.noted(leaf("\ud800", None)).failed] == ["a ? b"]
