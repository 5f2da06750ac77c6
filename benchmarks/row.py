"""A row of the report: what was measured, what it came to, and whether that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.measure import ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.measure import Samples


@dataclass(frozen=True)
class Row:
    """One line; without a target it stands for comparison only."""

    what: str
    median: str
    spread: str = ""
    baseline: str = ""
    ratio: str = ""
    target: str = ""
    met: bool | None = None


def timed(what: str, subject: Samples) -> Row:
    """Return a row for comparison: seconds, with no target."""
    return Row(what, seconds(subject.median), between(subject, seconds))


def compared(
    what: str, subject: Samples, baseline: Samples, *, at_most: float | None = None
) -> Row:
    """Return a row of seconds beside a baseline, perhaps within some multiple of it."""
    factor = ratio(subject, baseline)
    return Row(
        what,
        seconds(subject.median),
        between(subject, seconds),
        baseline=f"{seconds(baseline.median)} ({between(baseline, seconds)})",
        ratio=f"{factor:.2f}",
        target="" if at_most is None else f"<= {at_most:g} x",
        met=None if at_most is None else factor <= at_most,
    )


def rated(what: str, rates: Samples, *, at_least: float | None = None) -> Row:
    """Return a row of things a second, perhaps with a floor."""
    return Row(
        what,
        per_second(rates.median),
        between(rates, per_second),
        target="" if at_least is None else f">= {per_second(at_least)}",
        met=None if at_least is None else rates.median >= at_least,
    )


def between(samples: Samples, write: Callable[[float], str]) -> str:
    """Write the spread of some samples."""
    low, high = samples.spread
    return f"{write(low)} - {write(high)}"


def seconds(value: float) -> str:
    """Write seconds in the unit that reads best."""
    if value < 1e-3:
        return f"{value * 1e6:.0f} us"
    return f"{value * 1e3:.2f} ms" if value < 1 else f"{value:.2f} s"


def per_second(value: float) -> str:
    """Write a rate."""
    return f"{value:,.0f}/s"
