"""`varves recall` as a hook runs it: a process started, a prompt answered, the process gone."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from itertools import cycle
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import prompts
from benchmarks.measure import interleave
from benchmarks.row import Row, compared, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.scene import Scene

AT_MOST = {10_000: 5.0, 100_000: 8.0}  # times a bare interpreter, by memories
WORDS = (60, 120)


def run(scene: Scene) -> list[Row]:
    """Start `varves recall` and a bare interpreter in turn."""
    few, many = scene.size(10_000, 2000), scene.size(100_000, 10_000)
    compiled()
    lengths = [len(prompt.split()) for prompt in prompts()]
    if min(lengths) < WORDS[0] or max(lengths) > WORDS[1]:
        raise RuntimeError(f"prompts of {min(lengths)} to {max(lengths)} words")
    roots = {"few": scene.memories(few), "many": scene.memories(many)}
    for root in roots.values():
        scene.settle(root)
        _answers(root)
    found = interleave(
        {
            "few": asking(roots["few"]),
            "bare": process([sys.executable, "-c", "pass"], roots["few"]),
            "many": asking(roots["many"]),
        },
        rounds=scene.size(100, 40),
        warmup=5,
    )
    with varves.open(roots["few"]) as ledger:
        asked = cycle(prompts())
        inside = interleave({"recall": lambda: ledger.recall(next(asked))}, rounds=60)
    words = f"prompts of {min(lengths)} - {max(lengths)} words"
    return [
        compared(
            f"`varves recall` from process start ({few:,} memories, {words})"
            " against `python -c pass`",
            found["few"],
            found["bare"],
            at_most=AT_MOST[10_000],
        ),
        compared(
            f"the same at {many:,} memories",
            found["many"],
            found["bare"],
            at_most=AT_MOST[100_000],
        ),
        timed(f"`ledger.recall` in a running process, {few:,} memories", inside["recall"]),
    ]


def script() -> str:
    """Return the command as it is installed."""
    return os.path.join(sysconfig.get_path("scripts"), "varves")


def compiled() -> None:
    """Write the bytecode that an installed package has."""
    folder = os.path.dirname(str(varves.__file__))
    subprocess.run([sys.executable, "-m", "compileall", "-q", folder], check=True)


def _answers(root: str) -> None:
    """Make sure that what is timed answers."""
    done = subprocess.run(
        [script(), "recall", prompts()[0]],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    if len(done.stdout.splitlines()) < 10:
        raise RuntimeError(f"recall found too little: {done.stdout}{done.stderr}")


def asking(root: str) -> Callable[[], None]:
    """Return a call that asks the next prompt each time."""
    asked = cycle([process([script(), "recall", prompt], root) for prompt in prompts()])

    def ask() -> None:
        next(asked)()

    return ask


def process(command: list[str], root: str, *, stdin: str = os.devnull) -> Callable[[], None]:
    """Return a call that starts a process in a project, with as little of our own as possible."""
    quiet = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
    ]
    env = {**os.environ, "VARVES_ROOT": root}

    def start() -> None:
        child = os.posix_spawn(command[0], command, env, file_actions=quiet)
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError(f"{command[:2]} ended with {status}")

    return start
