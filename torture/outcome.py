"""An outcome: what one row came to, kept as a small file so that rows may be run on other days.

The verdict is worked out when it is asked for: a row is missed if a test of it failed, met in part
if some test could not be run here or a part of the goal is not measured at all, else met.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field

from torture.goals import GOALS, LACKS

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
MET, PART, MISSED, NOT_RUN = "met", "in part", "MISSED", "not run"

Facts = dict[str, float | str]


@dataclass(frozen=True)
class Outcome:
    """One run of a row at full size."""

    row: str
    figures: Facts = field(default_factory=dict)
    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    seconds: float = 0.0
    date: str = ""
    machine: dict[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Say whether the row's target was met."""
        if self.failed:
            return MISSED
        if not self.passed:
            return NOT_RUN
        return PART if self.left_out else MET

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the goal was not measured, and why."""
        lacks = (LACKS[self.row],) if self.row in LACKS else ()
        return (*lacks, *self.skipped)


def save(outcome: Outcome, folder: str = FOLDER) -> None:
    """Keep an outcome."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"{outcome.row}.json"), "w", encoding="utf-8") as file:
        json.dump(asdict(outcome), file, indent=1, ensure_ascii=False)
        file.write("\n")


def load(folder: str = FOLDER) -> dict[str, Outcome]:
    """Return the kept outcome of every row; one that was never run has none of its own."""
    kept = {}
    for row in GOALS:
        try:
            with open(os.path.join(folder, f"{row}.json"), encoding="utf-8") as file:
                told = json.load(file)
        except FileNotFoundError:
            kept[row] = Outcome(row)
            continue
        told["failed"], told["skipped"] = tuple(told["failed"]), tuple(told["skipped"])
        kept[row] = Outcome(**told)
    return kept


def missed(outcomes: dict[str, Outcome]) -> list[str]:
    """Name the rows whose target was not met, and the tests that say so."""
    return [
        f"{row}: {GOALS[row].promise}; target {GOALS[row].target} ({', '.join(one.failed)})"
        for row, one in outcomes.items()
        if one.verdict == MISSED
    ]
