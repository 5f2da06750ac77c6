"""What is known about a question, with every part of each score, and what was left out and why.

Without a question, the page lists memories by their state, kind or tag.
"""

from __future__ import annotations

from varves.web.words import STATUSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves import Hit
    from varves.web.visit import Visit

_USUAL = 10
_MOST = 100
_LISTED = 50


def search(visit: Visit) -> dict[str, Any]:
    """Return what the page needs: an answer, or a list."""
    question = visit.asked("q")
    scopes = visit.window.names("scope")
    agents = visit.window.names("agent")
    found = {
        "question": question,
        "scopes": scopes,
        "agents": agents,
        "title": question or "Search",
    }
    return found | (_listed(visit) if question is None else _answered(visit, question))


def _listed(visit: Visit) -> dict[str, Any]:
    given: dict[str, Any] = {
        name: word
        for name in ("scope", "type", "tag", "status", "before")
        if (word := visit.asked(name)) is not None
    }
    if visit.asked("private") is not None:
        given["private"] = True
    memories = visit.record.list(limit=_LISTED, **given)
    return {
        "memories": memories,
        "disputes": visit.disputes(one.id for one in memories),
        "more": memories.more,
        "filters": {name: value for name, value in given.items() if name != "before"},
        "listed": STATUSES.get(given.get("status", ""), "memories").capitalize(),
        "twins": [("list", {**given, "limit": _LISTED})],
    }


def _answered(visit: Visit, question: str) -> dict[str, Any]:
    k = visit.number("k", _USUAL, _MOST)
    budget = visit.asked("budget")
    given: dict[str, Any] = {"k": k, "explain": True, "dense": False}
    if budget is not None:
        given["budget"] = visit.number("budget", 0, 1_000_000)
    for name in ("scope", "type", "tag"):
        if visit.asked(name):
            given[name] = visit.asked(name)
    agent = visit.asked("as")
    if agent:
        answer = visit.window.ledger.unseen(agent).recall(question, as_of=visit.as_of, **given)
    else:
        answer = visit.record.recall(question, **given)
    explained = answer.explained or {}
    largest = max((value for hit in answer.hits for value in _parts(hit).values()), default=1.0)
    misses = [
        {"memory": memory, **miss}
        for miss in explained.get("near_misses", ())
        if (memory := visit.read(miss["id"])) is not None
    ]
    twin = {name: value for name, value in given.items() if name != "dense"}
    return {
        "answer": answer,
        "disputes": visit.disputes(
            [*(hit.memory.id for hit in answer.hits), *(one["memory"].id for one in misses)]
        ),
        "parts_by_id": {hit.memory.id: _parts(hit) for hit in answer.hits},
        "names": _names(answer.hits),
        "largest": largest or 1.0,
        "budget": given.get("budget"),
        "explained": explained,
        "misses": misses,
        "twins": [("recall", {"query": question, **twin, **({"as": agent} if agent else {})})],
    }


def _parts(hit: Hit) -> dict[str, float]:
    """Return the parts of a score by name."""
    return {
        name: float(value)
        for name, value in hit.reasons.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }


def _names(hits: Any) -> list[str]:
    """Return the names of all parts, those that did the most first."""
    sums: dict[str, float] = {}
    for hit in hits:
        for name, value in _parts(hit).items():
            sums[name] = sums.get(name, 0.0) + abs(value)
    return sorted(sums, key=lambda name: -sums[name])
