"""Appends by eight processes at once against one, and whether each is there exactly once."""

from __future__ import annotations

import os
from collections import Counter
from multiprocessing import get_context
from time import monotonic, sleep
from typing import TYPE_CHECKING

import varves
from benchmarks.append import log_alone, padded
from benchmarks.corpus import Writer
from benchmarks.measure import Samples
from benchmarks.row import Row, between, per_second

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from benchmarks.scene import Scene

PROCESSES = 8
LEAD_SECONDS = 0.05  # all start at one instant, this long after they were told


def wanted(cores: int) -> float:
    """Return the factor asked for on so many cores."""
    return 1.8 if cores < 4 else 2.5


def run(scene: Scene) -> list[Row]:
    """Let one process and eight take turns in one ledger: appends, then whole `remember`s."""
    rows = []
    for whole in (False, True):
        one, eight, acknowledged, root = _take_turns(scene, whole=whole)
        factor, target = eight.median / one.median, wanted(cores())
        rows.append(
            Row(
                ("whole `remember`s" if whole else "appends") + " by 8 processes against one",
                per_second(eight.median),
                between(eight, per_second),
                baseline=f"{per_second(one.median)} ({between(one, per_second)})",
                ratio=f"{factor:.2f}",
                target="" if whole else f">= {target:g} x on {cores()} cores",
                met=None if whole else factor >= target,
            )
        )
        lost, doubled = _count(root, acknowledged)
        rows.append(
            Row(
                f"of those {len(acknowledged):,} events: lost, duplicated",
                f"{lost}, {doubled}",
                target="0, 0",
                met=lost == doubled == 0,
            )
        )
    return rows


def _take_turns(scene: Scene, *, whole: bool) -> tuple[Samples, Samples, list[str], str]:
    rounds, each = scene.size(9, 3), scene.size(250, 60)
    root = scene.project("processes-whole" if whole else "processes")
    spawn = get_context("spawn")
    workers, pipes = [], []
    for number in range(PROCESSES):
        ours, theirs = spawn.Pipe()
        workers.append(spawn.Process(target=work, args=(root, number, theirs, whole)))
        pipes.append(ours)
    for worker in workers:
        worker.start()
    taken: dict[int, list[float]] = {1: [], PROCESSES: []}
    acknowledged: list[str] = []
    try:
        for turn in range(-1, rounds):
            for count in (1, PROCESSES) if turn % 2 else (PROCESSES, 1):
                rate, ids = _round(pipes[:count], each if count > 1 else 3 * each)
                acknowledged += ids
                if turn >= 0:
                    taken[count].append(rate)
    finally:
        for pipe in pipes:
            pipe.send(None)
        for worker in workers:
            worker.join()
    one, eight = Samples(tuple(taken[1])), Samples(tuple(taken[PROCESSES]))
    return one, eight, acknowledged, root


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def work(root: str, number: int, pipe: Connection, whole: bool) -> None:  # noqa: FBT001
    """Append as often as told, from the instant told, and answer with when and what."""
    texts = Writer(1000 + number).texts(10**9)
    with varves.open(root) as ledger:
        append = log_alone(root)

        def remember(text: str) -> str:
            return str(ledger.remember(text).event)

        record = remember if whole else append
        record(f"worker {number} is ready")
        while (told := pipe.recv()) is not None:
            begin, count = told
            statements = [f"{number}: {padded(next(texts))}" for _ in range(count)]
            sleep(max(0.0, begin - monotonic()))
            began = monotonic()
            done = [record(text) for text in statements]
            pipe.send((began, monotonic(), done))


def _round(pipes: list[Connection], each: int) -> tuple[float, list[str]]:
    begin = monotonic() + LEAD_SECONDS
    for pipe in pipes:
        pipe.send((begin, each))
    answers = [pipe.recv() for pipe in pipes]
    took = max(end for _, end, _ in answers) - min(start for start, _, _ in answers)
    return each * len(pipes) / took, [event for _, _, ids in answers for event in ids]


def _count(root: str, acknowledged: list[str]) -> tuple[int, int]:
    """Count what was acknowledged and is not in the files, or is there more than once."""
    with varves.open(root) as ledger:
        if not ledger.verify().ok:
            raise RuntimeError("the log is damaged")
    there: Counter[str] = Counter()
    for folder, _, names in os.walk(f"{root}/.varves/log"):
        for name in names:
            with open(f"{folder}/{name}", encoding="ascii") as file:
                there.update(line.split('"id":"', 1)[1][:30] for line in file)
    lost = sum(event not in there for event in acknowledged)
    again = len(acknowledged) - len(set(acknowledged))
    return lost, again + sum(count - 1 for count in there.values())
