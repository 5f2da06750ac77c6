"""A PostgreSQL remote: single pushes of many processes, large pushes and pulls, and following.

Beside it in the same run, where it is installed: LangGraph's PostgresStore, into the same server.

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
from benchmarks.row import Row, compared, per_second, seconds
from benchmarks.scene import say
from varves.testing.postgres import PostgresServer, binaries

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from benchmarks.scene import Scene

PROCESSES = 8
COMMIT = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit"]
# Equal first commits: all checkouts are of one project.
DATES = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-01-01T00:00:00Z")


def run(scene: Scene) -> list[Row]:
    """Measure a remote, where the driver and a server are installed."""
    if find_spec("psycopg") is None or not binaries():
        say("no PostgreSQL here: remotes are not measured")
        return []
    server = PostgresServer(next(iter(binaries().values())), settings="-c fsync=on")
    try:
        url = server.url(server.database())
        return [
            *_single(scene, server),
            *_large(scene, url),
            *_followed(scene, url),
            *many_ledgers(scene),
        ]
    finally:
        server.close()


def _checkout(scene: Scene, name: str, url: str) -> str:
    root = f"{scene.folder}/{name}"
    os.makedirs(root)
    for words in (["init", "-q"], [*COMMIT, "-q", "--allow-empty", "-m", "The project"]):
        subprocess.run(["git", *words], cwd=root, env=os.environ | DATES, check=True)
    with varves.open(root) as ledger:
        ledger.add_remote("hub", url, when="manual")
    return root


def _single(scene: Scene, server: PostgresServer) -> list[Row]:
    """Let eight processes push one memory at a time, into one ledger and into eight."""
    each = scene.size(250, 20)
    count = PROCESSES * each
    theirs = _put_by_langgraph(server, each)
    rows = []
    for ledgers, most in ((1, 1.0), (PROCESSES, 0.5)):
        url = server.url(server.database())
        roots = []
        for number in range(PROCESSES):
            target = f"{url}#single{number % ledgers}"
            with varves.open(scene.folder) as ledger:
                ledger.team(target).init()
            roots.append(_checkout(scene, f"single{ledgers}-{number}", target))
        took, sent = _at_once(_push_singly, [(root, each) for root in roots])
        into = "one ledger" if ledgers == 1 else f"{ledgers} ledgers"
        rows.append(
            Row(
                f"{PROCESSES} processes x {each} single pushes, {into}",
                seconds(took),
                per_second(count / took),
                baseline=f"LangGraph {seconds(theirs)}" if theirs else "",
                ratio=f"{took / theirs:.2f}" if theirs else "",
                target=f"<= {most:g} x" if theirs else "",
                met=took <= most * theirs if theirs else None,
            )
        )
        lost = count - sent
        rows.append(Row(f"of those {count:,}: lost", f"{lost}", target="0", met=not lost))
    return rows


def _at_once(act: Callable[..., int], calls: list[tuple[Any, ...]]) -> tuple[float, int]:
    """Run calls in a process each, and return the seconds from the first start to the last end."""
    with ProcessPoolExecutor(len(calls), get_context("spawn")) as pool:
        list(pool.map(_ready, range(len(calls))))
        began = perf_counter()
        done = sum(pool.map(act, *zip(*calls, strict=True)))
        return perf_counter() - began, done


def _ready(number: int) -> int:
    """Give a process time to start and to import what it needs."""
    sleep(0.3)
    return number


def _put_by_langgraph(server: PostgresServer, each: int) -> float:
    """Return the seconds that eight processes take to put values singly; 0 if not installed."""
    if find_spec("langgraph.store.postgres") is None:
        say("langgraph-checkpoint-postgres is not installed: no comparison")
        return 0.0
    from langgraph.store.postgres import PostgresStore

    url = server.url(server.database())
    with PostgresStore.from_conn_string(url) as store:
        store.setup()
    took, _ = _at_once(_put_singly, [(url, number, each) for number in range(PROCESSES)])
    return took


def _put_singly(url: str, process: int, count: int) -> int:
    from langgraph.store.postgres import PostgresStore

    with PostgresStore.from_conn_string(url) as store:
        for number in range(count):
            text = f"Release {number} of single-{process} is on a Tuesday"
            store.put(("shop", f"agent-{process}"), f"m{number}", {"text": text})
    return count


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


# Many ledgers

LINES = 200  # in each ledger
LOOKS = 60


def many_ledgers(scene: Scene) -> list[Row]:
    """Compare a database of many ledgers, a million lines in all, with one of ten."""
    programs = next(iter(binaries().values()))
    few, many = 10, scene.size(5000, 60)
    servers = [PostgresServer(programs, settings="-c fsync=on") for _ in range(2)]
    try:
        roots = [
            _filled(scene, server, count)
            for server, count in zip(servers, (few, many), strict=True)
        ]
        times: list[dict[str, list[float]]] = [{}, {}]
        for turn in range(LOOKS):
            for root, taken in zip(roots, times, strict=True):
                _look(root, turn, taken)
    finally:
        for server in servers:
            server.close()
    rows = []
    for what, taken in times[1].items():
        ours, base = Samples(tuple(taken)), Samples(tuple(times[0][what]))
        rows.append(compared(f"{what}, {many:,} ledgers against {few}", ours, base, at_most=1.2))
    return rows


def _filled(scene: Scene, server: PostgresServer, count: int) -> str:
    """Make ledgers with the same number of lines each; return a member's checkout of one."""
    import psycopg

    url = server.url(server.database())
    model = _checkout(scene, f"model{count}", f"{url}#ledger0")
    with varves.open(model) as ledger:
        for number in range(count):
            ledger.team(f"{url}#ledger{number}").init()
        ledger.remember_many({"text": f"Fact {n}: port {n}"} for n in range(LINES))
        ledger.push()
        ledger.team(f"{url}#ledger0").add("ada", write=True)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "select varves.push(l.id, 'project', s.names, s.ords, s.lines) from varves.ledger l,"
            " (select array_agg(segment) as names, array_agg(ord) as ords, array_agg(line) as lines"
            " from varves.line where ledger = (select id from varves.ledger where name = 'ledger0')"
            " ) s where l.name like 'ledger%'"
        )
        connection.execute("vacuum analyze")
    member = url.replace("postgres@", "ada@")
    return _checkout(scene, f"member{count}", f"{member}#ledger0")


def _look(root: str, turn: int, taken: dict[str, list[float]]) -> None:
    """Push a memory, look for news, and fetch the whole ledger, as a member."""
    with varves.open(root) as ledger:
        ledger.remember(f"Release {turn} is on a Tuesday")
        began = perf_counter()
        ledger.push()
        taken.setdefault("push of one memory", []).append(perf_counter() - began)
        began = perf_counter()
        ledger.pull()
        if turn:  # the first one fetches everything
            taken.setdefault("pull of nothing", []).append(perf_counter() - began)
