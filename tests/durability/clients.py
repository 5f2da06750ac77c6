"""Clients that race over a few memories and write down what they did and when.

Run as a program: `clients ROOT SEED HISTORIES [FAULT]` prints one history per memory and round, in
the form `linear.py` reads. Each client is a process of its own with a ledger of its own. A FAULT
breaks something on purpose, to see that the search finds it.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
import traceback
from typing import Any

import varves
from varves.context.context import Context
from varves.context.live_index import View
from varves.errors import Busy, NotFound, Refused, Stale
from varves.places import locks
from varves.places.store import Files

CLIENTS = 8
ACTS = 12
MEMORIES = 3
WEIGHTS = {"show": 34, "edit": 24, "remember": 12, "restore": 12, "forget": 10, "correct": 8}


class Client:
    """One process: a ledger, what it has seen of each memory, and its notes."""

    def __init__(self, root: str, number: int, seed: str) -> None:
        self.root = root
        self.number = number
        self.random = random.Random(f"{seed} {number}")
        self.ledger = varves.open(root)
        self.seen: dict[str, list[str]] = {}
        self.notes: list[tuple[str, tuple[Any, ...]]] = []
        self.count = 0

    def play(self, round_: int) -> None:
        """Do one round's acts, sometimes as a process that has just started."""
        if self.random.random() < 0.25:
            self.ledger.close()
        for _ in range(ACTS):
            name = f"mem_{round_:011}{self.random.randrange(MEMORIES)}"
            verb = self.random.choices([*WEIGHTS], [*WEIGHTS.values()])[0]
            self.act(verb, name)

    def act(self, verb: str, name: str) -> None:
        """Do one thing and note its instants and its answer."""
        self.count += 1
        seen = self.seen.setdefault(name, [])
        if verb == "remember":
            said = f"{name} as {self.random.choice('ab')} has it"
        elif verb == "show" or not seen:
            verb, said = "show", ""
        else:
            old = self.random.random() < 0.15
            said = self.random.choice(seen) if old else seen[-1]
        begun = time.monotonic_ns()
        answer = self._answer(verb, name, said)
        ended = time.monotonic_ns()
        if answer[0] in ("done", "found") and answer[1] not in seen[-1:]:
            seen.append(answer[1])
        self.notes.append((name, (verb, said, begun, ended, answer, self.number)))

    def _answer(self, verb: str, name: str, said: str) -> tuple[str, ...]:
        try:
            return self._do(verb, name, said)
        except Stale:
            return ("stale",)
        except Refused:
            return ("refused",)
        except NotFound:
            return ("missing",)
        except Busy:
            return ("busy",)

    def _do(self, verb: str, name: str, said: str) -> tuple[str, ...]:
        ledger = self.ledger
        if verb == "show":
            found = ledger.show(name)
            return "found", found.version, found.status, found.text
        mark = f"{self.number}x{self.count}"
        if verb == "remember":
            told = ledger.remember(said, id=name)
            return ("done", str(told.event)) if told.status == "recorded" else ("known",)
        if verb == "edit":
            return "done", ledger.edit(name, tag=[mark], expect=said).event
        if verb == "correct":
            return "done", ledger.correct(name, f"{name} is {mark}", expect=said).event
        if verb == "forget":
            return "done", ledger.forget(name, reason=mark, expect=said).event
        return "done", ledger.restore(name, expect=said).event


def record(root: str, seed: str, histories: int, fault: str = "") -> list[list[Any]]:
    """Let all clients play round after round, each starting together; return the histories."""
    rounds = -(-histories // MEMORIES)
    warm = varves.open(root)  # what is imported before the fork need not be imported in each
    warm.init()
    warm.edit(warm.remember("a beginning").id, tag=["x"])
    warm.close()
    if fault:
        FAULTS[fault]()
    gate, opener = os.pipe()
    bell, ringer = os.pipe()
    members = []
    for number in range(CLIENTS):
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            _be_one(Client(root, number, seed), (gate, ringer, theirs), rounds)
        os.close(theirs)
        members.append((pid, ours))
    os.close(ringer)
    for _ in range(rounds):
        os.write(opener, b"!" * CLIENTS)
        waiting = CLIENTS
        while waiting:
            rung = len(os.read(bell, waiting))
            assert rung, "a client died"
            waiting -= rung
    found: dict[str, list[Any]] = {}
    for pid, ours in members:
        with os.fdopen(ours, encoding="utf-8") as pipe:
            for name, act in json.load(pipe):
                found.setdefault(name, []).append(act)
        assert os.waitpid(pid, 0)[1] == 0
    return list(found.values())


def _be_one(client: Client, pipes: tuple[int, int, int], rounds: int) -> None:
    """Be one client; never returns."""
    gate, ringer, out = pipes
    try:
        for round_ in range(rounds):
            os.read(gate, 1)
            client.play(round_)
            os.write(ringer, b"!")
        client.ledger.close()
        with os.fdopen(out, "w", encoding="utf-8") as pipe:
            json.dump(client.notes, pipe)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - whatever it was, the parent sees the status
        traceback.print_exc()
    finally:
        os._exit(70)


class _Open:
    """A decide lock that lets everybody in, and dawdles."""

    def __init__(self, *args: object, **options: object) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        pass


def break_lock() -> None:
    """Let look and append be two steps."""
    real = Files.hold

    def dawdle(self: Files, handle: int) -> None:
        time.sleep(0.002)
        real(self, handle)

    Files.hold = dawdle  # type: ignore[method-assign]
    locks.Deciding = _Open  # type: ignore[assignment,misc]


def break_reading() -> None:
    """Let every third read be answered from the index as it was."""
    real = Context.view
    count = 0

    def view(self: Context, as_of: str | None) -> View:
        nonlocal count
        count += 1
        if count % 3 == 0 and self.index.opened is not None:
            return View(self.index.opened, self.clock.now())
        return real(self, as_of)

    Context.view = view  # type: ignore[method-assign]


def break_acknowledging() -> None:
    """Answer before the line is in the file: it is written with the next one."""
    real = Files.write
    waiting: dict[int, bytes] = {}

    def write(self: Files, handle: int, content: bytes) -> int:
        late = waiting.pop(handle, b"")
        if content.startswith(b'{"v"') and len(content) % 3 == 0:
            waiting[handle] = late + content
        else:
            real(self, handle, late + content)
        return len(content)

    Files.write = write  # type: ignore[method-assign]


FAULTS = {"lock": break_lock, "reading": break_reading, "acknowledging": break_acknowledging}


if __name__ == "__main__":
    json.dump(record(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:]), sys.stdout)
