"""Many processes that read and write in the same few sessions at once, and what is then counted.

Run as a program: `usage_crowd FOLDER PROCESSES ROUNDS` prints how often was read, and told.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

import varves
from tests.durability.scene import bare


def work(root: str, number: int, rounds: int) -> int:
    """Read and write by turns, each time as a process of its own would; return the readings."""
    chance = random.Random(number)
    read = 0
    for n in range(rounds):
        with varves.open(root, session=f"s{chance.randrange(2)}", actor=f"a{number}") as ledger:
            for _ in range(chance.randrange(4)):
                read += len(ledger.recall("Zod").hits)
            if chance.random() < 0.6:
                ledger.remember(f"{number} writes {n}")
    return read


def main(folder: str, processes: int, rounds: int) -> None:
    """Let them go, settle the rest, and count."""
    root = bare(Path(folder) / "crowd")
    with varves.open(root) as ledger:
        ledger.remember("Validation is done with Zod")
    pipes = []
    for number in range(processes):
        here, there = os.pipe()
        if os.fork() == 0:
            os.write(there, str(work(str(root), number, rounds)).encode())
            os._exit(0)
        os.close(there)
        pipes.append(here)
    read = 0
    for pipe in pipes:
        with os.fdopen(pipe, "rb") as answer:
            read += int(answer.read())
    for session in ("s0", "s1"):
        with varves.open(root, session=session) as ledger:
            ledger.remember(f"the last of {session}")
    with varves.open(root) as ledger:
        events = ledger.log(kind="context.injected")
        parts = [part for event in events for part in event.data["told"]]
        answer = {
            "read": read,
            "told": sum(pair[0] for part in parts for pair in part["memories"].values()),
            "events": len(events),
            "distinct": len({event.id for event in events}),
            "damage": [finding.message for finding in ledger.verify(deep=True).damage],
        }
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
