"""What one more message costs as a conversation grows, and what its memory then takes.

Three conversations of a ledger, of a hundred to ten thousand messages, are told the same further
messages in turn. In them agents propose, react and decide, and each twelfth message makes an
extractive summary; so the bounds of the memory are reached long before the last size. While it is
measured each one grows by 156 messages.
"""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
from contextlib import ExitStack
from time import perf_counter, process_time
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer
from benchmarks.measure import Samples
from benchmarks.row import Row, compared, timed
from benchmarks.scene import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from benchmarks.scene import Scene

SIZES = (100, 1_000, 10_000)
AGENTS = ("ada", "ben", "eve", "noa")
NAME = "talk"
ROUND = 12  # messages between two summaries
FLAT = 1.5
LEVEL = 1.2  # of what the bounds have filled: context, file and memory


def run(scene: Scene) -> list[Row]:
    """Tell conversations of several lengths the same messages in turn."""
    sizes = (24, 60, 120) if scene.quick else SIZES
    roots = {size: _conversation(scene, size) for size in sizes}
    wall: dict[int, list[float]] = {size: [] for size in sizes}
    work: dict[int, list[float]] = {size: [] for size in sizes}
    with ExitStack() as stack:
        opened = {
            size: stack.enter_context(varves.open(root, home=f"{root}-home")).deliberation
            for size, root in roots.items()
        }
        for turn in range(-1, scene.size(12, 2)):
            posts = list(messages(ROUND, seed=1_000_000 + turn))
            for size, talk in opened.items():
                began, used = _told(talk, posts)
                if turn >= 0:
                    wall[size].append(began / ROUND)
                    work[size].append(used / ROUND)
        held = {size: _held(talk, roots[size]) for size, talk in opened.items()}
    peaks = {size: peak(root) for size, root in roots.items()}
    return [
        *grown("processor time of a message", _samples(work)),
        *grown("a durable message", _samples(wall), held=False),
        *level("tokens of the context", {size: one[0] for size, one in held.items()}),
        *level("bytes of `memory.json`", {size: one[1] for size, one in held.items()}),
        *level("peak memory in KiB of a process that records 12 messages,", peaks),
    ]


def _samples(taken: dict[int, list[float]]) -> dict[int, Samples]:
    return {size: Samples(tuple(values)) for size, values in taken.items()}


def grown(what: str, taken: dict[int, Samples], *, held: bool = True) -> list[Row]:
    """Return what a message costs at each size, against the smallest."""
    (first, least), *rest = taken.items()
    most = FLAT if held else None
    rows = [timed(f"{what} at {first:,} messages", least)]
    return rows + [
        compared(f"{what} at {size:,} messages against {first:,}", one, least, at_most=most)
        for size, one in rest
    ]


def level(what: str, counts: dict[int, int]) -> list[Row]:
    """Return a count at each size; from the second size on the bounds hold it."""
    (first, least), (second, full), *rest = counts.items()
    rows = [
        Row(f"{what} at {first:,} messages", f"{least:,}"),
        Row(f"{what} at {second:,} messages", f"{full:,}"),
    ]
    for size, count in rest:
        factor = count / full
        rows.append(
            Row(
                f"{what} at {size:,} messages against {second:,}",
                f"{count:,}",
                baseline=f"{full:,}",
                ratio=f"{factor:.2f}",
                target=f"<= {LEVEL:g} x",
                met=factor <= LEVEL,
            )
        )
    return rows


def messages(count: int, *, seed: int) -> Iterator[tuple[str, str]]:
    """Return who says what: of ten messages one decides, one proposes and one takes a side."""
    chosen = random.Random(seed)
    texts = Writer(seed).texts(count)
    idea = "keeping the old names"
    for number, text in enumerate(texts):
        agent = chosen.choice(AGENTS)
        if number % 10 == 3:
            idea = text
            yield agent, f"I propose {text}"
        elif number % 10 == 5:
            yield agent, f'On "{idea}": {chosen.choice(("I agree.", "I disagree."))}'
        elif number % 10 == 8:
            yield agent, f"We decided on '{' '.join(text.split()[:4])} {seed}': {text}"
        else:
            yield agent, text


def _conversation(scene: Scene, size: int) -> str:
    """Make a project with one conversation of so many messages."""
    say(f"a conversation of {size:,} messages")
    root = scene.project(f"talk-{size}")
    # By default no decision and no proposal is dropped; with bounds, a memory stops growing.
    summaries, decisions, proposals = (3, 3, 3) if scene.quick else (20, 50, 30)
    os.mkdir(f"{root}/.varves")
    with open(f"{root}/.varves/settings.toml", "w", encoding="utf-8") as file:
        file.write(
            f"[deliberation]\nkeep_summaries = {summaries}\n"
            f"keep_decisions = {decisions}\nkeep_proposals = {proposals}\n"
        )
    with varves.open(root, home=f"{root}-home", mode="fast") as ledger:
        talk = ledger.deliberation
        talk.begin(NAME)
        for agent, text in messages(size, seed=size):
            talk.say(agent, text)
    return root


def _told(talk: Any, posts: list[tuple[str, str]]) -> tuple[float, float]:
    """Say some messages; return the seconds that passed and those of the processor."""
    gc.collect()
    began, used = perf_counter(), process_time()
    for agent, text in posts:
        talk.say(agent, text)
    return perf_counter() - began, process_time() - used


def _held(talk: Any, root: str) -> tuple[int, int]:
    tokens = talk.context(AGENTS[0]).tokens
    talk.save()
    return tokens, os.path.getsize(f"{root}/deliberations/{NAME}/memory.json")


def peak(root: str) -> int:
    """Return the most memory that a fresh process held which said twelve messages, in KiB."""
    command = [sys.executable, "-m", "benchmarks.deliberation", root]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return int(done.stdout)


def _say_alone(root: str) -> None:
    with varves.open(root, home=f"{root}-home") as ledger:
        _told(ledger.deliberation, list(messages(ROUND, seed=7)))
    print(_high_water())


def _high_water() -> int:
    """Return the most memory this process has held, in KiB; without its parent's, where told."""
    try:
        with open("/proc/self/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    _say_alone(sys.argv[1])
