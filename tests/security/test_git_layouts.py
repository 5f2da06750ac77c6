"""Wherever git's folder lies, and whatever repository a folder belongs to, no private text gets in.

A repository may be named by the environment alone, `memory` may be a repository within the
project's, and a `.git` may lead nowhere.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.security.test_local_texts import (
    GLOBAL,
    GUARDED,
    PRIVATE,
    by_a_tracked_file,
    check_objects,
    git,
    say_all,
    upstream_with,
)

HIVEMIND = ("hivemind", "write", "--type", "factual", "--scope", "global", "--content", GLOBAL)


@pytest.fixture
def apart(home, tmp_path, monkeypatch):
    """Give a work tree whose repository only the environment names, with some files in it."""

    def make(files, *, tree: bool = True, where: str = "apart.git"):
        there = upstream_with(tmp_path / "upstream", {"readme.txt": b"theirs", **files})
        work, folder = tmp_path / "work", tmp_path / where
        git(tmp_path, "clone", "-q", str(there), str(work))
        (work / ".git").rename(folder)
        monkeypatch.setenv("GIT_DIR", str(folder))
        if tree:
            monkeypatch.setenv("GIT_WORK_TREE", str(work))
        return work

    return make


def commit_all(work):
    git(work, "commit", "-qam", "work", "--allow-empty")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "more", "--allow-empty")


# A repository that the environment names


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("tree", [True, False])
def test_a_tracked_index_gets_no_text_where_the_environment_names_git(varves, apart, home, tree):
    forced = {".varves/local/index.sqlite": b"theirs", ".varves/.gitignore": b""}
    work = apart({**forced, ".varves/local/.gitignore": b"!*\n"}, tree=tree)
    say_all(varves, work)
    commit_all(work)
    check_objects(work)
    standing = varves("status", "--json", cwd=work).json
    assert standing["git"] == str(work)
    assert standing["index"].startswith(f"{home}/varves/local/")
    found = varves("doctor", "--json", cwd=work).json["findings"]
    assert ".varves/local" in {one["place"] for one in found if one["rule"] == "tracked"}


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("tree", [True, False])
@pytest.mark.parametrize("folder", GUARDED)
def test_a_tracked_folder_is_refused_where_the_environment_names_git(varves, apart, folder, tree):
    work = apart({f"{folder}/readme.txt": b"theirs"}, tree=tree)
    assert varves("init", cwd=work).code == 0
    refused = GUARDED[folder](varves, work)
    assert (refused.code, refused.out) == (3, "")
    assert f"git rm --cached -r {folder}" in refused.err
    git(work, "rm", "-rq", "--cached", folder)
    assert GUARDED[folder](varves, work).code == 0
    commit_all(work)
    check_objects(work)


def test_a_ledger_below_the_named_work_tree_is_seen_too(varves, apart):
    work = apart({"deep/down/memory/global/x.json": b"{}"})
    assert varves("init", "--root", str(work / "deep/down")).code == 0
    assert varves(*HIVEMIND, cwd=work / "deep/down").code == 3


def test_a_second_repository_over_the_same_files_is_seen_too(varves, project, monkeypatch):
    """Each of two repositories over one work tree has an index of its own."""
    assert varves("init").code == 0
    second = {"GIT_DIR": str(project.parent / "second.git"), "GIT_WORK_TREE": str(project)}
    with monkeypatch.context() as patched:
        for name, value in second.items():
            patched.setenv(name, value)
        git(project, "init", "-q")
        by_a_tracked_file(project, "memory/global")
    assert varves(*HIVEMIND, env=second).code == 3


def test_a_private_memory_is_found_with_and_without_the_variables(varves, apart, monkeypatch):
    work = apart({})
    say_all(varves, work)
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert PRIVATE in varves("recall", "Ada bank", cwd=work).out
    assert varves("remember", "Ada met the bank", "--private", cwd=work).code == 0
    monkeypatch.setenv("GIT_DIR", str(work.parent / "apart.git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(work))
    told = varves("recall", "Ada bank", cwd=work).out
    assert PRIVATE in told
    assert "Ada met the bank" in told
    commit_all(work)
    check_objects(work)


def test_a_purge_asks_the_repository_that_the_environment_names(varves, apart):
    work = apart({})
    name = varves("remember", "The port is 5433", "--json", cwd=work).json["id"]
    commit_all(work)
    done = varves("purge", name, "--reason", "asked to", "--yes", "--json", cwd=work).json
    assert done["git"]["commits"]


# Another repository's variables


def hook_of(folder, line):
    """Let a repository's own hook run a line when it commits."""
    hook = folder / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    hook.chmod(0o755)
    (folder / "file").write_text("x", encoding="utf-8")
    git(folder, "add", "file")
    git(folder, "commit", "-qm", "by a hook")


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("absolute", [True, False])
@pytest.mark.parametrize("has_git", [True, False])
def test_a_hook_of_another_repository_leaves_it_alone(
    varves, home, tmp_path, project, has_git, absolute
):
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    root = project
    if not has_git:
        root = tmp_path / "plain"
        root.mkdir()
    assert varves("init", "--root", str(root)).code == 0
    if has_git:
        by_a_tracked_file(project, "memory/global")
    named = f"export GIT_DIR={other}/.git;" if absolute else ""
    python = f"{sys.executable} -m varves"
    said = f"{python} remember --private '{PRIVATE}' && {python} {' '.join(HIVEMIND[:-1])} x"
    hook_of(other, f"{named} cd {root} && {{ {said}; echo $? >{tmp_path}/code; }}")
    assert (tmp_path / "code").read_text(encoding="utf-8").strip() == ("3" if has_git else "0")
    assert not (other / ".git/varves").exists()
    assert PRIVATE in varves("recall", "Ada bank", cwd=root).out


def test_a_hook_of_the_project_itself_works_as_ever(varves, project):
    assert varves("init").code == 0
    python = f"{sys.executable} -m varves"
    hook_of(project, f"cd .varves && {python} remember --private '{PRIVATE}'")
    assert PRIVATE in varves("recall", "Ada bank").out
    assert (project / ".git/varves/private").is_dir()
    assert not (project / ".varves/private").exists()


# Repositories within the project's


def nested(project, place):
    folder = project / place
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    return folder


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(("place", "name"), [("memory", "global/x.json"), ("memory/global", "x")])
def test_a_repository_around_the_folder_is_asked(varves, project, place, name):
    assert varves("init").code == 0
    inner = nested(project, place)
    (inner / name).parent.mkdir(exist_ok=True)
    (inner / name).write_text("{}", encoding="utf-8")
    git(inner, "add", "--force", name)
    git(inner, "commit", "-qm", "theirs")
    refused = varves(*HIVEMIND)
    assert (refused.code, refused.out) == (3, "")
    asked = "git -C memory rm --cached -r global"
    assert (asked if place == "memory" else "git -C memory/global rm --cached -r .") in refused.err
    found = varves("doctor", "--json").json["findings"]
    assert "memory/global" in {one["place"] for one in found if one["rule"] == "tracked"}
    git(inner, "rm", "-rq", "--cached", ".")
    assert varves(*HIVEMIND).code == 0
    commit_all(inner)
    check_objects(inner)


def test_memory_as_a_submodule_is_asked(varves, project, tmp_path):
    theirs = upstream_with(tmp_path / "theirs", {"global/_index.json": b"{}"})
    allowed = ("-c", "protocol.file.allow=always")
    git(project, *allowed, "submodule", "--quiet", "add", str(theirs), "memory")
    git(project, "commit", "-qm", "a submodule")
    assert (project / "memory/.git").is_file()
    assert varves("init").code == 0
    refused = varves(*HIVEMIND)
    assert (refused.code, refused.out) == (3, "")
    assert "in the repository memory" in refused.err
    commit_all(project / "memory")
    check_objects(project / "memory")


def test_a_ledger_that_is_a_repository_of_its_own_keeps_no_text_there(varves, home, tmp_path):
    forced = {"local/index.sqlite": b"theirs", "local/.gitignore": b"!*\n", ".gitignore": b""}
    there = upstream_with(tmp_path / "upstream", forced)
    root = tmp_path / "plain"
    root.mkdir()
    git(root, "clone", "-q", str(there), ".varves")
    say_all(varves, root)
    commit_all(root / ".varves")
    check_objects(root / ".varves")


# A `.git` that leads nowhere


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize(
    ("where", "folder"),
    [*(("project", one) for one in GUARDED), ("memory", "memory/global")],
)
def test_where_nobody_knows_what_git_tracks_nothing_private_is_written(
    varves, project, tmp_path, folder, where
):
    assert varves("hivemind", "init").code == 0
    by_a_tracked_file(project, folder)
    dot = project / ".git"
    if where == "memory":
        git(project, "rm", "-rq", "--cached", folder)
        dot = project / "memory/.git"
    else:
        dot.rename(tmp_path / "away")
    dot.write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    refused = GUARDED[folder](varves, project)
    assert (refused.code, refused.out) == (3, "")
    assert f"{dot} leads to no git folder" in refused.err
    assert varves("remember", "The project's own").code == 0
    told = varves("doctor", "--json").json["findings"]
    assert any(str(dot) in one["message"] and folder in one["message"] for one in told)
    dot.unlink()
    if where == "project":
        (tmp_path / "away").rename(dot)
        git(project, "rm", "-rq", "--cached", folder)
    assert GUARDED[folder](varves, project).code == 0


def test_private_memories_are_kept_beside_a_git_that_leads_nowhere(varves, home, tmp_path):
    """Their files have names that nobody could have committed before."""
    root = tmp_path / "orphan"
    root.mkdir()
    (root / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    say_all(varves, root)
    assert subprocess.run(["git", "status"], cwd=root, capture_output=True, check=False).returncode
