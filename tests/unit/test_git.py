"""Git seen through its files: repositories laid out by hand, no git started."""

from __future__ import annotations

import os

import pytest

from varves.git import Git

HASH_1 = "1" * 40 + "\n"
HASH_2 = "2" * 40 + "\n"


def put(path, text):
    """Write a file as git does: a fresh file renamed into its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    passing = path.with_name(path.name + ".lock")
    passing.write_text(text, encoding="utf-8")
    passing.rename(path)


@pytest.fixture
def top(tmp_path):
    put(tmp_path / "repo/.git/HEAD", "ref: refs/heads/main\n")
    return tmp_path / "repo"


@pytest.fixture
def git(top):
    return Git.around(str(top))


def moved(git, change):
    before = git.head()
    change()
    return git.head() != before


def test_it_is_found_from_below_and_not_from_outside(top, tmp_path):
    deep = top / "a/b"
    deep.mkdir(parents=True)
    assert Git.around(str(deep)).top == str(top)
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    assert Git.around(str(outside)) is None


def test_a_linked_worktree_has_its_own_head_and_the_common_refs(top, tmp_path):
    own = top / ".git/worktrees/side"
    put(own / "HEAD", "ref: refs/heads/side\n")
    put(own / "commondir", "../..\n")
    put(top / ".git/refs/heads/side", HASH_1)
    put(tmp_path / "side/.git", f"gitdir: {own}\n")
    git = Git.around(str(tmp_path / "side"))
    assert git.commondir == str(top / ".git")
    assert moved(git, lambda: put(top / ".git/refs/heads/side", HASH_2))
    assert not moved(git, lambda: put(top / ".git/refs/heads/main", HASH_2))


def test_other_worktrees_are_found_by_a_full_path_and_by_one_from_gits_own_folder(
    git, top, tmp_path
):
    """Git writes the second where `worktree.useRelativePaths` is set."""
    put(top / ".git/worktrees/full/gitdir", f"{tmp_path}/full/.git\n")
    put(top / ".git/worktrees/near/gitdir", "../../../../near/.git\n")
    assert git.elsewhere() == [("full", f"{tmp_path}/full"), ("near", f"{tmp_path}/near")]


def test_a_pointer_to_nowhere_is_no_repository(tmp_path):
    put(tmp_path / "lost/.git", "gitdir: /nowhere/at/all\n")
    assert Git.around(str(tmp_path / "lost")) is None


def test_head_stands_still_while_nothing_happens(git):
    assert not moved(git, lambda: None)


def test_a_first_commit_moves_head(git, top):
    assert moved(git, lambda: put(top / ".git/refs/heads/main", HASH_1))


def test_a_commit_on_this_branch_moves_head_and_on_another_does_not(git, top):
    put(top / ".git/refs/heads/main", HASH_1)
    assert not moved(git, lambda: put(top / ".git/refs/heads/other", HASH_2))
    assert moved(git, lambda: put(top / ".git/refs/heads/main", HASH_2))


def test_a_checkout_moves_head_even_between_branches_at_one_commit(git, top):
    put(top / ".git/refs/heads/main", HASH_1)
    put(top / ".git/refs/heads/twin", HASH_1)
    assert moved(git, lambda: put(top / ".git/HEAD", "ref: refs/heads/twin\n"))
    assert moved(git, lambda: put(top / ".git/refs/heads/twin", HASH_2))


def test_a_detached_head_moves_by_its_own_file(git, top):
    put(top / ".git/HEAD", HASH_1)
    assert moved(git, lambda: put(top / ".git/HEAD", HASH_2))


def test_packing_refs_counts_as_a_move(git, top):
    """It may hide one; a segment more than needed does no harm."""
    put(top / ".git/refs/heads/main", HASH_1)

    def pack():
        put(top / ".git/packed-refs", HASH_1.strip() + " refs/heads/main\n")
        (top / ".git/refs/heads/main").unlink()

    assert moved(git, pack)


def test_refs_in_a_reftable_are_watched_by_its_list(tmp_path):
    put(tmp_path / "r/.git/HEAD", "ref: refs/heads/.invalid\n")
    put(tmp_path / "r/.git/reftable/tables.list", "0x1.ref\n")
    git = Git.around(str(tmp_path / "r"))
    assert moved(git, lambda: put(tmp_path / "r/.git/reftable/tables.list", "0x2.ref\n"))


def index_with(*paths: str, version: int = 2) -> bytes:
    """Lay out just enough of an index: the header, and each path with its NUL."""
    head = b"DIRC" + version.to_bytes(4, "big") + len(paths).to_bytes(4, "big")
    return head + b"".join(b"\1" * 62 + os.fsencode(path) + b"\0\0" for path in paths)


def test_a_file_is_staged_once_the_index_names_it(git, top):
    segment = f"{top}/.varves/log/2026-11/a.jsonl"
    assert not git.staged(segment)
    (top / ".git/index").write_bytes(index_with("README.md"))
    assert not git.staged(segment)
    (top / ".git/index").write_bytes(index_with("README.md", ".varves/log/2026-11/a.jsonl"))
    assert git.staged(segment)
    assert not git.staged(f"{top}/.varves/log/2026-11/b.jsonl")


def test_the_index_is_read_again_only_when_it_changed(git, top, monkeypatch):
    (top / ".git/index").write_bytes(index_with("x"))
    git.staged(f"{top}/x")
    reads = []
    monkeypatch.setattr(Git, "_in_index", lambda *_: reads.append(1) or False)
    for _ in range(5):
        assert git.staged(f"{top}/x")
    assert not reads


def test_a_prefix_compressed_or_split_index_is_understood_on_the_safe_side(git, top):
    name = ".varves/log/2026-11/20261115-abcdef-0123456789.jsonl"
    (top / ".git/index").write_bytes(index_with(name[-20:], version=4))
    assert git.staged(f"{top}/{name}")
    (top / ".git/index").write_bytes(index_with("other"))
    (top / ".git/sharedindex.1234").write_bytes(index_with(name))
    assert git.staged(f"{top}/{name}")
