"""What a purge says of git is so: nothing, what it holds and where, or that nobody can tell."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.security.erasing import TEXT, WORD, commit, git, in_objects

WHY = "asked to be forgotten"


def purge(varves, name, **options):
    done = varves("purge", name, "--reason", WHY, "--yes", "--json", **options)
    assert done.code == 0, done.err
    return done.json


def said(varves):
    return varves("remember", TEXT, "--json").json["id"]


@pytest.mark.full_size(sample=1)
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
    assert "git may still contain it" in told.out
    assert f"varves purge {name}" in told.out
    assert "no file that Varves writes contains it" not in told.out
    if why != "no folder":  # when git answers again, so do we
        assert purge(varves, name)["git"]["commits"]


def test_without_a_repository_there_is_nothing_to_know(varves, tmp_path, home):
    root = tmp_path / "bare"
    root.mkdir()
    name = varves("remember", TEXT, "--json", cwd=root).json["id"]
    assert purge(varves, name, cwd=root)["git"] is None


def test_files_of_a_ledger_below_the_top_are_searched_too(varves, project):
    below = project / "app"
    (below / ".varves").mkdir(parents=True)
    content = ("--type", "convention", "--content", TEXT)
    name = varves("scoped", "write", "project", *content, "--json", cwd=below).json["memory"]
    commit(project)
    paths = purge(varves, name, cwd=below)["git"]["paths"]
    assert {path.partition("/")[0] for path in paths} == {"app"}
    assert any(path.startswith("app/memory/") for path in paths)
    assert any(path.startswith("app/.varves/") for path in paths)


def test_a_staged_version_is_named_and_let_go(varves, project):
    """It would be in the next commit, though no file has it any more."""
    name = said(varves)
    git(project, "add", "-A")
    found = purge(varves, name)["git"]
    assert found["commits"] == []
    assert [path for path in found["staged"] if path.startswith(".varves/log/")] == found["paths"]
    told = varves("purge", name, "--reason", WHY, "--yes").out
    assert "git's index still contains it, in 1 file\n" in told
    assert found["command"] in told
    subprocess.run(["sh", "-c", found["command"]], cwd=project, check=True, capture_output=True)
    git(project, "commit", "--quiet", "-m", "staged")
    assert not in_objects(project)
    assert purge(varves, name)["git"] is None


def let_go(cli, project, name):
    """Run what a purge printed, and check that git holds nothing of it any more."""
    told = cli("purge", name, "--reason", WHY, "--yes").out
    [command] = [line.strip() for line in told.splitlines() if line.startswith("  git ")]
    subprocess.run(["sh", "-c", command], cwd=project, check=True, capture_output=True)
    assert not in_objects(project)
    assert purge(cli, name)["git"] is None
    return told


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("staged", [False, True], ids=["stashed", "staged too"])
def test_a_stash_that_was_applied_is_named_and_dropped(cli, project, staged):
    """Stashed untracked files are a commit without parents, which a plain `git log` leaves out."""
    commit(project)
    stash(project, "below")
    name = said(cli)
    git(project, "stash", "--include-untracked", "--quiet")
    git(project, "stash", "apply", "--quiet")
    stash(project, "above")
    if staged:
        git(project, "add", "-A")
    found = purge(cli, name)["git"]
    assert found["stashed"] == ["stash@{1}"]
    assert bool(found["staged"]) == staged
    assert "filter-branch" not in found["command"]
    told = let_go(cli, project, name)
    assert "git's stash still contains it, in stash@{1}\n" in told
    assert "in 0 files" not in told
    assert len(git(project, "stash", "list").splitlines()) == 2


def stash(project, name):
    """Stash one file that is none of our business."""
    (project / name).write_text("something else", encoding="utf-8")
    git(project, "stash", "push", "--include-untracked", "--quiet", "--", name)


def test_several_stashes_are_all_named(cli, project):
    commit(project)
    name = said(cli)
    for number in range(3):
        git(project, "stash", "--include-untracked", "--quiet")
        git(project, "stash", "apply", "--quiet")
        cli("remember", f"Said after stash {number}")
    assert purge(cli, name)["git"]["stashed"] == ["stash@{0}", "stash@{1}", "stash@{2}"]
    let_go(cli, project, name)
    assert git(project, "stash", "list") == ""


def test_what_a_commit_holds_too_is_not_put_down_to_the_stash(cli, project):
    commit(project)
    name = said(cli)
    git(project, "stash", "--include-untracked", "--quiet")
    git(project, "stash", "apply", "--quiet")
    commit(project)
    found = purge(cli, name)["git"]
    assert found["stashed"] == []
    assert "filter-branch" in found["command"]
    assert found["stashes"] == 1


def test_no_more_is_denied_than_was_searched(cli, project):
    """A copy that somebody saved elsewhere is not looked for, and nobody says that it is."""
    cli("deliberation", "new", "talk")
    cli("deliberation", "say", "ben", "We decided on 'the code word': tangerine.")
    cli("deliberation", "save", "--to", "copy.json")
    commit(project)
    [name] = [one["id"] for one in cli("list", "--private", "--json").json["memories"]]
    told = cli("purge", name, "--reason", WHY, "--yes").out
    assert "history does not contain it" not in told
    line = "no file that Varves writes contains it in git; other files were not searched"
    assert line in told.splitlines()


def test_names_beside_a_private_record_are_not_taken_for_its_words(cli, project):
    cli("party", "start", "--agents", "ada")
    cli("party", "end")
    commit(project)
    cli("deliberation", "new", "talk", "--agents", "ada,ben")
    cli("deliberation", "say", "ada", f"I propose that {WORD} lives on")
    [name] = [one["id"] for one in cli("list", "--private", "--json").json["memories"]]
    told = cli("purge", name, "--reason", WHY, "--yes").out
    assert "filter-branch" not in told
    assert "no file that Varves writes contains it in git" in told


def test_a_short_word_is_not_looked_for_in_what_people_write(cli, project):
    (project / "_mdan/state").mkdir(parents=True)
    (project / "_mdan/state/MDAN-STATE.json").write_text('{"owner": "ada"}', encoding="utf-8")
    commit(project)
    name = cli("remember", "ada", "--private", "--json").json["id"]
    assert purge(cli, name)["git"] is None


def test_no_history_is_rewritten_for_what_only_people_wrote(cli, project):
    (project / "CHANGELOG.md").write_text(f"# Changelog\n\n{TEXT}\n", encoding="utf-8")
    commit(project)
    name = cli("remember", TEXT, "--private", "--json").json["id"]
    told = cli("purge", name, "--reason", WHY, "--yes").out
    assert "filter-branch" not in told
    assert "git's history still contains it, in 1 commit" in told
    assert "CHANGELOG.md is written by people: remove it from the file's history by hand" in told
