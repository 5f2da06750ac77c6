"""How writes are made safe: durable, in groups of several threads, or fast and lossy."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.reader import events_of, read_log
from tests.durability.scene import DEEP, assert_kept, move_head, torn_tails
from varves.context import context
from varves.errors import Damaged, NotDurable, UsageError
from varves.log.files import group
from varves.places.store import Files

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = 8
LONG = 60.0  # seconds nobody waits for: whoever lingers when it need not is stopped by the clock
LOSSY = "fast mode: the newest writes may be lost in a power cut"


class Disk(Files):
    """The real store; it counts syncs of segments, and lets them fail or wait when told to."""

    syncs = 0
    failing = 0
    undecided: list[str] = []  # noqa: RUF012 - what was not synced when a decide lock was left
    safe: dict[str, int] = {}  # noqa: RUF012 - how much of each file was there at its last sync

    def sync(self, handle: int) -> None:
        name = os.readlink(f"/proc/self/fd/{handle}")
        segment = name.endswith(".jsonl")
        size = os.fstat(handle).st_size
        Disk.syncs += segment
        if segment and Disk.failing:
            Disk.failing -= 1
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        super().sync(handle)
        Disk.safe[name] = max(size, Disk.safe.get(name, 0))

    def close(self, handle: int) -> None:
        if os.readlink(f"/proc/self/fd/{handle}").endswith("decide.lock"):
            Disk.undecided += [
                name
                for name, size in Disk.safe.items()
                if name.endswith(".jsonl") and os.stat(name).st_size > size
            ]
        super().close(handle)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> type[Disk]:
    """Put a disk beneath every ledger that tells how often it is synced."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("descriptors have no names here")
    monkeypatch.setattr(context, "Files", Disk)
    Disk.syncs, Disk.failing, Disk.safe, Disk.undecided = 0, 0, {}, []
    return Disk


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a leader linger as long as it has a reason to."""
    monkeypatch.setattr(group, "SECONDS", LONG)


def at_once(ledger: varves.Ledger, acts: list[Callable[[], Any]]) -> list[Any]:
    """Run acts in threads that all want the ledger at the same time; return what each got."""
    found: list[Any] = [None] * len(acts)

    def run(number: int) -> None:
        try:
            found[number] = acts[number]()
        except NotDurable as fault:
            found[number] = fault

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(acts))]
    callers = ledger._context.lock
    with ledger._context.lock:
        before = callers.inside if callers else 0
        for thread in threads:
            thread.start()
        while callers and callers.inside < before + len(acts):
            time.sleep(0.001)
    for thread in threads:
        thread.join(LONG / 2)
        assert not thread.is_alive(), "somebody waits who need not"
    return found


def remembering(ledger: varves.Ledger, word: str, many: int = THREADS) -> list[Callable[[], Any]]:
    return [lambda n=n: ledger.remember(f"{word} {n}") for n in range(many)]


# Which mode


def test_the_default_is_durable(project, varves, ledger):
    assert ledger.status()["mode"] == "durable"
    assert ledger.status()["limits"] == []
    assert "mode  " in varves("status", "--verbose").out


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("mode", ["group", "fast"])
def test_a_mode_is_chosen_by_settings_or_by_the_caller(project, varves, mode):
    import varves as package

    assert varves("--mode", mode, "remember", "by option").code == 0
    assert varves("status", "--mode", mode, "--json").json["mode"] == mode
    (project / ".varves" / "settings.toml").write_text(f'mode = "{mode}"\n', encoding="utf-8")
    assert varves("remember", "by settings").code == 0
    assert varves("status", "--json").json["mode"] == mode
    assert varves("status", "--json", "--mode", "durable").json["mode"] == "durable"
    with package.open(project, mode="durable") as ledger:
        assert ledger.status()["mode"] == "durable"
        assert len(ledger.list()) == 2


def test_an_unknown_mode_is_refused_whoever_names_it(project, varves):
    import varves as package

    assert varves("status", "--mode", "quick").code == 2
    with pytest.raises(UsageError, match="quick"):
        package.open(project, mode="quick")
    (project / ".varves").mkdir()
    for written in ('mode = "quick"', "mode = 1", "mode = []"):
        (project / ".varves" / "settings.toml").write_text(written, encoding="utf-8")
        with pytest.raises(Damaged, match="unknown mode"):
            package.open(project)
    answer = varves("remember", "x", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (5, "damaged")


def test_the_lossy_mode_is_named_as_such(varves):
    assert "fast may lose the newest writes in a power cut" in varves("--help").out
    assert LOSSY in varves("status", "--mode", "fast").out
    assert varves("status", "--mode", "fast", "--json").json["limits"] == [LOSSY]
    assert "lost" not in varves("status", "--mode", "group").out


# Fast


def test_a_fast_write_never_waits_for_the_disk(project, faults):
    with varves.open(project) as ledger:
        ledger.remember("the ledger is made durably")
    with varves.open(project, mode="fast") as ledger:
        faults.count()
        first = ledger.remember("in a segment of before")
        move_head(project, 1)
        ledger.remember("in a fresh segment")
        ledger.remember_many([{"text": f"one of many {n}"} for n in range(20)])
        ledger.correct(first.id, "corrected")
        ledger.remember("private", private=True)
        assert faults.calls.count("write") >= 5
        assert "fsync" not in faults.calls
        faults.heal()
        assert len(ledger.list(status="active")) == 24
        assert ledger.verify(deep=True).ok


def test_what_takes_the_place_of_a_file_is_synced_in_fast_mode_too(project, faults):
    """A rename that reaches the disk before its bytes would lose what was safe long ago."""
    with varves.open(project, mode="fast") as ledger:
        ledger.remember("before")
        faults.count()
        ledger.remember("stone upon stone " * 20_000, allow_secret=True)
        faults.heal()
    assert faults.calls.count("fsync") >= 1


# Group


def test_eight_threads_share_one_sync(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        ledger.remember("the first of a segment is synced by itself")
        for turn in range(5):
            before = disk.syncs
            done = at_once(ledger, remembering(ledger, f"turn {turn}"))
            assert len({one.event for one in done}) == THREADS
            assert disk.syncs == before + 1
    assert_kept(project, [one.event for one in done])


def test_fewer_than_eight_do_not_wait_for_more(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        ledger.remember("before")
        before = disk.syncs
        at_once(ledger, remembering(ledger, "one of three", 3))
        assert disk.syncs == before + 1


def test_a_caller_that_is_alone_never_waits(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        for number in range(20):
            ledger.remember(f"statement {number}")
            assert disk.syncs == number + 1


def test_more_than_eight_take_more_than_one_sync(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        ledger.remember("before")
        before = disk.syncs
        at_once(ledger, remembering(ledger, "one of a crowd", 3 * THREADS))
        assert before + 1 <= disk.syncs <= before + 4


def test_a_leader_waits_five_milliseconds_at_the_most(project, disk):
    """A caller that stays inside, as a long recall does, must not hold up those who wrote."""
    with varves.open(project, mode="group") as ledger:
        ledger.remember("before")
        ledger._context.lock._count(1)
        done: list[Any] = []
        thread = threading.Thread(target=lambda: done.append(ledger.remember("meanwhile")))
        thread.start()
        thread.join(LONG / 2)
        ledger._context.lock._count(-1)
        assert done
        assert disk.syncs == 2


def test_nothing_is_answered_before_its_sync(project, disk):
    """Each thread, when it is answered, finds its own line within what was synced."""
    early: list[str] = []

    def act(ledger: varves.Ledger, name: str) -> None:
        for number in range(12):
            done = ledger.remember(f"{name} {number}")
            held = {
                event["id"]
                for path, size in list(disk.safe.items())
                if path.endswith(".jsonl")
                for event in events_within(path, size)
            }
            if done.event not in held:
                early.append(str(done.event))

    with varves.open(project, mode="group") as ledger:
        at_once(ledger, [lambda n=n: act(ledger, f"thread {n}") for n in range(4)])
    assert not early
    assert len(events_of(project)) == 48
    assert disk.syncs < 48, "nothing was shared, so nothing was shown"


def events_within(path: str, size: int) -> list[dict[str, Any]]:
    import json

    with open(path, "rb") as file:
        content = file.read(size)
    return [json.loads(line) for line in content.splitlines(keepends=True) if line[-1:] == b"\n"]


def test_a_batch_is_a_group_of_its_own(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        ledger.remember("before")
        before = disk.syncs
        ledger.remember_many([{"text": f"one of many {n}"} for n in range(100)])
        assert disk.syncs == before + 1
        ledger.remember_many([{"text": f"one of few {n}"} for n in range(3)])
        assert disk.syncs == before + 2


def test_a_decision_that_must_be_one_step_is_synced_within_its_lock(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        first = ledger.remember("first", id="mem_abcdefghijkl")
        before = disk.syncs
        acts: list[Callable[[], Any]] = remembering(ledger, "meanwhile", 3)
        acts.append(lambda: ledger.correct("mem_abcdefghijkl", "second", expect=first.event))
        done = at_once(ledger, acts)
        assert done[3].event
        assert before < disk.syncs <= before + 4
        assert disk.undecided == []
    assert_kept(project, [one.event for one in done])


def test_after_a_note_with_a_sync_of_its_own_a_log_is_written_in_groups_again(
    project, disk, patient
):
    with varves.open(project, mode="group", session="s-1") as ledger:
        ledger.remember("The port is 8080", private=True)
        ledger.recall("port")
        ledger.remember("what was shown is noted after this", private=True)
        assert ledger.log(kind="context.injected"), "by itself, as its lines are deleted then"
        before = disk.syncs
        acts = [lambda n=n: ledger.remember(f"private {n}", private=True) for n in range(THREADS)]
        at_once(ledger, acts)
        assert disk.syncs == before + 1


def test_a_sync_that_fails_is_told_to_all_who_shared_it(project, disk, patient):
    with varves.open(project, mode="group") as ledger:
        told = [str(ledger.remember("before").event)]
        (left,) = [segment.path for segment in read_log(project)]
        disk.failing = 1  # the next one would succeed, and would prove nothing
        done = at_once(ledger, remembering(ledger, "refused"))
        assert Counter(type(one) for one in done) == {NotDurable: THREADS}
        assert all((one.exit, one.hint) == (5, "check the disk") for one in done)
        size = left.stat().st_size
        assert (project / ".varves/local/lanes/0.lock").read_bytes() == b"", "left for good"
        done = at_once(ledger, remembering(ledger, "afterwards"))
        told += [str(one.event) for one in done]
        assert left.stat().st_size == size, "the ledger went on in a chain that was left"
    with varves.open(project) as other:
        told.append(str(other.remember("another process").event))
        assert left.stat().st_size == size, "another process went on in a chain that was left"
    assert not torn_tails(project)
    assert_kept(project, told)


def test_after_a_failed_sync_a_caller_may_say_it_again(project, disk):
    """What is not safe is not known: a retry must not be put off with the lost line."""
    with varves.open(project, mode="group") as ledger:
        ledger.remember("before")
        disk.failing = 1
        with pytest.raises(NotDurable):
            ledger.remember("said in vain")
        (left,) = [segment.path for segment in read_log(project)]
        lines = left.read_bytes().splitlines(keepends=True)
        left.write_bytes(b"".join(line for line in lines if b"in vain" not in line))
        assert ledger.remember("said in vain").status == "recorded"
        assert len(ledger.list()) == 2


def test_a_segment_that_is_left_takes_its_lines_to_safety_first(project, disk, patient):
    """Lines that wait for their sync are synced before the file is closed, and so is `close`."""
    with varves.open(project, mode="group") as ledger:
        ledger.remember("before")
        with ledger._context.lock:  # nobody is answered while we hold this
            told = [str(ledger.remember("waits").event)]
            move_head(project, 1)
            before = disk.syncs
            told.append(str(ledger.remember("in the next segment").event))
            assert disk.syncs == before + 2
            told.append(str(ledger.remember("waits, too").event))
            assert disk.syncs == before + 2
            ledger.close()
            assert disk.syncs == before + 3
        assert disk.syncs == before + 3
    assert_kept(project, told)


def test_a_child_of_a_fork_groups_for_itself(project):
    script = """
import os, sys, threading, varves
ledger = varves.open(sys.argv[1], mode="group")
ledger.remember("before the fork")
with ledger._context.lock.arrivals:
    ledger._context.lock.inside += 1  # a thread of the parent, on its way
pid = os.fork()
ledger.remember("from the child" if pid == 0 else "from the parent")
if pid == 0:
    inside = ledger._context.lock.inside
    ledger.close()
    os._exit(inside)
sys.exit(os.waitpid(pid, 0)[1] >> 8)
"""
    done = subprocess.run([sys.executable, "-c", script, str(project)], check=False, timeout=60)
    assert done.returncode == 0
    assert_kept(project, [])
    assert len(events_of(project)) == 3


WRITER = """
import os, sys, threading, varves
ledger = varves.open(sys.argv[1], mode="group")
def write(name):
    for number in range(100_000):
        done = ledger.remember(f"{sys.argv[2]} {name} {number} " + "stone " * (number % 50))
        os.write(1, f"{done.event}\\n".encode())
for name in range(8):
    threading.Thread(target=write, args=(name,), daemon=False).start()
"""


def test_a_kill_loses_nothing_that_was_acknowledged(project):
    chance = random.Random(4)
    told: list[str] = []
    for turn in range(40 if DEEP else 8):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(project), str(turn)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            first = b"".join(writer.stdout.readline() for _ in range(chance.randint(7, 40)))
            os.kill(writer.pid, signal.SIGKILL)
            told += [line.decode() for line in (first + writer.stdout.read()).split()]
    assert len(told) > 50
    assert_kept(project, told)
