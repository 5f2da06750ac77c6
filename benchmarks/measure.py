"""Measuring: subject and baseline take turns in one run, so that what the machine does hits both.

Medians and ratios of medians are reported, never the best of a run. Garbage is collected before
the clock starts and the collector stays on, as it does for those who use the ledger.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Samples:
    """What one subject gave, run by run: seconds, or anything else that is counted."""

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle value."""
        return self.quantile(0.5)

    @property
    def spread(self) -> tuple[float, float]:
        """The range that leaves out a tenth of the runs at either end."""
        return self.quantile(0.1), self.quantile(0.9)

    def quantile(self, share: float) -> float:
        """Return the value below which this share of the runs lies."""
        ordered = sorted(self.values)
        place = share * (len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (ordered[high] - ordered[low]) * (place - low)

    def rate(self, count: int) -> Samples:
        """Return the same runs as so many things a second."""
        return Samples(tuple(count / value for value in self.values))


def interleave(
    subjects: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    warmup: int = 3,
    heavy: bool = False,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, Samples]:
    """Run each subject once a round, in an order that turns by one every round.

    Args:
        subjects: what to run, by name.
        rounds: how often each is timed.
        warmup: how often each runs untimed before that.
        heavy: collect garbage before every run; for runs that make much of it.
        clock: where the seconds come from.
    """
    names = list(subjects)
    taken: dict[str, list[float]] = {name: [] for name in names}
    gc.collect()
    for turn in range(-warmup, rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            if heavy:
                gc.collect()
            began = clock()
            kept = subjects[name]()
            ended = clock()
            del kept  # what a subject made is freed outside the timed part
            if turn >= 0:
                taken[name].append(ended - began)
    return {name: Samples(tuple(values)) for name, values in taken.items()}


def ratio(subject: Samples, baseline: Samples) -> float:
    """Return how the medians compare."""
    return subject.median / baseline.median
