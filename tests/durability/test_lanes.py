"""Lanes and segments: who goes on in which file, and when a file is left for a fresh one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

import varves
from tests.durability.reader import Segment, read_log
from tests.durability.scene import assert_kept, bare, move_head, only_segment
from tests.rooms import room

if TYPE_CHECKING:
    from pathlib import Path


def git(project: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=project, check=True, capture_output=True)


def lock_of(project: Path, number: int = 0) -> Path:
    return project / ".varves" / "local" / "lanes" / f"{number}.lock"


def in_order(project: Path) -> list[Segment]:
    """Return the segments of one chain, first to last."""
    return sorted(read_log(project), key=lambda segment: segment.events[0]["seq"])


def assert_closed(project: Path, before: Segment, after: Segment) -> None:
    """Check that a segment's first line closes the one before, and goes on with its chain."""
    first = after.events[0]
    assert first["kind"] == "segment.closed"
    assert first["data"] == {
        "segment": str(before.path.relative_to(project / ".varves")),
        "lines": len(before.events),
        "bytes": before.path.stat().st_size - len(before.torn),
        "last": before.events[-1]["h"],
    }
    assert first["writer"] == before.events[-1]["writer"]
    assert first["seq"] == before.events[-1]["seq"] + 1
    assert first["prev"] == before.events[-1]["h"]
    assert sum(event["kind"] == "segment.closed" for event in after.events) == 1


def test_one_command_after_the_other_shares_one_segment(project, varves):
    for number in range(5):
        assert varves("remember", f"statement {number}").code == 0
    (segment,) = read_log(project)
    assert [event["data"]["text"] for event in segment.events] == [
        f"statement {number}" for number in range(5)
    ]
    assert [event["seq"] for event in segment.events] == [1, 2, 3, 4, 5]
    assert os.listdir(lock_of(project).parent) == ["0.lock"]


def test_ledgers_open_at_once_have_lanes_of_their_own(project):
    with varves.open(project) as one, varves.open(project) as two:
        for ledger in (one, two, one, two):
            ledger.remember(f"statement {os.urandom(4).hex()}")
    assert [len(segment.events) for segment in read_log(project)] == [2, 2]
    with varves.open(project) as three:
        three.remember("goes on in the first lane")
    assert sorted(len(segment.events) for segment in read_log(project)) == [2, 3]


NOTES = [
    b"",
    b"{",
    b"garbage\n",
    b"\xff\xfe\x00\x01",
    b"null",
    b"[]",
    b"{}",
    b'{"tail":{}}',
    b'{"lane":"abcd","tail":[]}',
    b'{"lane":"abcd","tail":{"segment":7}}',
    b'{"lane":"abcd","tail":{"unknown":1}}',
    b'{"lane":"../x","tail":{}}',
    b'{"lane":"abcd","tail":{"size":"many"}}',
    b'{"lane":"abcd","tail":{"hlc":"zz"}}',
    b"[" * 100_000,
    b"1" * 5000,
]


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("note", NOTES, ids=lambda note: repr(note[:40]))
def test_a_garbled_note_costs_a_fresh_lane_and_nothing_else(project, note):
    with varves.open(project) as before:
        told = [str(before.remember("before").event)]
    lock_of(project).write_bytes(note)
    with varves.open(project) as after:
        told += [str(after.remember(f"after {n}").event) for n in range(2)]
    left, fresh = sorted(read_log(project), key=lambda segment: len(segment.events))
    assert len(left.events) == 1
    assert (fresh.events[0]["seq"], fresh.events[0]["prev"]) == (1, None)
    assert fresh.events[0]["writer"] != left.events[0]["writer"]
    assert_kept(project, told)


def test_a_note_cut_at_any_byte_is_harmless(project):
    told = []
    with varves.open(project) as ledger:
        told.append(str(ledger.remember("first").event))
    note = lock_of(project).read_bytes()
    for size in range(0, len(note), 23):
        lock_of(project).write_bytes(note[:size])
        with varves.open(project) as ledger:
            told.append(str(ledger.remember(f"after {size}").event))
    assert_kept(project, told)


def test_a_lost_lock_file_costs_a_fresh_lane_and_nothing_else(project):
    told = []
    for number in range(3):
        with varves.open(project) as ledger:
            told.append(str(ledger.remember(f"statement {number}").event))
        shutil.rmtree(project / ".varves" / "local")
    assert len(read_log(project)) == 3
    assert_kept(project, told)


def test_a_note_of_another_clone_is_left_alone(project):
    """A folder shared between machines: that lane is not ours to continue."""
    with varves.open(project) as ledger:
        ledger.remember("before")
    noted = json.loads(lock_of(project).read_bytes())
    noted["clone"] = "anotherone"
    del noted["sum"]
    noted["sum"] = crc32(json.dumps(noted).encode())
    foreign = json.dumps(noted).encode()
    lock_of(project).write_bytes(foreign)
    with varves.open(project) as ledger:
        ledger.remember("after")
    assert lock_of(project).read_bytes() == foreign
    assert len(read_log(project)) == 2


@pytest.mark.parametrize("reopened", [False, True], ids=["same process", "another"])
def test_a_moved_head_begins_a_segment_that_closes_the_last(project, reopened):
    ledger = varves.open(project)
    told = [str(ledger.remember(f"before {n}").event) for n in range(3)]
    for _ in range(3):
        git(project, "add", "--all")
        git(project, "commit", "--quiet", "-m", "all")
        if reopened:
            ledger.close()
            ledger = varves.open(project)
        told += [str(ledger.remember(f"after {len(told)} {n}").event) for n in range(2)]
    ledger.close()
    segments = in_order(project)
    assert [len(segment.events) for segment in segments] == [3, 3, 3, 3]
    for before, after in pairwise(segments):
        assert_closed(project, before, after)
    assert_kept(project, told)


def test_a_closed_segment_is_not_looked_at_again(tmp_path, home):
    """What cannot grow costs a reader nothing, however many segments there are."""
    project = bare(tmp_path / "moving")
    with varves.open(project) as ledger, varves.open(project) as reader:
        for number in range(8):
            move_head(project, number)
            ledger.remember(f"statement {number}")
            if number % 3 == 0:
                reader.log()
        reader.log()
        assert len(read_log(project)) == 8
        with room(project) as seen:
            assert len(seen.index.get().logs().known("project").open()) == 1


def test_head_may_move_in_any_way(project):
    """Commit, new branch, checkout, detached HEAD, packed refs: each is a different HEAD."""
    ledger = varves.open(project)
    ledger.remember("zero")
    steps = [
        ["commit", "--quiet", "--allow-empty", "-m", "one"],
        ["checkout", "--quiet", "-b", "side"],
        ["commit", "--quiet", "--allow-empty", "-m", "two"],
        ["checkout", "--quiet", "main"],
        ["checkout", "--quiet", "--detach"],
        ["commit", "--quiet", "--allow-empty", "-m", "three"],
        ["checkout", "--quiet", "main"],
        ["merge", "--quiet", "--no-edit", "side"],
    ]
    for count, step in enumerate(steps, 1):
        git(project, *step)
        ledger.remember(f"after {step} {count}")
        assert len(read_log(project)) == count + 1, step
        ledger.remember(f"once more after {step} {count}")
        assert len(read_log(project)) == count + 1, step
    ledger.close()
    segments = in_order(project)
    for before, after in pairwise(segments):
        assert_closed(project, before, after)


INDICES = {
    "version 2": [["config", "index.version", "2"]],
    "version 3": [["config", "index.version", "3"]],
    "version 4": [["config", "index.version", "4"]],
    "split": [["config", "core.splitIndex", "true"], ["update-index", "--split-index"]],
    "split, version 4": [
        ["config", "index.version", "4"],
        ["config", "core.splitIndex", "true"],
        ["update-index", "--split-index"],
    ],
}


@pytest.mark.full_size(sample=2)
@pytest.mark.parametrize("settings", INDICES.values(), ids=INDICES.keys())
@pytest.mark.parametrize("reopened", [False, True], ids=["same process", "another"])
def test_a_staged_segment_is_left(project, settings, reopened):
    """An append between `git add` and `git commit` would make the next checkout refuse."""
    for setting in settings:
        git(project, *setting)
    for number in range(20):  # neighbours in the index, with which names share their beginnings
        (project / f".varves-{number}").write_text("x", encoding="utf-8")
    git(project, "add", "--all")
    ledger = varves.open(project)
    told = [str(ledger.remember("before").event)]
    for _ in range(2):
        git(project, "add", "--all")
        if reopened:
            ledger.close()
            ledger = varves.open(project)
        told += [str(ledger.remember(f"after {len(told)} {n}").event) for n in range(2)]
    ledger.close()
    segments = in_order(project)
    assert [len(segment.events) for segment in segments] == [1, 3, 3]
    for before, after in pairwise(segments):
        assert_closed(project, before, after)
    assert_kept(project, told)


def test_staging_something_else_does_not_end_a_segment(project, ledger):
    for number in range(3):
        (project / f"file{number}").write_text("x", encoding="utf-8")
        git(project, "add", f"file{number}")
        ledger.remember(f"statement {number}")
    assert len(only_segment(project).read_bytes().splitlines()) == 3


def replaced(path: Path) -> None:
    """As an editor or git itself writes: a fresh file under the same name."""
    content = path.read_bytes()
    path.with_suffix(".tmp").write_bytes(content)
    path.with_suffix(".tmp").replace(path)


def removed(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    os.truncate(path, 10)


def grown(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"half a line of somebody else")


@pytest.mark.parametrize("happening", [replaced, removed, cut, grown])
@pytest.mark.parametrize("reopened", [False, True], ids=["same process", "another"])
def test_a_file_that_is_not_as_we_left_it_is_left(project, happening, reopened):
    ledger = varves.open(project)
    ledger.remember("before")
    before = only_segment(project)
    if reopened:
        ledger.close()
        ledger = varves.open(project)
    happening(before)
    content = before.read_bytes() if before.exists() else None
    told = str(ledger.remember("after").event)
    ledger.close()
    if happening is grown and reopened:
        (segment,) = read_log(project)  # a torn tail to the lane's next owner: set aside
        assert [event["data"]["text"] for event in segment.events] == ["before", "after"]
        return
    assert (before.read_bytes() if before.exists() else None) == content
    after = next(segment for segment in read_log(project) if segment.path != before)
    assert [event["kind"] for event in after.events] == ["segment.closed", "memory.recorded"]
    assert after.events[1]["id"] == told
    assert after.events[0]["data"]["segment"].endswith(before.name)


def test_a_segment_ends_at_a_thousand_lines(project, ledger):
    ledger.remember_many({"text": f"statement {n}"} for n in range(999))
    ledger.remember("the thousandth")
    ledger.remember("the first of the next")
    before, after = in_order(project)
    assert len(before.events) == 1000
    assert_closed(project, before, after)


def test_a_segment_ends_at_a_mebibyte(project, ledger):
    for number in range(6):
        ledger.remember(f"{number} " + "stone " * 40_000, allow_secret=True)
    before, after = in_order(project)
    assert len(before.events) == 5
    assert_closed(project, before, after)


def test_the_next_day_begins_a_segment(project):
    day = 86_400_000

    class Clock:
        fixed = False
        ms = 1_794_722_400_000

        def now(self) -> int:
            return self.ms

    clock = Clock()
    with varves.open(project, clock=clock) as ledger:
        ledger.remember("today")
        clock.ms += day
        ledger.remember("tomorrow")
        clock.ms -= day
        ledger.remember("the clock was set back")
    before, after = in_order(project)
    assert "20261115-" in before.path.name
    assert "20261116-" in after.path.name
    assert len(after.events) == 3, "order, not the clock, says what day it is"
    assert_closed(project, before, after)


DYING = """
import os, sys, varves
from varves.context import context
from varves.places.store import Files
class Dying(Files):
    wrote = False
    def write(self, handle, content):
        self.wrote = True
        return super().write(handle, content)
    def rewrite(self, handle, content):
        if self.wrote:
            os.kill(os.getpid(), 9)
        super().rewrite(handle, content)
context.Files = Dying
varves.open(sys.argv[1]).remember_many([{"text": f"one of many, {n}"} for n in range(5)])
"""


def settle() -> None:
    """Wait until a folder's time stamp tells a reader everything."""
    time.sleep(0.06)


def test_a_writer_that_died_before_its_note_hides_nothing_from_readers(tmp_path, home):
    """Regression: its successor takes up the chain at an earlier place, so the chain forks.

    A reader that judged by a writer's highest number took the successor's file for an old one.
    """
    project = bare(tmp_path / "forked")
    with varves.open(project) as ledger:
        told = [str(ledger.remember("first").event)]
    reader = varves.open(project)
    assert len(reader.log()) == 1
    move_head(project, 1)
    done = subprocess.run([sys.executable, "-c", DYING, str(project)], check=False, timeout=60)
    assert done.returncode == -9
    with varves.open(project) as writer:
        for number in range(4):
            told.append(str(writer.remember(f"after {number}").event))
            settle()
            assert set(told) <= {event.id for event in reader.log()}
        assert writer.remember("after 1").status == "known"
    numbers = [(e["writer"], e["seq"]) for s in read_log(project) for e in s.events]
    assert len(numbers) > len(set(numbers)), "the chain did not fork, so nothing was shown"
    reader.close()
    assert_kept(project, told)


def test_a_segment_that_was_closed_is_never_continued(project):
    """Its closer may have died before it could note that: staged, closed, and unstaged again."""
    with varves.open(project) as ledger:
        told = [str(ledger.remember("first").event)]
    closed = only_segment(project)
    git(project, "add", "--all")
    done = subprocess.run([sys.executable, "-c", DYING, str(project)], check=False, timeout=60)
    assert done.returncode == -9
    git(project, "rm", "--quiet", "-r", "--cached", ".")
    with varves.open(project) as ledger:
        told.append(str(ledger.remember("second").event))
    assert len(next(s for s in read_log(project) if s.path == closed).events) == 1
    assert_kept(project, told)


def test_the_note_of_a_segment_that_is_left_is_synced_before_the_next_begins(
    tmp_path, home, faults
):
    """Regression: a power cut took back HEAD and the note, and a closed segment was continued."""
    project = bare(tmp_path / "cut")
    with varves.open(project) as ledger:
        ledger.remember("first")
        move_head(project, 1)
        synced: list[str] = []

        def look(name: str, args: tuple[Any, ...]) -> None:
            if name == "fsync":
                synced.append(os.readlink(f"/proc/self/fd/{args[0]}"))

        faults.count()
        faults.before = look
        ledger.remember("second")
        faults.heal()
    names = [path.rpartition("/")[2] for path in synced]
    begun = [name for name in names if name.endswith(".jsonl")]
    assert names.index("0.lock") < names.index(begun[0])


def test_a_copied_clone_hides_nothing_from_readers(project, tmp_path):
    """Regression: copies of a clone share its name and lanes, and meet again through git."""
    with varves.open(project) as ledger:
        told = [str(ledger.remember("first").event)]
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "-m", "first")
    copy = tmp_path / "copy"
    shutil.copytree(project, copy)
    with varves.open(project) as ledger:
        told += [str(ledger.remember(f"in the original {n}").event) for n in range(5)]
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "-m", "second")
    git(copy, "pull", "--quiet", str(project), "main")
    with varves.open(copy) as ledger:
        for number in range(3):
            told.append(str(ledger.remember(f"in the copy {number}").event))
            settle()
            assert set(told) == {e.id for e in ledger.log() if e.kind == "memory.recorded"}
    assert_kept(copy, told)


def test_a_child_sees_what_its_parent_says_after_the_fork(project):
    """The parent's segment is not the child's own."""
    script = """
import os, sys, varves
ledger = varves.open(sys.argv[1])
ledger.remember("before the fork")
ours, theirs = os.pipe()
back, forth = os.pipe()
pid = os.fork()
if pid == 0:
    ledger.remember("from the child")
    os.write(theirs, b"x")
    os.read(back, 1)
    os._exit(0 if ledger.remember("from the parent").status == "known" else 1)
os.read(ours, 1)
ledger.remember("from the parent")
os.write(forth, b"x")
sys.exit(os.waitpid(pid, 0)[1] >> 8)
"""
    done = subprocess.run([sys.executable, "-c", script, str(project)], check=False, timeout=60)
    assert done.returncode == 0
    kinds: list[Any] = [e["kind"] for s in read_log(project) for e in s.events]
    assert kinds.count("memory.recorded") == 3
