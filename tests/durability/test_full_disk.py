"""R5: a full disk, a file limit, and a disk that fails: typed errors, nothing half acknowledged."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.reader import events_of, read_log
from tests.durability.scene import assert_kept, only_segment, torn_tails
from tests.figures import add_figure
from varves.errors import Damaged, NotDurable

if TYPE_CHECKING:
    from collections.abc import Iterator

STONES = "stone upon stone, " * 60


class SmallDisk:
    """A disk of a few hundred kB, part of which can be taken up."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.ballast = place / "ballast"

    def fill(self, *, leave: int) -> None:
        """Take up all space but so many bytes."""
        found = os.statvfs(self.place)
        self.ballast.write_bytes(b"x" * max(0, found.f_bavail * found.f_frsize - leave))

    def free(self) -> None:
        """Give the space back."""
        self.ballast.unlink()


@pytest.fixture(params=["the project", "only the log"])
def small_disk(project: Path, request: pytest.FixtureRequest) -> Iterator[SmallDisk]:
    """Let a project, or its log alone, lie on a small disk."""
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip("only root may mount a small disk")
    place, size = project, "1m"  # the index lies there, too
    if request.param == "only the log":
        place, size = project / ".varves" / "log", "256k"
        place.mkdir(parents=True)
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
    try:
        if place == project:
            subprocess.run(["git", "init", "--quiet", "--template="], cwd=project, check=True)
        yield SmallDisk(place)
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def write_until_refused(ledger: varves.Ledger, text: str) -> tuple[list[str], NotDurable]:
    """Remember until the disk says no; return what was acknowledged and how it said so."""
    told = []
    while True:
        try:
            told.append(str(ledger.remember(f"{text} {len(told)} {STONES}").event))
        except NotDurable as fault:
            return told, fault


@pytest.mark.full_size(sample=1)
def test_a_full_disk_refuses_and_goes_on_when_there_is_room(project, small_disk):
    with varves.open(project) as ledger:
        told = [str(ledger.remember("while there was room").event)]
        small_disk.fill(leave=20_000)
        more, fault = write_until_refused(ledger, "filling")
        told += more
        assert (fault.code, fault.exit) == ("not-durable", 5)
        assert "space" in fault.hint
        assert sorted(event["id"] for event in events_of(project)) == sorted(told)
        assert not torn_tails(project)
        assert {event.id for event in ledger.log()} >= set(told), "a full disk can still be read"
        with pytest.raises(NotDurable):
            ledger.remember_many([{"text": f"{n} {STONES}"} for n in range(40)])
        small_disk.free()
        told.append(str(ledger.remember("once there was room again").event))
        assert ledger.remember_many([{"text": f"{n} {STONES}"} for n in range(40)]).written == 40
    assert_kept(project, told)
    assert all(segment.events for segment in read_log(project)), "an empty file was left behind"
    add_figure("R5", full_disks=1, acknowledged=len(told) + 40, lost=0, torn=0)


@pytest.mark.full_size(sample=1)
def test_a_full_disk_is_five_on_the_command_line(project, varves, small_disk):
    """An index that cannot be opened there is thrown away, and what it took up may be used."""
    assert varves("remember", "while there was room").code == 0
    small_disk.fill(leave=0)
    told: list[str] = []
    while True:
        text = f"too much {len(told)} {STONES * 150}"
        answer = varves("remember", "-", "--json", stdin=text)
        if answer.code:
            break
        told.append(answer.json["event"])
    assert len(told) < 2, "nothing but the index gave room"
    assert answer.code == 5
    assert answer.json["error"]["code"] == "not-durable"
    assert not torn_tails(project)
    small_disk.free()
    assert varves("remember", "once there was room again").code == 0
    assert varves("verify", "--deep").code == 0
    assert_kept(project, told)


LIMITED = """
import json, resource, signal, sys
import varves
from varves.errors import VarvesError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), hard))
ledger = varves.open(sys.argv[1])
assert ledger.remember_many([{"text": "a batch of one"}]).written == 1
told, refused = [], []
for n in range(2 * int(sys.argv[2]) // 1500):
    try:
        told.append(ledger.remember(f"{n} " + "stone upon stone, " * 60).event)
    except VarvesError as fault:
        refused.append([fault.code, fault.exit])
assert {event.id for event in ledger.log()} >= set(told)
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
told.append(ledger.remember("without the limit").event)
print(json.dumps([told, refused]))
"""


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("limit", [3_000, 40_000, 150_000])
def test_a_file_limit_refuses_and_leaves_nothing_torn(project, limit):
    """The limit also stops the index; what was acknowledged can be read all the same."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(project), str(limit)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    told, refused = json.loads(done.stdout)
    assert len(told) > 1
    assert ["not-durable", 5] in refused
    found = assert_kept(project, told)
    recorded = [event["id"] for event in found if event["kind"] == "memory.recorded"]
    assert len(recorded) == len(told) + 1
    assert not torn_tails(project)
    add_figure("R5", file_limits=1, acknowledged=len(told) + 1, refused=len(refused), lost=0)


LIMITED_VERB = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
from varves.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_file_limit_is_five_on_the_command_line(project, varves):
    varves("remember", "before the limit")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED_VERB, "remember", "x" * 4000, "--json"],
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
    )
    assert done.returncode == 5
    assert json.loads(done.stdout)["error"]["code"] == "not-durable"
    assert not torn_tails(project)
    assert [event["data"]["text"] for event in events_of(project)] == ["before the limit"]
    assert varves("remember", "x" * 4000).code == 0


@pytest.mark.parametrize(
    ("call", "number"),
    [
        ("write", errno.ENOSPC),
        ("write", errno.EDQUOT),
        ("write", errno.EIO),
        ("open", errno.EMFILE),
        ("open", errno.ENFILE),
        ("open", errno.EROFS),
    ],
    ids=lambda value: errno.errorcode.get(value, value) if isinstance(value, int) else value,
)
def test_a_call_that_keeps_failing_is_not_durable(project, ledger, faults, call, number):
    told = [str(ledger.remember("before").event)]
    (project / ".git" / "HEAD").touch()  # so that a segment must be opened, too
    for _ in range(2):
        faults.fail(call, number, times=100)
        with pytest.raises(Damaged) as refused:
            ledger.remember("refused")
        faults.heal()
        assert refused.value.exit == 5
        assert isinstance(refused.value, NotDurable) or call == "open"  # it could not look, either
        full = number in (errno.ENOSPC, errno.EDQUOT)
        assert ("space" in refused.value.hint) == full
        assert [event["id"] for event in events_of(project)] == told
        assert not torn_tails(project)
    told.append(str(ledger.remember("refused").event))
    found = assert_kept(project, told)
    assert sorted(e["id"] for e in found if e["kind"] == "memory.recorded") == sorted(told)


def test_a_short_write_is_cut_back(project, ledger, faults):
    """How a full disk shows itself first: fewer bytes are taken, and no error is raised."""
    told = [str(ledger.remember("before").event)]
    before = only_segment(project).read_bytes()
    for size in (0, 1, 100):
        faults.shorten(size)
        with pytest.raises(NotDurable, match="part of a line"):
            ledger.remember("refused")
        faults.heal()
        assert only_segment(project).read_bytes() == before
    told.append(str(ledger.remember("refused").event))
    assert_kept(project, told)


def test_what_a_short_write_showed_for_a_moment_misleads_no_reader(project, ledger, faults):
    """A reader looks between a write that was cut short and its undoing: whole lines are there.

    Said again, the same statements give lines of the same length in the same place.
    """
    ledger.remember("before")
    many = [{"text": f"one of many, {n}"} for n in range(4)]
    seen: list[int] = []
    with varves.open(project) as reader:
        reader.log()

        def look(name: str, args: tuple[Any, ...]) -> None:
            if name == "ftruncate" and not seen:
                seen.append(len(reader.log()))

        size = 3 * len(only_segment(project).read_bytes()) + 9
        faults.shorten(size)
        faults.before = look
        with pytest.raises(NotDurable):
            ledger.remember_many(many)
        faults.heal()
        assert seen[0] > 1, "the reader came too late to see anything"
        assert ledger.remember_many(many).written == 4
        ids = {event["id"] for event in events_of(project)}
        assert {event.id for event in reader.log()} == ids
        assert [m.text for m in reader.list()] == [m.text for m in ledger.list()]
    assert_kept(project, list(ids))


def test_a_refused_batch_is_not_taken_for_known_later(project, ledger, faults):
    many = [{"text": f"one of many, {n}"} for n in range(4)]
    ledger.remember("before")
    faults.fail("write", errno.ENOSPC)
    with pytest.raises(NotDurable):
        ledger.remember_many(many)
    faults.heal()
    done = ledger.remember_many(many)
    assert (done.written, done.known) == (4, 0)
    assert len(ledger.list()) == 5


def test_a_batch_whose_source_breaks_off_is_not_taken_for_known_later(ledger):
    def broken():
        yield {"text": "waits for its group"}
        raise RuntimeError("the source broke off")

    with pytest.raises(RuntimeError):
        ledger.remember_many(broken())
    assert ledger.remember("waits for its group").status == "recorded"
    assert len(ledger.list()) == 1


def test_after_a_failed_sync_the_event_is_said_once_more_elsewhere(project, ledger, faults):
    """After a failed sync the kernel may call lost pages clean: that chain is left for good."""
    ledger.remember("before")
    left = only_segment(project)
    faults.fail("fsync", errno.EIO, on="file")
    told = str(ledger.remember("said under a failing sync").event)
    assert faults.failed == ["fsync"]
    faults.heal()
    ledger.remember("afterwards")

    segments = {segment.path: segment.events for segment in read_log(project)}
    assert len(segments) == 2
    fresh = next(events for path, events in segments.items() if path != left)
    assert [event["id"] for event in segments[left]][-1] == told
    assert fresh[0]["id"] == told
    assert (fresh[0]["seq"], fresh[0]["prev"]) == (1, None)
    assert fresh[0]["writer"] != segments[left][0]["writer"]
    assert len(fresh) == 2, "the ledger went on in the chain it had left"
    assert [event.id for event in ledger.log()].count(told) == 1
    assert len(ledger.list()) == 3
    ledger.close()
    with varves.open(project) as other:  # nobody else goes on in the chain that was left
        other.remember("another process")
        assert len(read_log(project)[0].events) + len(read_log(project)[1].events) == 5
    assert len(next(s for s in read_log(project) if s.path == left).events) == 2
    assert_kept(project, [told])


def test_two_failed_syncs_are_not_durable(project, ledger, faults):
    ledger.remember("before")
    faults.fail("fsync", errno.EIO, times=2, on="file")
    with pytest.raises(NotDurable, match="sync") as refused:
        ledger.remember("refused")
    faults.heal()
    assert refused.value.exit == 5
    ledger.close()
    with varves.open(project) as other:
        told = str(other.remember("afterwards").event)
    last = next(s for s in read_log(project) if s.events[-1]["id"] == told)
    assert [event["id"] for event in last.events] == [told], "it went on in a chain that was left"
    assert_kept(project, [told])


def test_a_folder_that_cannot_be_synced_is_not_durable(project, ledger, faults):
    """A file whose name may be lost is no place for an acknowledged event."""
    for times in range(1, 4):
        faults.fail("fsync", errno.EIO, times=times, on="folder")
        with pytest.raises(Damaged):
            ledger.remember("refused")
        faults.heal()
        assert events_of(project) == []
        assert not list((project / ".varves").glob("log/*/*.jsonl"))
    told = str(ledger.remember("afterwards").event)
    assert_kept(project, [told])


def test_a_new_month_that_cannot_be_synced_is_synced_by_the_next_try(project, ledger, faults):
    ledger.remember("before")
    shutil.rmtree(project / ".varves" / "log")
    synced: list[str] = []

    def look(name: str, args: tuple[Any, ...]) -> None:
        if name == "fsync":
            synced.append(Path(os.readlink(f"/proc/self/fd/{args[0]}")).name)

    if not Path("/proc/self/fd").is_dir():
        pytest.skip("descriptors have no names here")
    faults.fail("fsync", errno.EIO, on="folder")
    with pytest.raises(NotDurable):
        ledger.remember("refused")
    faults.count()
    faults.before = look
    ledger.remember("afterwards")
    faults.heal()
    month = next((project / ".varves" / "log").iterdir()).name
    assert {".varves", "log", month} <= set(synced)
