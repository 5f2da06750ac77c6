"""What a log held is gone with its folder: nobody is told that it is known.

The index may lie elsewhere, and outlive the log it was made from.
"""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

import varves
from tests.consenting import write_settings
from tests.git.test_teams import git
from varves.errors import Rejected

TEXT = "Logs go to Oslo"


def check_remembered(root, **options):
    """What is acknowledged is there: to show, and to recall."""
    with varves.open(root) as ledger:
        told = ledger.remember(TEXT, **options)
    with varves.open(root) as ledger:
        assert ledger.show(told.id).text == TEXT
        assert told.id in {hit.memory.id for hit in ledger.recall("logs oslo").hits}
    return told


def plain(root, monkeypatch):
    root.mkdir()


def own_git(root, monkeypatch):
    root.mkdir()
    git(root, "init", "-q")


def leading_nowhere(root, monkeypatch):
    root.mkdir()
    (root / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")


def named_git(root, monkeypatch):
    root.mkdir()
    apart = root.with_name("apart.git")
    if not apart.exists():
        git(root, "init", "-q", "--bare", str(apart))
    monkeypatch.setenv("GIT_DIR", str(apart))
    monkeypatch.setenv("GIT_WORK_TREE", str(root))


LAYOUTS = [plain, own_git, leading_nowhere, named_git]
LOGS = {
    "project": {},
    "private": {"private": True},
    "global": {"scope": "global"},
    "team": {"scope": "team:blue"},
}


def folder_of(log, root, home):
    """Return where a log lies, wherever that is."""
    places = {
        "project": [root / ".varves/log"],
        "private": [root / ".varves/private", root / ".git/varves/private"],
        "global": [home / "varves/global"],
        "team": [home / "blue"],
    }
    return next(place for place in places[log] if place.is_dir())


@pytest.mark.full_size(sample=1)
@pytest.mark.product
@pytest.mark.parametrize("log", LOGS)
@pytest.mark.parametrize("make", LAYOUTS)
def test_what_vanished_is_not_known(home, tmp_path, monkeypatch, make, log):
    root = tmp_path / "anew"
    make(root, monkeypatch)
    (home / "blue").mkdir()
    write_settings(root, f'[teams.blue]\nroot = "{home}/blue"\n')
    first = check_remembered(root, **LOGS[log])
    assert check_remembered(root, **LOGS[log]).status == "known"
    place = folder_of(log, root, home)
    kept = place.with_name("kept")
    shutil.copytree(place, kept)
    shutil.rmtree(place)
    if log == "team":
        place.mkdir()
    again = check_remembered(root, **LOGS[log])
    assert again.status == "recorded"
    assert again.id != first.id
    shutil.rmtree(place)
    kept.rename(place)
    assert check_remembered(root, **LOGS[log]).id == first.id


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("log", ["project", "private"])
@pytest.mark.parametrize("make", LAYOUTS)
def test_a_project_made_anew_at_its_old_place_knows_nothing(home, tmp_path, monkeypatch, make, log):
    root = tmp_path / "anew"
    for _ in range(2):
        shutil.rmtree(root, ignore_errors=True)
        make(root, monkeypatch)
        assert check_remembered(root, **LOGS[log]).status == "recorded"


def test_what_is_said_again_at_the_command_line_is_found(varves, home, tmp_path):
    root = tmp_path / "anew"
    for _ in range(2):
        shutil.rmtree(root, ignore_errors=True)
        leading_nowhere(root, None)
        assert varves("init", cwd=root).code == 0
        assert "recorded" in varves("remember", TEXT, "--private", cwd=root).out
        assert TEXT in varves("recall", "logs oslo", cwd=root).out


@pytest.mark.parametrize("log", ["project", "private"])
def test_a_ledger_removed_beside_an_index_that_stays(project, log):
    check_remembered(project, **LOGS[log])
    shutil.rmtree(project / ".varves")
    shutil.rmtree(project / ".git/varves/private", ignore_errors=True)
    assert (project / ".git/varves/local/index.sqlite").exists()
    assert check_remembered(project, **LOGS[log]).status == "recorded"


def test_what_lay_in_the_ledger_before_there_was_git(home, tmp_path):
    root = tmp_path / "anew"
    root.mkdir()
    check_remembered(root, private=True)
    git(root, "init", "-q")
    with varves.open(root) as ledger:
        ledger.remember("Another one", private=True)
    assert check_remembered(root, private=True).status == "known"
    with varves.open(root) as ledger:
        shutil.rmtree(root / ".varves/private")
        again = ledger.remember(TEXT, private=True)
        assert again.status == "recorded"
        assert ledger.show(again.id).text == TEXT


def test_what_only_another_worktree_held(project, tmp_path):
    git(project, "commit", "-qm", "begin", "--allow-empty")
    beside = tmp_path / "beside"
    git(project, "worktree", "add", "-q", str(beside))
    check_remembered(beside)
    with varves.open(project) as ledger:
        ledger.init()
        assert ledger.recall("logs oslo").hits
    git(project, "worktree", "remove", "--force", str(beside))
    check_remembered(project)


def test_a_rejection_that_vanished_rejects_nothing(home, tmp_path):
    root = tmp_path / "anew"
    for _ in range(2):
        shutil.rmtree(root, ignore_errors=True)
        leading_nowhere(root, None)
        told = check_remembered(root, private=True)
        with varves.open(root) as ledger:
            ledger.forget(told.id, reason="wrong")
            with pytest.raises(Rejected):
                ledger.remember(TEXT, private=True)


def test_a_batch_knows_nothing_that_vanished(home, tmp_path):
    root = tmp_path / "anew"
    said = [TEXT, "Ada leads", TEXT, "Berta follows", "Ada leads"]
    lines = [{"text": one, "private": True} for one in said]
    for _ in range(2):
        shutil.rmtree(root, ignore_errors=True)
        leading_nowhere(root, None)
        with varves.open(root) as ledger:
            done = ledger.remember_many(lines)
            assert (done.written, done.known) == (3, 2)
            assert len(ledger.list()) == 3
        with varves.open(root) as ledger:
            again = ledger.remember_many([{"text": "Dora rests", "private": True}, *lines] * 2)
            assert (again.written, again.known) == (1, 11)
            assert len(ledger.list()) == 4


_TAKE_TURNS = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    print("open", flush=True)
    for line in sys.stdin:
        print(ledger.remember(line.strip(), private=True).id, flush=True)
"""


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("make", [plain, own_git, leading_nowhere])
def test_two_who_say_the_same_privately_make_one_memory(home, tmp_path, monkeypatch, make):
    """Both hold the ledger open, and each sees at once what the other has recorded."""
    root = tmp_path / "anew"
    make(root, monkeypatch)
    with varves.open(root) as ledger:
        ledger.init()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    command = [sys.executable, "-c", _TAKE_TURNS, str(root)]
    with subprocess.Popen(command, **pipes) as one, subprocess.Popen(command, **pipes) as two:
        assert {one.stdout.readline(), two.stdout.readline()} == {"open\n"}
        for number in range(6):
            told = set()
            for process in (one, two) if number % 2 else (two, one):
                process.stdin.write(f"Fact {number} is private\n")
                process.stdin.flush()
                told.add(process.stdout.readline())
            assert len(told) == 1, number
        one.stdin.close()
        two.stdin.close()
    with varves.open(root) as ledger:
        assert len(ledger.list()) == 6
