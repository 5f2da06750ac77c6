"""The purge sweep: a purging process dies before and after every call that changes a file.

Run as a program. Each point purges one memory of a fresh copy of one small repository, in a forked
process that kills itself at its n-th such call, the index's own included. What lies there
afterwards is finished by another process, as `doctor --fix` does, and every byte is searched.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import varves
from tests.durability import pack_sweep
from tests.durability.pack_sweep import Deadly, in_git
from tests.durability.reader import read_line
from tests.places import local_of
from tests.security.erasing import TEXT, hits, state_of
from varves.log.files import erase
from varves.places import store as files
from varves.purge import erasure as purging

LONG = f"{TEXT}. " * 4500
NAME = "mem_tobepurged00"
CHANGING = ("begin immediate", "commit", "vacuum", "pragma wal_checkpoint", "delete from meta")


def make(root: Path) -> None:
    """Let a memory be in both logs, in a blob, corrected, in a pack, torn and set aside."""
    root.mkdir()
    in_git(root, "init", "--quiet")
    clock = pack_sweep.Clock()
    with varves.open(root, clock=clock, actor="ada") as ledger:
        ledger.remember("Stays")
        ledger.remember("Stays in private", private=True)
        ledger.remember(LONG, id=NAME, private=True, allow_secret=True)
        ledger.share(NAME)
        ledger.edit(NAME, tag=["x"])
        ledger.correct(NAME, "Stays in its place", allow_secret=True)
        for number in range(4):
            in_git(root, "add", "-A")
            in_git(root, "commit", "--quiet", "-m", str(number))
            ledger.remember(f"Stays in segment {number}")
        in_git(root, "add", "-A")
        in_git(root, "commit", "--quiet", "-m", "all")
        ledger.pack()
        ledger.log()
    aside = local_of(root) / "set-aside"
    aside.mkdir(parents=True)
    (aside / "torn.jsonl.0").write_text(f'{{"memory":"{NAME}","text":"{TEXT}', encoding="utf-8")


def ids_in(root: Path) -> set[str]:
    """Read every line of the project's and the private log, or fail, and return the events."""
    found = set()
    for log in (root / ".varves/log", root / ".git/varves/private/log"):
        for path in sorted(log.glob("20*/*.jsonl")):
            lines = path.read_bytes().split(b"\n")
            assert lines.pop() == b"", f"{path.name} ends in the middle of a line"
            lines = lines[1:] if path.name.endswith(".pack.jsonl") else lines
            found |= {read_line(line)["id"] for line in lines}
    return found


class DeadlyIndex:
    """A connection that goes a step at each statement that changes its file."""

    def __init__(self, db: Any) -> None:
        self._db = db

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def execute(self, sql: str, *rest: Any) -> Any:
        """Execute, and die before or after if asked to."""
        if not sql.startswith(CHANGING):
            return self._db.execute(sql, *rest)
        Deadly.step("index")
        done = self._db.execute(sql, *rest)
        Deadly.step("index")
        return done


def purge_and_die(root: Path, at: int) -> str:
    """Purge in a process that dies at one step; return the call it died at, or nothing."""
    mine, its = os.pipe()
    child = os.fork()
    if not child:
        Deadly.at, Deadly.note = at, its
        ledger = varves.open(root, clock=pack_sweep.Clock(), actor="ada")
        ledger.log()
        index = ledger._context.index.get()
        index.db = DeadlyIndex(index.db)  # type: ignore[assignment]
        files.os, files.fcntl = Deadly(files.os), Deadly(files.fcntl)  # type: ignore[assignment]
        ledger.purge(NAME, reason="asked for")
        os._exit(0)
    os.close(its)
    with os.fdopen(mine, "rb") as pipe:
        died_at = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    assert bool(died_at) == os.WIFSIGNALED(status), status
    assert not died_at or os.WTERMSIG(status) == signal.SIGKILL
    return died_at


def check(root: Path, before: tuple[set[str], list[dict[str, Any]]]) -> str:
    """Look at what a death left, then finish the purge; return in which phase it came."""
    ids, state = before
    lost = ids - ids_in(root)
    assert not lost, f"lost {len(lost)} events"
    with varves.open(root, clock=pack_sweep.Clock(), actor="ada") as ledger:
        said = [event.log for event in ledger.log(kind="memory.purged")]
        assert state_of(ledger, but=[NAME]) == state, "another memory has changed"
        if not said:
            assert ledger.show(NAME).text == LONG, "it is gone and nobody purged it"
            ledger.purge(NAME, reason="asked for")
        else:
            assert NAME not in {memory.id for memory in ledger.list(status="all")}, "it is back"
            assert ledger.mend().failed == ()
        left = hits(root / ".varves", root / ".git/varves")
        assert not left, f"bytes are left in {left}"
        after = [event.log for event in ledger.log(kind="memory.purged")]
        assert sorted(after) == ["private", "project"], f"only {after} say so"
        assert state_of(ledger, but=[NAME]) == state, "finishing has changed another memory"
        found = ledger.verify(deep=True)
        assert found.ok, found.damage
    assert ids <= ids_in(root), "finishing lost events"
    return "all said" if len(said) == 2 else "half said" if said else "nothing said"


def be_careless() -> None:
    """Deliberately broken: what the lines name goes last, when nothing tells of it any more."""
    later: list[Any] = []
    drop, scrub = erase.drop_blobs, purging._scrub_index

    def put_off(*args: Any) -> list[str]:
        later.append(args)
        return []

    def scrub_first(engine: Any) -> None:
        scrub(engine)
        for args in later:
            drop(*args)

    erase.drop_blobs, purging._scrub_index = put_off, scrub_first


def sweep(folder: Path, *, stride: int) -> dict[str, Any]:
    """Let a purge die at every so many-th step."""
    original = folder / "original"
    make(original)
    with varves.open(original, clock=pack_sweep.Clock(), actor="ada") as ledger:
        before = (ids_in(original), state_of(ledger, but=[NAME]))
    calls: Counter[str] = Counter()
    phases: Counter[str] = Counter()
    problems: list[str] = []
    at, points = 1, 0
    while True:
        root = folder / "copy"
        shutil.copytree(original, root)
        died_at = purge_and_die(root, at)
        try:
            phases[check(root, before)] += 1
        except AssertionError as fault:
            problems.append(f"{at} {died_at}: {fault}")
        shutil.rmtree(root)
        if not died_at:
            return {"points": points, "calls": calls, "phases": phases, "problems": problems}
        calls[died_at] += 1
        points += 1
        at += stride


def main() -> None:
    """Sweep once and print what came of it."""
    asked = argparse.ArgumentParser()
    asked.add_argument("folder")
    asked.add_argument("--stride", type=int, default=1)
    asked.add_argument("--careless", action="store_true")
    given = asked.parse_args()
    if given.careless:
        be_careless()
    with tempfile.TemporaryDirectory(dir=given.folder) as place:
        found = sweep(Path(place), stride=given.stride)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
