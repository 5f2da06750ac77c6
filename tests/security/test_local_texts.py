"""Nothing that holds private or global text is ever committed, whatever a repository is made like.

Each scene ends as it does in everyday life, with `git commit -am` or `git add -A`; then every
object that git holds is searched for the texts.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import varves as package
from tests.noted import attended, notebook, noted
from tests.places import local_of
from varves.values.signals import SessionMessage

PRIVATE = "Ada negotiates with the bank"
GLOBAL = "Berta prefers green tea everywhere"
TEXTS = (PRIVATE, GLOBAL)


def git(folder, *args):
    done = subprocess.run(
        ["git", "-C", str(folder), *args], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def check_objects(folder):
    """No object of the repository, reachable or not, holds one of the texts."""
    listed = git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    for name in listed.split():
        done = subprocess.run(
            ["git", "-C", str(folder), "cat-file", "--batch"],
            input=name.encode(),
            capture_output=True,
            check=True,
        )
        for text in TEXTS:
            assert text.encode() not in done.stdout, git(folder, "log", "--stat", "--all")


def say_all(varves, cwd):
    """Record a private and a global memory, and read them, as an agent does."""
    assert varves("remember", PRIVATE, "--private", cwd=cwd).code == 0
    assert varves("remember", GLOBAL, "--scope", "global", cwd=cwd).code == 0
    assert varves("remember", "The project's own", cwd=cwd).code == 0
    told = varves("recall", "Ada Berta bank tea", cwd=cwd).out
    assert PRIVATE in told
    assert GLOBAL in told


def upstream_with(folder, files):
    """A repository whose maker tracks files where ours would lie."""
    folder.mkdir()
    git(folder, "init", "-q")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    git(folder, "add", "--force", "--all")
    git(folder, "commit", "-qm", "begin")
    return folder


FORCED = (
    *("index.sqlite", "state.sqlite"),
    *("views.sqlite", "usage/s-x", "attendance/s-x", "hooks.log", "aside/CHANGELOG.md"),
)


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("umask", [0o022, 0o077])
@pytest.mark.parametrize("name", FORCED)
def test_a_tracked_local_file_gets_no_text(varves, home, tmp_path, name, umask):
    there = upstream_with(tmp_path / "upstream", {f".varves/local/{name}": b"made by them"})
    before = os.umask(umask)
    try:
        git(tmp_path, "clone", "-q", str(there), "clone")
        clone = tmp_path / "clone"
        say_all(varves, clone)
    finally:
        os.umask(before)
    git(clone, "commit", "-qam", "work", "--allow-empty")
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "more", "--allow-empty")
    check_objects(clone)
    tracked = f".varves/local/{name}"
    if git(clone, "ls-files", tracked):
        found = varves("doctor", "--json", cwd=clone).json["findings"]
        [one] = [one for one in found if one["rule"] == "tracked"]
        assert tracked in one["message"]
        assert "git rm --cached" in one["fix"]


def test_ignore_files_that_ignore_nothing_let_no_text_in(varves, home, tmp_path):
    files = {".varves/.gitignore": b"", ".varves/local/.gitignore": b"!*\n"}
    there = upstream_with(tmp_path / "upstream", files)
    git(tmp_path, "clone", "-q", str(there), "clone")
    clone = tmp_path / "clone"
    say_all(varves, clone)
    git(clone, "add", "-A")
    git(clone, "commit", "-qm", "work")
    assert git(clone, "ls-files", ".varves/local/lanes"), "their ignore files do not work"
    check_objects(clone)
    found = varves("doctor", "--json", cwd=clone).json["findings"]
    places = {one["place"] for one in found if one["rule"] in ("tracked", "ignore")}
    assert places >= {".varves/.gitignore", ".varves/local"}


def test_a_pull_that_brings_an_index_changes_nothing(varves, project, tmp_path):
    """An ignored file is overwritten by git without a word."""
    say_all(varves, project)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "ours")
    git(tmp_path, "clone", "-q", str(project), "theirs")
    theirs = tmp_path / "theirs"
    forged = theirs / ".varves/local/index.sqlite"
    forged.parent.mkdir(parents=True, exist_ok=True)
    forged.write_bytes(b"made by them")
    git(theirs, "add", "--force", str(forged))
    git(theirs, "commit", "-qm", "forged")
    git(project, "pull", "-q", str(theirs), "HEAD")
    say_all(varves, project)
    git(project, "commit", "-qam", "work", "--allow-empty")
    check_objects(project)


def test_each_linked_worktree_keeps_its_own(varves, project, tmp_path):
    say_all(varves, project)
    git(project, "add", "-A")
    git(project, "commit", "-qm", "ours")
    beside = tmp_path / "beside"
    git(project, "worktree", "add", "-q", str(beside))
    say_all(varves, beside)
    assert local_of(beside) == project / ".git/worktrees/beside/varves/local"
    for root in (project, beside):
        assert (local_of(root) / "index.sqlite").exists()
        assert not (root / ".varves/local/index.sqlite").exists()
    git(project, "worktree", "remove", "--force", str(beside))
    assert not (project / ".git/worktrees/beside").exists(), "what it kept goes with it"
    check_objects(project)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("name", ["services/a%b", "state.sqlite", "hooks.log"])
def test_ledgers_below_the_top_are_kept_apart(varves, project, name):
    below = project / name
    below.mkdir(parents=True)
    say_all(varves, project)
    assert varves("init", "--root", str(below)).code == 0
    assert varves("remember", "Of the part alone", "--root", str(below)).code == 0
    assert "Of the part alone" in varves("recall", "part alone", "--root", str(below)).out
    assert "Of the part alone" not in varves("recall", "part alone").out
    status = varves("status", "--json", "--root", str(below)).json
    escaped = name.replace("%", "%25").replace("/", "%2F")
    assert Path(status["index"]).parent.name.rstrip("F2%") == escaped.rstrip("F2%")
    assert varves("status", "--json").json["index"] == str(local_of(project) / "index.sqlite")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "work")
    check_objects(project)


# Where git's folder cannot be used


@pytest.mark.parametrize("home_is_writable", [True, False])
def test_a_pointer_to_a_repository_that_is_missing_is_not_no_git(
    varves, home, tmp_path, home_is_writable
):
    root = tmp_path / "orphan"
    root.mkdir()
    (root / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    if not home_is_writable:
        (home / "varves").write_text("in the way", encoding="utf-8")
    assert varves("remember", "The project's own", cwd=root).code == 0
    assert varves("recall", "own", cwd=root).out
    index = varves("status", "--json", cwd=root).json["index"]
    if home_is_writable:
        assert index.startswith(f"{home}/varves/local/")
    else:
        assert index is None
    left = {path.name for path in (root / ".varves/local").iterdir()}
    assert not left & {"index.sqlite", "state.sqlite"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_where_gits_folder_is_read_only_the_users_own_is_taken(varves, project, home):
    assert varves("remember", "before").code == 0
    (project / ".git").chmod(0o500)
    (project / ".git/varves").chmod(0o500)
    (project / ".git/varves/local").chmod(0o500)
    try:
        say_all(varves, project)
        index = varves("status", "--json").json["index"]
    finally:
        for name in (".git", ".git/varves", ".git/varves/local"):
            (project / name).chmod(0o700)
    assert index.startswith(f"{home}/varves/local/")


def test_a_purge_reaches_every_place(varves, project, home):
    """Text may lie where an earlier call could write, and the next could not."""
    told = varves("remember", PRIVATE, "--private", "--json").json["id"]
    varves("recall", "Ada")
    git_folder, away = project / ".git", project.parent / "away"
    git_folder.rename(away)
    git_folder.write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    varves("recall", "Ada")  # by an index in the user's folder
    git_folder.unlink()
    varves("recall", "Ada")  # by one in the ledger
    away.rename(git_folder)
    assert varves("purge", told, "--reason", "asked to", "--yes").code == 0
    for folder in (project, home):
        for path in folder.rglob("*"):
            if path.is_file():
                assert PRIVATE.encode() not in path.read_bytes(), path


@pytest.mark.parametrize("kept", [True, False], ids=["noted", "in a free page"])
def test_a_purge_leaves_no_byte_in_the_notebook(varves, project, kept):
    told = varves("remember", PRIVATE, "--private", "--json").json["id"]
    with package.open(project) as ledger:
        failed = SessionMessage(role="tool", text=f"grep: {PRIVATE}", ok=False)
        ledger.attend("claude", "s").tool(failed)
        ledger.attend("claude", "other").tool(SessionMessage(role="tool", text="make", ok=False))
    assert PRIVATE.encode() in notebook(project).read_bytes()
    if not kept:
        noted(project, "delete from attended where leaf = 's'")
    assert varves("purge", told, "--reason", "asked to", "--yes").code == 0
    for path in local_of(project).rglob("*"):
        assert not path.is_file() or PRIVATE.encode() not in path.read_bytes(), path
    assert attended(project) == [("failed", "make", None, None)]


# Folders with private text that stay in the work tree

GUARDED = {
    "memory/global": lambda varves, cwd: varves(
        *("hivemind", "write", "--type", "factual", "--scope", "global", "--content", GLOBAL),
        cwd=cwd,
    ),
    "memory/sessions": lambda varves, cwd: varves("hivemind", "session", "start", cwd=cwd),
    "deliberations": lambda varves, cwd: varves("deliberation", "new", "one", cwd=cwd),
}


def by_a_tracked_file(clone, folder):
    (clone / folder).mkdir(parents=True, exist_ok=True)
    (clone / folder / "readme.txt").write_text("theirs", encoding="utf-8")
    git(clone, "add", "--force", f"{folder}/readme.txt")
    git(clone, "commit", "-qm", "theirs")


def by_an_ignore_file(clone, folder):
    (clone / folder).mkdir(parents=True, exist_ok=True)
    (clone / folder / ".gitignore").unlink(missing_ok=True)
    (clone / folder / ".gitignore").write_text("!*\n", encoding="utf-8")


def by_a_link(clone, folder):
    (clone / folder).mkdir(parents=True, exist_ok=True)
    (clone / "all").write_text("*\n", encoding="utf-8")
    (clone / folder / ".gitignore").unlink(missing_ok=True)
    (clone / folder / ".gitignore").symlink_to(clone / "all")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("spoil", [by_a_tracked_file, by_an_ignore_file, by_a_link])
@pytest.mark.parametrize("folder", GUARDED)
def test_a_folder_that_git_could_take_is_not_written(varves, project, folder, spoil):
    assert varves("hivemind", "init").code == 0
    spoil(project, folder)
    before = {path: path.read_bytes() for path in (project / folder).rglob("*")}
    events = varves("status", "--json").json["events"]
    answer = GUARDED[folder](varves, project)
    assert answer.code == 3, answer
    assert answer.err.count("\n") <= 2
    assert folder in answer.err
    assert f"git rm --cached -r {folder}" in answer.err
    assert {path: path.read_bytes() for path in (project / folder).rglob("*")} == before
    assert varves("status", "--json").json["events"] == events, "nothing is half written"
    found = varves("doctor", "--json").json["findings"]
    assert folder in {one["place"] for one in found if one["rule"] == "tracked"}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("folder", GUARDED)
def test_what_the_answer_names_helps(varves, project, folder):
    assert varves("init").code == 0
    by_an_ignore_file(project, folder)
    by_a_tracked_file(project, folder)
    assert GUARDED[folder](varves, project).code == 3
    git(project, "rm", "-r", "--cached", "-q", folder)
    (project / folder / ".gitignore").unlink()
    assert GUARDED[folder](varves, project).code == 0
    git(project, "add", "-A")
    git(project, "commit", "-qm", "work")
    check_objects(project)
    assert not git(project, "ls-files", folder)


@pytest.mark.parametrize("spoil", [by_an_ignore_file, by_a_link])
def test_private_memories_of_last_resort_are_not_written_in_gits_sight(
    varves, home, tmp_path, spoil
):
    root = tmp_path / "plain"
    (root / ".varves").mkdir(parents=True)
    assert varves("init", cwd=root).code == 0
    spoil(root, ".varves/private")
    answer = varves("remember", PRIVATE, "--private", cwd=root)
    assert answer.code == 3
    assert "git rm --cached -r .varves/private" in answer.err
    assert not any((root / ".varves/private").rglob("*.jsonl"))
    assert varves("remember", "The project's own", cwd=root).code == 0


@pytest.mark.parametrize("version", ["2", "4"])
def test_every_form_of_gits_index_is_read(varves, project, version):
    assert varves("init").code == 0
    by_a_tracked_file(project, "memory/global")
    (project / "memory/glob").mkdir(parents=True, exist_ok=True)
    (project / "memory/glob/x").write_text("x", encoding="utf-8")
    git(project, "add", "memory/glob/x")
    git(project, "update-index", "--index-version", version)
    assert GUARDED["memory/global"](varves, project).code == 3
    git(project, "rm", "-r", "-q", "--cached", "memory/global")
    assert GUARDED["memory/global"](varves, project).code == 0


def test_a_split_index_is_read(varves, project):
    assert varves("init").code == 0
    by_a_tracked_file(project, "memory/global")
    git(project, "update-index", "--split-index")
    assert GUARDED["memory/global"](varves, project).code == 3
    git(project, "rm", "-r", "-q", "--cached", "memory/global")
    assert GUARDED["memory/global"](varves, project).code == 0


def test_without_git_to_ask_a_tracked_folder_is_not_written(varves, project, tmp_path):
    assert varves("init").code == 0
    by_a_tracked_file(project, "memory/global")
    (tmp_path / "empty").mkdir()
    answer = varves(
        *("hivemind", "write", "--type", "factual", "--scope", "global", "--content", GLOBAL),
        env={"PATH": str(tmp_path / "empty")},
    )
    assert answer.code == 3
