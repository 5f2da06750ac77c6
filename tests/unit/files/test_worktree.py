import subprocess

import pytest

from tests.places import local_of
from varves.errors import Refused, UnsafeName
from varves.files.worktree import WorkTree
from varves.places.places import Places
from varves.places.store import Files


def git(folder, *args):
    done = subprocess.run(
        ["git", "-C", str(folder), *args], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def tree_of(root):
    return WorkTree(Places(str(root), str(root / "home"), teams={}, files=Files), "layers")


@pytest.fixture(params=["", "below/it"], ids=["top", "below"])
def root(request, tmp_path):
    top = tmp_path / "repository"
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    git(top, "config", "user.name", "Ada")
    git(top, "config", "user.email", "ada@example.org")
    folder = top / request.param
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kept.txt").write_text("one\n", encoding="utf-8")
    git(top, "add", ".")
    git(top, "commit", "-qm", "begin")
    return folder


@pytest.fixture
def tree(root):
    return tree_of(root)


def test_a_file_that_changed_meanwhile_is_not_replaced(root, tree):
    (root / "log.md").write_bytes(b"one\n")
    with pytest.raises(Refused, match="changed in the meantime"):
        tree.replace("log.md", b"three\n", seen=b"other\n")
    tree.replace("log.md", b"three\n", seen=b"one\n")
    assert (root / "log.md").read_bytes() == b"three\n"


def test_no_link_is_followed(root, tree):
    (root / "there").write_text("secret\n", encoding="utf-8")
    (root / "log.md").symlink_to(root / "there")
    for act in (
        lambda: tree.read("log.md"),
        lambda: tree.replace("log.md", b"x", seen=b"secret\n"),
    ):
        with pytest.raises(UnsafeName, match=r"log\.md is a link"):
            act()
    assert (root / "there").read_bytes() == b"secret\n"


def test_what_is_only_read_may_be_a_link_that_stays_in_the_project(root, tree):
    (root / "CLAUDE.md").write_bytes(b"rules\n")
    (root / "AGENTS.md").symlink_to("CLAUDE.md")
    assert tree.consult("AGENTS.md") == tree.consult("CLAUDE.md") == b"rules\n"
    outside = root.parent.parent.parent / "outside.md"
    outside.write_bytes(b"secret\n")
    (root / "AWAY.md").symlink_to(outside)
    with pytest.raises(UnsafeName, match=r"AWAY\.md is a link"):
        tree.consult("AWAY.md")
    (root / "LOST.md").symlink_to("nowhere.md")
    assert tree.consult("LOST.md") is None


def test_a_read_only_file_takes_nothing(root, tree):
    (root / "log.md").write_bytes(b"one\n")
    (root / "log.md").chmod(0o444)
    with pytest.raises(Refused, match="read-only"):
        tree.replace("log.md", b"two\n", seen=b"one\n")
    assert (root / "log.md").read_bytes() == b"one\n"


def test_who_may_read_a_file_is_as_before(root, tree):
    (root / "log.md").write_bytes(b"one\n")
    (root / "log.md").chmod(0o640)
    tree.replace("log.md", b"two\n", seen=b"one\n")
    assert (root / "log.md").stat().st_mode & 0o777 == 0o640


def test_what_a_killed_writer_left_waiting_is_swept(root, tree):
    tree.replace("log.md", b"one\n", seen=None)
    (local_of(root) / ".view.1.1.0").write_bytes(b"half")
    tree.replace("log.md", b"two\n", seen=b"one\n")
    assert not (local_of(root) / ".view.1.1.0").exists()


def test_notes_are_kept_until_they_are_dropped(root, tree):
    assert tree.note("pending") is None
    tree.keep("pending", {"title": "Größe"})
    assert tree_of(root).note("pending") == {"title": "Größe"}
    tree.keep("pending", None)
    assert tree.note("pending") is None
    tree.keep("pending", None)


def test_a_torn_note_is_none(root, tree):
    tree.keep("pending", {"a": 1})
    (local_of(root) / "notes/layers/pending.json").write_text('{"a"', encoding="utf-8")
    assert tree.note("pending") is None


def test_a_commit_holds_the_named_paths_and_nothing_else(root, tree):
    (root / "log.md").write_text("one\n", encoding="utf-8")
    (root / "folder").mkdir()
    (root / "folder/inner.md").write_text("x\n", encoding="utf-8")
    (root / "kept.txt").write_text("two\n", encoding="utf-8")
    (root / "staged.txt").write_text("mine\n", encoding="utf-8")
    git(root, "add", "staged.txt")
    (root / "stray.txt").write_text("?\n", encoding="utf-8")
    made = tree.commit(["log.md", "folder", "missing.md"], "All that was said")
    assert made == git(root, "rev-parse", "HEAD") == tree.head()
    names = git(root, "show", "--name-only", "--format=%s", "--relative", "HEAD").split("\n")
    assert names == ["All that was said", "", "folder/inner.md", "log.md"]
    states = git(root, "status", "--porcelain", ".").splitlines()
    assert [state[:2] for state in states] == [" M", "A ", "??"] or sorted(
        state[:2].strip() for state in states
    ) == ["??", "A", "M"]


def test_a_commit_of_nothing_new_is_none(tree):
    assert tree.commit(["kept.txt"], "again") is None


def test_a_commit_that_git_refuses_leaves_the_index_as_it_was(root, tree):
    hooks = root / git(root, "rev-parse", "--git-path", "hooks")
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\necho not today >&2\nexit 1\n", encoding="utf-8")
    (hooks / "pre-commit").chmod(0o755)
    (root / "log.md").write_text("one\n", encoding="utf-8")
    before = git(root, "status", "--porcelain")
    with pytest.raises(Refused, match="not today"):
        tree.commit(["log.md"], "refused")
    assert git(root, "status", "--porcelain") == before
    assert (root / "log.md").read_bytes() == b"one\n"


def test_ignored_paths_are_left_out_of_a_commit(root, tree):
    (root / ".gitignore").write_text("hidden/\n", encoding="utf-8")
    (root / "hidden").mkdir()
    (root / "hidden/log.jsonl").write_text("{}\n", encoding="utf-8")
    tree.commit([".gitignore", "hidden"], "ignore")
    assert git(root, "show", "--name-only", "--format=", "--relative", "HEAD") == ".gitignore"


def test_the_first_commit_of_a_repository(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "config", "user.name", "Ada")
    git(tmp_path, "config", "user.email", "ada@example.org")
    (tmp_path / "log.md").write_text("one\n", encoding="utf-8")
    tree = tree_of(tmp_path)
    assert tree.head() is None
    assert tree.branch() == "main"
    assert tree.commit(["log.md"], "first") == tree.head() is not None


def test_names_are_taken_to_the_letter(root, tree):
    (root / "a*.md").write_text("one\n", encoding="utf-8")
    (root / "ab.md").write_text("two\n", encoding="utf-8")
    tree.commit(["a*.md"], "star")
    assert git(root, "show", "--name-only", "--format=", "--relative", "HEAD") == "a*.md"


def test_what_head_has_and_what_changed(root, tree):
    (root / "kept.txt").write_text("two\n", encoding="utf-8")
    (root / "Größe.md").write_text("x\n", encoding="utf-8")
    assert tree.committed("kept.txt") == b"one\n"
    assert tree.committed("nowhere.txt") is None
    assert sorted(tree.changed()) == ["Größe.md", "kept.txt"]


def test_a_merge_has_stages_until_it_is_settled(root, tree):
    git(root, "checkout", "-qb", "other")
    (root / "kept.txt").write_text("theirs\n", encoding="utf-8")
    git(root, "commit", "-qam", "theirs")
    git(root, "checkout", "-q", "main")
    (root / "kept.txt").write_text("ours\n", encoding="utf-8")
    git(root, "commit", "-qam", "ours")
    assert not tree.joining()
    subprocess.run(
        ["git", "-C", str(root), "merge", "-q", "other"], capture_output=True, check=False
    )
    assert tree.joining()
    assert tree.stages("kept.txt") == {1: b"one\n", 2: b"ours\n", 3: b"theirs\n"}
    (root / "kept.txt").write_text("both\n", encoding="utf-8")
    tree.mark_resolved(["kept.txt"])
    assert tree.stages("kept.txt") == {}
    git(root, "commit", "-qm", "merged")
    assert not tree.joining()
    [parents] = tree.merges("kept.txt")
    assert [tree.committed("kept.txt", one) for one in parents] == [b"ours\n", b"theirs\n"]


def test_a_detached_head_has_no_branch(root, tree):
    git(root, "checkout", "-q", "--detach")
    assert tree.branch() is None
    assert tree.head() is not None


def test_without_git_there_is_nothing_to_ask(tmp_path):
    tree = tree_of(tmp_path)
    assert (tree.has_git(), tree.head(), tree.branch(), tree.committed("x")) == (
        False,
        None,
        None,
        None,
    )
    assert (tree.changed(), tree.stages("x"), tree.merges("x"), tree.joining()) == (
        [],
        {},
        [],
        False,
    )
