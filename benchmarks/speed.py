"""How long one recall takes as memories grow: in a running process, and from process start.

Beside it, in turn and in the same run: a plain FTS5 query that joins the prompt's words by OR, an
exact numpy scan of as many vectors (where numpy is there), and an interpreter that does nothing.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from itertools import cycle
from time import perf_counter
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer, prompts
from benchmarks.measure import interleave
from benchmarks.published import Statement, Store
from benchmarks.recall import AT_MOST, asking, compiled, process
from benchmarks.row import Row, seconds
from benchmarks.scene import say
from benchmarks.systems import Bm25, FullText, Varves, VarvesDense, dense_missing, match

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from benchmarks.measure import Samples
    from benchmarks.scene import Scene

SIZES = (1000, 10_000, 100_000, 1_000_000)
JUDGED = 100_000  # the size whose warm figures have targets
OF_FULL_TEXT = 0.5
SCANS = 1.5
TAIL = 6.0
DIMENSIONS = 256
CPU_MEMORIES, CPU_QUESTIONS = 10_000, 200
CPU_AT_MOST = {"ours": (1.0, 5.0), "ours + dense": (1.0, 10.0)}
DETAILS = ("Noted as entry {number}, chapter {number}, reference {number}/{number}/{number}.",)
ASKED = (
    "Why does the {name} {thing} {action}?",
    "Who found the {quality} {thing} of {name}?",
    "What did {person} say about {name} and its {thing}?",
    "Which {thing} does {name} need on the {quality} {name}?",
    "What do we do when the {thing} of {name} is {quality}?",
)
RESIDENT = """
import sys, varves
with varves.open(sys.argv[1]) as ledger:
    for prompt in sys.argv[3:]:
        ledger.recall(prompt, dense=sys.argv[2] == "dense")
try:
    with open("/proc/self/status", encoding="ascii") as status:
        print(next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM")))
except OSError:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True)
class Point:
    """What was measured at one size."""

    memories: int
    warm: dict[str, Samples]  # ours, fts5, and where numpy is: ours + dense, scan
    cold: dict[str, Samples]  # ours, bare
    resident: dict[str, int]


def measure(scene: Scene, size: int) -> Point:
    """Measure recall over so many memories."""
    compiled()
    root = scene.memories(size)
    plain = _plain(f"{scene.folder}/fts5-{size}.db", size)
    rounds = 200 if size <= 10_000 else 100 if size <= JUDGED else 40
    with varves.open(root) as ledger:
        subjects = {
            "ours": _each(lambda prompt: ledger.recall(prompt, dense=False)),
            "fts5": _each(lambda prompt: _any_of(plain, prompt)),
        }
        if not dense_missing():
            say(f"embedding {size:,} memories")
            ledger.recall(prompts()[0], dense=True)
            subjects["ours + dense"] = _each(lambda prompt: ledger.recall(prompt, dense=True))
            subjects["scan"] = _scan(size)
        say(f"asking {size:,} memories")
        warm = interleave(subjects, rounds=rounds, warmup=len(prompts()))
    plain.close()
    say(f"starting processes over {size:,} memories")
    scene.settle(root)
    bare = process([sys.executable, "-c", "pass"], root)
    cold = interleave({"ours": asking(root), "bare": bare}, rounds=40, warmup=3)
    ways = ("lexical",) if dense_missing() else ("lexical", "dense")
    return Point(size, warm, cold, {way: _resident(root, way) for way in ways})


def _each(ask: Callable[[str], object]) -> Callable[[], object]:
    """Return a call that asks the next prompt each time."""
    asked = cycle(prompts())
    return lambda: ask(next(asked))


def _plain(path: str, size: int) -> sqlite3.Connection:
    """Make a plain full-text index of the same texts."""
    found = sqlite3.connect(path)
    found.execute("create virtual table held using fts5(text, tokenize='porter unicode61')")
    texts = ((text,) for text in Writer(size).texts(size))
    found.executemany("insert into held values (?)", texts)
    found.commit()
    return found


def _any_of(plain: sqlite3.Connection, prompt: str) -> list[Any]:
    sql = "select rowid, text from held where held match ? order by bm25(held) limit 10"
    return plain.execute(sql, (match(prompt),)).fetchall()


def _scan(size: int) -> Callable[[], object]:
    """Return one exact search for the ten nearest of so many vectors."""
    import numpy as np

    chance = np.random.default_rng(0)
    held = chance.standard_normal((size, DIMENSIONS), dtype=np.float32)
    asked = chance.standard_normal(DIMENSIONS, dtype=np.float32)
    return lambda: np.argpartition(held @ asked, -10)[-10:]


def _resident(root: str, way: str) -> int:
    """Return the most memory a process held that answered every prompt, in bytes."""
    command = [sys.executable, "-c", RESIDENT, root, way, *prompts()]
    done = subprocess.run(command, cwd=root, capture_output=True, encoding="utf-8", check=True)
    return int(done.stdout)


def targets(point: Point) -> list[Row]:
    """Return what is asked of the figures at one size."""
    found = []
    ours, plain = point.warm["ours"], point.warm["fts5"]
    at = f"at {point.memories:,} memories"
    if point.memories == JUDGED:
        found.append(_within(f"warm recall {at}, median", ours.median, OF_FULL_TEXT * plain.median))
        found.append(_within(f"the same, p99 against {TAIL:g} x p50", *_tail(ours)))
        if "ours + dense" in point.warm:
            dense, scan = point.warm["ours + dense"], point.warm["scan"]
            allowed = OF_FULL_TEXT * plain.median + SCANS * scan.median
            found.append(_within(f"warm recall with dense {at}, median", dense.median, allowed))
            found.append(_within(f"with dense, p99 against {TAIL:g} x p50", *_tail(dense)))
    if point.memories in AT_MOST:
        allowed = AT_MOST[point.memories] * point.cold["bare"].median
        what = f"`varves recall` from process start {at}, median"
        found.append(_within(what, point.cold["ours"].median, allowed))
    return found


def _tail(samples: Samples) -> tuple[float, float]:
    return samples.quantile(0.99), TAIL * samples.median


def _within(what: str, value: float, allowed: float) -> Row:
    return Row(what, seconds(value), target=f"<= {seconds(allowed)}", met=value <= allowed)


def table(points: list[Point]) -> list[tuple[str, ...]]:
    """Return the figures of every size."""
    heads = ["memories", "warm p50", "warm p99", "FTS5 OR p50", "to FTS5"]
    heads += ["cold p50", "cold p99", "bare start", "to bare", "resident"]
    dense = all("scan" in point.warm for point in points)
    if dense:
        heads += ["dense p50", "dense p99", "numpy scan", "resident, dense"]
    rows = [tuple(heads)]
    for point in points:
        warm, plain = point.warm["ours"], point.warm["fts5"]
        cold, bare = point.cold["ours"], point.cold["bare"]
        cells = [f"{point.memories:,}", *_ends(warm), seconds(plain.median)]
        cells += [f"{warm.median / plain.median:.2f}", *_ends(cold), seconds(bare.median)]
        cells += [f"{cold.median / bare.median:.2f}", _mebibytes(point.resident["lexical"])]
        if dense:
            scan = seconds(point.warm["scan"].median)
            cells += [*_ends(point.warm["ours + dense"]), scan]
            cells += [_mebibytes(point.resident["dense"])]
        rows.append(tuple(cells))
    return rows


def _ends(samples: Samples) -> tuple[str, str]:
    return seconds(samples.median), seconds(samples.quantile(0.99))


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"


def series(points: list[Point]) -> dict[str, list[tuple[float, float]]]:
    """Return the lines of the growth curve, in milliseconds."""

    def of(way: str, name: str, share: float = 0.5) -> list[tuple[float, float]]:
        found = []
        for point in points:
            samples = getattr(point, way).get(name)
            if samples is not None:
                found.append((float(point.memories), 1000 * samples.quantile(share)))
        return found

    lines = {
        "warm, median": of("warm", "ours"),
        "warm, 99th percentile": of("warm", "ours", 0.99),
        "cold process, median": of("cold", "ours"),
        "warm with dense, median": of("warm", "ours + dense"),
        "plain FTS5 OR query": of("warm", "fts5"),
        "exact numpy scan": of("warm", "scan"),
        "python -c pass": of("cold", "bare"),
    }
    return {name: line for name, line in lines.items() if line}


def store(count: int) -> Store:
    """Return a store of memories of about 150 characters, and nothing asked."""
    texts = zip(Writer(5).texts(count), Writer(7, DETAILS).texts(count), strict=True)
    return Store(
        [
            Statement(f"m{n}", f"{text} {more}", None, _about(n))
            for n, (text, more) in enumerate(texts)
        ]
    )


def _about(number: int) -> dict[str, str]:
    return {"speaker": "", "session": f"s{number // 20}"}


def cpu(clock: Callable[[], float], *, count: int = CPU_MEMORIES) -> list[tuple[str, float, float]]:
    """Return, for each system, CPU milliseconds per insert and per query."""
    statements = store(count).statements
    questions = list(Writer(6, ASKED).texts(CPU_QUESTIONS))
    systems: dict[str, Callable[[], Any]] = {"FTS5": FullText, "BM25": Bm25, "ours": Varves}
    if not dense_missing():
        systems["ours + dense"] = VarvesDense
    found = []
    for name, made in systems.items():
        began_at = perf_counter()
        subject = made()
        began = clock()
        subject.add(statements)
        inserted = clock() - began
        began = clock()
        for question in questions:
            subject.search(question, 10)
        asked = clock() - began
        if hasattr(subject, "close"):
            subject.close()
        found.append((name, 1000 * inserted / count, 1000 * asked / len(questions)))
        say(f"{name} over {count:,} memories took {perf_counter() - began_at:.0f} s")
    return found


def cpu_rows(found: list[tuple[str, float, float]]) -> list[Row]:
    """Return what is asked of the CPU time, and whether it is so."""
    rows = []
    for name, insert, query in found:
        for what, value, place in (("insert", insert, 0), ("query", query, 1)):
            at_most = CPU_AT_MOST[name][place] if name in CPU_AT_MOST else None
            rows.append(
                Row(
                    f"{name}: CPU per {what}, {CPU_MEMORIES:,} memories of about 150 characters",
                    f"{value:.3f} ms",
                    target="" if at_most is None else f"< {at_most:g} ms",
                    met=None if at_most is None else value < at_most,
                )
            )
    return rows


def quiet_environment() -> None:
    """Leave nothing of the caller's settings to the ledgers opened here."""
    for name in tuple(os.environ):
        if name.startswith("VARVES_"):
            del os.environ[name]
