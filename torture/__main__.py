"""`make torture`: try every promise of the reliability table at full size.

Rows may be run alone and on different days; each keeps its last outcome in `torture/results/`, and
`docs/reliability.md` is written from all of them.
"""

from __future__ import annotations

import argparse
import os
import sys

from torture import report
from torture.goals import GOALS
from torture.outcome import Outcome, load, missed, save
from torture.run import ROOT, known, run

PAGE = os.path.join(ROOT, "docs/reliability.md")


def main() -> int:
    """Run the rows asked for; 1 if a target is missed."""
    ask = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    ask.add_argument("rows", nargs="*", metavar="ROW", help="some of R1 … R22, S1 … S12; else all")
    ask.add_argument("--quick", action="store_true", help="small sizes; nothing is kept")
    ask.add_argument("--page", action="store_true", help="run nothing; write the page again")
    given = ask.parse_args()
    if unknown := known(given.rows):
        ask.error(f"no such row: {', '.join(unknown)}")
    rows = [] if given.page else given.rows or list(GOALS)
    found: dict[str, Outcome] = {}
    for row in rows:
        outcome = run(row, quick=given.quick)
        found[row] = outcome or Outcome(row)
        if outcome is not None and not given.quick:
            save(outcome)
            _write_page()
        print(report.line(found[row]), flush=True)
    if given.page:
        _write_page()
        found = load()
    failures = missed(found)
    for failure in failures:
        print(f"MISSED {failure}", file=sys.stderr)
    return 1 if failures else 0


def _write_page() -> None:
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(report.page(load()))


if __name__ == "__main__":
    sys.exit(main())
