"""Local files of an earlier version, or from before there was git, leave the work tree whole."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys

import pytest

import varves as package
from tests.durability.scene import DEEP, program
from tests.noted import attended, noted
from tests.places import local_of
from tests.rooms import room

PRIVATE = "Ada negotiates with the bank"
LINE = "\n2026-11-15T06:20:00.000Z\trecall\tada\tada\told\tmem_abcdefghijkl\t.\n"
TOLD = "select leaf, event, time, memories from told where leaf like 's-%' order by leaf, n"


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
        "usage/s-old": LINE,
        "hooks.log": "a line\n",
        "layers/pending.json": '{"title": "One"}',
    }.items():
        path = local / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        path.chmod(0o600)
    assert {"index.sqlite", "state.sqlite", "usage"} <= {path.name for path in local.iterdir()}
    return root


def left(root):
    """What holds text and still lies in the ledger's own folder."""
    stays = {
        "lanes",
        ".gitignore",
        "decide.lock",
        "move.lock",
        "pack.lock",
        "test.lock",
        "usage.lock",
    }
    return {path.name for path in (root / ".varves/local").iterdir()} - stays


def read(folder, name):
    return (folder / name).read_text(encoding="utf-8")


def test_the_first_call_after_git_appears_moves_everything(plain):
    lines = noted(plain, TOLD)
    rendered = noted(plain, "select path, digest from rendered order by path")
    assert lines
    assert rendered
    git(plain, "init", "-q")
    with package.open(plain) as ledger:
        assert ledger.recall("Ada").hits
    local = local_of(plain)
    assert left(plain) == set()
    assert noted(plain, f"{TOLD} limit {len(lines)} offset 1") == lines
    assert noted(plain, f"{TOLD} limit 1") == [
        ("s-old", "", "2026-11-15T06:20:00.000Z", "mem_abcdefghijkl")
    ]
    assert attended(plain) == [("told", "mem_abcdefghijkl", None, None)]
    assert read(local, "set-aside/20261115-x.jsonl.12") == '{"v":1'
    assert read(local, "notes/layers/pending.json") == '{"title": "One"}'
    assert read(local, "hooks.log") == "a line\n"
    assert noted(plain, "select path, digest from rendered order by path") == rendered
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


def lost(root) -> int:
    """Count the events that only the index has."""
    with room(root) as seen:
        return len(list(seen.index.get().logs().lost_events()))


def test_what_only_the_old_index_knew_is_not_lost(plain):
    """The lines of a segment that is gone from the work tree are in the index alone."""
    segment = max((plain / ".varves/log").rglob("*.jsonl"), key=lambda one: one.stat().st_mtime)
    segment.unlink()
    with package.open(plain) as ledger:
        ledger.list()
    absent = lost(plain)
    assert absent
    git(plain, "init", "-q")
    with package.open(plain) as ledger:
        ledger.list()
    assert lost(plain) == absent


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
    before = noted(plain, TOLD)
    for place in (plain / ".varves/local/usage", local_of(plain) / "usage"):
        place.mkdir(mode=0o700)
        (place / "s-old").write_text(LINE, encoding="utf-8")
        (place / "s-old").chmod(0o600)
        with package.open(plain) as ledger:
            assert ledger.recall("Ada").hits
        assert not place.exists()
    after = [row for row in noted(plain, TOLD) if row[0] == "s-old"]
    assert after == [row for row in before if row[0] == "s-old"] * 3


def test_a_move_that_is_killed_is_finished_by_the_next_call(plain):
    git(plain, "init", "-q")
    done = program("move_kills", str(plain), "1" if DEEP else "17")
    assert done["wrong"] == []
    assert done["moments"] > 50


def test_several_processes_move_at_once(plain):
    lines = noted(plain, TOLD)
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
    assert noted(plain, f"{TOLD} limit -1 offset 1") == lines
    with package.open(plain) as ledger:
        assert json.dumps(ledger.status()["memories"]) == '{"active": 2}'
