"""The report: the whole table, as lines for the terminal and as a page of the docs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torture.goals import GOALS, LATER, RELIABILITY, SECURITY
from torture.outcome import MISSED, NOT_RUN, PART

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torture.goals import Goal
    from torture.outcome import Facts, Outcome

HEADINGS = ("", "promise", "ours", "verdict", "target", "best peer", "run")
INTRODUCTION = """\
# Reliability

Written by `make torture`; do not edit. Each row is a promise that tests check at full size;
`make test` runs the same tests at a small size. *Ours* is our result, *best peer* the best figure
found for another agent memory, or "none" if none is published. A row is met *in part* if every
test passed but a part of the goal was not measured; the list below the tables names that part.
All results are included: missed targets and rows that were not run as well.
"""


def line(outcome: Outcome) -> str:
    """Write a row for the terminal."""
    goal = GOALS[outcome.row]
    return (
        f"{outcome.verdict:>8}  {outcome.row:<4}{goal.promise}\n"
        f"              ours: {figures(outcome)}\n"
        f"              target: {goal.target}; best peer: {goal.peer}"
    )


def figures(outcome: Outcome) -> str:
    """Return the measured figures as text."""
    if outcome.verdict == NOT_RUN:
        return f"not run ({why_not(outcome)})"
    told = [f"{name.replace('_', ' ')} {_number(value)}" for name, value in outcome.figures.items()]
    return "; ".join(told) or f"{outcome.passed} tests passed"


def why_not(outcome: Outcome) -> str:
    """Return the reason why a row was not run."""
    return "; ".join(outcome.skipped) or LATER.get(outcome.row, "not yet at full size")


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def page(outcomes: dict[str, Outcome]) -> str:
    """Write the page of the docs."""
    parts = [INTRODUCTION]
    for title, goals in (("Durability", RELIABILITY), ("Security", SECURITY)):
        parts += [f"## {title}", "", *_table(goals, outcomes), ""]
    parts += ["## What is not measured", "", *_left_out(outcomes), ""]
    parts += ["## The machines", "", *_machines(outcomes.values()), ""]
    return "\n".join(parts)


def _table(goals: Iterable[Goal], outcomes: dict[str, Outcome]) -> list[str]:
    rows = [HEADINGS, ("---",) * len(HEADINGS)]
    for goal in goals:
        one = outcomes[goal.row]
        run = f"{one.date}, {one.seconds:,.0f} s" if one.date else ""
        promise = f"{goal.promise}: {goal.test}"
        ours = figures(one)
        rows.append((goal.row, promise, ours, one.verdict, goal.target, goal.peer, run))
    return _lines(rows)


def _left_out(outcomes: dict[str, Outcome]) -> list[str]:
    found = []
    for row, one in outcomes.items():
        if one.verdict == MISSED:
            rest = f" Also left out: {'; '.join(one.left_out)}." if one.left_out else ""
            found.append(f"- {row} is missed: {', '.join(one.failed)}.{rest}")
        if one.verdict == PART:
            found.append(f"- {row}: {'; '.join(one.left_out)}.")
        elif one.verdict == NOT_RUN:
            found.append(f"- {row} was not run: {why_not(one)}.")
    return found or ["Nothing."]


def _machines(outcomes: Iterable[Outcome]) -> list[str]:
    seen: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for one in outcomes:
        if one.machine:
            seen.setdefault(tuple(one.machine.items()), []).append(one.row)
    return [
        f"- {', '.join(rows)}: {'; '.join(f'{name} {fact}' for name, fact in facts)}."
        for facts, rows in seen.items()
    ] or ["None yet."]


def _lines(table: list[tuple[str, ...]]) -> list[str]:
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in table]


def gathered(told: Iterable[dict[str, object]], row: str) -> Facts:
    """Put together what tests have told about a row: counts added up, of other facts the last."""
    found: Facts = {}
    for one in told:
        if one["row"] == row:
            name, value = str(one["figure"]), one["value"]
            assert isinstance(value, (int, float, str))  # noqa: S101 - what note_figure takes
            held = found.get(name, 0)
            adds = one.get("add") and not isinstance(value, str) and not isinstance(held, str)
            found[name] = held + value if adds else value
    return found
