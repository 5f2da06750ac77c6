"""Real files: locks between two handles of one process, and files that are replaced."""

from __future__ import annotations

import os
from errno import EIO

import pytest

from varves.places import locks
from varves.places.store import Files


@pytest.fixture
def store(tmp_path):
    return Files(str(tmp_path), private=False)


def test_a_file_that_another_handle_holds_cannot_be_held(store):
    store.replace("a", b"content")
    with open(f"{store.root}/a", "rb") as one, open(f"{store.root}/a", "rb") as other:
        assert store.hold(one.fileno())
        assert not store.hold(other.fileno())
        store.let_go(one.fileno())
        assert store.hold(other.fileno())


def test_trying_the_locks_leaves_none_behind(store):
    assert locks.tested(store)
    handle = store.lock("local/test.lock")
    assert handle is not None
    store.close(handle)


def test_what_a_process_left_that_was_killed_while_it_wrote_is_in_nobodys_way(
    store, tmp_path, monkeypatch
):
    """Its number may be given to another process, whose temporary file has the same name."""
    seen, sync = set(), os.fsync

    def look(handle):
        seen.update(path for path in tmp_path.rglob("*") if path.is_file())
        sync(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", look)
        store.replace("a", b"first")
    (passing,) = seen - {tmp_path / "a"}
    passing.write_bytes(b"half of the fi")
    store.replace("a", b"second")
    assert store.read("a") == b"second"
    assert not passing.exists()


def test_a_write_that_fails_changes_nothing_and_leaves_nothing(store, tmp_path, monkeypatch):
    store.replace("a", b"first")

    def fail(_handle):
        raise OSError(EIO, "the disk failed")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="the disk failed"):
            store.replace("a", b"second")
    assert store.read("a") == b"first"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / "a"]


def test_a_read_makes_no_folder(tmp_path):
    store = Files(str(tmp_path / "absent/folder"), private=True)
    assert store.stat("a") is None
    with pytest.raises(FileNotFoundError):
        store.read("a")
    assert list(tmp_path.iterdir()) == []
