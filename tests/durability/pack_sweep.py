"""The pack sweep: a packing process dies before and after every system call that changes a file.

Run as a program. Each point packs a fresh copy of one small repository in a forked process that
kills itself at its n-th such call. What lies there afterwards is read by a reader that shares no
code with the package, then packed again to the end.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import varves
from tests.durability.reader import read_line
from varves.log.files import pack
from varves.places import store as files

CHANGING = ("write", "fsync", "replace", "link", "unlink", "mkdir", "flock")
SEGMENTS = 5
DAY = 86_400_000


class Clock:
    """Stands on a day of our choice."""

    fixed = True
    ms = 1_794_722_400_000

    def now(self) -> int:
        return self.ms


class Deadly:
    """A module that counts its changing calls and kills this process at one of them."""

    at = 0
    count = 0
    note: Any = None

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._module, name)
        if name not in CHANGING:
            return real

        def call(*args: Any, **kwargs: Any) -> Any:
            Deadly.step(name)
            done = real(*args, **kwargs)
            Deadly.step(name)
            return done

        return call

    @classmethod
    def step(cls, name: str) -> None:
        """Go one step, and no further than was asked."""
        cls.count += 1
        if cls.count == cls.at:
            os.write(cls.note, name.encode())
            os.kill(os.getpid(), signal.SIGKILL)


def in_git(root: Path, *args: str) -> str:
    """Run git and return what it printed."""
    command = ["git", *args]
    return subprocess.run(
        command, cwd=root, capture_output=True, encoding="utf-8", check=True
    ).stdout


def make(root: Path, *, git: bool) -> None:
    """Write a few closed segments, committed where there is git."""
    root.mkdir()
    if git:
        in_git(root, "init", "--quiet")
    clock = Clock()
    with varves.open(root, clock=clock, actor="ada") as ledger:
        for number in range(SEGMENTS):
            ledger.remember(f"Note {number}")
            ledger.remember(f"Another note {number}")
            if git:
                in_git(root, "add", "-A")
                in_git(root, "commit", "--quiet", "-m", str(number))
            else:
                clock.ms += DAY


def ids_in(root: Path) -> Counter[str]:
    """Read every line of the log's files, or fail, and count the events."""
    found: Counter[str] = Counter()
    for path in sorted((root / ".varves/log").glob("*/*")):
        lines = path.read_bytes().split(b"\n")
        assert lines.pop() == b"", f"{path.name} ends in the middle of a line"
        if path.name.endswith(".pack.jsonl"):
            head = json.loads(lines.pop(0))
            assert sum(entry[1] for entry in head["segments"]) == len(lines), path.name
        found.update(read_line(line)["id"] for line in lines)
    return found


def pack_and_die(root: Path, at: int) -> str:
    """Pack in a process that dies at one step; return the call it died at, or nothing."""
    mine, its = os.pipe()
    child = os.fork()
    if not child:
        Deadly.at, Deadly.note = at, its
        ledger = varves.open(root, clock=Clock(), actor="ada")
        ledger.log()  # what catching the index up writes is not our concern
        files.os, files.fcntl = Deadly(files.os), Deadly(files.fcntl)
        ledger.pack()
        os._exit(0)
    os.close(its)
    with os.fdopen(mine, "rb") as pipe:
        died_at = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    assert bool(died_at) == os.WIFSIGNALED(status), status
    return died_at


def state_of(root: Path) -> list[dict[str, Any]]:
    """Return every memory, and check that verify finds nothing."""
    with varves.open(root, clock=Clock(), actor="ada") as ledger:
        found = ledger.verify(deep=True)
        assert found.ok, found.damage
        return [memory.as_dict() for memory in ledger.list(status="all")]


def check(root: Path, expected: tuple[set[str], list[dict[str, Any]]], *, git: bool) -> str:
    """Look at what a death left, then finish the packing; return in which phase it came."""
    ids, state = expected
    held = ids_in(root)
    lost = ids - set(held)
    assert not lost, f"lost {len(lost)} events"
    assert set(held) == ids
    assert state_of(root) == state
    packs = list((root / ".varves/log").glob("*/*.pack.jsonl"))
    loose = len(list((root / ".varves/log").glob("*/*.jsonl"))) - len(packs)
    if git:
        seen = in_git(root, "status", "--porcelain", "--untracked-files=all")
        strange = [row for row in seen.splitlines() if ".varves/log/" not in row]
        assert not strange, strange
    with varves.open(root, clock=Clock(), actor="ada") as ledger:
        ledger.pack()
    after = ids_in(root)
    assert set(after) == ids
    assert set(after.values()) == {1}, "an event is in two files after a second packing"
    assert state_of(root) == state
    phases = {SEGMENTS: "before any is removed", 1: "after all are removed"}
    return "before the pack" if not packs else phases.get(loose, "while they are removed")


def careless(real: Any) -> Any:
    """Deliberately broken: the originals go first."""

    def joined(group: Any) -> bytes:
        content = real(group)
        for segment in group:
            for path in Path.cwd().glob(f".varves/{segment.name}"):
                path.unlink()
        return content

    return joined


def sweep(folder: Path, *, git: bool, stride: int) -> dict[str, Any]:
    """Let packing die at every step, or at one of so many."""
    original = folder / "original"
    make(original, git=git)
    expected = (set(ids_in(original)), state_of(original))
    calls: Counter[str] = Counter()
    phases: Counter[str] = Counter()
    problems: list[str] = []
    at = points = 0
    while True:
        at += stride
        root = folder / "copy"
        shutil.copytree(original, root)
        os.chdir(root)
        died_at = pack_and_die(root, at)
        try:
            phases[check(root, expected, git=git)] += 1
        except AssertionError as fault:
            problems.append(f"{at} {died_at}: {fault}")
        os.chdir(folder)
        shutil.rmtree(root)
        if not died_at:
            return {"points": points, "calls": calls, "phases": phases, "problems": problems}
        calls[died_at] += 1
        points += 1


def main() -> None:
    """Sweep once and print what came of it."""
    asked = argparse.ArgumentParser()
    asked.add_argument("folder")
    asked.add_argument("--no-git", action="store_true")
    asked.add_argument("--careless", action="store_true")
    asked.add_argument("--stride", type=int, default=1)
    given = asked.parse_args()
    if given.careless:
        pack._joined = careless(pack._joined)
    with tempfile.TemporaryDirectory(dir=given.folder) as place:
        found = sweep(Path(place), git=not given.no_git, stride=given.stride)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
