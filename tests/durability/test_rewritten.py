"""A segment changed where it lies, and put back: readers see what it says, and see it cheaply."""

from __future__ import annotations

import errno
import os
import subprocess
from itertools import count
from typing import TYPE_CHECKING

import pytest

import varves as package
from tests.properties.shelf import index_dump
from tests.properties.world import START
from varves.errors import Damaged
from varves.index.freshness import is_stale
from varves.index.runner import catch_up
from varves.index.sqlite.index import EVERY, LOOKED_AT, SqliteIndex
from varves.log.files.log import FileLog
from varves.places.store import Files

if TYPE_CHECKING:
    from pathlib import Path


def segments(project: Path) -> list[Path]:
    return sorted((project / ".varves" / "log").glob("*/*.jsonl"), key=os.path.getmtime)


def in_place(path: Path, content: bytes) -> None:
    """Write a file anew under its inode, as `cp`, nano and rsync --inplace do."""
    before = path.stat().st_ino
    with path.open("r+b") as file:
        file.write(content)
        file.truncate()
    assert path.stat().st_ino == before


def without(content: bytes, word: bytes) -> bytes:
    return b"".join(line for line in content.splitlines(keepends=True) if word not in line)


def texts(answer) -> set[str]:
    return {hit["text"] for hit in answer.json["hits"]}


FACTS = ("The heron feeds at dawn", "The lamprey feeds at dusk", "The otter feeds at night")


@pytest.fixture
def told(project, varves):
    for fact in FACTS:
        assert varves("remember", fact).code == 0
    assert set(FACTS) == texts(varves("recall", "feeds", "--json"))
    [path] = segments(project)
    return path


def assert_sound(varves) -> None:
    """Every door says that the log is whole, and nothing else."""
    assert set(FACTS) <= texts(varves("recall", "feeds", "--json"))
    assert varves("verify").code == 0
    assert "bad-line" not in varves("doctor").out
    assert varves("status", "--json").json["bad_lines"] == 0


def texts_in(ledger) -> set[str]:
    return {memory.text for memory in ledger.list()}


def test_a_reading_that_fails_takes_nothing_away_and_is_forgotten_when_it_passes(
    told, project, faults
):
    """Each call of a look at a segment that has grown fails once."""
    known = set(FACTS)
    with package.open(project) as reader, package.open(project, session="other") as writer:
        for nth in count(1):
            assert texts_in(reader) == known
            fact = f"The tern feeds at {nth}"
            writer.remember(fact)
            faults.fail_nth(nth, errno.EIO)
            try:
                answer = texts_in(reader)
            except Damaged:
                answer = known
            finally:
                faults.heal()
            assert answer >= known
            known.add(fact)
            assert texts_in(reader) == known
            assert reader.status()["bad_lines"] == 0
            if not faults.failed:
                assert nth > 4, "hardly a call was made"
                break


def test_what_may_not_be_read_any_more_is_not_told_until_it_may_be(told, project, monkeypatch):
    def refused(store, name, start=0):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    with package.open(project) as reader:
        assert texts_in(reader) == set(FACTS)
        with monkeypatch.context() as closed:
            closed.setattr(Files, "read", refused)
            os.utime(told)
            for _ in range(2):
                assert texts_in(reader) == set()
                assert reader.status()["bad_lines"] == 1
        assert texts_in(reader) == set(FACTS)
        assert reader.status()["bad_lines"] == 0


def test_a_line_deleted_in_place_is_missed_and_told_again_when_it_is_put_back(told, varves):
    good = told.read_bytes()
    in_place(told, without(good, b"lamprey"))
    assert texts(varves("recall", "feeds", "--json")) == {FACTS[0], FACTS[2]}
    in_place(told, good)
    assert_sound(varves)


def test_a_line_changed_in_place_is_bad_until_a_longer_good_file_is_put_back(told, varves):
    """The last known line is where it was, and the file has grown: as after an append."""
    good = told.read_bytes()
    in_place(told, good.replace(b"heron", b"herom"))
    assert FACTS[0] not in texts(varves("recall", "feeds", "--json"))
    in_place(told, good)
    assert varves("remember", "The stork feeds at noon").code == 0
    longer = told.read_bytes()
    assert longer.startswith(good), "the lane goes on in its segment"
    in_place(told, good.replace(b"heron", b"herom"))
    assert FACTS[0] not in texts(varves("recall", "feeds", "--json"))
    in_place(told, longer)
    assert_sound(varves)


def test_a_line_changed_before_an_append_is_seen_by_the_next_reader(told, varves):
    good = told.read_bytes()
    in_place(told, good.replace(b"heron", b"herom"))
    with told.open("ab") as file:
        file.write(good.splitlines(keepends=True)[-1])
    assert texts(varves("recall", "feeds", "--json")) == {FACTS[1], FACTS[2]}
    assert varves("status", "--json").json["bad_lines"] == 1


def test_the_same_size_and_the_same_times_do_not_hide_other_bytes(told, varves):
    """`cp -p` and `touch -r` give a file the time of another."""
    good, before = told.read_bytes(), told.stat()
    in_place(told, good.replace(b"heron", b"herom"))
    os.utime(told, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert texts(varves("recall", "feeds", "--json")) == {FACTS[1], FACTS[2]}
    in_place(told, good)
    os.utime(told, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert_sound(varves)


def test_a_file_cut_and_grown_beyond_its_old_end_is_read_whole(told, varves):
    good = told.read_bytes()
    lines = good.splitlines(keepends=True)
    in_place(told, b"".join(lines[1:]) + lines[1] + lines[2])
    assert texts(varves("recall", "feeds", "--json")) == {FACTS[1], FACTS[2]}
    in_place(told, good)
    assert_sound(varves)


def test_a_closed_segment_is_read_again_too(told, project, varves):
    for words in (["add", "--all"], ["commit", "--quiet", "-m", "all"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    assert varves("remember", "The stork feeds at noon").code == 0
    assert len(segments(project)) == 2, "the first is closed"
    varves("recall", "feeds")
    varves("recall", "feeds")
    good = told.read_bytes()
    in_place(told, without(good, b"lamprey"))
    assert FACTS[1] not in texts(varves("recall", "feeds", "--json"))
    in_place(told, good)
    assert_sound(varves)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("how", ["deleted", "changed"])
@pytest.mark.parametrize("ours", [False, True])
def test_what_is_gone_from_the_log_is_recorded_when_it_is_said_again(told, project, how, ours):
    """A write looks only at what its log has gained; "known" must not be said of what is gone."""
    with package.open(project) as ledger:
        if ours:  # the process itself writes to that segment
            ledger.remember("The stork feeds at noon")
        good = told.read_bytes()
        spoilt = without(good, b"lamprey") if how == "deleted" else good.replace(b"lamp", b"pmal")
        in_place(told, spoilt)
        assert ledger.remember(FACTS[1]).status == "recorded"
        assert [hit.memory.text for hit in ledger.recall("lamprey").hits] == [FACTS[1]]


def test_a_process_that_stays_open_sees_it_too(told, project, varves):
    with package.open(project) as ledger:
        assert len(ledger.recall("feeds").hits) == 3
        good = told.read_bytes()
        in_place(told, without(good, b"lamprey"))
        assert len(ledger.recall("feeds").hits) == 2
        in_place(told, good)
        assert len(ledger.recall("feeds").hits) == 3
    assert_sound(varves)


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("log", ["private", "global"])
def test_the_other_logs_are_read_the_same_way(project, varves, home, log):
    place = ("--private",) if log == "private" else ("--scope", "global")
    for fact in FACTS:
        assert varves("remember", fact, *place).code == 0
    paths = [*home.rglob("log/*/*.jsonl"), *(project / ".git").rglob("log/*/*.jsonl")]
    [path] = [one for one in paths if b"lamprey" in one.read_bytes()]
    good = path.read_bytes()
    in_place(path, without(good, b"lamprey"))
    assert texts(varves("recall", "feeds", "--json")) == {FACTS[0], FACTS[2]}
    in_place(path, good)
    assert_sound(varves)


# What it costs


class Counting(Files):
    """A folder that counts how often it is asked."""

    def __init__(self, root: str) -> None:
        super().__init__(root, private=False)
        self.reads = self.stats = 0

    def read(self, name: str, start: int = 0) -> bytes:
        self.reads += 1
        return super().read(name, start)

    def stat(self, name: str):
        self.stats += 1
        return super().stat(name)


@pytest.fixture
def scene(tmp_path, home):
    """Give a log of one segment's lines, laid out as many closed files and one that grows."""
    (tmp_path / "one").mkdir()
    with package.open(str(tmp_path / "one"), home=str(tmp_path / "h")) as ledger:
        for fact in FACTS:
            ledger.remember(fact)
    [path] = segments(tmp_path / "one")
    return tmp_path, path.read_bytes()


def laid_out(scene, closed: int) -> tuple[Counting, SqliteIndex, Path]:
    """Lay so many finished files beside the one that grows, all of them old, and read them."""
    root, content = scene
    folder = root / f"log-{closed}" / "log" / "2026-11"
    folder.mkdir(parents=True)
    (folder / "20261101-growing.jsonl").write_bytes(content)
    for number in range(closed):
        (folder / f"20261101-{number:06}.pack.jsonl").write_bytes(b'{"pack":1,"segments":[]}\n')
    store, index = Counting(str(root / f"log-{closed}")), SqliteIndex(None)
    for path in (folder, folder.parent):
        os.utime(path, (1, 1.5))
    settle(store, index)
    return store, index, folder


def settle(store: Counting, index: SqliteIndex) -> int:
    """Catch up until a look finds nothing to do; return how many files were read."""
    store.reads = 0
    while is_stale(index, [FileLog("project", store)], now=START, hold_back=False):
        catch_up(index, [FileLog("project", store)], now=START, hold_back=False, progress=None)
    return store.reads


def test_a_warm_look_reads_no_file_and_costs_the_same_however_many_there_are(scene):
    costs = []
    for closed in (LOOKED_AT, 3 * LOOKED_AT):
        store, index, _ = laid_out(scene, closed)
        store.reads = store.stats = 0
        assert not is_stale(index, [FileLog("project", store)], now=START, hold_back=False)
        assert store.reads == 0
        costs.append(store.stats)
    assert costs[0] == costs[1] <= LOOKED_AT + 8


def test_an_append_is_read_in_one_go_and_nothing_else_is(scene):
    store, index, folder = laid_out(scene, 5)
    before = index_dump(index, START)
    with (folder / "20261101-growing.jsonl").open("ab") as file:
        file.write(b'{"v":1}\n')
    store.reads = 0
    catch_up(index, [FileLog("project", store)], now=START, hold_back=False, progress=None)
    assert store.reads == 1
    assert index_dump(index, START) == before
    assert len(index.logs().bad_lines()) == 1


def test_beyond_the_files_of_a_plain_look_a_thorough_one_sees_them_all(scene):
    store, index, folder = laid_out(scene, 2 * LOOKED_AT)
    asked = {"now": START, "hold_back": False}
    in_place(folder / "20261101-000000.pack.jsonl", b'{"pack":1}\nnothing\n')
    index.looked_at = EVERY
    assert is_stale(index, [FileLog("project", store)], **asked)
    catch_up(index, [FileLog("project", store)], progress=None, **asked)
    assert len(index.logs().bad_lines()) == 1
