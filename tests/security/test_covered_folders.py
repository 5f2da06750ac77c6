"""The user's folder, and ours in git's own, stay out of every commit, whatever lies around them.

A home may be a work tree, `VARVES_HOME` may lie in a project, and git's folder may lie in its own
work tree by another name.
"""

from __future__ import annotations

import subprocess

import pytest

from tests.security.test_local_texts import GLOBAL, check_objects, git, say_all

IGNORE = ".gitignore"


def commit_all(work):
    git(work, "commit", "-qam", "work", "--allow-empty")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "more", "--allow-empty")


def say(varves, cwd):
    return varves("remember", GLOBAL, "--scope", "global", cwd=cwd)


# The user's folder


@pytest.fixture(params=["the home is a work tree", "it lies in the project"])
def within(request, varves, project, home, monkeypatch):
    """Give the top of a repository around the user's folder, and that folder."""
    if request.param == "it lies in the project":
        monkeypatch.setenv("VARVES_HOME", str(project / "mine/varves"))
        return project, project / "mine/varves"
    git(home, "init", "-q")
    return home, home / "varves"


@pytest.mark.full_size(sample=1)
def test_nobody_commits_the_users_folder(varves, project, within):
    top, own = within
    say_all(varves, project)
    commit_all(top)
    check_objects(top)
    assert (own / IGNORE).read_bytes() == b"*\n"
    assert varves("doctor").out.startswith("ok")


def test_an_older_folder_is_covered_by_the_next_write(varves, project, within):
    top, own = within
    assert say(varves, project).code == 0
    (own / IGNORE).unlink()
    assert say(varves, project).code == 0
    commit_all(top)
    check_objects(top)


@pytest.mark.full_size(sample=1)
def test_what_is_tracked_already_gets_no_more(varves, project, within):
    top, own = within
    assert varves("remember", "An earlier one", "--scope", "global").code == 0
    git(top, "add", "--force", str(own / "global"))
    git(top, "commit", "-qm", "by mistake")
    answer = say(varves, project)
    assert answer.code == 3
    assert f"git -C {top} rm --cached -r" in answer.err
    assert answer.err.count("\n") <= 2
    commit_all(top)
    check_objects(top)
    found = varves("doctor", "--json").json["findings"]
    assert str(own / "global") in {one["place"] for one in found if one["rule"] == "tracked"}
    assert varves("remember", "The project's own").code == 0
    assert "An earlier one" in varves("recall", "earlier").out, "reading goes on"
    git(top, "rm", "-rq", "--cached", str((own / "global").relative_to(top)))
    assert say(varves, project).code == 0


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("spoilt", ["!*\n", "", "link"])
def test_an_ignore_file_that_is_not_ours_refuses(varves, project, within, spoilt):
    top, own = within
    own.mkdir(parents=True)
    if spoilt == "link":
        (top / "all").write_text("*\n", encoding="utf-8")
        (own / IGNORE).symlink_to(top / "all")
    else:
        (own / IGNORE).write_text(spoilt, encoding="utf-8")
    answer = say(varves, project)
    assert answer.code == 3
    assert f"remove {own}/{IGNORE}" in answer.err
    commit_all(top)
    check_objects(top)
    (own / IGNORE).unlink()
    assert say(varves, project).code == 0
    commit_all(top)
    check_objects(top)


def test_settings_may_be_tracked(varves, project, within):
    """They hold no memories; many keep theirs in git."""
    top, own = within
    own.mkdir(parents=True)
    (own / "settings.toml").write_text("", encoding="utf-8")
    git(top, "add", "--force", str(own / "settings.toml"))
    git(top, "commit", "-qm", "mine")
    assert say(varves, project).code == 0


def test_an_index_in_a_tracked_folder_is_kept_in_memory(varves, home, tmp_path):
    """That of a project whose `.git` leads nowhere lies in the user's folder."""
    root = tmp_path / "orphan"
    root.mkdir()
    (root / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    assert varves("remember", "Before", "--private", cwd=root).code == 0
    varves("recall", "before", cwd=root)
    git(home, "init", "-q")
    git(home, "add", "--force", "varves")
    git(home, "commit", "-qm", "by mistake")
    assert varves("remember", "Ada negotiates with the bank", "--private", cwd=root).code == 0
    assert "Ada negotiates" in varves("recall", "Ada bank", cwd=root).out
    assert varves("status", "--json", cwd=root).json["index"] is None
    commit_all(home)
    check_objects(home)


def test_a_repository_of_the_folder_itself_is_its_owners_wish(varves, project, home):
    own = home / "varves"
    own.mkdir()
    git(own, "init", "-q")
    assert say(varves, project).code == 0
    assert not (own / IGNORE).exists()
    git(own, "add", "-A")
    git(own, "commit", "-qm", "mine")
    assert git(own, "ls-files", "global/log")
    assert say(varves, project).code == 0
    assert varves("remember", "One more", "--scope", "global").code == 0
    assert varves("doctor").out.startswith("ok")


@pytest.mark.parametrize("tracked", [False, True])
def test_such_a_repository_gets_no_private_text(varves, home, tmp_path, tracked):
    own, root = home / "varves", tmp_path / "orphan"
    root.mkdir()
    own.mkdir()
    git(own, "init", "-q")
    (root / ".git").write_text("gitdir: /nowhere/at/all\n", encoding="utf-8")
    if tracked:
        assert varves("remember", "Before", cwd=root).code == 0
        git(own, "add", "--force", "local")
        git(own, "commit", "-qm", "by mistake")
    text = "Ada negotiates with the bank"
    assert varves("remember", text, "--private", cwd=root).code == 0
    assert text in varves("recall", "Ada bank", cwd=root).out
    commit_all(own)
    check_objects(own)


def test_a_repository_that_the_environment_names_is_asked(varves, project, home, monkeypatch):
    """As those have it who keep their home in a repository without a work tree of its own."""
    git(home, "init", "-q", "--bare", "dotfiles")
    assert varves("remember", "An earlier one", "--scope", "global").code == 0
    monkeypatch.setenv("GIT_DIR", str(home / "dotfiles"))
    monkeypatch.setenv("GIT_WORK_TREE", str(home))
    git(home, "add", "--force", "varves/global")
    assert say(varves, project).code == 3
    git(home, "rm", "-rq", "--cached", "varves/global")
    assert say(varves, project).code == 0


# Git's own folder, in the work tree by another name


@pytest.fixture
def separate(home, tmp_path):
    upstream = tmp_path / "upstream"
    upstream.mkdir()
    git(upstream, "init", "-q")
    git(upstream, "commit", "-qm", "begin", "--allow-empty")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", f"--separate-git-dir={clone}/meta", str(upstream), str(clone))
    return clone


def check_nothing_of_ours(clone):
    commit_all(clone)
    listed = git(clone, "ls-files")
    assert ".varves/log" in listed
    assert "meta/" in listed, "git takes its own folder here"
    assert "/varves/" not in listed
    check_objects(clone)


def test_git_takes_nothing_of_ours_from_a_folder_by_another_name(varves, separate):
    say_all(varves, separate)
    assert varves("hivemind", "session", "start", cwd=separate).code == 0
    check_nothing_of_ours(separate)
    (separate / "meta/varves/.gitignore").unlink()
    assert varves("remember", "Another", "--private", cwd=separate).code == 0
    check_nothing_of_ours(separate)


def test_a_reader_leaves_nothing_for_git_either(varves, separate):
    assert varves("init", cwd=separate).code == 0
    commit_all(separate)
    varves("recall", "anything", cwd=separate)
    git(separate, "add", "-A")
    assert "/varves/" not in git(separate, "ls-files")


def test_linked_worktrees_of_such_a_clone_are_covered(varves, separate, tmp_path):
    beside = tmp_path / "beside"
    git(separate, "worktree", "add", "-q", str(beside))
    say_all(varves, beside)
    assert (separate / "meta/worktrees/beside/varves/local").is_dir()
    assert varves("init", cwd=separate).code == 0
    git(separate, "add", "-A")
    assert "/varves/" not in git(separate, "ls-files")
    check_objects(separate)


def test_a_plain_git_folder_needs_no_ignore_file(varves, project):
    say_all(varves, project)
    assert not (project / ".git/varves/.gitignore").exists()
    done = subprocess.run(
        ["git", "add", ".git/varves"], cwd=project, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert not git(project, "ls-files")
