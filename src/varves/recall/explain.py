"""Explains an answer of recall: all features, weights and rules, and the best omitted memories."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.recall.rank import Ranking

MISSES = 10  # how many of the best omitted memories are listed


def explain(
    ranking: Ranking, why_not: dict[str, str], *, told: set[str], dense: str
) -> dict[str, Any]:
    """Return the fields that an explained answer adds.

    Args:
        ranking: the candidates, best first.
        why_not: the reasons why candidates are not hits, by id.
        told: the ids of the memories in the answer.
        dense: the message about dense similarity.
    """
    query = ranking.query
    shown = [
        one
        for place, one in enumerate(ranking.candidates)
        if place < query.k + MISSES or one.id in told
    ]
    kinds = {one.kind for one in shown}
    return {
        "profile": query.profile,
        "dense": dense.removeprefix("dense: ") or "not asked for",
        "terms": {
            term.word: round(weight, 3)
            for term, weight in zip(ranking.terms.terms, ranking.terms.weights, strict=True)
        },
        "related": {} if ranking.related is None else ranking.related.origins,
        "too_frequent": list(ranking.left_out),
        "in_no_memory": ranking.unknown,
        "matched": {one.id: ranking.matched(one) for one in shown},
        "weights": {kind: ranking.weights[kind] for kind in sorted(kinds)},
        "features": {
            one.id: {name: round(value, 3) for name, value in sorted(one.features.items())}
            for one in shown
        },
        "kinds": {one.id: one.kind for one in shown},
        "near_misses": _near_misses(ranking, why_not),
    }


def _near_misses(ranking: Ranking, why_not: dict[str, str]) -> list[dict[str, Any]]:
    """List the best memories that are not in the answer: ranked ones, then filtered ones."""
    found: list[dict[str, Any]] = [
        {"id": one.id, "score": round(one.score, 4), "why": why_not[one.id]}
        for one in ranking.candidates
        if one.id in why_not
    ]
    unseen = [n for n in ranking.looked if n not in ranking.pool]
    passed = ranking.index.passed_over(ranking.query, unseen[: 4 * MISSES]) if unseen else []
    return found[:MISSES] + [{"id": name, "score": None, "why": why} for name, why in passed]
