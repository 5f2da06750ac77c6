"""A lane's note is a shortcut: whatever is wrong with it, the lane starts a fresh chain."""

from __future__ import annotations

import json

import pytest

from tests.tables import each_row
from varves.errors import Busy
from varves.log.files import lane as lanes
from varves.log.files.lane import Lane, Tail
from varves.values.ids import IdSource

TAIL = Tail(segment="log/2026-11/a.jsonl", seq=4, lines=4, size=99, prev="ab", head=((1, 2), None))


class Locks:
    """Lock files as a dict; those named in `held` belong to somebody else."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.held: set[str] = set()
        self.closed: list[str] = []

    def lock(self, name):
        if name in self.held:
            return None
        self.held.add(name)
        self.files.setdefault(name, b"")
        return name

    def read(self, name, start=0):
        return self.files[name][start:]

    def rewrite(self, handle, content):
        self.files[handle] = content

    def close(self, handle):
        self.held.discard(handle)
        self.closed.append(handle)


@pytest.fixture
def store():
    return Locks()


def take(store, clone="clone", *, fresh=False):
    return Lane.take(store, clone, IdSource(), fresh=fresh)


def noted(store) -> dict:
    lane = take(store)
    lane.tail = TAIL
    lane.release("clone")
    return json.loads(store.files["local/lanes/0.lock"])


def test_the_next_holder_goes_on_where_the_last_one_stood(store):
    name = noted(store)["lane"]
    lane = take(store)
    assert (lane.name, lane.tail) == (name, TAIL)


def test_a_held_lane_is_left_alone_and_the_next_one_taken(store):
    first, second = take(store), take(store)
    assert (first.handle, second.handle) == ("local/lanes/0.lock", "local/lanes/1.lock")
    assert first.name != second.name


def test_a_lane_of_another_clone_is_not_taken_over(store):
    noted(store)
    other = take(store, "other")
    assert other.handle == "local/lanes/1.lock"
    assert other.tail == Tail()
    assert "local/lanes/0.lock" not in store.held


def test_a_fresh_lane_forgets_the_chain(store):
    name = noted(store)["lane"]
    lane = take(store, fresh=True)
    assert lane.tail == Tail()
    assert lane.name != name


BROKEN = [
    *(b"", b"{", b"null", b"[]", b"3", b'"x"', b"\xff\xfe", b"{}", b"[" * 100_000),
    *(b'{"clone":"clone"}', b'{"tail":{}}', b'{"tail":null,"lane":"abcd","clone":"clone"}'),
]


@each_row("content", BROKEN)
def test_a_note_that_cannot_be_read_starts_a_fresh_chain(content):
    store = Locks()
    store.files["local/lanes/0.lock"] = content
    lane = take(store)
    assert lane.handle == "local/lanes/0.lock"
    assert lane.tail == Tail()


@each_row(
    ("field", "value"),
    [
        *(("segment", 5), ("seq", "4"), ("size", None), ("hlc", "not hex"), ("hlc", 7)),
        *(("prev", ["x"]), ("head", 3), ("lines", {}), ("unheard", 1), ("inode", 1.5)),
    ],
)
def test_a_note_with_a_wrong_field_starts_a_fresh_chain(field, value):
    store = Locks()
    note = noted(store)
    note["tail"][field] = value
    del note["sum"]
    note["sum"] = lanes._sum(note)
    store.files["local/lanes/0.lock"] = json.dumps(note).encode()
    assert take(store).tail == Tail()


def test_when_every_lane_is_taken_the_writer_is_told(store, monkeypatch):
    monkeypatch.setattr(lanes, "MAX_LANES", 3)
    for _ in range(3):
        take(store)
    with pytest.raises(Busy, match="too many processes"):
        take(store)
