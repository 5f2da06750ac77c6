"""A crowd: many processes that do one thing to one ledger at the same moment.

Run as a program: `crowd JOB COUNT ROOT [OPTIONS as JSON]` prints what each of them answers.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

import varves
from varves.errors import Busy, VarvesError

if TYPE_CHECKING:
    from collections.abc import Callable


def remember(ledger: varves.Ledger, number: int, each: int) -> list[str]:
    """Remember so many statements of one's own; answer with the acknowledged events."""
    return [str(ledger.remember(f"writer {number} says {n}").event) for n in range(each)]


def insist(ledger: varves.Ledger, number: int, each: int) -> tuple[list[str], int]:
    """Remember so many statements; one that finds the ledger busy is tried again, as it says."""
    told: list[str] = []
    refused = 0
    while len(told) < each:
        try:
            told.append(str(ledger.remember(f"writer {number} says {len(told)}").event))
        except Busy:
            refused += 1
    return told, refused


def storm(ledger: varves.Ledger, number: int, *, id: str, tries: int, batch: bool) -> list[str]:
    """Say one thing under one id again and again, as a caller does who hears no answer."""
    answers = []
    for _ in range(tries):
        if batch:
            done = ledger.remember_many([{"text": "said in a storm", "id": id}])
            answers += ["recorded"] * done.written + ["known"] * done.known
        else:
            answers.append(ledger.remember("said in a storm", id=id).status)
    return answers


def race(ledger: varves.Ledger, number: int, *, memory: str, rounds: int) -> list[list[str]]:
    """Change one memory at the version last seen, over and over; answer what became of each try."""
    answers = []
    for n in range(rounds):
        version = ledger.show(memory).version
        try:
            if number % 2:
                event = ledger.edit(memory, tag=[f"t{number}x{n}"], expect=version).event
            else:
                event = ledger.edit(memory, confidence=(number * 100 + n) / 1e4, expect=version)
                event = event.event
            answers.append([version, "done", event])
        except VarvesError as fault:
            answers.append([version, fault.code, str(fault.exit)])
    return answers


def change(ledger: varves.Ledger, number: int, *, memory: str, version: str) -> list[str]:
    """Correct, edit or forget one memory at one version."""
    ways: list[Callable[[], Any]] = [
        lambda: ledger.correct(memory, f"as {number} has it", expect=version),
        lambda: ledger.edit(memory, tag=[f"t{number}"], expect=version),
        lambda: ledger.forget(memory, reason=f"{number} says so", expect=version),
    ]
    try:
        return ["done", ways[number % 3]().event]
    except VarvesError as fault:
        return [fault.code, str(fault.exit)]


JOBS: dict[str, Callable[..., Any]] = {
    "remember": remember,
    "insist": insist,
    "storm": storm,
    "race": race,
    "change": change,
}


def gather(job: str, count: int, root: str, options: dict[str, Any]) -> list[Any]:
    """Start all of them, let them go at once, and collect the answers."""
    warm = varves.open(root)  # what is imported before the fork need not be imported in each
    warm.log()
    warm.close()
    gate, opener = os.pipe()
    members = []
    for number in range(count):
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(opener)
            os.close(ours)
            be_one(gate, theirs, lambda ledger, n=number: JOBS[job](ledger, n, **options), root)
        os.close(theirs)
        members.append((pid, ours))
    os.close(opener)
    answers = []
    for pid, ours in members:
        with os.fdopen(ours, encoding="utf-8") as answer:
            answers.append(json.load(answer))
        assert os.waitpid(pid, 0)[1] == 0
    return answers


def be_one(gate: int, pipe: int, job: Callable[[varves.Ledger], Any], root: str) -> None:
    """Be one of the crowd; never returns."""
    try:
        ledger = varves.open(root)
        os.read(gate, 1)  # ends when the gate is opened for all
        answer = json.dumps(job(ledger))
        ledger.close()
        with os.fdopen(pipe, "w", encoding="utf-8") as out:
            out.write(answer)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - whatever it was, the parent sees the status
        traceback.print_exc()
    finally:
        os._exit(70)


if __name__ == "__main__":
    given = json.loads(sys.argv[4]) if len(sys.argv) > 4 else {}
    answer = gather(sys.argv[1], int(sys.argv[2]), sys.argv[3], given)
    sys.stdout.write(json.dumps(answer))
