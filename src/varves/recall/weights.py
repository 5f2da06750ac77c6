"""The weights of all profiles: one table.

`benchmarks/fit.py` fits the weights of the default profile to several public data sets at once,
because weights fitted to only one set give poor results on the others. They were fitted before
words had weights of their own and features were multiplied by the share of the question that the
best memory contains; since then a few were set anew, by samples of the same sets. There is one row
for each kind of store, once for words alone and once for words with dense similarity. The rows of
`scoped` and `hivemind` are the formulas those protocols publish.
"""

from __future__ import annotations

DEFAULT = "default"

FITTED: dict[str, dict[str, float]] = {
    "people": {
        "words": 0.6, "near": 0.5, "next": 0.2, "far": 0.6, "session": 0.8, "who": 0.6,
        "when": 0.9, "date": 2.8, "asks": -0.2, "reply": 0.4, "number": 0.5, "place": 0.6,
        "pairs": 0.1, "related": 0.2,
    },
    "chat": {
        "words": 1.0, "peak": 0.7, "next": 0.4, "session": 0.8, "role": 0.9, "date": 1.6,
        "asks": -0.2, "reply": -0.1, "number": 0.3, "name": 0.1, "quote": 0.4, "pairs": 0.5,
        "size": -1.7, "related": 1.7, "recency": 0.6,
    },
    "plain": {
        "words": 0.8, "peak": 0.9, "pairs": 0.8, "when": 1.2, "date": 1.0, "asks": -0.2,
        "number": 0.1, "size": 0.2, "recency": 0.2, "related": 1.4, "who": 1.5,
    },
}  # fmt: skip
DENSE: dict[str, dict[str, float]] = {
    "people": {
        "words": 0.6, "near": 0.4, "far": 0.53, "who": 0.45, "when": 0.75, "date": 2.0,
        "asks": -0.15, "reply": 0.4, "number": 0.38, "place": 0.45, "related": 0.15,
        "beside": 0.3, "theme": 0.68,
    },
    "chat": {
        "words": 0.4, "peak": 0.8, "next": 0.5, "session": 0.3, "role": 0.8, "date": 1.4,
        "asks": -0.2, "reply": -0.1, "number": 0.3, "place": 0.3, "quote": 0.4, "pairs": 0.5,
        "size": -1.5, "related": 1.5, "recency": 0.6, "meaning": 0.4, "theme": 0.4,
    },
    "plain": {
        "words": 0.7, "peak": 0.6, "pairs": 1.2, "when": 0.2, "date": 1.8, "asks": -0.1,
        "number": 0.3, "size": 0.3, "recency": 0.3, "related": 1.1, "meaning": 0.7,
        "who": 1.5,
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
    """Scale a row of weights so that a full match has the same score for every kind of memory."""
    whole = sum(abs(row.get(name, 0.0)) for name in CONTENT)
    return {name: round(weight / whole, 4) for name, weight in row.items()}
