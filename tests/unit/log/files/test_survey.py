"""The survey against a store that is only a dict: what changed, what is gone, what is still."""

from __future__ import annotations

import pytest

from varves.log.files.survey import (
    UNSETTLED,
    file_mark,
    folders_mark,
    folders_of,
    read_up_to,
    stat_of,
    still,
    survey,
)

LONG_AGO = 1_000_000_000_123_456_789
NOW = LONG_AGO + 3600 * 1_000_000_000
MONTH = "log/2026-11"


class Folders:
    """Files by name; a folder's signature counts the changes made in it."""

    def __init__(self) -> None:
        self.files: dict[str, tuple[int, int, int]] = {}
        self.changes: dict[str, tuple[int, int]] = {}
        self.asked: list[str] = []

    def put(self, name: str, size: int, *, at: int = LONG_AGO, inode: int = 1) -> None:
        if name not in self.files:
            self._changed(name.rpartition("/")[0], at)
        self.files[name] = (size, at, inode)

    def remove(self, name: str, *, at: int = LONG_AGO) -> None:
        del self.files[name]
        self._changed(name.rpartition("/")[0], at)

    def _changed(self, folder: str, at: int) -> None:
        if folder not in self.changes and "/" in folder:
            self._changed(folder.rpartition("/")[0], at)
        self.changes[folder] = (self.changes.get(folder, (0, 0))[0] + 1, at)

    def stat(self, name):
        if name in self.files:
            return self.files[name]
        if name in self.changes:
            count, at = self.changes[name]
            return count, at, 7
        return None

    def entries(self, name):
        self.asked.append(name)
        if name not in self.changes:
            raise FileNotFoundError(name)
        below = {f.rpartition("/")[2]: s for f, s in self.files.items() if f.startswith(name + "/")}
        inside = [
            (folder.rpartition("/")[2], True, self.stat(folder))
            for folder in self.changes
            if folder.rpartition("/")[0] == name
        ]
        direct = [
            (leaf, False, seen) for leaf, seen in below.items() if f"{name}/{leaf}" in self.files
        ]
        return inside + direct


class Known:
    """What a reader keeps between two looks."""

    def __init__(self, store: Folders) -> None:
        self.store = store
        self.folders: dict[str, tuple[int, int, int]] = {}
        self.files: dict[str, bytes] = {}
        self.growing: dict[str, bytes] = {}

    def look(self, now: int = NOW):
        found = survey(
            self.store,
            folders=self.folders,
            files=self.growing,
            files_in=lambda folder: {
                n: s for n, s in self.files.items() if n.startswith(folder + "/")
            },
            now_ns=lambda: now,
        )
        for name, seen in found.folders.items():
            if seen is None:
                self.folders.pop(name, None)
            else:
                self.folders[name] = seen
        for name in found.gone:
            self.files.pop(name, None)
            self.growing.pop(name, None)
        marks = {name: file_mark(seen, 3, 5, b"7 9") for name, seen in found.changed.items()}
        self.files.update(marks)
        self.growing.update(marks)
        self.folders = folders_of(folders_mark(self.folders))
        return found

    def still(self) -> bool:
        return still(self.store, self.folders, self.growing)


@pytest.fixture
def store():
    return Folders()


@pytest.fixture
def known(store):
    return Known(store)


def test_a_log_that_is_not_there_is_still(known):
    assert known.still()
    assert not known.look().changed


def test_every_segment_is_new_at_first_and_nothing_after_that(store, known):
    store.put(f"{MONTH}/a.jsonl", 10)
    store.put("log/2026-12/b.jsonl", 20)
    assert not known.still()
    assert sorted(known.look().changed) == [f"{MONTH}/a.jsonl", "log/2026-12/b.jsonl"]
    assert known.still()
    store.asked.clear()
    again = known.look()
    assert not again.changed
    assert not again.gone
    assert store.asked == [], "nothing changed, so no folder is listed"


def test_only_segments_count_and_blobs_are_no_month(store, known):
    store.put(f"{MONTH}/a.jsonl", 10)
    store.put(f"{MONTH}/notes.txt", 10)
    store.put("log/blobs/ab", 10)
    assert list(known.look().changed) == [f"{MONTH}/a.jsonl"]


def test_growth_is_seen_without_listing_the_folder(store, known):
    store.put(f"{MONTH}/a.jsonl", 10)
    known.look()
    store.put(f"{MONTH}/a.jsonl", 30)
    assert not known.still()
    store.asked.clear()
    assert known.look().changed == {f"{MONTH}/a.jsonl": (30, LONG_AGO, 1)}
    assert store.asked == []


def test_a_file_that_went_and_one_that_came_are_both_told(store, known):
    store.put(f"{MONTH}/a.jsonl", 10)
    known.look()
    store.remove(f"{MONTH}/a.jsonl")
    store.put(f"{MONTH}/b.jsonl", 11)
    found = known.look()
    assert found.gone == [f"{MONTH}/a.jsonl"]
    assert list(found.changed) == [f"{MONTH}/b.jsonl"]
    assert known.still()


def test_a_replaced_file_of_the_same_size_is_changed(store, known):
    """Git checks out another inode; the size may be the same."""
    store.put(f"{MONTH}/a.jsonl", 10)
    known.look()
    store.put(f"{MONTH}/a.jsonl", 10, inode=2)
    assert list(known.look().changed) == [f"{MONTH}/a.jsonl"]


def test_a_month_that_is_gone_takes_its_files_along(store, known):
    store.put(f"{MONTH}/a.jsonl", 10)
    store.put("log/2026-12/b.jsonl", 10)
    known.look()
    del store.files[f"{MONTH}/a.jsonl"]
    del store.changes[MONTH]
    store._changed("log", LONG_AGO)
    found = known.look()
    assert found.gone == [f"{MONTH}/a.jsonl"]
    assert MONTH not in known.folders
    assert known.still()


def test_a_whole_log_that_is_gone_is_told_file_by_file(store, known):
    store.put(f"{MONTH}/a.jsonl", 10)
    known.look()
    store.files.clear()
    store.changes.clear()
    found = known.look()
    assert found.gone == [f"{MONTH}/a.jsonl"]
    assert not known.folders
    assert known.still()


def test_a_folder_touched_just_now_is_looked_at_again(store, known):
    """Two files made within one tick of the file system's clock leave one signature."""
    store.put(f"{MONTH}/a.jsonl", 10, at=NOW - 1_000_000)
    known.look()
    assert known.folders[MONTH] == UNSETTLED
    assert not known.still()
    store.files[f"{MONTH}/b.jsonl"] = (5, NOW, 9)  # made in the same tick: the folder looks alike
    assert list(known.look(NOW + 1_000_000_000).changed) == [f"{MONTH}/b.jsonl"]
    assert known.still()


def test_whole_second_times_are_given_longer_to_settle(store, known):
    second = NOW - NOW % 1_000_000_000
    store.put(f"{MONTH}/a.jsonl", 10, at=second)
    known.look(second + 2_000_000_000)
    assert not known.still()
    known.look(second + 3_000_000_000)
    assert known.still()


def test_marks_hold_whatever_a_file_and_a_folder_may_be_called():
    """A folder's name came with a clone, and the last bytes of a file may be any."""
    ending = b'"h":"ab 12"}\n \0'
    assert read_up_to(file_mark((1, 2, -1), 40, 77, ending)) == (40, 77, ending)
    assert stat_of(file_mark((1, 2, -1), 40, 77, ending)) == (1, 2, -1)
    assert read_up_to(b"") == (0, 0, b"")
    odd = {"log": (1, 2, 3), "log/a b\nc": UNSETTLED, "log/\udcff": (4, 5, 6)}
    assert folders_of(folders_mark(odd)) == odd
    assert folders_of(folders_mark({})) == {}
