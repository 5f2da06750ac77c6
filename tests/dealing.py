"""Which worker runs which test: dealt out before the first test runs, by recorded durations.

xdist's own ways give the next test to whoever is free, so what ran before a test in its process
depends on the load of the machine. Here it depends on nothing but the list of tests and on
`durations.txt`. `python -m tests.dealing report.xml …` records that from reports of pytest
(`--junitxml`) when the balance is no longer good; on any machine, as only the proportions count.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from xdist.scheduler import EachScheduling

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "tests" / "durations.txt"
USUAL = 0.05  # seconds of a test in a file that is not recorded
LEAST = 1.0  # seconds of a file that is worth a line
WIDE = 20  # of so many parts of the whole, a file that takes more than one is dealt test by test


def shares(tests: Sequence[str], workers: int, seconds: Mapping[str, float]) -> list[list[int]]:
    """Return the numbers of the tests that each worker runs: whole files, the longest first."""
    files: dict[str, list[int]] = {}
    for number, name in enumerate(tests):
        files.setdefault(name.partition("::")[0], []).append(number)
    costs = {path: seconds.get(path, USUAL * len(own)) for path, own in files.items()}
    parts: list[tuple[float, list[int]]] = []
    for path, own in files.items():
        alone = costs[path] * WIDE > sum(costs.values())
        parts += [(costs[path] / len(own), [one]) for one in own] if alone else [(costs[path], own)]
    loads = [0.0] * workers
    dealt: list[list[int]] = [[] for _ in loads]
    for cost, own in sorted(parts, key=lambda part: (-part[0], part[1])):
        least = loads.index(min(loads))
        loads[least] += cost
        dealt[least] += own
    return [sorted(own) for own in dealt]


def recorded(path: Path = RECORD) -> dict[str, float]:
    """Read how long each of the long files takes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {name: float(said) for said, name in map(str.split, lines)}


def record(reports: Iterable[str]) -> str:
    """Return the lines of the record, by the reports of some runs."""
    spent: defaultdict[str, float] = defaultdict(float)
    for report in reports:
        for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own
            parts = str(case.get("classname")).split(".")
            while parts and not (ROOT / "/".join(parts)).with_suffix(".py").is_file():
                parts.pop()  # a class
            spent["/".join(parts) + ".py"] += float(case.get("time") or 0)
    long = [(path, took) for path, took in sorted(spent.items()) if took >= LEAST]
    return "".join(f"{took:6.1f} {path}\n" for path, took in long)


class Dealt(EachScheduling):
    """Every worker gets its share at once; one that replaces a dead worker gets the rest of its."""

    def schedule(self) -> None:
        """Send the workers that have not begun what they have to run."""
        nodes = sorted(self.node2pending, key=lambda node: node.gateway.id)
        first = not self._started
        if first and len({tuple(one) for one in self.node2collection.values()}) > 1:
            raise RuntimeError("the workers did not collect the same tests")
        if first:
            every = shares(self.node2collection[nodes[0]], len(nodes), recorded())
            for node, own in zip(nodes, every, strict=True):
                self.node2pending[node][:] = own
        for node in nodes:
            if node in self._started:
                continue
            node.send_runtest_some(self.node2pending[node])
            node.shutdown()
            self._started.append(node)


if __name__ == "__main__":
    RECORD.write_text(record(sys.argv[1:]), encoding="utf-8")
