"""Ranks entries by 0.4 of confidence, 0.3 of recency and 0.3 of access frequency, each from 0 to 1.

Recency halves every thirty days of age; frequency is n / (n + 10) after n accesses. Ties are
ordered by confidence, then newest first, then by id.
"""

from __future__ import annotations

from varves.protocols.scoped.entries import confidence as sureness
from varves.protocols.scoped.options import (
    CONFIDENCE_WEIGHT,
    FREQUENCY_WEIGHT,
    RECENCY_WEIGHT,
)
from varves.protocols.weighing import frequency, recency

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from varves.protocols.scoped.options import ScopedOptions
    from varves.values.memory import Memory


class RelevanceScore:
    """The relevance of a memory now, the weighted terms that add up to it, and its rank."""

    __slots__ = ("confidence", "frequency", "memory", "rank", "recency", "total")

    def __init__(
        self, memory: Memory, *, confidence: float, recency: float, frequency: float
    ) -> None:
        self.memory = memory
        self.confidence = confidence
        self.recency = recency
        self.frequency = frequency
        self.total = confidence + recency + frequency
        self.rank = 0

    @property
    def terms(self) -> dict[str, float]:
        """The weighted terms by name."""
        return {
            "confidence": self.confidence,
            "recency": self.recency,
            "frequency": self.frequency,
        }


def score(memory: Memory, count: int, *, now: int, options: ScopedOptions) -> RelevanceScore:
    """Score one memory that was accessed `count` times."""
    recent = recency(memory.created_at, now=now, half_life_days=options.half_life_days)
    return RelevanceScore(
        memory,
        confidence=CONFIDENCE_WEIGHT * sureness(memory),
        recency=RECENCY_WEIGHT * recent,
        frequency=FREQUENCY_WEIGHT * frequency(count, half=options.frequency_half),
    )


def ranked(
    memories: Iterable[Memory],
    uses: Mapping[str, tuple[int, str]],
    *,
    now: int,
    options: ScopedOptions,
) -> list[RelevanceScore]:
    """Score memories and sort them, the most relevant first."""
    scores = [
        score(memory, uses.get(memory.id, (0, ""))[0], now=now, options=options)
        for memory in memories
    ]
    scores.sort(key=lambda one: one.memory.id)
    scores.sort(key=lambda one: one.memory.created_at, reverse=True)
    scores.sort(key=lambda one: (-one.total, -one.confidence))
    for rank, one in enumerate(scores):
        one.rank = rank
    return scores
