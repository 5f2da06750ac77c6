"""`python -m benchmarks.against CHECKOUT`: another checkout and this one take turns, call by call.

Both are given the same log. What is compared is the processor time of each process, which says
more than seconds on a machine that does other things too. Of each pair of runs the ratio is taken;
the interval is where 95 % of the medians lie when the pairs are drawn again and again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from statistics import median

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALLOWED = 1.05
DRAWN = 2000
MEMORIES = 3000
PROMPT = "how does the service validate its input before we deploy, and who reviews the change"


class Checkout:
    """One version of the program, with a ledger of its own."""

    def __init__(self, name: str, folder: str, place: str) -> None:
        self.name = name
        self.root = f"{place}/{name}/project"
        self._python = f"{folder}/.venv/bin/python"
        self._env = {
            "PATH": os.environ["PATH"],
            "HOME": f"{place}/{name}",
            "VARVES_HOME": f"{place}/{name}/varves",
            "VARVES_ACTOR": "bench",
            "LANG": "C.UTF-8",
        }
        os.makedirs(self.root, exist_ok=True)

    def call(self, *words: str, said: str = "") -> float:
        """Run a verb and return the processor time it took, in seconds."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [self._python, "-m", "varves", *words],
            cwd=self.root,
            env=self._env,
            input=said,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(f"{self.name}: varves {' '.join(words)}: {done.stderr}")
        self.said = done.stdout
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Compare, and return 1 if a row is slower than allowed."""
    ask = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__)
    ask.add_argument("checkout", help="the other version, with its .venv")
    ask.add_argument("--rounds", type=int, default=60)
    given = ask.parse_args()
    place = tempfile.mkdtemp(prefix="varves-against-")
    try:
        old = Checkout("old", os.path.abspath(given.checkout), place)
        new = Checkout("new", HERE, place)
        _prepare(old, new)
        slow = [row for row in ROWS if not _compare(row, old, new, given.rounds)]
    finally:
        shutil.rmtree(place, ignore_errors=True)
    for row in slow:
        print(f"MISSED {row}", file=sys.stderr)
    return 1 if slow else 0


def _prepare(old: Checkout, new: Checkout) -> None:
    """Write one log and give it to both; each makes its own index of it."""
    subprocess.run(["git", "init", "-q", old.root], check=True)
    old.call("init")
    chance = random.Random(1)
    topics = ("orders", "billing", "search", "login", "reports", "mail", "cache", "queue")
    lines = [
        json.dumps({"text": f"The {chance.choice(topics)} service {n} validates input by rule {n}"})
        for n in range(MEMORIES)
    ]
    old.call("remember", "--batch", "-", said="\n".join(lines))
    shutil.copytree(f"{old.root}/.varves", f"{new.root}/.varves")
    subprocess.run(["git", "init", "-q", new.root], check=True)
    for one in (old, new):
        one.call("recall", "orders")


def _compare(row: str, old: Checkout, new: Checkout, rounds: int) -> bool:
    ratios, taken = [], {"old": [0.0], "new": [0.0]}
    for turn in range(-3, ROWS[row][1](rounds)):
        pair = {}
        for one in (old, new) if turn % 2 else (new, old):
            pair[one.name] = ROWS[row][0](one, turn + 3)
        if turn >= 0:
            ratios.append(pair["new"] / pair["old"])
            for name, value in pair.items():
                taken[name].append(value)
    low, high = _interval(ratios)
    met = low <= ALLOWED
    times = {name: median(values[1:]) * 1000 for name, values in taken.items()}
    print(
        f"{row:32} old {times['old']:8.1f} ms  new {times['new']:8.1f} ms"
        f"  ratio {median(ratios):.3f} ({low:.3f} - {high:.3f}){'' if met else '  MISSED'}",
        flush=True,
    )
    return met


def _interval(ratios: list[float]) -> tuple[float, float]:
    chance = random.Random(0)
    medians = sorted(median(chance.choices(ratios, k=len(ratios))) for _ in range(DRAWN))
    return medians[DRAWN // 40], medians[-DRAWN // 40]


def _prompt(one: Checkout, turn: int) -> float:
    sent = {
        "session_id": f"00000000-0000-4000-8000-{turn:012}",
        "transcript_path": f"{one.root}/none.jsonl",
        "cwd": one.root,
        "hook_event_name": "UserPromptSubmit",
        "prompt": PROMPT,
    }
    return one.call("hook", "UserPromptSubmit", said=json.dumps(sent))


def _start(one: Checkout, turn: int) -> float:
    sent = {
        "session_id": f"00000000-0000-4000-8000-{turn:012}",
        "cwd": one.root,
        "hook_event_name": "SessionStart",
        "source": "startup",
    }
    return one.call("hook", "SessionStart", said=json.dumps(sent))


def _correct(one: Checkout, turn: int) -> float:
    one.call("remember", f"Correction number {turn} waits", "--json")
    name = json.loads(one.said)["id"]
    return one.call("correct", name, f"Correction number {turn} is made")


def _after_a_write(one: Checkout, turn: int) -> float:
    one.call("remember", f"Something new, number {turn}, was said")
    return one.call("recall", "how is input validated")


ROWS = {
    "remember": (lambda one, n: one.call("remember", f"Memory {n} of the run"), int),
    "recall": (lambda one, n: one.call("recall", f"how does service {n} validate"), int),
    "recall after a write": (_after_a_write, int),
    "correct": (_correct, int),
    "list": (lambda one, _: one.call("list", "--json"), lambda rounds: rounds // 2),
    "conflicts": (lambda one, _: one.call("conflicts"), lambda rounds: rounds // 2),
    "brief": (lambda one, _: one.call("brief"), lambda rounds: rounds // 2),
    "hook, a prompt": (_prompt, int),
    "hook, a start": (_start, int),
    "status": (lambda one, _: one.call("status"), lambda rounds: rounds // 3),
    "rebuild": (lambda one, _: one.call("rebuild"), lambda rounds: rounds // 6),
}


if __name__ == "__main__":
    sys.exit(main())
