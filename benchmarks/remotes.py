"""A PostgreSQL remote: single pushes of many processes, large pushes and pulls, and following.

The server is started for the run, syncs every commit and shares the machine with its clients.
"""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from threading import Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING

import varves
from benchmarks.measure import Samples
from benchmarks.row import Row, per_second, seconds
from benchmarks.scene import say
from varves.testing.postgres import PostgresServer, binaries

if TYPE_CHECKING:
    from benchmarks.scene import Scene

PROCESSES = 8
COMMIT = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit"]


def run(scene: Scene) -> list[Row]:
    """Measure a remote, where the driver and a server are installed."""
    if find_spec("psycopg") is None or not binaries():
        say("no PostgreSQL here: remotes are not measured")
        return []
    server = PostgresServer(next(iter(binaries().values())), settings="-c fsync=on")
    try:
        url = server.url(server.database())
        return [*_single(scene, url), *_large(scene, url), *_followed(scene, url)]
    finally:
        server.close()


def _checkout(scene: Scene, name: str, url: str) -> str:
    root = f"{scene.folder}/{name}"
    os.makedirs(root)
    for words in (["init", "-q"], [*COMMIT, "-q", "--allow-empty", "-m", "The project"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    with varves.open(root) as ledger:
        ledger.add_remote("hub", url, when="manual")
    return root


def _single(scene: Scene, url: str) -> list[Row]:
    """Let eight processes push one memory at a time, into one ledger and into eight."""
    rows = []
    each = scene.size(250, 20)
    for ledgers in (1, PROCESSES):
        roots = []
        for number in range(PROCESSES):
            target = f"{url}#single{ledgers}-{number % ledgers}"
            with varves.open(scene.folder) as ledger:
                ledger.team(target).init()
            roots.append(_checkout(scene, f"single{ledgers}-{number}", target))
        began = perf_counter()
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
            sent = sum(pool.map(_push_singly, roots, [each] * PROCESSES))
        took = perf_counter() - began
        rows.append(
            Row(
                f"{PROCESSES} processes x {each} single pushes, "
                + ("one ledger" if ledgers == 1 else f"{ledgers} ledgers"),
                seconds(took),
                baseline=f"{per_second(sent / took)}",
            )
        )
        lost = PROCESSES * each - sent
        rows.append(
            Row(f"of those {PROCESSES * each:,}: lost", f"{lost}", target="0", met=not lost)
        )
    return rows


def _push_singly(root: str, count: int) -> int:
    sent = 0
    with varves.open(root) as ledger:
        for number in range(count):
            ledger.remember(f"Release {number} of {os.path.basename(root)} is on a Tuesday")
            sent += ledger.push()[0].pushed
    return min(sent, count)


def _large(scene: Scene, url: str) -> list[Row]:
    """Push many memories, push again, and pull them into an empty folder until recalled."""
    count = scene.size(100_000, 2_000)
    target = f"{url}#large"
    with varves.open(scene.folder) as ledger:
        ledger.team(target).init()
    with varves.open(_checkout(scene, "large", target)) as ledger:
        ledger.remember_many(
            {"text": f"Fact {n}: service {n % 97} listens on port {n}"} for n in range(count)
        )
        began = perf_counter()
        sent = ledger.push()[0].pushed
        pushed = perf_counter() - began
        began = perf_counter()
        ledger.push()
        again = perf_counter() - began
    with varves.open(_checkout(scene, "empty", target)) as ledger:
        began = perf_counter()
        got = ledger.pull()[0].pulled
        pulled = perf_counter() - began
        ledger.recall("which service listens on port 77?")
        ready = perf_counter() - began
    rate, back = sent / pushed, got / pulled
    return [
        Row(f"push {count:,}", per_second(rate), target=">= 10,000/s", met=rate >= 10_000),
        Row("push again", seconds(again), target="<= 1 s", met=again <= 1),
        Row(f"pull {count:,}", per_second(back), target=">= 50,000/s", met=back >= 50_000),
        Row("and ready to recall", seconds(ready), target="<= 30 s", met=ready <= 30),
    ]


def _followed(scene: Scene, url: str) -> list[Row]:
    """Time from a push to its lines in another checkout that follows."""
    target, turns = f"{url}#followed", scene.size(60, 8)
    with varves.open(scene.folder) as ledger:
        ledger.team(target).init()
    writer, reader = (_checkout(scene, name, target) for name in ("writer", "reader"))
    seen: list[float] = []

    def follow() -> None:
        with varves.open(reader) as ledger:
            for news in ledger.follow_remote("hub"):
                if news.pulled:
                    seen.append(perf_counter())
                    if len(seen) == turns:
                        return

    reading = Thread(target=follow, daemon=True)
    reading.start()
    sent = []
    with varves.open(writer) as ledger:
        for number in range(turns):
            ledger.remember(f"Release {number} is on a Tuesday")
            sent.append(perf_counter())
            ledger.push()
            while len(seen) <= number and reading.is_alive():
                sleep(0.001)
    taken = Samples(tuple(at - began for at, began in zip(seen, sent, strict=False)))
    late = taken.quantile(0.99)
    return [
        Row(
            "from a write to another checkout that follows, p99",
            seconds(late),
            f"median {seconds(taken.median)}",
            target="<= 300 ms",
            met=late <= 0.3,
        )
    ]
