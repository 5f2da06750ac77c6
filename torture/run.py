"""Running a row: the test files that name it, at full size, in a process of their own.

A test file carries a row if it tells figures about it (`tests/figures.py`); nothing else registers
it. What a test asserts at full size is the target.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from time import monotonic
from xml.etree import ElementTree as ET

from benchmarks.report import machine
from torture.goals import GOALS
from torture.outcome import Outcome, load
from torture.report import gathered

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CARRIES = re.compile(r'\b(?:note|add)_figure\(\s*"([A-Z]\d+)"')
WIDE = re.compile(r"\bfull_size\b|mark\.product\b|\bDEEP\b|VARVES_TORTURE")
ONE_BY_ONE = frozenset(
    {"R1", "R2", "R3", "R7", "R21", "R22"}
)  # they bring their own crowd of processes
PROGRAMS = {"R20": ("torture.mutants", "--keep")}  # it tries the tests themselves
HOURS = 3600


def carriers(root: str = ROOT) -> dict[str, list[str]]:
    """Return the test files that carry each row."""
    found: dict[str, list[str]] = {}
    for folder, _, names in sorted(os.walk(os.path.join(root, "tests"))):
        for name in sorted(names):
            if name.startswith("test_") and name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    rows = set(CARRIES.findall(file.read()))
                for row in rows:
                    found.setdefault(row, []).append(os.path.relpath(path, root))
    return found


def wide(root: str = ROOT) -> list[str]:
    """Return the test files that are larger at full size and carry no row."""
    carrying = {path for paths in carriers(root).values() for path in paths}
    found = []
    for folder, _, names in sorted(os.walk(os.path.join(root, "tests"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root)
            if name.startswith("test_") and name.endswith(".py") and path not in carrying:
                with open(os.path.join(root, path), encoding="utf-8") as file:
                    found += [path] if WIDE.search(file.read()) else []
    return found


def run(row: str, *, quick: bool) -> Outcome | None:
    """Run a row's tests and return what they came to; nothing where no test carries it."""
    if row in PROGRAMS:
        return None if quick else _run_program(row)
    paths = carriers().get(row)
    if not paths:
        return None
    with tempfile.TemporaryDirectory(prefix="varves-torture-") as place:
        facts = {k: v for k, v in machine(place).items() if k not in ("date", "load before")}
        told, report = f"{place}/figures", f"{place}/report.xml"
        began = monotonic()
        _run_tests(row, paths, told=told, report=report, quick=quick)
        seconds = monotonic() - began
        passed, failed, skipped = _read(report)
        lines = []
        if os.path.exists(told):
            with open(told, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
    return Outcome(
        row=row,
        figures=gathered(lines, row),
        passed=passed,
        failed=failed,
        skipped=skipped,
        seconds=round(seconds, 1),
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        machine=facts,
    )


def _run_program(row: str) -> Outcome | None:
    """Run a row that is a program of its own and keeps its outcome itself."""
    subprocess.run([sys.executable, "-m", *PROGRAMS[row]], cwd=ROOT, check=False)
    kept = load()[row]
    return kept if kept.date else None


def _run_tests(row: str, paths: list[str], *, told: str, report: str, quick: bool) -> None:
    size = {} if quick else {"VARVES_TORTURE": "1", "HYPOTHESIS_PROFILE": "deep"}
    spread = [] if row in ONE_BY_ONE else ["-n", "2"]
    words = [*spread, "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *paths]
    subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=ROOT,
        env={**os.environ, **size, "VARVES_FIGURES": told},
        stdout=sys.stderr,
        timeout=4 * HOURS,
        check=False,  # a failure is in the report
    )


def _read(report: str) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Return how many tests passed, the names of those that failed, and why others were skipped."""
    if not os.path.exists(report):
        return 0, ("the tests could not be started",), ()
    passed, failed, skipped = 0, [], []
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own report
        kinds = {part.tag: part for part in case}
        if kinds.keys() & {"failure", "error"}:
            failed.append(str(case.get("name")))
        elif "skipped" not in kinds:
            passed += 1
        elif kinds["skipped"].get("type") != "pytest.xfail":
            skipped.append(str(kinds["skipped"].get("message")))
        else:
            failed.append(f"{case.get('name')} (known)")
    return passed, tuple(failed), tuple(dict.fromkeys(skipped))


def known(rows: list[str]) -> list[str]:
    """Return the rows asked for that are not in the table."""
    return sorted(set(rows) - set(GOALS))
