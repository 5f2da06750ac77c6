"""The weights of all profiles: one table.

`benchmarks/fit.py` fits the weights of the default profile to several public data sets at once,
because weights fitted to only one set give poor results on the others. There is one row for each
kind of store, once for words alone and once for words with dense similarity. The rows of `scoped`
and `hivemind` are the formulas those protocols publish.
"""

from __future__ import annotations

DEFAULT = "default"

FITTED: dict[str, dict[str, float]] = {
    "people": {
        "words": 0.6, "near": 1.0, "next": 0.2, "far": 0.8, "session": 0.6, "who": 0.9,
        "when": 1.2, "date": 4.5, "asks": -0.3, "reply": 0.3, "number": 0.7, "place": 0.7,
        "name": 0.9, "quote": 0.4, "pairs": 0.3,
    },
    "chat": {
        "words": 1.8, "next": 0.3, "session": 0.9, "role": 1.5, "date": 1.1, "asks": -0.2,
        "reply": -0.4, "number": 0.3, "name": 0.4, "quote": 0.3, "pairs": 1.0, "size": -2.0,
    },
    "plain": {
        "words": 1.2, "peak": 0.9, "pairs": 0.8, "when": 1.2, "date": 1.6, "asks": -0.2,
        "number": 0.1, "size": 0.2, "recency": 0.2,
    },
}  # fmt: skip
DENSE: dict[str, dict[str, float]] = {
    "people": {
        "words": 1.2, "near": 0.4, "far": 0.9, "session": 0.3, "who": 1.0, "when": 1.1,
        "date": 3.6, "asks": -0.4, "reply": 0.5, "number": 0.6, "place": 0.1, "name": 0.8,
        "quote": 1.0, "pairs": 0.1, "meaning": -0.4, "beside": 0.9, "theme": 0.8,
    },
    "chat": {
        "words": 0.6, "peak": 1.0, "next": -0.1, "far": 0.2, "session": -0.5, "role": 1.1,
        "date": 1.2, "asks": -0.2, "reply": -0.3, "number": 0.2, "name": 0.2, "quote": 0.2,
        "pairs": 1.1, "size": -1.1, "meaning": 0.6, "beside": -0.1, "theme": 1.0,
    },
    "plain": {
        "words": 0.7, "peak": 0.6, "pairs": 1.2, "when": 0.2, "date": 1.8, "asks": -0.1,
        "number": 0.3, "size": 0.3, "recency": 0.3, "meaning": 0.7,
    },
}  # fmt: skip
# These only order answers that are otherwise equal; they are too small for any other effect.
PRIORS = {
    "confidence": 0.05, "critical": 0.1, "high": 0.05, "low": -0.05, "use": 0.05, "trust": 0.1,
    "scope": 0.05,
}  # fmt: skip
PROFILES: dict[str, dict[str, float]] = {
    "scoped": {"confidence": 0.4, "recency": 0.3, "use": 0.3},
    "hivemind": {
        "tags": 3.0, "keywords": 2.0, "recency": 1.0, "critical": 5.0, "high": 3.0, "use": 0.5,
    },
}  # fmt: skip
ALIASES = {"adr0018": "scoped"}


KINDS = tuple(FITTED)
CONTENT = ("words", "peak", "near", "next", "far", "session", "meaning", "beside", "theme")


def weights_of(
    profile: str, *, dense: bool, given: dict[str, float] | None = None
) -> dict[str, dict[str, float]]:
    """Return the weights of a profile, by kind of memory.

    `given` replaces the weights of a published formula.
    """
    if profile != DEFAULT:
        return dict.fromkeys(KINDS, given or PROFILES[profile])
    return {kind: _even(row) | PRIORS for kind, row in (DENSE if dense else FITTED).items()}


def _even(row: dict[str, float]) -> dict[str, float]:
    """Scale a row of weights, so that a full match gets the same score for every kind of memory."""
    whole = sum(abs(row.get(name, 0.0)) for name in CONTENT)
    return {name: round(weight / whole, 4) for name, weight in row.items()}
