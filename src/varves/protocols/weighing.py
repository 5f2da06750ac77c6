"""Recency and frequency, each from 0 to 1, defined once for all protocols that use them."""

from __future__ import annotations

from functools import lru_cache

from varves.values.instants import DAY_MS, instant

_instant = lru_cache(maxsize=16_384)(instant)


def recency(created_at: str, *, now: int, half_life_days: float) -> float:
    """Return 1 for a new memory, halved with every half-life of its age."""
    age_days = max(0, now - _instant(created_at)) / DAY_MS
    fraction: float = 0.5 ** (age_days / half_life_days)
    return fraction


def frequency(count: int, *, half: float) -> float:
    """Return a value for a use count: 0 for never used, 0.5 after `half` uses."""
    return count / (count + half)
