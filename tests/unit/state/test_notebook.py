"""The notebook: kept by several at once, made again where it is damaged, and never waited for."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

import pytest

from varves.places.store import Files
from varves.state.attendance import Attendance
from varves.state.notebook import HASTE, Notebook


@pytest.fixture
def store(tmp_path):
    return Files(str(tmp_path / "local"), private=True, anchor=str(tmp_path))


@pytest.fixture
def path(store):
    return f"{store.root}/state.sqlite"


def add(notebook, leaf, *kinds):
    return Attendance(notebook).add(leaf, [(kind,) for kind in kinds])


def kinds(notebook):
    return [kind for (kind,) in notebook.rows("select kind from attended order by leaf, n")]


def test_to_read_makes_no_file(store):
    assert kinds(Notebook(store)) == []
    assert not os.path.exists(store.root)


def test_what_was_noted_outlives_the_process_and_is_closed_to_others(store, path):
    add(Notebook(store), "s", "begun")
    assert kinds(Notebook(store)) == ["begun"]
    assert os.stat(path).st_mode & 0o077 == 0


def test_a_change_is_made_whole_or_not_at_all(store):
    notebook = Notebook(store)
    add(notebook, "s", "begun")

    def half(db):
        db.execute("delete from attended")
        raise KeyError

    with pytest.raises(KeyError):
        notebook.do(half)
    assert kinds(notebook) == ["begun"]


def test_several_processes_keep_each_others_notes(store):
    add(Notebook(store), "s", "begun")
    children = []
    for number in range(4):
        child = os.fork()
        if child == 0:
            done = all(add(Notebook(store), "s", f"{number}-{n}") for n in range(20))
            os._exit(0 if done else 1)
        children.append(child)
    assert {os.waitpid(child, 0)[1] for child in children} == {0}
    found = kinds(Notebook(store))
    assert len(found) == 81
    for number in range(4):  # in the order in which each has noted them
        own = [kind for kind in found if kind.startswith(f"{number}-")]
        assert own == [f"{number}-{n}" for n in range(20)]


def test_a_process_that_is_killed_within_a_change_leaves_the_others_notes(store):
    add(Notebook(store), "s", "begun")

    def die(db):
        db.execute("delete from attended")
        os._exit(9)

    child = os.fork()
    if child == 0:
        Notebook(store).do(die)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    notebook = Notebook(store)
    assert add(notebook, "s", "ended")
    assert kinds(notebook) == ["begun", "ended"]


def test_a_connection_is_not_carried_into_another_process(store):
    notebook = Notebook(store)
    add(notebook, "s", "begun")
    child = os.fork()
    if child == 0:
        os._exit(0 if add(notebook, "s", "child") else 1)
    assert os.waitpid(child, 0)[1] == 0
    add(notebook, "s", "parent")
    assert kinds(notebook) == ["begun", "child", "parent"]


def test_a_hook_does_not_wait_for_it_and_says_why_nothing_was_noted(store, path):
    notebook = Notebook(store)
    add(notebook, "s", "begun")
    assert HASTE <= 10
    notebook.wait(HASTE)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        assert add(notebook, "s", "ended") is False
        assert "locked" in notebook.fault
        assert kinds(notebook) == ["begun"], "who reads is kept from nothing"
    assert add(notebook, "s", "ended") is True


@pytest.mark.parametrize("content", [b"", b"noise" * 1000, b"SQLite format 3\0" + b"x" * 4096])
def test_a_damaged_file_is_made_again(store, path, content):
    add(Notebook(store), "s", "begun")
    with open(path, "wb") as file:
        file.write(content)
    notebook = Notebook(store)
    assert kinds(notebook) == []
    assert add(notebook, "s", "ended")
    assert kinds(Notebook(store)) == ["ended"]


def test_damage_within_the_file_is_met_where_it_is_and_made_good(store, path):
    notebook = Notebook(store)
    for n in range(200):
        add(notebook, f"session number {n}", "begun")
    notebook.close()
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    notebook = Notebook(store)
    assert kinds(notebook) == []
    assert add(notebook, "s", "ended")
    assert kinds(Notebook(store)) == ["ended"]


def test_a_database_of_somebody_else_is_made_again(store, path):
    store.close(store.create("state.sqlite"))
    with closing(sqlite3.connect(path)) as db:
        db.execute("create table theirs (x)")
    assert add(Notebook(store), "s", "begun")
    assert kinds(Notebook(store)) == ["begun"]


def test_a_file_that_is_thrown_away_meanwhile_is_made_again(store, path):
    notebook = Notebook(store)
    add(notebook, "s", "begun")
    for end in ("", "-wal", "-shm"):
        os.unlink(path + end)
    assert kinds(notebook) == []
    add(notebook, "s", "ended")
    assert kinds(Notebook(store)) == ["ended"]


def test_where_locks_do_not_hold_it_is_in_memory(store, tmp_path):
    (tmp_path / "no-locks").touch()
    notebook = Notebook(store, str(tmp_path / "no-locks"))
    assert add(notebook, "s", "begun")
    assert kinds(notebook) == ["begun"]
    assert not os.path.exists(store.root)


def test_where_nothing_can_be_written_it_is_in_memory(tmp_path):
    (tmp_path / "local").write_text("in the way", encoding="utf-8")
    notebook = Notebook(Files(str(tmp_path / "local"), private=True, anchor=str(tmp_path)))
    assert add(notebook, "s", "begun")
    assert kinds(notebook) == ["begun"]
    assert kinds(Notebook(Files(str(tmp_path / "local"), private=True))) == []


@pytest.mark.parametrize("read_by_another", [False, True])
def test_no_byte_of_a_deleted_row_is_left(store, read_by_another):
    notebook = Notebook(store)
    Attendance(notebook).add("s", [("failed", f"tangerine {n}") for n in range(500)])
    with closing(sqlite3.connect(notebook.path, isolation_level=None)) as other:
        if read_by_another:
            other.execute("begin")
            other.execute("select * from attended").fetchone()
            notebook.wait(HASTE)
        notebook.write("delete from attended where leaf = ?", [("s",)])
        notebook.scrub()
        for name in os.listdir(store.root):
            with open(f"{store.root}/{name}", "rb") as file:
                assert b"tangerine" not in file.read(), name
    assert add(notebook, "s", "begun")
    assert kinds(Notebook(store)) == ["begun"]
