"""Recall: a query becomes hits, and hits become a ranked, cited, budgeted answer."""

from __future__ import annotations

from varves.recall.stopwords import STOPWORDS
from varves.values.memory import Memory
from varves.values.text import fold, tokens, words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Protocol

    from varves.values.query import Query

    class Words(Protocol):
        """The full-text index, as recall asks for it."""

        def rarest(self, terms: list[str]) -> list[str]:
            """Return the terms worth searching for, the frequent ones left out."""
            ...

        def search(self, query: Query, terms: list[str]) -> Iterable[list[tuple[Memory, float]]]:
            """Yield portions of memories that hold a term and pass the filters, best first."""
            ...


MAX_TERMS = 64


class Hit(Value):
    """One memory with its score and the reasons for it."""

    memory: Memory
    score: float
    reasons: dict[str, Any]
    stale: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the hit as one flat record."""
        memory = self.memory.as_dict()
        shown = (
            *("id", "text", "summary", "scope", "protocol", "type", "tags", "confidence"),
            *("created_at", "at", "status", "source", "speaker", "session", "origin", "kept"),
            "branch",
        )
        return {name: memory[name] for name in shown} | {
            "score": self.score,
            "stale": self.stale,
            "reasons": self.reasons,
        }


class Recall(Value):
    """A ranked answer; iterate over it for its hits."""

    query: str
    as_of: str
    hits: tuple[Hit, ...]
    omitted: int
    tokens: int

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def terms_of(text: str) -> list[str]:
    """Return the distinct words of a query that carry meaning, in order."""
    found = dict.fromkeys(words(text))
    telling = [word for word in found if word not in STOPWORDS]
    return telling or list(found)


def recall(index: Words, query: Query) -> Recall:
    """Answer a query from the index."""
    terms = terms_of(query.text)
    if len(terms) > 1:
        terms = index.rarest(terms)
    answer = _Answer(query)
    for portion in index.search(query, terms[:MAX_TERMS]) if terms else ():
        for memory, score in portion:
            answer.offer(memory, score)
        if answer.full:
            break
    return Recall(
        query=query.text,
        as_of=query.now,
        hits=tuple(answer.hits),
        omitted=answer.omitted,
        tokens=answer.tokens,
    )


class _Answer:
    """An answer being filled, best first, within its count and its budget."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.hits: list[Hit] = []
        self.omitted = 0
        self.tokens = 0
        self.full = False
        self._said: dict[tuple[str, str], Hit | None] = {}

    def offer(self, memory: Memory, score: float) -> None:
        """Take a memory in, count it as omitted, or note it as one said already."""
        value = (memory.scope, fold(memory.text))
        if value in self._said:
            hit = self._said[value]
            if hit is not None:
                self._say_again(hit, value, memory)
            return
        cost = tokens(memory.text)
        over = self.query.budget is not None and self.tokens + cost > self.query.budget
        if over or len(self.hits) >= self.query.k:
            self.full = True
            self.omitted += 1
            self._said[value] = None
            return
        if memory.status == "active" and memory.expires_at and memory.expires_at <= self.query.now:
            memory = memory.replace(status="expired")  # it was asked for by that name
        score = round(score, 4)
        self._said[value] = hit = Hit(memory=memory, score=score, reasons={"words": score})
        self.tokens += cost
        self.hits.append(hit)

    def _say_again(self, hit: Hit, value: tuple[str, str], memory: Memory) -> None:
        """Note a twin of a hit; one that this checkout holds stands before another worktree's."""
        twin = memory
        if hit.memory.branch is not None and memory.branch is None:
            twin, shown = hit.memory, hit.replace(memory=memory)
            self.hits[self.hits.index(hit)] = self._said[value] = hit = shown
        hit.reasons.setdefault("same", []).append(twin.id)
