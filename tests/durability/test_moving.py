"""Local files of an earlier version, or from before there was git, leave the work tree whole."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest

import varves as package
from tests.durability.scene import program
from tests.places import local_of

PRIVATE = "Ada negotiates with the bank"


def git(folder, *args):
    done = subprocess.run(
        ["git", "-C", str(folder), *args], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def plain(tmp_path, home):
    """A ledger without git, used for a while; everything of it lies in its own folder."""
    root = tmp_path / "plain"
    root.mkdir()
    with package.open(root, session="s") as ledger:
        ledger.init()
        ledger.remember(PRIVATE, private=True)
        ledger.hivemind.write(type="factual", content="Deploys need two approvals")
        assert ledger.recall("Ada bank").hits
    local = root / ".varves/local"
    for name, content in {
        "set-aside/20261115-x.jsonl.12": '{"v":1',
        "aside/memory__x.json": "{}",
        "attendance/s-s": "\ntold\tmem_abcdefghijkl\t.\n",
        "hooks.log": "a line\n",
        "layers/pending.json": '{"title": "One"}',
    }.items():
        path = local / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        path.chmod(0o600)
    assert {"index.sqlite", "views.sqlite", "usage"} <= {path.name for path in local.iterdir()}
    return root


def left(root):
    """What holds text and still lies in the ledger's own folder."""
    stays = {"lanes", ".gitignore", "decide.lock", "move.lock", "pack.lock", "test.lock"}
    return {path.name for path in (root / ".varves/local").iterdir()} - stays


def read(folder, name):
    return (folder / name).read_text(encoding="utf-8")


def test_the_first_call_after_git_appears_moves_everything(plain):
    [collected] = (plain / ".varves/local/usage").glob("s-*")
    lines = collected.read_bytes()
    with sqlite3.connect(plain / ".varves/local/views.sqlite") as db:
        rendered = db.execute("select path, digest from rendered order by path").fetchall()
    db.close()
    git(plain, "init", "-q")
    with package.open(plain) as ledger:
        assert ledger.recall("Ada").hits
    local = local_of(plain)
    assert left(plain) == set()
    assert (local / "usage" / collected.name).read_bytes() == lines
    assert read(local, "set-aside/20261115-x.jsonl.12") == '{"v":1'
    assert read(local, "notes/layers/pending.json") == '{"title": "One"}'
    assert read(local, "hooks.log") == "a line\n"
    with sqlite3.connect(local / "views.sqlite") as db:
        assert db.execute("select path, digest from rendered order by path").fetchall() == rendered
    db.close()
    assert not git(plain, "status", "--porcelain", "--ignored", "--", ".varves/private").startswith(
        "??"
    )


def test_a_process_that_was_there_before_git_keeps_nothing_in_the_work_tree(plain):
    with package.open(plain, session="t") as ledger:
        ledger.recall("Ada")
        git(plain, "init", "-q")
        ledger.remember("after git came")
        ledger.recall("git came")
        assert ledger.status()["index"] == str(local_of(plain) / "index.sqlite")
    assert left(plain) == set()


def test_what_only_the_old_index_knew_is_not_lost(plain):
    """The lines of a segment that is gone from the work tree are in the index alone."""
    segment = max((plain / ".varves/log").rglob("*.jsonl"), key=lambda one: one.stat().st_mtime)
    segment.unlink()
    with package.open(plain) as ledger:
        ledger.list()
        absent = ledger._context.index.get()._count("event", "not present")
        assert absent
    git(plain, "init", "-q")
    with package.open(plain) as ledger:
        ledger.list()
        assert ledger._context.index.get()._count("event", "not present") == absent


@pytest.mark.parametrize("busy", [False, True], ids=["reading", "writing"])
def test_a_process_that_has_the_old_index_open_is_not_disturbed(plain, busy):
    old = sqlite3.connect(plain / ".varves/local/index.sqlite", isolation_level=None)
    count = old.execute("select count(*) from memory").fetchone()
    if busy:
        old.execute("begin immediate")
        old.execute("insert or ignore into meta values ('mine', 'x')")
    git(plain, "init", "-q")
    with package.open(plain) as ledger:
        assert ledger.recall("Ada").hits
    if busy:
        old.execute("commit")
    assert old.execute("select count(*) from memory").fetchone() == count
    old.close()
    assert left(plain) == set()
    with package.open(plain) as ledger:
        assert ledger.recall("Ada").hits


def test_lines_that_an_earlier_version_goes_on_writing_are_joined_once(plain):
    git(plain, "init", "-q")
    with package.open(plain) as ledger:
        ledger.list()
    new, old = local_of(plain) / "usage", plain / ".varves/local/usage"
    [collected] = new.glob("s-*")
    before = collected.read_bytes()
    for content in (before, b"\nanother line\t.\n", before):  # the first: a move cut short
        old.mkdir(mode=0o700)
        (old / collected.name).write_bytes(content)
        (old / collected.name).chmod(0o600)
        with package.open(plain) as ledger:
            ledger.list()
        assert left(plain) == set()
    assert collected.read_bytes() == before + b"\nanother line\t.\n"


def test_a_move_that_is_killed_is_finished_by_the_next_call(plain):
    git(plain, "init", "-q")
    done = program("move_kills", str(plain))
    assert done["wrong"] == []
    assert done["moments"] > 50


def test_several_processes_move_at_once(plain):
    [collected] = (plain / ".varves/local/usage").glob("s-*")
    lines = collected.read_bytes()
    git(plain, "init", "-q")
    code = "import sys, varves\nwith varves.open(sys.argv[1]) as one: print(len(one.list()))"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(plain)], stdout=subprocess.PIPE, encoding="utf-8"
        )
        for _ in range(6)
    ]
    answers = {one.communicate(timeout=60)[0].strip() for one in started}
    assert answers == {"2"}
    assert {one.returncode for one in started} == {0}
    assert left(plain) == set()
    assert (local_of(plain) / "usage" / collected.name).read_bytes() == lines
    with package.open(plain) as ledger:
        assert json.dumps(ledger.status()["memories"]) == '{"active": 2}'
