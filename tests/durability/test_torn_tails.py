"""A segment cut at every byte: readers take the longest whole prefix, only the owner repairs.

The lane's note stands where a writer that was killed would have left it: after its first event.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

import varves
from tests.durability.reader import read_log
from tests.durability.scene import DEEP, assert_kept, only_segment, set_aside, torn_tails
from tests.places import local_of
from tests.properties.lines import forged
from varves.errors import NotDurable

if TYPE_CHECKING:
    from pathlib import Path


class Killed:
    """A log of three events whose writer died without a word."""

    def __init__(self, project: Path) -> None:
        self.project = project
        with varves.open(project) as writer:
            writer.remember("the first")
            lock = project / ".varves" / "local" / "lanes" / "0.lock"
            note = lock.read_bytes()
            writer.remember("the second")
            writer.remember("the third")
        lock.write_bytes(note)
        self.lock, self.note = lock, note
        self.segment = only_segment(project)
        self.content = self.segment.read_bytes()
        self.ids = [event["id"] for event in read_log(project)[0].events]
        self.ends = [n + 1 for n, byte in enumerate(self.content) if byte == ord("\n")]

    def cut(self, size: int) -> None:
        """Let the segment hold its first bytes only, in the same file."""
        with self.segment.open("r+b") as file:
            file.write(self.content)
            file.truncate(size)

    def whole(self, size: int) -> list[str]:
        """Return the events whose lines end within the first bytes."""
        return [name for name, end in zip(self.ids, self.ends, strict=True) if end <= size]

    def reset(self, size: int) -> None:
        """Bring back the moment of death, with the segment cut."""
        for path in self.segment.parent.iterdir():
            if path != self.segment:
                path.unlink()
        self.lock.write_bytes(self.note)
        self.cut(size)


@pytest.fixture
def killed(project: Path) -> Killed:
    return Killed(project)


def test_every_cut_reads_as_the_longest_whole_prefix(killed, project):
    with varves.open(project) as reader:
        for size in reversed(range(len(killed.content) + 1)):
            killed.cut(size)
            assert [event.id for event in reader.log()] == killed.whole(size)
            if size % 16 == 0:
                verified = reader.verify(deep=True)
                noted = size >= killed.ends[0]  # the lane's note proves the first line
                assert {one.rule for one in verified.damage} == (set() if noted else {"cut"})
                assert verified.events == len(killed.whole(size))
            assert killed.segment.read_bytes() == killed.content[:size], "a reader repaired"
    assert set_aside(project) == {}


def test_a_torn_rest_is_never_read_once_it_grows_whole_again(killed, project):
    """A reader that saw half a line must not take the other half for a line of its own."""
    with varves.open(project) as reader:
        for size in range(len(killed.content)):
            killed.cut(size)
            if size % 7 == 0:
                assert [event.id for event in reader.log()] == killed.whole(size)
        killed.cut(len(killed.content))
        assert [event.id for event in reader.log()] == killed.ids
        assert reader.status()["bad_lines"] == 0


def test_where_a_torn_rest_cannot_be_kept_it_stays_and_the_log_goes_on(killed, project):
    size = killed.ends[1] + 9
    killed.reset(size)
    (local_of(project) / "set-aside").write_bytes(b"no folder\n")
    with varves.open(project) as owner:
        told = str(owner.remember("after the cut").event)
    assert killed.segment.read_bytes() == killed.content[:size]
    assert_kept(project, [*killed.whole(size), told])


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EMFILE])
def test_a_write_is_refused_while_a_torn_rest_is_not_kept_yet(killed, project, faults, number):
    """A fault that may pass must not leave the rest in the log for good."""
    size = killed.ends[1] + 9
    killed.reset(size)
    with varves.open(project) as owner:
        faults.fail("replace", number)
        with pytest.raises(NotDurable, match="cannot write the log"):
            owner.remember("after the cut")
        assert faults.failed == ["replace"]
        faults.heal()
        assert killed.segment.read_bytes() == killed.content[:size]
        told = str(owner.remember("after the cut").event)
    assert list(set_aside(project).values()) == [killed.content[killed.ends[1] : size]]
    assert_kept(project, [*killed.whole(size), told])
    assert not torn_tails(project)


def test_every_cut_is_repaired_by_the_next_owner_of_the_lane(killed, project):
    first, last = killed.ends[0], killed.ends[-1]
    assert str(first) in killed.note.decode()
    with varves.open(project) as reader:
        for size in [
            *range(first, killed.ends[1], 1 if DEEP else 7),
            *range(killed.ends[1], last + 1, 1 if DEEP else 5),
        ]:
            killed.reset(size)
            kept = killed.whole(size)
            end = killed.ends[len(kept) - 1]
            with varves.open(project) as owner:
                told = str(owner.remember(f"after a cut at {size}").event)
            assert killed.segment == only_segment(project), "the lane was not continued"
            (segment,) = read_log(project)
            assert not segment.torn
            assert [event["id"] for event in segment.events] == [*kept, told]
            rest = killed.content[end:size]
            aside = set_aside(project)
            assert aside == ({f"{killed.segment.name}.{end}": rest} if rest else {})
            for name in aside:
                (local_of(project) / "set-aside" / name).unlink()
            if size % 16 == 0:
                assert [event.id for event in reader.log()] == [*kept, told]
                assert reader.verify(deep=True).ok


def test_lines_torn_at_the_same_place_are_all_kept(killed, project):
    rests = [b'{"v":1,"id":"evt_' + bytes([letter]) * 20 for letter in b"abca"]
    for rest in rests:
        killed.reset(killed.ends[1])
        with killed.segment.open("ab") as file:
            file.write(rest)
        with varves.open(project) as owner:
            owner.remember("after " + rest.hex())
    assert sorted(set_aside(project).values()) == sorted(set(rests))


def test_readers_leave_a_torn_tail_where_it_is(killed, project, varves):
    killed.cut(len(killed.content) - 5)
    before = killed.segment.read_bytes()
    for verb in (
        ["log"],
        ["list"],
        ["recall", "first"],
        ["status"],
        ["verify", "--deep"],
        ["rebuild"],
        ["doctor"],
        ["conflicts"],
    ):
        assert varves(*verb, "--json").code == 0, verb
    assert killed.segment.read_bytes() == before
    assert set_aside(project) == {}


def test_another_lane_leaves_a_torn_tail_where_it_is(killed, project):
    killed.cut(len(killed.content) - 5)
    before = killed.segment.read_bytes()
    holder = os.open(killed.lock, os.O_RDWR)
    try:
        import fcntl

        fcntl.flock(holder, fcntl.LOCK_EX)  # its owner still lives, and is slow
        with varves.open(project) as other:
            told = str(other.remember("from another lane").event)
        assert killed.segment.read_bytes() == before
        assert set_aside(project) == {}
        assert len(read_log(project)) == 2
    finally:
        os.close(holder)
    with varves.open(project) as owner:
        mended = str(owner.remember("by the next owner").event)
    assert list(set_aside(project).values()) == [before[killed.ends[1] :]]
    assert_kept(project, [*killed.ids[:2], told, mended])


def test_a_torn_tail_in_a_segment_that_is_left_stays_there(killed, project):
    killed.cut(len(killed.content) - 5)
    before = killed.segment.read_bytes()
    (project / ".git" / "HEAD").touch()  # HEAD has moved: the segment may not be continued
    with varves.open(project) as owner:
        told = str(owner.remember("in the next segment").event)
    assert killed.segment.read_bytes() == before
    assert set_aside(project) == {}
    found = assert_kept(project, [*killed.ids[:2], told])
    (closing,) = [event for event in found if event["kind"] == "segment.closed"]
    assert closing["data"]["bytes"] == killed.ends[1]
    assert closing["data"]["lines"] == 2


def test_a_line_that_ends_but_is_not_whole_is_never_continued(killed, project):
    """Bytes were lost inside the file, not at its end: that is damage, kept and reported."""
    killed.cut(len(killed.content))
    spoilt = killed.content[:-40] + b"\n"
    killed.segment.write_bytes(spoilt)
    with varves.open(project) as owner:
        told = str(owner.remember("elsewhere").event)
        assert {event.id for event in owner.log()} >= {*killed.ids[:2], told}
        verified = owner.verify()
        assert not verified.ok
        assert any(found.rule == "bad-line" for found in verified.damage)
    assert killed.segment.read_bytes() == spoilt


def test_a_line_in_another_spelling_is_found_by_a_deep_look_alone(project):
    """Its digests are right, but nobody who writes the event again comes to the same bytes."""
    with varves.open(project) as ledger:
        ledger.remember("as written")
        folder = only_segment(project).parent
        content = b'{"memory": "mem_spelled00001", "text": "with spaces"}'
        line = forged(content, kind="memory.recorded", writer="other.main")
        (folder / "20260921-other0-0000000000.jsonl").write_bytes(line + b"\n")
        assert ledger.verify().ok
        (found,) = ledger.verify(deep=True).damage
        assert (found.rule, found.place.rpartition(":")[2]) == ("bad-line", "1")
