"""Locks on real files, between two handles of one process."""

from __future__ import annotations

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
