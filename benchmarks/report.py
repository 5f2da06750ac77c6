"""The report: a table to read, the same as a page of the docs, and what was missed."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from benchmarks.processes import cores
from benchmarks.scene import file_system

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.row import Row

HEADINGS = ("what", "median", "p10 - p90", "baseline (p10 - p90)", "ratio", "target", "")
INTRODUCTION = """\
# Benchmarks

Written by `make bench`; do not edit. Subject and baseline alternate in one run on one machine. The
table shows the median, the range from the 10th to the 90th percentile, and the ratio of the two
medians. Ratios can be compared between machines, times cannot. A row without a target is included
for comparison.
"""


def verdict(row: Row) -> str:
    """Say whether a row's target was met."""
    return "" if row.met is None else "ok" if row.met else "MISSED"


def missed(rows: Iterable[Row]) -> list[str]:
    """Name the rows whose target was not met."""
    return [
        f"{row.what}: {row.ratio or row.median}, target {row.target}"
        for row in rows
        if row.met is False
    ]


def line(row: Row) -> str:
    """Write a row for the terminal."""
    parts = [f"{row.median:>12}"]
    parts += [f"[{row.spread}]"] if row.spread else []
    parts += [f"baseline {row.baseline}"] if row.baseline else []
    parts += [f"ratio {row.ratio}"] if row.ratio else []
    parts += [f"target {row.target}"] if row.target else []
    return f"{verdict(row):>6}  {row.what}\n        {'  '.join(parts)}"


def page(rows: Iterable[Row], facts: dict[str, str]) -> str:
    """Write the page of the docs."""
    table = [HEADINGS, ("---",) * len(HEADINGS)]
    table += [(r.what, r.median, r.spread, r.baseline, r.ratio, r.target, verdict(r)) for r in rows]
    known = [("fact", "here"), ("---", "---"), *facts.items()]
    return "\n".join(
        (
            INTRODUCTION,
            *_lines(table),
            "",
            "## The machine",
            "",
            *_lines(known),
            "",
        )
    )


def _lines(table: list[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in table]


def machine(folder: str) -> dict[str, str]:
    """Return the facts a reader needs to judge the figures."""
    git = subprocess.run(["git", "--version"], capture_output=True, encoding="utf-8", check=True)
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "processor": _processor(),
        "cores": str(cores()),
        "memory": _memory(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "file system": file_system(folder),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "SQLite": sqlite3.sqlite_version,
        "git": git.stdout.strip().removeprefix("git version "),
        "load before": load(),
    }


def load() -> str:
    """Return the load average of the last 1, 5 and 15 minutes."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for row in file:
                if row.startswith("model name"):
                    return row.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory() -> str:
    if sys.platform == "win32":
        return "unknown"
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.1f} GiB"
