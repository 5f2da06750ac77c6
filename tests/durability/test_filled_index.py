"""A large index is filled in bulk, in a file of its own, and takes the place of the one in use."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys

import pytest

import varves
from tests.durability.scene import REPOSITORY
from tests.places import local_of
from tests.properties.shelf import contents
from tests.rooms import room
from varves.index.runner import BULK_BYTES

WORD = "zebra"
SECRET = "the walrus sleeps under the seventh bridge"  # noqa: S105


@pytest.fixture
def large(project):
    """Give a project whose log is so large that its index is filled in bulk."""
    with varves.open(project) as ledger:
        names = [
            ledger.remember(f"{WORD} {number} " + f"herd{number} " * 9000).id
            for number in range(1 + BULK_BYTES // 54_000)
        ]
        ledger.correct(names[0], "The first herd has moved")
        ledger.forget(names[1], reason="gone")
        ledger.remember(SECRET)
    return project


def answers(ledger: varves.Ledger) -> tuple:
    hits = ledger.recall(f"{WORD} herd moved", k=50, budget=1_000_000).hits
    return (
        [memory.as_dict() for memory in ledger.list(status="all")],
        [hit.memory.id for hit in hits],
        [event.id for event in ledger.log() if event.log == "project"],
    )


def files(root) -> list[str]:
    """Return the names of the files of the index, without SQLite's journals."""
    names = (path.name for path in local_of(root).glob("index.sqlite*"))
    return sorted(name for name in names if not name.endswith(("-wal", "-shm", "-journal")))


def in_use(root) -> str:
    return f"index.sqlite.{(local_of(root) / 'index.sqlite.now').read_text(encoding='ascii')}"


def test_a_rebuild_gives_the_same_in_a_new_file_and_leaves_no_other(large):
    with varves.open(large) as ledger:
        before = answers(ledger)
        assert files(large) == ["index.sqlite"]
        for _ in range(2):
            earlier = ledger.status()["index"]
            ledger.rebuild()
            assert answers(ledger) == before
            assert files(large) == sorted((in_use(large), "index.sqlite.now"))
            now = ledger.status()["index"]
            assert now == str(local_of(large) / in_use(large)) != earlier
    with varves.open(large) as ledger:
        assert answers(ledger) == before


def test_the_first_reader_of_a_large_log_fills_its_index_in_bulk(large):
    with varves.open(large) as ledger:
        before = answers(ledger)
    shutil.rmtree(local_of(large))
    with varves.open(large) as ledger:
        assert answers(ledger) == before
        assert files(large) == sorted((in_use(large), "index.sqlite.now"))
        later = ledger.remember("Said after the index was filled").id
        assert ledger.recall("filled after").hits[0].memory.id == later


def test_another_ledger_goes_on_and_uses_the_new_file_after_the_next_write(large):
    with varves.open(large) as other, varves.open(large) as ledger:
        before = answers(other)
        ledger.rebuild()
        assert answers(other) == before
        name = ledger.remember("Said after the rebuild").id
        assert other.recall("rebuild after said").hits[0].memory.id == name
        assert other.status()["index"] == str(local_of(large) / in_use(large))
        assert answers(other) == answers(ledger)


def test_until_the_new_index_is_complete_the_present_one_answers(large):
    seen: list[tuple] = []
    with varves.open(large) as other, varves.open(large) as ledger:
        before = answers(other)
        ledger.rebuild(progress=lambda _: seen.append(answers(other)))
        assert seen
        assert all(one == before for one in seen)


class Interrupted:
    """Stops a rebuild after some of its reports, as Ctrl-C does."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.reports: list[int] = []

    def __call__(self, done: int) -> None:
        self.reports.append(done)
        if len(self.reports) == self.after:
            raise KeyboardInterrupt


def many_files(root, count: int) -> None:
    """Give the log many segments: each is written by a ledger that was opened anew."""
    for number in range(count):
        with varves.open(root, mode="fast") as ledger:
            ledger.remember(f"segment {number} of many")
        for lane in (root / ".varves/local/lanes").iterdir():
            lane.unlink()


@pytest.mark.parametrize("after", [1, 20, 35])
def test_an_interrupted_rebuild_changes_nothing_and_the_next_one_goes_on(large, after):
    many_files(large, 40)
    with varves.open(large) as ledger:
        before, events = answers(ledger), ledger.status()["events"]
        interrupted = Interrupted(after)
        with pytest.raises(KeyboardInterrupt):
            ledger.rebuild(progress=interrupted)
        assert answers(ledger) == before
        assert ledger.status()["index"] == str(local_of(large) / "index.sqlite")
        done: list[int] = []
        made = ledger.rebuild(progress=done.append)
        assert made["events"] == events
        assert answers(ledger) == before
        assert files(large) == sorted((in_use(large), "index.sqlite.now"))
        if after > 16:
            assert len(done) < 41, "the parts that were read are not read again"
    with room(large) as one:
        filled = contents(one.fresh().index)
    shutil.rmtree(local_of(large))
    with room(large) as one:
        assert contents(one.fresh().index) == filled


class Shares:
    """Notes what long work reports: the number of items, and the share of the whole."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.shares: list[float] = []

    def share(self, share: float) -> None:
        self.shares.append(share)

    def __call__(self, done: int) -> None:
        self.done.append(done)


def test_long_work_reports_its_share_of_the_whole(large):
    many_files(large, 5)
    with varves.open(large) as ledger:
        events = ledger.status()["events"]
        for verb in (ledger.rebuild, ledger.verify):
            told = Shares()
            verb(progress=told)
            assert told.done == sorted(told.done)
            assert told.shares == sorted(told.shares)
            assert len(told.shares) > 5
            assert 0.5 < told.shares[-1] <= 1
            assert told.done[-1] >= events - 3  # those of the private log are counted apart


KILLED = """
import os, sys, varves
def stop(done):
    os.kill(os.getpid(), 9)
with varves.open(sys.argv[1]) as ledger:
    ledger.rebuild(progress=stop)
"""


def test_a_killed_rebuild_leaves_a_file_that_the_next_one_removes(large):
    with varves.open(large) as ledger:
        before = answers(ledger)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(large)], cwd=REPOSITORY, timeout=60, check=False
    )
    assert done.returncode == -9
    assert len(files(large)) == 2
    with varves.open(large) as ledger:
        assert answers(ledger) == before
        ledger.rebuild()
        assert answers(ledger) == before
    assert files(large) == sorted((in_use(large), "index.sqlite.now"))


def test_a_purge_erases_what_a_killed_rebuild_left(large):
    with varves.open(large) as ledger:
        [hit] = [one for one in ledger.list() if one.text == SECRET]
        ledger.rebuild()
    left = local_of(large) / "index.sqlite.abcdefghij"
    shutil.copy(local_of(large) / in_use(large), left)
    assert SECRET.encode() in left.read_bytes()
    with varves.open(large) as ledger:
        before = [one for one in answers(ledger)[0] if one["id"] != hit.id]
        ledger.purge(hit.id, reason="private")
        assert answers(ledger)[0] == before
    for path in local_of(large).glob("index.sqlite*"):
        assert SECRET.encode() not in path.read_bytes(), path.name


@pytest.mark.parametrize(
    "content", [b"", b"..", b"/etc/passwd", b"abcdefghij", b"../../../x", b"\xff" * 10]
)
def test_a_pointer_that_names_no_index_is_ignored(large, content):
    with varves.open(large) as ledger:
        ledger.rebuild()
        before = answers(ledger)
    (local_of(large) / "index.sqlite.now").write_bytes(content)
    with varves.open(large) as ledger:
        assert answers(ledger) == before


def test_a_pointer_to_a_link_is_not_followed(large, tmp_path):
    with varves.open(large) as ledger:
        before = answers(ledger)
    elsewhere = tmp_path / "elsewhere.sqlite"
    sqlite3.connect(elsewhere).close()
    (local_of(large) / "index.sqlite.abcdefghij").symlink_to(elsewhere)
    (local_of(large) / "index.sqlite.now").write_bytes(b"abcdefghij")
    with varves.open(large) as ledger:
        assert answers(ledger) == before
    assert os.path.getsize(elsewhere) == 0


@pytest.mark.parametrize("seed", range(4))
def test_damage_to_a_filled_index_changes_no_answer(large, seed):
    chance = random.Random(seed)
    with varves.open(large) as ledger:
        ledger.rebuild()
        before = answers(ledger)
    path = local_of(large) / in_use(large)
    if seed == 0:
        path.unlink()
    elif seed == 1:
        os.truncate(path, chance.randrange(1, path.stat().st_size))
    elif seed == 2:
        os.truncate(path, path.stat().st_size - 4096)
    else:
        path.write_bytes(chance.randbytes(70_000))
    with varves.open(large) as ledger:
        assert answers(ledger) == before


def test_two_rebuilds_at_once_both_succeed(large):
    with varves.open(large) as ledger:
        before = answers(ledger)
    run = [sys.executable, "-m", "varves", "rebuild", "--root", str(large), "--json"]
    both = [subprocess.Popen(run, cwd=REPOSITORY, stdout=subprocess.PIPE) for _ in range(2)]
    told = [one.communicate(timeout=120)[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], told
    with varves.open(large) as ledger:
        assert answers(ledger) == before
    assert files(large) == sorted((in_use(large), "index.sqlite.now"))
