"""Every system call of a write may fail: the n-th, for each n, in each situation a writer meets.

Whatever fails, the caller hears success or an error of ours; what was acknowledged stays; the same
ledger goes on once the fault has passed, and so does a fresh one.
"""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import varves
from tests.durability.reader import read_segment
from tests.durability.scene import DEEP, assert_kept, bare, move_head, only_segment, torn_tails
from varves.errors import Damaged, VarvesError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.durability.faults import Faults

MANY = [{"text": f"one of many, {n}"} for n in range(5)]
NUMBERS = (errno.EIO, errno.ENOSPC, errno.EMFILE)
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


def try_once(attempt: Attempt, situation: Callable[..., Any], arm: Callable[[], None]) -> None:
    """Let one call fail in a situation, then go on without faults, and check everything."""
    root = attempt.root
    act = situation(attempt)
    before = ids_of(root)
    open_before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
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
    if open_before:
        assert len(os.listdir("/proc/self/fd")) <= open_before + 1, "descriptors leak"
    # And so does a fresh one.
    with varves.open(root) as fresh:
        attempt.acknowledged.append(str(fresh.remember("at last").event))
        assert sorted(texts_of(fresh)) == sorted([*texts, "at last"])
    if situation is not private:
        assert_kept(root, attempt.acknowledged)
    assert not torn_tails(root), "a torn line was left behind"


@pytest.fixture
def trial(home: Path, tmp_path: Path, faults: Faults) -> Callable[..., None]:
    """Give a try in a fresh project."""
    numbers = iter(range(10_000))

    def run(situation: Callable[..., Any], arm: Callable[[], None]) -> None:
        root = tmp_path / f"n{next(numbers)}"
        try_once(Attempt(root, faults), situation, arm)
        shutil.rmtree(root)

    return run


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.__name__)
def test_whichever_call_fails_nothing_acknowledged_is_lost(trial, faults, situation):
    trial(situation, faults.count)
    calls = list(faults.calls)
    assert "write" in calls
    assert "fsync" in calls
    for nth, name in enumerate(calls, 1):
        for number in NUMBERS if DEEP else (NUMBERS[nth % len(NUMBERS)],):
            trial(situation, lambda nth=nth, number=number: faults.fail_nth(nth, number))
            assert faults.failed == [name], "the fault was not met"


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
