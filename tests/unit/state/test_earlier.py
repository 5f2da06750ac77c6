"""What earlier versions noted is carried over once, whoever dies on the way, and then removed."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing

import pytest

from varves.places.places import Places
from varves.places.store import Files
from varves.state.attendance import attendance_of, leaf
from varves.state.move import move
from varves.state.notebook import Notebook, counter_of, leaf_of, notebook_of, place_of, usage_of

MOMENT = "2026-11-15T06:20:00.000Z"
EVENT = "evt_01m7ceb2b0fgg8j2gb1g6gw3rg"
LINE = f"\n{MOMENT}\trecall\tAda\tbob\t{{}}\tmem_abcdefghijkl\t.\n"
NOTES = "\nwho\tclaude\tMy session\t\t.\ntold\tmem_a mem_b\t.\nfailed\tmake: 100%25%0a\t.\nat\t5"
FILES = {
    "usage/s-%4dy%20session": LINE.format("My session") + "\n2026-11-15T06:21:00",
    "usage/d-2026-11-15-%41da": LINE.format("Ada-2026-11-15") * 2,
    f"usage/s-x~{EVENT}": LINE.format("x"),
    "usage/s-y~no-event": LINE.format("y"),
    "usage/p-scoped": LINE.format("x"),
    "attendance/s-%4dy%20session": NOTES,
    "attendance/s-plain": "\nbegun\t.\n",
}
VIEWS = """
create table meta (name text primary key, value text) without rowid;
create table file (path text primary key, owner text, latest blob, seen blob,
    size int, modified int, changed int, inode int) without rowid;
create table rendered (path text, digest blob, n int, primary key (path, digest)) without rowid;
create table version (path text, n int, digest blob, content blob,
    primary key (path, n)) without rowid;
create table adopted (path text, digest blob, event text,
    primary key (path, digest)) without rowid;
create table verdict (path text, digest blob, head text, verdict text,
    primary key (path, digest)) without rowid;
insert into meta values ('version', '1'), ('scoped log', 'as it was');
insert into rendered values ('memory/a.json', x'00', 1);
"""


@pytest.fixture
def local(tmp_path):
    """The local folder of an earlier version's ledger."""
    local = tmp_path / ".varves/local"
    local.mkdir(parents=True)
    for name, content in FILES.items():
        path = local / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        path.chmod(0o600)
    views = local / "views.sqlite"
    views.touch(0o600)
    with closing(sqlite3.connect(views, isolation_level=None)) as db:
        db.execute("pragma journal_mode = wal")
        db.executescript(VIEWS)
        db.execute("insert into meta values ('place', ?)", (place_of(str(views)),))
    return local


def places_of(root):
    return Places(str(root), str(root / "home"), teams={}, files=Files, move=move)


def left(local):
    return {path.name for path in local.iterdir()} - {"state.sqlite"}


def check(places):
    """See that everything is there, and once."""
    usage, attendance = usage_of(places), attendance_of(places)
    assert [one.agent for one in usage.lines(leaf_of("Ada", "My session", MOMENT))] == ["bob"]
    assert len(usage.lines(leaf_of("Ada", None, MOMENT))) == 2
    assert usage.waiting(leaf_of("", "x", MOMENT)) == [EVENT]
    assert len(usage.lines(leaf_of("", "x", MOMENT))) == 1
    assert len(usage.lines(counter_of("scoped"))) == 1
    assert len(usage.left()) == 3
    found = attendance.noted(leaf("My session", None))
    assert (found.session, [*found.told]) == ("My session", ["mem_a", "mem_b"])
    assert ([*found.failed], found.offsets) == (["make: 100%\n"], {})
    assert sorted(attendance.leaves()) == ["My session", "plain"]
    notebook = notebook_of(places)
    assert notebook.rows("select path, digest, n from rendered") == [("memory/a.json", b"\0", 1)]
    assert notebook.rows("select value from meta where name = 'scoped log'") == [("as it was",)]
    assert notebook.rows("select name from meta where name like 'carried%'") == []


def test_everything_is_carried_over_and_the_files_are_removed(local, tmp_path):
    places = places_of(tmp_path)
    check(places)
    places.close()
    assert left(local) == set()
    check(places_of(tmp_path))


class Dies:
    """The system's `unlink`, by which the process dies after so many files."""

    def __init__(self, files):
        self.left = files
        self.unlink = os.unlink

    def __call__(self, *args, **options):
        if self.left == 0:
            os._exit(9)
        self.left -= 1
        self.unlink(*args, **options)


def test_a_process_that_is_killed_at_any_file_is_finished_by_the_next(local, tmp_path, monkeypatch):
    """Between the change that adds a file's notes and its removal."""
    codes = set()
    for removals in (0, 0, 1, 2, 0, 3, 0, 0, 9):
        child = os.fork()
        if child == 0:
            monkeypatch.setattr(os, "unlink", Dies(removals))
            notebook_of(places_of(tmp_path))
            os._exit(0)
        codes.add(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    assert codes == {0, 9}
    check(places_of(tmp_path))
    assert left(local) == set()


def test_several_processes_carry_it_over_once(local, tmp_path):
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            notebook_of(places_of(tmp_path)).rows("select 1")
            os._exit(0)
        children.append(child)
    assert {os.waitpid(child, 0)[1] for child in children} == {0}
    check(places_of(tmp_path))


def test_files_that_are_not_ours_are_left_and_not_read(local, tmp_path):
    for path in local.rglob("s-*"):
        path.chmod(0o644)
    usage = usage_of(places_of(tmp_path))
    assert {leaf for leaf, _, _ in usage.left()} == {leaf_of("Ada", None, MOMENT)}
    assert (local / "usage/s-%4dy%20session").exists()


@pytest.mark.parametrize("content", [b"noise" * 1000, b"SQLite format 3\0" + b"x" * 4096])
def test_a_damaged_database_is_removed(local, tmp_path, content):
    (local / "views.sqlite").write_bytes(content)
    places = places_of(tmp_path)
    assert len(usage_of(places).left()) == 3
    places.close()
    assert left(local) == set()


def test_where_locks_do_not_hold_the_files_are_left(local, tmp_path):
    (local / "no-locks").touch()
    assert usage_of(places_of(tmp_path)).left() == []
    assert (local / "usage/s-%4dy%20session").exists()


def test_two_notebooks_become_one(tmp_path):
    places = places_of(tmp_path)
    (tmp_path / ".varves").mkdir()
    attendance_of(places).add("s", [("told", "mem_a")])
    places.close()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    beside = Notebook(Files(str(tmp_path / ".git/varves/local"), private=True))
    beside.write("insert into attended values ('s', 1, 0, 'told', 'mem_b', null, null)", [()])
    beside.close()
    for _ in range(2):
        found = attendance_of(places_of(tmp_path)).noted("s")
        assert [*found.told] == ["mem_b", "mem_a"]
    assert not (tmp_path / ".varves/local/state.sqlite").exists()
