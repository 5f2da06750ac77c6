"""What a purge says of git is so: nothing, what it holds and where, or that nobody can tell."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.security.erasing import TEXT, commit, git, in_objects

WHY = "asked to be forgotten"


def purge(varves, name, **options):
    done = varves("purge", name, "--reason", WHY, "--yes", "--json", **options)
    assert done.code == 0, done.err
    return done.json


def said(varves):
    return varves("remember", TEXT, "--json").json["id"]


@pytest.mark.parametrize("why", ["no git", "another owner", "no folder"])
def test_what_nobody_can_tell_is_said_to_be_unknown(varves, project, tmp_path, why):
    name = said(varves)
    commit(project)
    env = {}
    if why == "no git":
        env = {"PATH": str(tmp_path)}
    elif why == "another owner":
        env = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    else:
        os.rename(project / ".git", tmp_path / "elsewhere")
        (project / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    assert purge(varves, name, env=env)["git"] == "unknown"
    told = varves("purge", name, "--reason", WHY, "--yes", env=env)
    assert told.code == 0
    assert "what git holds of it is unknown" in told.out
    assert f"varves purge {name}" in told.out
    assert "does not hold it" not in told.out
    if why != "no folder":  # when git answers again, so do we
        assert purge(varves, name)["git"]["commits"]


def test_without_a_repository_there_is_nothing_to_know(varves, tmp_path, home):
    root = tmp_path / "bare"
    root.mkdir()
    name = varves("remember", TEXT, "--json", cwd=root).json["id"]
    assert purge(varves, name, cwd=root)["git"] is None


def test_a_staged_version_is_named_and_let_go(varves, project):
    """It would be in the next commit, though no file has it any more."""
    name = said(varves)
    git(project, "add", "-A")
    found = purge(varves, name)["git"]
    assert found["commits"] == []
    assert [path for path in found["staged"] if path.startswith(".varves/log/")] == found["paths"]
    told = varves("purge", name, "--reason", WHY, "--yes").out
    assert "git's index still holds it, in 1 file" in told
    assert found["command"] in told
    subprocess.run(["sh", "-c", found["command"]], cwd=project, check=True, capture_output=True)
    git(project, "commit", "--quiet", "-m", "staged")
    assert not in_objects(project)
    assert purge(varves, name)["git"] is None
