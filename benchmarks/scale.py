"""How time and memory grow with the number of memories, beside other stores in the same run.

Every stage of every system runs in a process of its own, so that its peak memory is known. Times
are processor time. The growth exponent is the slope of time over size on logarithmic axes: 1 is
linear, 0 does not grow.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from math import log
from typing import TYPE_CHECKING

from benchmarks import pictures
from benchmarks.row import Row, seconds
from benchmarks.scene import say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.scene import Scene

    Points = list[tuple[float, float]]

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK = 100_000  # the largest size of a quick run
STEADY = 10_000  # smaller sizes measure what every call costs, so growth is taken from here on
LINEAR, FLAT = 1.05, 0.15
IMAGES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs/img")
OURS = ("varves store", "varves index", "varves verify", "varves use")
SYSTEMS: dict[str, tuple[tuple[str, ...], str, int]] = {
    "Varves": (OURS, "varves", SIZES[-1]),
    "SQLite FTS5": (("fts5",), "sqlite3", SIZES[-1]),
    "LangGraph SqliteStore": (("langgraph",), "langgraph.store.sqlite", SIZES[-1]),
    # each turn is an object in its memory
    "ADK memory": (("adk",), "google.adk.memory", 100_000),
}
"""The stages of each system, the module that it needs, and the largest size for it."""
GROWTH = {
    "store": LINEAR,
    "make the index": LINEAR,
    "verify": LINEAR,
    "add one": FLAT,
    "list a page": None,
    "log a page": FLAT,
    "look for news": FLAT,
    "status": None,
    "search": None,
    "a moment, first": LINEAR,
    "a moment, again": None,
}
"""The steps, and the highest growth exponent that is promised."""
MOST_BYTES = {"varves index": 400e6, "varves verify": 100e6}


def run(scene: Scene) -> list[Row]:
    """Measure every system at every size, one after the other."""
    sizes = [size for size in SIZES if size <= QUICK or not scene.quick]
    took: dict[tuple[str, str], Points] = {}
    peaks: dict[str, Points] = {}
    left = []
    for size in sizes:
        for system, (stages, module, largest) in SYSTEMS.items():
            if not _is_here(module):
                left += [system] if system not in left else []
                continue
            if size > largest:
                continue
            folder = scene.project(f"scale-{size}-{stages[0].replace(' ', '-')}")
            for stage in stages:
                say(f"{stage} at {size:,}")
                found = _measured(stage, folder, size)
                for step, value in found["steps"].items():
                    took.setdefault((system, step), []).append((size, value))
                peaks.setdefault(stage, []).append((size, found["peak"]))
            shutil.rmtree(folder)
    if not scene.quick:
        draw(took, peaks)
    rows = _rows(took, peaks)
    return rows + [Row(f"scale: {name} is not installed here", "-") for name in left]


def _is_here(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _measured(stage: str, folder: str, size: int) -> dict[str, dict[str, float]]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.stages", stage, folder, str(size)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{stage} at {size:,}: {done.stderr}")
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the points on logarithmic axes, by least squares; 0 for one point."""
    steady = [(log(x), log(y)) for x, y in points if x >= STEADY and y > 0]
    if len(steady) < 2:
        steady = [(log(x), log(y)) for x, y in points if y > 0]
    middle_x = sum(x for x, _ in steady) / len(steady)
    middle_y = sum(y for _, y in steady) / len(steady)
    spread = sum((x - middle_x) ** 2 for x, _ in steady)
    return sum((x - middle_x) * (y - middle_y) for x, y in steady) / spread if spread else 0.0


def _rows(took: Mapping[tuple[str, str], Points], peaks: Mapping[str, Points]) -> list[Row]:
    rows = []
    for step, most in GROWTH.items():
        for system in SYSTEMS:
            points = took.get((system, step), [])
            other = dict(took.get(("SQLite FTS5", step), [])) if system == "Varves" else {}
            for size, value in points:
                beside = other.get(size)
                rows.append(
                    Row(
                        f"{system}, {step}, at {int(size):,}",
                        seconds(value),
                        baseline="" if beside is None else seconds(beside),
                        ratio="" if beside is None else f"{value / beside:.2f}",
                    )
                )
            if len(points) > 1:
                limit = most if system == "Varves" else None
                rows.append(_growth(f"{system}, {step}", points, limit))
    for stage, points in peaks.items():
        for size, peak in points:
            limit = MOST_BYTES.get(stage)
            rows.append(
                Row(
                    f"{stage}, peak memory at {int(size):,}",
                    f"{peak / 1e6:.0f} MB",
                    target="" if limit is None else f"<= {limit / 1e6:.0f} MB",
                    met=None if limit is None else peak <= limit,
                )
            )
    return rows


def _growth(what: str, points: Points, most: float | None) -> Row:
    found = exponent(points)
    return Row(
        f"{what}: growth exponent",
        f"{found:.2f}",
        target="" if most is None else f"<= {most:g}",
        met=None if most is None else found <= most,
    )


def draw(took: Mapping[tuple[str, str], Points], peaks: Mapping[str, Points]) -> None:
    """Draw the curves of time and memory into the pictures of the docs."""
    ours = {step: points for (system, step), points in took.items() if system == "Varves"}
    beside = {
        f"{system}: {step}": [(x, 1000 * y) for x, y in points]
        for (system, step), points in took.items()
        if step in ("add one", "search")
    }
    drawn = {
        "scale-time.svg": pictures.curves(
            "Time over size",
            {name: [(x, 1000 * y) for x, y in points] for name, points in ours.items()},
            across="memories",
            upward="milliseconds",
        ),
        "scale-beside.svg": pictures.curves(
            "One write and one search, beside other stores",
            beside,
            across="memories",
            upward="milliseconds",
        ),
        "scale-memory.svg": pictures.curves(
            "Peak memory over size",
            {name: [(x, y / 1e6) for x, y in points] for name, points in peaks.items()},
            across="memories",
            upward="MB",
        ),
    }
    for name, text in drawn.items():
        with open(f"{IMAGES}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
