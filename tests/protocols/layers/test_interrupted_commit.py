"""A shutdown that is interrupted around its commit: what git holds stays in git."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys

import pytest

from tests.protocols.layers.ending import begin, said, write
from tests.protocols.layers.killing import DIED, die_beside
from varves.errors import Refused

NOON = "2026-11-15T12:00:00Z"
MEANWHILE = """\
#!/bin/sh
if [ "$3" = {word} ] && [ ! -e {made} ]; then
    touch {made}
    (
        unset GIT_INDEX_FILE
        cd "$2" && echo "By hand." > notes.md && {real} add notes.md
        {real} commit --quiet --message notes -- notes.md
    )
fi
exec {real} "$@"
"""
HELD = """\
import os, sys, time
held = os.open(sys.argv[1], os.O_CREAT | os.O_EXCL)
print("held", flush=True)
time.sleep(float(sys.argv[2]))
os.remove(sys.argv[1])
"""


@pytest.fixture(params=["alone", "beside another session"])
def tree(request, clone):
    """Give a project in which bob's session has a new file, alone or beside ann's open one."""
    one = clone()
    begin(one.root)
    one.at("2026-11-15T09:00:00Z", actor="ada", session="s0").layers.init()
    one.commit("init")
    if request.param != "alone":
        session(one, "ann").append(**said("Of Ann"))
    write(one.root, "scene.md", "The curtain rises.\n")
    write(one.root, "src/app.py", "one = 11\n")
    linked = said("Of Bob")
    session(one, "bob").append(**linked | {"files": ["scene.md", "src/app.py"]})
    return one


def session(tree, name):
    """Return the verbs of a session that has booted."""
    layers = tree.at(NOON, actor=name, session=name).layers
    layers.boot()
    return layers


def shut_down(tree, name="bob", **more):
    """Shut a session down, in a ledger that is opened for it."""
    return tree.at(NOON, actor=name, session=name).layers.shutdown(**more)


def held(tree):
    """Return the files that HEAD has."""
    return {*tree.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()}


def assert_whole(tree, before):
    """Check that no commit has removed a file, and that nothing but another's event is open."""
    assert held(tree) >= before | {"scene.md"}
    assert tree.git("log", "--format=", "--diff-filter=D", "--name-only") == ""
    assert tree.git("show", "HEAD:src/app.py") == "one = 11\n"
    assert "Of Bob" in tree.git("show", "HEAD:CHANGELOG.md")
    listed = tree.git("status", "--porcelain").splitlines()
    shown = {line[3:] for line in listed if not line[3:].startswith(".varves/")}
    beside = "Of Ann" in (tree.root / "CHANGELOG.md").read_text(encoding="utf-8")
    mine = {"CHANGELOG.md", ".memory/graph.md", ".memory/context.md"}
    assert shown <= (mine if beside else set()), listed
    assert all(line.startswith((" M", "??")) for line in listed), listed


@pytest.mark.full_size(sample=8)
@pytest.mark.requirement("S1-62")
@pytest.mark.parametrize("after", ["bob", "ann"])
@pytest.mark.parametrize("step", DIED)
def test_a_shutdown_killed_around_a_git_command_takes_no_file_out_of_head(step, after, tree):
    before = held(tree)
    status = die_beside(tree.root, step)
    assert os.WIFSIGNALED(status), status
    assert os.WTERMSIG(status) == signal.SIGKILL

    assert held(tree) >= before
    if after == "ann":
        session(tree, "ann").append(**said("Later"))
        shut_down(tree, "ann")
    shut_down(tree)

    assert_whole(tree, before)


@pytest.mark.requirement("S1-62")
def test_a_lock_that_git_left_behind_stops_the_shutdown_before_its_commit(tree):
    before, head = held(tree), tree.git("rev-parse", "HEAD")
    staged = tree.git("diff", "--cached")
    lock = tree.root / ".git/index.lock"
    lock.touch()

    with pytest.raises(Refused, match=r"index\.lock exists.*remove it") as refused:
        shut_down(tree)

    assert "run varves layers shutdown again" in refused.value.hint
    assert tree.git("rev-parse", "HEAD") == head
    assert tree.git("diff", "--cached") == staged
    lock.unlink()
    shut_down(tree)
    assert_whole(tree, before)


@pytest.mark.requirement("S1-62")
def test_a_git_command_that_holds_the_index_for_a_moment_is_waited_for(tree):
    before, lock = held(tree), tree.root / ".git/index.lock"
    with subprocess.Popen([sys.executable, "-c", HELD, lock, "0.5"], stdout=subprocess.PIPE) as one:
        assert one.stdout.readline() == b"held\n"
        shut_down(tree)
    assert_whole(tree, before)


@pytest.mark.requirement("S1-62")
def test_git_killed_when_it_has_moved_head_has_made_the_commit(tree):
    before = held(tree)
    hook = tree.root / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\n[ "$1" = committed ] && kill -9 $PPID\nexit 0\n', encoding="utf-8")
    hook.chmod(0o755)

    closed = shut_down(tree)

    hook.unlink()
    assert closed.commit == tree.git("rev-parse", "HEAD").strip()
    assert_whole(tree, before)


@pytest.mark.requirement("S1-62")
@pytest.mark.parametrize("word", ["reset", "commit"])
def test_a_commit_that_a_person_makes_meanwhile_stays_whole(word, tree, tmp_path, monkeypatch):
    before, real = held(tree), shutil.which("git")
    write(tmp_path, "bin/git", MEANWHILE.format(real=real, word=word, made=tmp_path / "made"))
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")

    if word == "reset":
        with pytest.raises(Refused, match="a commit was made in the meantime"):
            shut_down(tree)
    shut_down(tree)

    assert held(tree) >= before | {"scene.md", "notes.md"}
    assert tree.git("show", "HEAD:notes.md") == "By hand.\n"
    assert "Of Bob" in tree.git("show", "HEAD:CHANGELOG.md")
    assert "notes.md" not in tree.git("status", "--porcelain")


@pytest.mark.requirement("S1-62")
def test_a_file_that_head_has_just_got_is_not_taken_out_by_an_older_index(tree):
    shut_down(tree)
    before = held(tree)
    tree.git("reset", "--quiet", "HEAD~1")  # as a power cut leaves it: the index is the old one,
    tree.git("reset", "--quiet", "--soft", "HEAD@{1}")  # and HEAD the new one

    session(tree, "bob").append(**said("Again") | {"files": ["scene.md"]})
    shut_down(tree)

    assert_whole(tree, before)


@pytest.mark.requirement("S1-62")
def test_a_hook_that_refuses_the_commit_leaves_the_index_as_it_was(tree):
    hook = tree.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    hook.chmod(0o755)
    write(tree.root, "mine.md", "Staged by a person.\n")
    tree.git("add", "mine.md")
    staged = tree.git("diff", "--cached")

    with pytest.raises(Refused):
        shut_down(tree)

    assert tree.git("diff", "--cached") == staged
    tree.git("reset", "--quiet", "--", "mine.md")
    (tree.root / "mine.md").unlink()
    before = held(tree)
    hook.unlink()
    shut_down(tree)
    assert_whole(tree, before)
