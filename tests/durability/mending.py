"""Repair under fire: beside live writers, and killed at any moment.

Run as a program. `mending beside PLACE ROUNDS SEED` lets eight writers work while another process
verifies, diagnoses, eats files as git would, and repairs; `mending killed PLACE KILLS SEED` kills
the repair itself. Either way each valid line that was there once must stay, and everything that
was acknowledged must be there when a repair has come to its end.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import varves
from tests.durability import sweep
from tests.durability.power import acknowledged
from tests.durability.reader import read_segment
from tests.places import local_of
from varves.context import context
from varves.errors import NotFound
from varves.index import work
from varves.log.files import rescue
from varves.places.store import Files

if TYPE_CHECKING:
    from collections.abc import Callable

PHASES = ("other", "look", "git", "write", "sync", "rename", "index")
CLASSES = PHASES[1:]
LINGER = 0.003  # seconds a repair stays where it is meant to be hit
PACE = 0.2  # seconds between two writes of a writer, at the most: the log is read all the while
ROUNDS_PER_PROJECT = 10

marks = mmap.mmap(-1, 1)


def repairs() -> dict[str, Callable[[varves.Ledger], Any]]:
    """Return the ways of repairing that there are."""
    ways: dict[str, Callable[[varves.Ledger], Any]] = {"restore": varves.Ledger.restore_eaten}
    if hasattr(varves.Ledger, "mend"):
        ways["mend"] = varves.Ledger.mend
    return ways


def eat(root: Path, chance: random.Random) -> int:
    """Take segments away as git does; return how many."""
    files = sorted((root / ".varves" / "log").glob("*/*.jsonl"))
    gone = [path for path in files if chance.random() < 0.5]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)


_IDS: dict[bytes, set[str]] = {}  # of a file's whole lines, by their bytes


def held(root: Path) -> set[str]:
    """Return the ids of all valid lines in the files, read by our own second reader."""
    found: set[str] = set()
    for path in (root / ".varves" / "log").glob("*/*.jsonl"):
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            continue
        whole = content[: content.rfind(b"\n") + 1]
        if whole not in _IDS:
            _IDS[whole] = {event["id"] for event in read_segment(path).events}
        found |= _IDS[whole]
    return found


class Beside:
    """A project with eight writers, and one process that looks after it all the while."""

    def __init__(self, root: Path, chance: random.Random, found: Counter[str]) -> None:
        subprocess.run(["git", "init", "--quiet", str(root)], check=True)
        self.root = root
        self.chance = chance
        self.found = found
        self.writers = [self.start() for _ in range(sweep.WRITERS)]
        self.heard = {pipe: b"" for _, pipe in self.writers}

    def start(self) -> tuple[int, int]:
        """Fork a writer; it goes on until the end."""
        ours, theirs = os.pipe()
        name = f"w{self.chance.getrandbits(48):012x}"
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            be_a_writer(self.root, name, theirs)
        os.close(theirs)
        return pid, ours

    def listen(self, seconds: float) -> None:
        """Take down what the writers tell for a while."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for pipe in select.select(list(self.heard), [], [], left)[0]:
                self.heard[pipe] += os.read(pipe, 1 << 16)

    def go(self, rounds: int) -> None:
        """Look after the project so many times, then let the writers end and look once more."""
        self.listen(0.3)
        with varves.open(self.root) as keeper:
            for number in range(rounds):
                self.look_after(keeper, number)
            for pid, _ in self.writers:
                os.kill(pid, signal.SIGKILL)
                self.found["crashed"] += not os.WIFSIGNALED(os.waitpid(pid, 0)[1])
            self.listen(0.05)
            self.settle(keeper)
        for _, pipe in self.writers:
            os.close(pipe)

    def look_after(self, keeper: varves.Ledger, number: int) -> None:
        """Verify, repair, and see that nothing valid has gone."""
        self.found["rounds"] += 1
        self.judge(keeper, deep=number % 2 == 0)
        eaten = number % 2 == 1
        before = held(self.root)
        if eaten:
            self.found["eaten"] += eat(self.root, self.chance)
        keeper.doctor()
        for name, repair in repairs().items():
            repair(keeper)
            self.found[name] += 1
        after = held(self.root)
        if eaten:  # what was being written to a file as it went is brought back next time
            keeper.restore_eaten()
            after = held(self.root)
        self.found["shrunk"] += len(before - after)
        self.judge(keeper, deep=False)
        self.listen(self.chance.uniform(0.005, 0.05))

    def judge(self, keeper: varves.Ledger, *, deep: bool) -> None:
        """Verify a log that is being written: it is whole at any moment."""
        damage = keeper.verify(deep=deep).damage
        self.found["verified"] += 1
        self.found["false alarms"] += len(damage)
        for one in damage[:3]:
            sys.stderr.write(f"{one}\n")

    def settle(self, keeper: varves.Ledger) -> None:
        """Repair for the last time; then everything is there and nothing is left to do."""
        for repair in repairs().values():
            repair(keeper)
        self.found["not idempotent"] += keeper.restore_eaten().restored
        files = sorted(self.root.rglob("*.jsonl"))
        for repair in repairs().values():
            repair(keeper)
        self.found["not idempotent"] += files != sorted(self.root.rglob("*.jsonl"))
        events, texts = acknowledged(self.heard)
        self.found["acknowledged"] += len(texts)
        self.found["lost"] += len(events - held(self.root))
        self.found["lost"] += len(events - {event.id for event in keeper.log()})
        self.judge(keeper, deep=True)


def be_a_writer(root: Path, name: str, pipe: int) -> None:
    """Write short things until killed; what was eaten a moment ago may not be found."""
    try:
        chance = random.Random(name)
        ledger = varves.open(root)
        memory = ""
        for count in range(10**9):
            own, act = f"{name}-{count}", chance.random()
            words = ["texts", own]
            try:
                if act < 0.7 or not memory:
                    done = ledger.remember(f"{own} stone upon stone")
                    words, memory = ["event", str(done.event), own], done.id
                elif act < 0.8:
                    words = ["texts", *(f"{own}.{n}" for n in range(4))]
                    ledger.remember_many([{"text": text} for text in words[1:]])
                elif act < 0.81:
                    os.utime(root / ".git" / "HEAD")  # as if it moved: a segment begins
                    continue
                else:
                    changed = ledger.correct(memory, f"{own} corrected")
                    words, memory = ["event", changed.event, own], changed.id
            except NotFound:
                memory = ""
                continue
            os.write(pipe, (" ".join(words) + "\n").encode())
            time.sleep(chance.uniform(0, PACE))
    except BaseException:  # noqa: BLE001 - whatever it was, the parent counts it as a crash
        traceback.print_exc()
    finally:
        os._exit(70)


class Watched(Files):
    """The real store, which says what it does next."""

    def sync(self, handle: int) -> None:
        at("sync")
        super().sync(handle)

    def _put(self, name: str, content: bytes, place: Any, *, sure: bool = True) -> None:
        def placed(*args: Any, **kwargs: Any) -> None:
            at("rename")
            place(*args, **kwargs)
            at("rename")

        at("write")
        super()._put(name, content, placed, sure=sure)
        at("sync")


linger, alarm = "", -1


def at(phase: str) -> None:
    """Note the phase in shared memory, and wait there if that is where the blow shall fall."""
    global linger  # noqa: PLW0603 - a forked repair has this module for itself
    marks[0] = PHASES.index(phase)
    if phase == linger and random.random() < 0.5:
        linger = ""
        os.write(alarm, b"x")
        time.sleep(LINGER)


def noted(phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function say when it begins and when it ends."""

    def call(*args: Any, **kwargs: Any) -> Any:
        at(phase)
        done = function(*args, **kwargs)
        at(phase)
        return done

    return call


def be_a_repair(root: Path, repair: Callable[[varves.Ledger], Any], phase: str, pipe: int) -> None:
    """Repair once, to be killed meanwhile; never returns."""
    global linger, alarm
    linger, alarm = phase, pipe
    try:
        context.Files = Watched  # type: ignore[misc]
        rescue._held_by_git = noted("git", rescue._held_by_git)
        rescue.eaten = noted("look", rescue.eaten)
        work.Families.fold = noted("index", work.Families.fold)  # type: ignore[method-assign]
        with varves.open(root) as ledger:
            repair(ledger)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - whatever it was, the parent counts it as a crash
        traceback.print_exc()
    finally:
        os._exit(70)


class Killed:
    """A project whose repair is killed over and over."""

    def __init__(self, root: Path, chance: random.Random, found: Counter[str]) -> None:
        subprocess.run(["git", "init", "--quiet", str(root)], check=True)
        self.root = root
        self.chance = chance
        self.found = found
        with varves.open(root) as ledger:
            told = [ledger.remember("the first").event]
            for number in range(6):
                os.utime(root / ".git" / "HEAD", (number, number))
                told += [ledger.remember(f"statement {number} {n}").event for n in range(3)]
            told.append(ledger.remember("long " * sweep.LONG, allow_secret=True).event)
        self.told = {str(event) for event in told}

    def kill(self) -> None:
        """Eat, kill a repair, see that nothing valid went with it, and let another finish."""
        while not eat(self.root, self.chance):
            pass
        self.hurt()
        before = held(self.root)
        name = self.chance.choice(sorted(repairs()))
        phase = min(CLASSES, key=lambda one: (self.found[one], self.chance.random()))
        self.strike(repairs()[name], phase)
        self.found["kills"] += 1
        self.found[f"kills of {name}"] += 1
        self.found[PHASES[marks[0]]] += 1
        try:
            self.found["shrunk"] += len(before - held(self.root))
        except (AssertionError, ValueError, KeyError):
            self.found["half a file"] += 1
            return
        with varves.open(self.root) as ledger:
            damage = [one for one in ledger.verify(deep=True).damage if one.rule != "eaten"]
            self.found["damage"] += len(damage)
            for repair in repairs().values():
                repair(ledger)
            self.found["lost"] += len(self.told - held(self.root))
            self.found["lost"] += len(self.told - {event.id for event in ledger.log()})
            self.found["not idempotent"] += ledger.restore_eaten().restored

    def hurt(self) -> None:
        """Do what only a general repair would mend."""
        ledger = self.root / ".varves"
        if self.chance.random() < 0.5:
            (ledger / ".gitattributes").unlink(missing_ok=True)
        if self.chance.random() < 0.5:
            (ledger / "local").chmod(0o755)
        if self.chance.random() < 0.3:
            (local_of(self.root) / "index.sqlite").write_bytes(self.chance.randbytes(5000))

    def strike(self, repair: Callable[[varves.Ledger], Any], phase: str) -> None:
        """Let a repair begin and kill it soon after it has come to a phase."""
        marks[0] = 0
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            random.seed(self.chance.random())
            be_a_repair(self.root, repair, phase, theirs)
        os.close(theirs)
        if select.select([ours], [], [], 20)[0] and os.read(ours, 1):
            time.sleep(self.chance.uniform(0, LINGER * 1.3))
            os.kill(pid, signal.SIGKILL)
        os.close(ours)
        _, status = os.waitpid(pid, 0)
        if not os.WIFSIGNALED(status):
            marks[0] = 0  # it was done before the blow fell
            self.found["crashed"] += os.waitstatus_to_exitcode(status) != 0


def wanting(found: Counter[str], spent: int, size: int) -> bool:
    """Tell whether some phase was hit too seldom: on a busy machine a blow may come too late."""
    return spent < 4 * size and min(found[phase] for phase in CLASSES) < floor(size)


def floor(size: int) -> int:
    """Return how often each phase must have been hit."""
    return size // 50


def main() -> None:
    """Do it, and print what was found."""
    ask = argparse.ArgumentParser()
    ask.add_argument("job", choices=("beside", "killed"))
    ask.add_argument("place", type=Path)
    ask.add_argument("size", type=int)
    ask.add_argument("seed", type=int)
    given = ask.parse_args()
    found: Counter[str] = Counter()
    chance = random.Random(given.seed)
    sweep.warm_up(given.place / "warm")
    spent = 0
    while spent < given.size or (given.job == "killed" and wanting(found, spent, given.size)):
        root = given.place / f"p{spent}"
        rounds = min(ROUNDS_PER_PROJECT, given.size - spent) if spent < given.size else 1
        if given.job == "beside":
            Beside(root, chance, found).go(rounds)
        else:
            project = Killed(root, chance, found)
            for _ in range(rounds):
                project.kill()
        spent += rounds
        shutil.rmtree(root)
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
