"""R4: every system call of a write may fail: the n-th, for each n, in each situation there is.

Whatever fails, the caller hears success or an error of ours; what was acknowledged stays; the same
ledger goes on once the fault has passed, and so does a fresh one.
"""

from __future__ import annotations

import errno
import gc
import os
import random
import shutil
import subprocess
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.faults import SHORT
from tests.durability.reader import events_of, read_segment
from tests.durability.scene import DEEP, assert_kept, bare, move_head, only_segment, torn_tails
from tests.figures import add_figure
from varves.errors import Damaged, VarvesError
from varves.log.files import survey
from varves.places import store as files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.durability.faults import Faults

MANY = [{"text": f"one of many, {n}"} for n in range(5)]
NUMBERS = (errno.EIO, errno.ENOSPC, errno.EMFILE, errno.EINTR)
LONG = "a long text " * 24_000


class Attempt:
    """One situation, brought about anew, and the write that is tried in it."""

    def __init__(self, root: Path, faults: Faults) -> None:
        self.root = bare(root)
        self.faults = faults
        self.acknowledged: list[str] = []
        self.ledger = varves.open(root)

    def remember(self, text: str, **options: Any) -> None:
        """Remember, and take down the event if it was acknowledged."""
        self.acknowledged.append(str(self.ledger.remember(text, **options).event))

    def reopen(self) -> None:
        """Go on as another process would."""
        self.ledger.close()
        self.ledger = varves.open(self.root)


def first(attempt: Attempt) -> Callable[[], Any]:
    """Nothing is there yet: folders, constant files, clone id, lane and segment are made."""
    return lambda: attempt.remember("the first")


def warm(attempt: Attempt) -> Callable[[], Any]:
    """The plain case: one write and one sync."""
    attempt.remember("before")
    return lambda: attempt.remember("the next")


def moved(attempt: Attempt) -> Callable[[], Any]:
    """HEAD has moved: the segment is closed by a fresh one."""
    attempt.remember("before")
    move_head(attempt.root, 1)
    return lambda: attempt.remember("the next")


def elsewhere(attempt: Attempt) -> Callable[[], Any]:
    """HEAD has moved to a branch without a ledger: its constant files are made once more."""
    attempt.remember("before")
    for name in ("format.json", ".gitignore", ".gitattributes"):
        (attempt.root / ".varves" / name).unlink()
    move_head(attempt.root, 1)
    return lambda: attempt.remember("the next")


def torn(attempt: Attempt) -> Callable[[], Any]:
    """The lane's last writer died over a line: its rest must be set aside first."""
    attempt.remember("before")
    attempt.reopen()
    with only_segment(attempt.root).open("ab") as segment:
        segment.write(b'{"v":1,"id":"evt_')
    return lambda: attempt.remember("the next")


def many(attempt: Attempt) -> Callable[[], Any]:
    """Several events share one write and one sync."""
    attempt.remember("before")
    return lambda: attempt.ledger.remember_many(MANY)


def long(attempt: Attempt) -> Callable[[], Any]:
    """The text is kept beside the log, and must be safe before the event that names it."""
    attempt.remember("before")
    return lambda: attempt.remember(LONG, allow_secret=True)


def named(attempt: Attempt) -> Callable[[], Any]:
    """A given id takes the lock under which look and append are one step."""
    attempt.remember("before")
    return lambda: attempt.remember("the next", id="mem_abcdefghijkl")


def changed(attempt: Attempt) -> Callable[[], Any]:
    """A correction with an expected version reads, decides and writes under that lock."""
    attempt.remember("before", id="mem_abcdefghijkl")
    version = attempt.acknowledged[0]

    def correct() -> None:
        done = attempt.ledger.correct("mem_abcdefghijkl", "the next", expect=version)
        attempt.acknowledged.append(done.event)

    return correct


def private(attempt: Attempt) -> Callable[[], Any]:
    """The private log has no work tree and no spool, and folders of its own."""
    attempt.remember("before")
    return lambda: attempt.ledger.remember("the next", private=True)


SITUATIONS = [first, warm, moved, elsewhere, torn, many, long, named, changed, private]


def ids_of(root: Path) -> list[str]:
    """Return the events of the project's log and of the private one."""
    private = root / ".git" / "varves" / "private"
    files = [*root.glob(".varves/log/*/*.jsonl"), *private.glob("log/*/*.jsonl")]
    return sorted(event["id"] for path in files for event in read_segment(path).events)


def texts_of(ledger: varves.Ledger) -> list[str]:
    return [memory.text for memory in ledger.list(status="active")]


def descriptors() -> int:
    """Count what this process holds open."""
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


def try_once(attempt: Attempt, situation: Callable[..., Any], arm: Callable[[], None]) -> None:
    """Let one call fail in a situation, then go on without faults, and check everything."""
    root = attempt.root
    act = situation(attempt)
    before = ids_of(root)
    open_before = descriptors()
    arm()
    failed: VarvesError | None = None
    try:
        act()
    except VarvesError as fault:
        failed = fault
    finally:
        attempt.faults.heal()
    if failed is not None:
        assert isinstance(failed, Damaged)
        assert failed.message
        assert failed.hint
        assert ids_of(root) == before, "an event that was not acknowledged is there"
    # The same ledger goes on.
    attempt.remember("afterwards")
    if failed is not None:
        act()
    texts = texts_of(attempt.ledger)
    wanted = {first: 2, many: 7, changed: 2}.get(situation, 3)
    assert len(texts) == len(set(texts)) == wanted
    attempt.ledger.close()
    if descriptors() > open_before + 1:
        gc.collect()  # what only waits to be collected has not leaked
        assert descriptors() <= open_before + 1, "descriptors leak"
    # And so does a fresh one.
    with varves.open(root) as fresh:
        attempt.acknowledged.append(str(fresh.remember("at last").event))
        assert sorted(texts_of(fresh)) == sorted([*texts, "at last"])
    if situation is not private:
        assert_kept(root, attempt.acknowledged)
    assert not torn_tails(root), "a torn line was left behind"


@pytest.fixture
def trial(
    home: Path, tmp_path: Path, faults: Faults, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., None]:
    """Give a try in a fresh project.

    All that was written in it counts as written just now, and is looked at again, however slow the
    machine is: so each try makes the same calls.
    """
    monkeypatch.setattr(survey, "_settled", lambda *_: False)
    numbers = iter(range(10_000))

    def run(situation: Callable[..., Any], arm: Callable[[], None]) -> None:
        root = tmp_path / f"n{next(numbers)}"
        try_once(Attempt(root, faults), situation, arm)
        shutil.rmtree(root)

    return run


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.__name__)
def test_whichever_call_fails_nothing_acknowledged_is_lost(trial, faults, situation):
    """Until nothing fails any more: each call at full size and when warm, else one of five."""
    met: Counter[str] = Counter()
    step = 1 if DEEP or situation is warm else 5
    for nth in count(1, step):
        failed = ""
        for number in ways(nth):
            trial(situation, lambda nth=nth, number=number: faults.fail_nth(nth, number))
            failed = next(iter(faults.failed), "")
            met[failed] += 1
        if failed in ("write", "pwrite"):
            trial(situation, lambda nth=nth: faults.fail_nth(nth, SHORT))
            met["short count"] += 1
        if not failed:
            break
    assert step > 1 or min(met["write"], met["fsync"], met["short count"]) > 0, met
    add_figure("R4", faults=sum(met.values()) - met[""], lost=0)


def ways(nth: int) -> tuple[int, ...]:
    """Return how a call shall fail: at full size in every way, else in one of them."""
    return NUMBERS if DEEP else (NUMBERS[nth % len(NUMBERS)],)


def test_whichever_call_fails_a_restore_loses_nothing(home, tmp_path, faults):
    """What it did not bring back at first it brings back when it is asked again."""
    root = tmp_path / "eaten"
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    told = []
    with varves.open(root) as ledger:
        for number in range(3):
            os.utime(root / ".git" / "HEAD", (number, number))
            told.append(str(ledger.remember(f"statement {number}").event))
        told.append(str(ledger.remember(LONG, allow_secret=True).event))
    for nth in count(1, 1 if DEEP else 9):
        for number in ways(nth):
            if not restored_all_the_same(root, faults, told, (nth, number)):
                assert nth > 20, "hardly a call was made"
                return
            add_figure("R4", faults=1, lost=0)


def restored_all_the_same(
    root: Path, faults: Faults, told: list[str], fault: tuple[int, int]
) -> bool:
    """Eat the log, let one call of its restoring fail, restore again, and look."""
    shutil.rmtree(root / ".varves" / "log")
    with varves.open(root) as ledger:
        ledger.status()  # what is counted is the restoring alone
        faults.fail_nth(*fault)
        try:
            ledger.restore_eaten()
        except VarvesError as error:
            refused = error.hint
        else:
            refused = "not refused"
        finally:
            faults.heal()
        assert refused
        failed = list(faults.failed)
        ledger.restore_eaten()
        assert ledger.restore_eaten().restored == 0
        assert {event["id"] for event in events_of(root)} >= set(told), (fault, failed)
        assert ledger.verify(deep=True).ok
    return bool(failed)


def test_a_store_that_does_not_count_what_was_taken_is_caught(trial, faults, monkeypatch):
    """Deliberately broken: a short write passes for a whole one."""
    real = files.Files.write

    def write(store: Any, handle: int, content: bytes) -> int:
        real(store, handle, content)
        return len(content)

    monkeypatch.setattr(files.Files, "write", write)
    with pytest.raises(AssertionError):
        trial(warm, lambda: faults.shorten(100))


def test_while_calls_fail_now_and_then_nothing_acknowledged_is_lost(home, tmp_path, faults):
    """Two calls of a hundred, day after day."""
    chance = random.Random(20261115)
    for day in range(20 if DEEP else 1):
        root = bare(tmp_path / f"day{day}")
        told, refused = unlucky_day(root, faults, chance)
        assert told
        assert refused, "no fault was met"
        assert all(fault.hint for fault in refused)
        assert_kept(root, told)
        with varves.open(root) as fresh:
            assert fresh.remember("at last").status == "recorded"
        shutil.rmtree(root)
        add_figure("R4", while_2_percent_fail=len(told), refused=len(refused), lost=0)


def unlucky_day(
    root: Path, faults: Faults, chance: random.Random
) -> tuple[list[str], list[VarvesError]]:
    """Write all day while calls fail; return what was acknowledged and what was refused."""
    told: list[str] = []
    refused: list[VarvesError] = []
    ledger = varves.open(root)
    for number in range(250):
        faults.fail_some(0.02, chance, NUMBERS)
        try:
            if number % 10 == 9:
                done = ledger.remember_many([{"text": f"{number} {n}"} for n in range(3)])
                assert done.written == 3
            else:
                told.append(str(ledger.remember(f"statement {number}").event))
        except VarvesError as fault:
            refused.append(fault)
        finally:
            faults.heal()
        if number % 50 == 49:
            move_head(root, number)
        if number % 100 == 99:  # by another process, as it were
            ledger.close()
            ledger = varves.open(root)
    ledger.close()
    return told, refused


@pytest.mark.full_size(sample=1)
@pytest.mark.parametrize("situation", [first, warm, moved, torn, many])
def test_a_write_cut_short_at_any_place_leaves_nothing_behind(trial, faults, situation):
    sizes = []

    def look(name: str, args: tuple[Any, ...]) -> None:
        if name == "write":
            sizes.append(len(args[1]))

    def arm() -> None:
        faults.count()
        faults.before = look

    trial(situation, arm)
    for size in (0, 1, sizes[-1] // 2, sizes[-1] - 1):
        trial(situation, lambda size=size: faults.shorten(size))
