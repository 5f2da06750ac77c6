"""`make bench`: measure what the README promises, and fail where it is not so."""

from __future__ import annotations

import argparse
import os
import sys
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks import (
    append,
    capturing,
    deliberation,
    difference,
    extraction,
    growth,
    hooks,
    layers,
    mcp,
    opening,
    party,
    processes,
    protocols,
    recall,
    remotes,
    replay,
    report,
    scale,
)
from benchmarks.scene import Scene, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.row import Row

ROWS: dict[str, Callable[[Scene], list[Row]]] = {
    "append": append.run,
    "processes": processes.run,
    "growth": growth.run,
    "replay": replay.run,
    "scale": scale.run,
    "recall": recall.run,
    "hooks": hooks.run,
    "mcp": mcp.run,
    "opening": opening.run,
    "remotes": remotes.run,
    "difference": difference.run,
    "protocols": protocols.run,
    "layers": layers.run,
    "party": party.run,
    "deliberation": deliberation.run,
    "extraction": extraction.run,
    "extraction-final": extraction.final,
    "capture": capturing.run,
    "capture-final": capturing.final,
}
KEPT_APART = ("extraction-final", "capture-final")  # not for every look: a whole run makes them
PAGE = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs/benchmarks.md"
)


def main() -> int:
    """Measure the rows asked for; 1 if a target is missed."""
    ask = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    ask.add_argument("rows", nargs="*", metavar="ROW", help=f"some of {', '.join(ROWS)}; else all")
    ask.add_argument("--quick", action="store_true", help="small sizes; the page is not written")
    given = ask.parse_args()
    if unknown := set(given.rows) - set(ROWS):
        ask.error(f"no such row: {', '.join(sorted(unknown))}")
    rows: list[Row] = []
    with Scene(quick=given.quick) as scene:
        facts = report.machine(scene.folder)
        for name in given.rows or _all(quick=given.quick):
            began = perf_counter()
            found = ROWS[name](scene)
            print("\n".join(report.line(row) for row in found), flush=True)
            say(f"{name} took {perf_counter() - began:.0f} s")
            rows += found
        facts["load after"] = report.load()
    print("\n" + "\n".join(f"{name}: {fact}" for name, fact in facts.items()))
    if not given.quick and not given.rows:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(report.page(rows, facts))
    failures = report.missed(rows)
    for failure in failures:
        print(f"MISSED {failure}", file=sys.stderr)
    return 1 if failures else 0


def _all(*, quick: bool) -> list[str]:
    return [name for name in ROWS if not (quick and name in KEPT_APART)]


if __name__ == "__main__":
    sys.exit(main())
