"""Recall: from a query to a ranked and cited answer within a budget.

Candidates are ranked. Candidates whose evidence is gone are left out, and those whose evidence
changed rank lower. Duplicates are merged. A memory is hidden (shadowed) if a memory of a more
specific scope contradicts it. The rest is cut to the requested count and the budget.
"""

from __future__ import annotations

from varves.recall.confidence import UNSURE, WEAK, confidence_of
from varves.recall.rank import Ranking
from varves.recall.stale import checked, stale
from varves.values.memory import FIELDS, Memory
from varves.values.text import count_tokens, fold
from varves.values.value import Value, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from varves.index.port import Search
    from varves.recall.features import Candidate
    from varves.recall.rank import Similar
    from varves.recall.stale import FateOf, FateSeen
    from varves.values.query import Query

_SHOWN = sorted((name for name, row in FIELDS.items() if row.hit), key=lambda n: FIELDS[n].hit)
PORTION = 6  # the number of memories that are read in addition to the requested number
MOST_APART = 0.3  # the largest share of words in which two duplicates may differ


class Hit(Value):
    """One memory with its score and the reasons for the score."""

    memory: Memory
    score: float
    reasons: dict[str, Any]
    stale: str | None = None
    confidence: float | None = None
    """How likely the hit is right, from 0 to 1; None if a published formula ranked it."""
    told: float = 0.0
    """How much of the question the memory contains, counted in words that tell the most."""
    views: tuple[str, ...] = ()
    """The other protocols that have a view of this memory."""

    @property
    def confidence_of_match(self) -> float | None:
        """The same number under its name in JSON, where `confidence` is that of the memory."""
        return self.confidence

    @property
    def weak(self) -> bool:
        """Whether the hit is unlikely to be right."""
        return self.confidence is not None and self.confidence < UNSURE

    def as_dict(self) -> dict[str, Any]:
        """Return the hit as one dict without nested objects."""
        return {name: plain(getattr(self.memory, name)) for name in _SHOWN} | {
            "score": self.score,
            "stale": self.stale,
            **({} if self.confidence is None else {"confidence_of_match": self.confidence}),
            "reasons": self.reasons,
            **({"views": self.views} if self.views else {}),
        }


class Recall(Value):
    """A ranked answer; iterating over it yields its hits."""

    query: str
    as_of: str
    hits: tuple[Hit, ...]
    omitted: int
    tokens: int
    dense: str = ""
    """A message about dense similarity; "" if there is none."""
    explained: dict[str, Any] | None = None

    @property
    def weak(self) -> bool:
        """Whether there are hits, but none is likely to be right."""
        return bool(self.hits) and all(hit.weak for hit in self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


def recall(
    index: Search,
    query: Query,
    *,
    fate: FateOf | None = None,
    similar: Similar | None = None,
    dense: str = "",
) -> Recall:
    """Answer a query from the index.

    Args:
        index: the index to search.
        query: the text, the filters, the actor and the time.
        fate: returns the state of a memory's evidence.
        similar: the dense similarity of memories to the query, if it is used.
        dense: the message about dense similarity.
    """
    ranking = Ranking(index, query, similar)
    answer = _Answer(ranking)
    ranked = _read(index, ranking.candidates, query.k + PORTION)
    for memory, one, told in checked(ranked, fate, gone=True):
        answer.offer(memory, one, told)
        if answer.full:
            break
    answer.finish()
    explained = None
    if query.explain:
        from varves.recall.explain import explain

        names = {hit.memory.id for hit in answer.hits}
        explained = explain(ranking, answer.why_not, told=names, dense=dense)
    return Recall(
        query=query.text,
        as_of=query.now,
        hits=tuple(answer.hits),
        omitted=answer.omitted,
        tokens=answer.tokens,
        dense=dense,
        explained=explained,
    )


def _read(
    index: Search, candidates: Sequence[Candidate], wanted: int
) -> Iterator[tuple[Memory, Candidate]]:
    """Yield (memory, candidate) for the candidates; the memories are read in portions."""
    for start in range(0, len(candidates), wanted):
        portion = candidates[start : start + wanted]
        memories = index.memories([one.n for one in portion])
        for one in portion:
            yield memories[one.n], one


class _Told:
    """A memory that may be included in the answer."""

    __slots__ = ("_bag", "fate", "memory", "one", "same")

    def __init__(self, memory: Memory, one: Candidate, fate: FateSeen | None) -> None:
        self.memory = memory
        self.one = one
        self.fate = fate
        self._bag: frozenset[str] | None = None
        self.same: list[str] = []

    @property
    def bag(self) -> frozenset[str]:
        """The words of the memory."""
        if self._bag is None:
            self._bag = frozenset(self.one.spread.split())
        return self._bag


class _Answer:
    """An answer that is being filled, best memory first, up to its count and its budget."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self.query = ranking.query
        self.hits: list[Hit] = []
        self.omitted = 0
        self.tokens = 0
        self.why_not: dict[str, str] = {}
        self.full = False
        self._wanted = self.query.k + PORTION
        self._taken: list[_Told] = []
        self._gone: set[str] = set()

    def offer(self, memory: Memory, one: Candidate, told: FateSeen | None) -> None:
        """Add a memory, or record it as a duplicate of one that was added before."""
        if memory.is_unfilled:
            self.why_not[memory.id] = "a document that nobody has filled in yet"
            self._gone.add(memory.id)
            return
        if told is not None and told.state == "gone" and "gone" not in self.query.include:
            self.why_not[memory.id] = f"its evidence is gone: {told.place}"
            self._gone.add(memory.id)
            return
        offered = _Told(memory, one, told)
        twin = self._twin(offered)
        if twin is None:
            self._taken.append(offered)
            if len(self._taken) >= self._wanted:
                self._wanted = self.query.k + PORTION + len(self._shadowed())
                self.full = len(self._taken) >= self._wanted
            return
        if twin.memory.branch is not None and memory.branch is None:
            # Prefer this checkout's memory to the same memory of another worktree.
            memory, twin.memory, twin.fate = twin.memory, memory, told
        twin.same.append(memory.id)
        self.why_not[memory.id] = f"says the same as {twin.memory.id}"

    def finish(self) -> None:
        """Return the accepted memories as hits."""
        shadowed = self._shadowed()
        best = max([told.one.score for told in self._taken], default=0.0)
        weak: set[str] = set()
        for told in self._taken:
            name = told.memory.id
            covered = self.ranking.covered(told.one)
            confidence = self._confidence(told.one, best, covered)
            if name in shadowed:
                self.why_not[name] = f"shadowed by {shadowed[name]}"
            elif confidence is not None and confidence < WEAK and not self.query.all:
                self.why_not[name] = "a weak match beside the best one"
                weak.add(name)
            elif len(self.hits) >= self.query.k:
                self.why_not[name] = "ranked below the requested number"
            elif not self._has_room(cost := count_tokens(told.memory.titled)):
                self.why_not[name] = "over the budget"
            else:
                self.tokens += cost
                self.hits.append(self._hit(told, confidence, covered[1]))
        answered = {hit.memory.id for hit in self.hits}
        silent = (
            answered
            | self._gone
            | shadowed.keys()
            | {name for one in self._taken for name in one.same}
        )
        matching = {one.id for one in self.ranking.candidates if one.held or one.words}
        self.omitted = len((matching | weak) - silent)

    def _has_room(self, cost: int) -> bool:
        return self.query.budget is None or self.tokens + cost <= self.query.budget

    def _confidence(
        self, one: Candidate, best: float, covered: tuple[float, float]
    ) -> float | None:
        if not self.query.ranks_by_words:
            return None
        ranking = self.ranking
        share = one.score / best if best > 0 else 0.0
        return confidence_of(
            share,
            *covered,
            one.features.get("meaning", 0.0),
            kind=one.kind,
            dense=ranking.dense,
        )

    def _hit(self, told: _Told, confidence: float | None, words: float) -> Hit:
        memory, one = told.memory, told.one
        if memory.status == "active" and memory.has_expired(self.query.now):
            memory = memory.replace(status="expired")  # the caller asked for expired memories too
        weights = self.ranking.weights[one.kind]
        parts = {name: value * weights.get(name, 0.0) for name, value in one.features.items()}
        # what the changed evidence subtracts from the score
        parts["changed"] = one.score - sum(parts.values())
        reasons: dict[str, Any] = {
            name: added for name, part in parts.items() if (added := round(part, 3))
        }
        if told.same:
            reasons["same"] = told.same
        if told.fate is not None:
            reasons["evidence"] = f"{told.fate.state} {told.fate.place}"
        score = round(one.score, 4 if self.query.ranks_by_words else 12)
        return Hit(
            memory=memory,
            score=score,
            reasons=reasons,
            stale=stale(told.fate),
            confidence=confidence,
            told=words,
        )

    def _twin(self, offered: _Told) -> _Told | None:
        """Return the accepted memory of the same scope that says the same as a memory.

        None if there is none.
        """
        for told in self._taken:
            if (
                told.one.held == offered.one.held
                and told.memory.scope == offered.memory.scope
                and told.memory.speaker == offered.memory.speaker
                and _overlap(told.bag, offered.bag)
                and _same(told.memory.titled, offered.memory.titled)
            ):
                return told
        return None

    def _shadowed(self) -> dict[str, str]:
        scopes = {told.memory.scope for told in self._taken}
        if len(scopes) < 2 and not any("replaces" in told.memory.links for told in self._taken):
            return {}
        from varves.recall.scopes import precedence
        from varves.recall.shadow import shadowed

        memories = [told.memory for told in self._taken]
        return shadowed(memories, precedence(self.query.profile))


def _overlap(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two sets of words are similar enough for a full comparison of the texts."""
    apart = one ^ other
    if len(apart) > MOST_APART * (len(one) + len(other)):
        return False
    return not any(word.isdigit() for word in apart)


def _same(one: str, other: str) -> bool:
    """Return whether two texts say the same; having similar words is not enough."""
    if fold(one) == fold(other):
        return True
    from varves.recall.likeness import alike, gist

    return alike(gist(one), gist(other))
