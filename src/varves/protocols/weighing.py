"""Recency and frequency, defined once for every protocol that weighs them: both from 0 to 1."""

from __future__ import annotations

from varves.values.instants import DAY_MS, instant


def recency(created_at: str, *, now: int, half_life_days: float) -> float:
    """Return 1 for what is new, halved with every half-life of its age."""
    age_days = max(0, now - instant(created_at)) / DAY_MS
    fraction: float = 0.5 ** (age_days / half_life_days)
    return fraction


def frequency(count: int, *, half: float) -> float:
    """Return how often something was read: 0 for never, a half after `half` times."""
    return count / (count + half)
