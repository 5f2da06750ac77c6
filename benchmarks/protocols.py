"""What the protocols' busiest verbs cost as their memories grow: a session start, and a task.

Both look through all that their scopes hold, so the time may grow with the number of entries, but
no faster, and by little for each of them.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

import varves
from benchmarks.corpus import Writer
from benchmarks.measure import interleave
from benchmarks.row import Row, compared, timed
from benchmarks.scene import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from benchmarks.measure import Samples
    from benchmarks.scene import Scene

SIZES = (100, 1000, 10_000)
SCOPED = ("project:shop", "project:other", "team:core", "team:ops", "global")
HIVEMIND = ("project:shop", "project:other", "team:core", "agent:DEV-001", "global")
LINEAR = 1.2  # of the growth in entries: what more is beyond the noise of a run
SLOPE = 0.006  # of the time at the smallest size, for each further entry
TASK = "Fix the slow checkout page in src/pages/checkout.py and its cache"
TAGS = ("cache", "checkout", "login", "deploy", "parser", "queue", "route", "token")


def run(scene: Scene) -> list[Row]:
    """Start sessions and take tasks over stores of different sizes, in turn."""
    sizes = SIZES[:-1] if scene.quick else SIZES
    rounds = scene.size(30, 10)
    measured: list[Row] = []
    for verb, fill, subject in (
        ("`scoped session start`", _scoped, _start),
        ("`hivemind task`", _hivemind, _task),
    ):
        with ExitStack() as stack:
            subjects = {}
            for size in sizes:
                say(f"writing {size:,} entries for {verb}")
                root = fill(scene, size)
                scene.settle(root)
                home = f"{root}-home"
                ledger = stack.enter_context(varves.open(root, home=home, actor="DEV-001"))
                subjects[f"{size:,}"] = subject(ledger)
            found = interleave(subjects, rounds=rounds, warmup=3, heavy=True)
        measured += rows(verb, dict(zip(sizes, found.values(), strict=True)))
    return measured


def rows(verb: str, found: dict[int, Samples]) -> list[Row]:
    """Return a row for each size; each is held against the size before it."""
    (first, base), *others = found.items()
    made = [timed(f"{verb} at {first:,} entries in 5 scopes", base)]
    before = first
    for size, samples in others:
        what = f"{verb} at {size:,} entries against {before:,}"
        made.append(compared(what, samples, found[before], at_most=LINEAR * size / before))
        before = size
    return [*made, _slope(verb, found)]


def _slope(verb: str, found: dict[int, Samples]) -> Row:
    """Return what each further entry costs, as a share of the time at the smallest size."""
    (low, base), *_, (high, top) = found.items()
    each = (top.median - base.median) / (high - low)
    share = each / base.median
    return Row(
        f"{verb}: time for each further entry, as a share of the time at {low:,}",
        f"{each * 1e6:.0f} us",
        ratio=f"{share:.4f}",
        target=f"<= {SLOPE:g}",
        met=share <= SLOPE,
    )


def _start(ledger: Any) -> Callable[[], object]:
    return lambda: ledger.scoped.session_start(id="bench", project="shop", team="core")


def _task(ledger: Any) -> Callable[[], object]:
    ledger.hivemind.session_start(project="shop")
    return lambda: ledger.hivemind.task(TASK, team="core", agent="DEV-001", project="shop")


def _scoped(scene: Scene, size: int) -> str:
    """Make a project whose files of scoped memory hold so many entries, written by hand."""
    root = scene.project(f"scoped-{size}")
    texts = Writer(size).texts(size)
    for scope in SCOPED:
        level, _, name = scope.partition(":")
        place = f"memory/{level}s/{name}" if name else f"memory/{level}"
        entries = [
            {
                "id": f"mem-{number + 1:03}",
                "type": ("decision", "convention", "pattern", "preference")[number % 4],
                "content": next(texts),
                "confidence": 0.9,
                "created_at": "2026-11-01T00:00:00Z",
                "accessed_count": 0,
            }
            for number in range(size // len(SCOPED))
        ]
        _put(f"{root}/{place}/memory.json", {"version": "1.0", "entries": entries})
    with varves.open(root, home=f"{root}-home", mode="fast") as ledger:
        ledger.scoped.session_start(id="bench")
        _check(len(ledger.scoped.rank(scope="project", id="shop")), size // len(SCOPED))
    return root


def _hivemind(scene: Scene, size: int) -> str:
    """Make a project with so many memories of the protocol, taken in from another's files."""
    root = scene.project(f"hivemind-{size}")
    texts = Writer(size).texts(size)
    for place, scope in enumerate(HIVEMIND):
        level, _, name = scope.partition(":")
        entries = [
            {
                "id": f"mem_{place}{number:011}",
                "type": "factual",
                "subtype": "note",
                "created_by": "DEV-001",
                "created_at": "2026-11-01T00:00:00Z",
                "scope": level,
                "scope_id": name or None,
                "tags": [TAGS[number % 8], TAGS[number % 5]],
                "priority": ("high", "medium", "low")[number % 3],
                "ttl": "permanent",
                "content": {"text": next(texts)},
                "confidence": 0.9,
            }
            for number in range(size // len(HIVEMIND))
        ]
        _put(f"{root}-tree/memory/{place}.json", {"entries": entries})
    with varves.open(root, home=f"{root}-home", mode="fast") as ledger:
        done = ledger.import_("hivemind", f"{root}-tree", trust=True)
        _check(done.written, size)
    return root


def _put(path: str, document: dict[str, Any]) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")


def _check(found: int, wanted: int) -> None:
    if found != wanted:
        raise RuntimeError(f"{found} of {wanted} entries were taken in")
