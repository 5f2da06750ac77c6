"""A writer killed before each step of settling what was told, and what is then on record.

A step is a system call on a file of ours, or a statement on the notebook. What a process leaves
that is killed within a statement is rolled back by SQLite.

Run as a program: `usage_kills FOLDER` prints how many steps there were and which went wrong.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import count
from pathlib import Path
from typing import Any

import varves
from tests.durability.scene import bare
from tests.durability.statements import Statements
from tests.noted import waiting
from varves.log.files import append
from varves.places import store as files
from varves.state import notebook

CALLS = (
    *("open", "write", "fsync", "flock", "rename", "unlink", "stat", "fstat", "close", "mkdir"),
    *("link", "replace", "listdir", "scandir", "pwrite", "ftruncate"),
)
DONE = 7
READS = 3


class Deadly:
    """A module, one call of which is the last thing its process does."""

    left = -1  # calls still to be made; below 0 all

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._module, name)
        return self._counted(real) if name in CALLS else real

    def _counted(self, real: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            advance()
            return real(*args, **kwargs)

        return call


def advance() -> None:
    """Do one step, or die."""
    if Deadly.left == 0:
        os._exit(1)
    Deadly.left -= 1


def told(ledger: varves.Ledger, name: str) -> int:
    """Return how often the log says a memory was told, each event once."""
    events = {event.id: event for event in ledger.log(kind="context.injected")}
    parts = [part for event in events.values() for part in event.data["told"]]
    return sum(part["memories"].get(name, [0])[0] for part in parts)


def die(root: str, step: int) -> bool:
    """Read, write and be killed before one call of what follows; tell whether there was no such."""
    child = os.fork()
    if child == 0:
        for name in ("os", "fcntl"):
            setattr(files, name, Deadly(getattr(files, name)))
        notebook.sqlite3 = Statements(lambda _: advance())  # type: ignore[assignment]
        ledger = varves.open(root, session="s")
        for _ in range(READS):
            ledger.recall("Zod")
        ledger.remember("a write of the session")
        Deadly.left = step
        ledger.close()
        os._exit(DONE)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == DONE


def tried(root: Path, step: int) -> tuple[bool, list[str]]:
    """Let a process die at a step, then look from a fresh one."""
    with varves.open(bare(root)) as ledger:
        name = str(ledger.remember("Validation is done with Zod").id)
    done = die(str(root), step)
    wrong = []
    for _ in range(2):  # the second write finds nothing left to say
        with varves.open(root, session="s") as ledger:
            ledger.remember(f"after {step}", again=True)
        with varves.open(root) as ledger:
            if told(ledger, name) != READS:
                wrong.append(f"step {step}: told {told(ledger, name)}")
            if len(ledger.shown()) != READS:
                wrong.append(f"step {step}: {len(ledger.shown())} moments")
            if not ledger.verify(deep=True).ok:
                wrong.append(f"step {step}: {ledger.verify().damage}")
    if left := waiting(root):
        wrong.append(f"step {step}: left {left}")
    return done, wrong


def main(folder: str, stride: str) -> None:
    """Try every step, or one of so many."""
    assert append  # loaded before the fork, or its import would be counted
    wrong: list[str] = []
    for step in count(step=int(stride)):
        root = Path(folder) / str(step)
        root.mkdir()
        done, found = tried(root, step)
        wrong += found
        if done:
            break
    sys.stdout.write(json.dumps({"steps": step, "wrong": wrong}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
