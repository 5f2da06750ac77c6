"""Ranking: the index proposes candidates, and the weighted sum of their features orders them."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from operator import mul

from varves.index.words import stem
from varves.recall.features import FAR, Candidate, candidates_of, count_keywords, measure
from varves.recall.question import read
from varves.recall.related import Related
from varves.recall.terms import Terms
from varves.recall.weights import weights_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from varves.index.port import Search
    from varves.values.query import Query, Term

    class Similar(Protocol):
        """The similarity of memories to a query, by their meaning."""

        @property
        def top(self) -> Sequence[int]:
            """The numbers of the most similar memories, best first."""
            ...

        def scores(self, numbers: Iterable[int]) -> dict[int, tuple[float, float, float]]:
            """Return three scores of each memory: alone, with neighbours, best of its session."""
            ...


POOL = 80  # the number of candidates that are found by words
LEADING = 200  # the number of best candidates whose neighbours are read
BESIDE = 2  # so many turns before and after a candidate may themselves be the answer
WIDER = 8  # the next read is this many times larger if filters leave too few candidates
# above this, in standard deviations above the mean, meaning alone makes a candidate
STANDS_OUT = 1.0
SPREADS = 4  # above this, in standard deviations above the mean, a memory counts as fully similar


class Ranking:
    """The candidates of one query, best first, with everything that their scores depend on."""

    def __init__(self, index: Search, query: Query, similar: Similar | None = None) -> None:
        self.index = index
        self.query = query
        self.question = read(query.text, query.now)
        found, self.left_out = index.terms(self.question.terms)
        known = {stem(word) for word in (*self.left_out, *(term.word for term in found))}
        lacking = [word for word in self.question.terms if stem(word) not in known]
        self.terms = Terms(found, index.total(), lacking)
        self.pool: dict[int, Candidate] = {}
        self.looked: dict[int, None] = {}
        if found:
            self._gather(found)
        self.related: Related | None = None
        if query.ranks_by_words:
            self._gather_related()
        if similar is not None:
            self._admit(self._alike(similar))
        self.runs: list[list[Candidate]] = []
        self._join_neighbours()
        self.dense = similar is not None
        self.weights = weights_of(query.profile, dense=self.dense, given=query.weights)
        self.candidates = list(self.pool.values())
        self._measure(similar)

    def _measure(self, similar: Similar | None) -> None:
        candidates = self.candidates
        told = self.index.uses([one.id for one in candidates])
        for one in candidates if told else ():
            one.uses = told.get(one.id, 0)
        measure(candidates, self.question, self.terms, runs=self.runs, now=self.query.now)
        if any("keywords" in row for row in self.weights.values()):
            count_keywords(candidates, self.question)
        if self.related is not None:
            for one in candidates:
                if share := self.related.share(one.n, one.held):
                    one.features["related"] = share
        if similar is not None:
            for n, alike in similar.scores(list(self.pool)).items():
                for name, spreads in zip(("meaning", "beside", "theme"), alike, strict=True):
                    self.pool[n].features[name] = spreads / SPREADS
        weights = {kind: defaultdict(float, row) for kind, row in self.weights.items()}
        for one in candidates:
            names, values = one.features.keys(), one.features.values()
            one.score = sum(map(mul, map(weights[one.kind].__getitem__, names), values))
        candidates.sort(key=lambda one: one.id)
        candidates.sort(key=lambda one: one.hlc, reverse=True)
        candidates.sort(key=_order)

    def covered(self, one: Candidate) -> tuple[float, float]:
        """Return how much of the question a candidate contains, to tell how sure it is.

        The first number is the share of the question, at most 1; the second is a count of words
        that tell the most: a memory may contain all of "go on" and have nothing to do with it. A
        related word counts less than the word itself.
        """
        share, told = self.terms.covered(one.spread, one.held)
        related = one.features.get("related", 0.0)
        share, told = share + related, told + related * self.terms.whole / self.terms.most
        if one.kind == "plain":  # who said it, and when, need not be among its words
            met = one.features.get("who", 0.0) + one.features.get("date", 0.0)
            share, told = share + met / 2, told + met
        return min(1.0, share), told

    def matched(self, one: Candidate) -> list[str]:
        """Return the words of the question, and related words, that a candidate contains."""
        own = [t.word for place, t in enumerate(self.terms.terms) if one.held >> place & 1]
        return own + ([] if self.related is None else self.related.words_of(one.n))

    @property
    def unknown(self) -> list[str]:
        """The words of the question that no memory contains."""
        known = {*self.left_out, *(term.word for term in self.terms.terms)}
        return [word for word in self.question.terms if word not in known]

    def _alike(self, similar: Similar) -> dict[int, float]:
        """Return the memories that are candidates because their meaning is similar to the query."""
        top = similar.scores(similar.top)
        return {n: 0.0 for n in similar.top if n in top and top[n][0] >= STANDS_OUT}

    def _gather(self, terms: list[Term]) -> None:
        """Add candidates found by words, until there are enough that the caller may see."""
        enough, done, portion = max(POOL // 2, 2 * self.query.k), 0, max(POOL, 3 * self.query.k)
        while True:
            ranked = self.index.ranked(terms, portion, done)
            self._admit(dict(ranked))
            if len(ranked) < portion or len(self.pool) >= enough:
                return
            done, portion = done + portion, portion * WIDER

    def _gather_related(self) -> None:
        """Add candidates that contain words related to those of the question."""
        related = Related(self.question.terms, self.index, self.terms)
        if related.origins:
            self.related = related
            ranked = self.index.ranked(related.terms, POOL, 0)
            self._admit({n: 0.0 for n, _ in ranked})

    def _admit(self, scores: dict[int, float]) -> None:
        """Add the memories with these numbers to the candidates, if the caller may see them."""
        fresh = [n for n in scores if n not in self.pool]
        self.looked |= dict.fromkeys(fresh)
        seen = self._seen(fresh, scores)
        self.pool |= {n: seen[n] for n in fresh if n in seen}

    def _seen(self, numbers: list[int], scores: dict[int, float]) -> dict[int, Candidate]:
        return candidates_of(self.index.rows(self.query, numbers), scores, self.terms)

    def _join_neighbours(self) -> None:
        """Add the turns next to the best candidates to the candidates."""
        leading = [one.n for one in [*self.pool.values()][:LEADING] if one.kind != "plain"]
        around = self.index.around(leading, FAR) if leading else {}
        for n, (before, after) in around.items():
            if not before and not after:
                self.pool[n].kind = "plain"  # a memory alone in its session is no conversation
        beside = {n for sides in around.values() for side in sides for n in side[:BESIDE]}
        known = {n for sides in around.values() for side in sides for n in side}
        seen = self._seen([n for n in known if n not in self.pool], {})
        self.pool |= {n: one for n, one in seen.items() if n in beside}
        follows: dict[int, int] = {}
        for n, (before, after) in around.items():
            chain = [*reversed(before), n, *after]
            follows.update(pairwise(chain))
        self.runs = [*_runs(seen | self.pool, follows)]


def _runs(turns: dict[int, Candidate], follows: dict[int, int]) -> Iterator[list[Candidate]]:
    """Yield the turns of conversations that follow each other without a gap, in order.

    Args:
        turns: the turns that the caller may see, by number.
        follows: the turn after each turn.
    """
    leads = {after: before for before, after in follows.items()}
    for first in turns:
        if leads.get(first) not in turns:
            run, n = list[Candidate](), first
            while n in turns:
                run.append(turns[n])
                n = follows.get(n, -1)  # no memory has a number below 0
            yield run


def _order(one: Candidate) -> tuple[float, float]:
    return -round(one.score, 9), -(0.5 if one.confidence is None else one.confidence)
