"""The weights of the ranking, fitted on several public sets at once.

    VARVES_BENCH_DATA=FOLDER python -m benchmarks.fit [people|chat|plain ...] [--dense]

For every question the real index is asked for its candidates and their features. A softmax
regression finds weights under which evidence stands above the rest, every set counting the same.
From there, or from the present row if that is better, each weight is moved in small steps as long
as more evidence comes into the first ten. What is printed goes into `recall/weights.py`. A fit on
one set alone does worse on the others.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from benchmarks.published import SESSIONS, found, wanted
from benchmarks.scoring import APART
from benchmarks.systems import Varves
from varves.recall.rank import Ranking
from varves.recall.weights import DENSE, FITTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy import float64
    from numpy.typing import NDArray

    from benchmarks.published import Question, Store

    Floats = NDArray[float64]
    Lists = list[tuple[Floats, Floats, int]]  # features, gold or not, how much gold there is

SETS = {
    "people": ("locomo", "qmsum"),
    "chat": ("lme_pool", "lme_s500"),
    "plain": ("locomo" + SESSIONS, "realmem"),
}
STEPS, RATE, SHARPNESS, DECAY = 250, 0.05, 3.0, 0.003
MOVES = (-0.5, -0.2, -0.1, 0.1, 0.2, 0.5, 1.0)
ROUNDS = 3
WORTH_IT = 0.01  # of a point, before a weight is moved


class Asked(Varves):
    """The ledger of a store, asked for candidates instead of answers."""

    def __init__(self, *, dense: bool) -> None:
        super().__init__()
        self.dense = dense

    def candidates(self, question: Question) -> Iterator[tuple[dict[str, float], str]]:
        """Yield the features of each candidate with the name of its statement."""
        from varves.questions.lookup import meanings, query_of

        self.search(question.text, 1, question.at)  # sets the clock and catches up
        context = self._ledger._context  # noqa: SLF001 - the features are not public
        view = context.fresh()
        query = query_of(context, view, question.text, k=20, options={})
        search = view.index.search()
        similar, _ = meanings(context, view, query, search=search, wanted=self.dense)
        ranked = Ranking(search, query, similar).candidates
        held = search.memories([one.n for one in ranked])
        for one in ranked:
            memory = held[one.n]
            yield one.features, self._names[memory.session, memory.turn]


def gather(stores: Sequence[Store], names: Sequence[str], *, dense: bool) -> Lists:
    """Return the candidates of every question as numbers."""
    import numpy as np

    lists: Lists = []
    for store in stores:
        asked, done = Asked(dense=dense), 0
        for question in sorted(store.questions, key=lambda one: one.before or 1 << 30):
            upto = min(question.before or len(store.statements), len(store.statements))
            if upto > done:
                asked.add(store.statements[done:upto])
                done = upto
            if question.kind in APART:
                continue
            found = list(asked.candidates(question))
            table = [[features.get(name, 0.0) for name in names] for features, _ in found]
            gold = [float(name in question.gold) for _, name in found]
            shape = (len(found), len(names))
            lists.append((np.array(table).reshape(shape), np.array(gold), len(question.gold)))
        asked.close()
    return lists


def regress(sets: Sequence[Lists], count: int) -> Floats:
    """Return weights that put evidence above the rest, every set counting the same."""
    import numpy as np

    weights, drift, spread = np.zeros(count), np.zeros(count), np.zeros(count)
    weights[0] = 1.0
    for step in range(1, STEPS + 1):
        slope = DECAY * weights
        for lists in sets:
            told = [(table, gold) for table, gold, _ in lists if gold.any()]
            for table, gold in told:
                scores = np.exp(SHARPNESS * (table @ weights - (table @ weights).max()))
                share = scores / scores.sum()
                wanted = share * gold / (share * gold).sum()
                slope = slope + SHARPNESS * (share - wanted) @ table / len(told)
        drift, spread = 0.9 * drift + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        move = drift / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        weights = weights - RATE * move
    return np.round(weights, 1)


def found_share(lists: Lists, weights: Floats, first: int) -> float:
    """Return the share of evidence in the first so many, in percent."""
    import numpy as np

    shares = []
    for table, gold, count in lists:
        best = np.argsort(-(table @ weights), kind="stable")[:first]
        shares.append(min(1.0, gold[best].sum() / count))
    return 100.0 * float(np.mean(shares))


def worth(sets: Sequence[Lists], weights: Floats) -> float:
    """Return how good weights are: evidence in the first ten, and a little in the first five."""
    return sum(
        found_share(lists, weights, 10) + found_share(lists, weights, 5) / 5 for lists in sets
    )


def polish(sets: Sequence[Lists], weights: Floats) -> Floats:
    """Move one weight at a time, as long as that brings more evidence to the top."""
    import numpy as np

    best = worth(sets, weights)
    for _ in range(ROUNDS):
        before = best
        for place in range(len(weights)):
            for move in MOVES:
                moved = weights.copy()
                moved[place] += move
                if (value := worth(sets, moved)) > best + WORTH_IT:
                    best, weights = value, moved
        if best - before < WORTH_IT:
            break
    return np.round(weights, 1)


def fit(kind: str, *, dense: bool) -> dict[str, Any]:
    """Fit the row of one kind and say how well it does."""
    import numpy as np

    row = (DENSE if dense else FITTED)[kind]
    names = list(row)
    there = found(os.environ["VARVES_BENCH_DATA"])
    sets = [gather(there[name](), names, dense=dense) for name in SETS[kind]]
    starts = [regress(sets, len(names)), np.array(list(row.values()))]
    weights = polish(sets, max(starts, key=lambda start: worth(sets, start)))
    shares = [found_share(lists, weights, 10) for lists in sets]
    said = ", ".join(f"{name} {share:.1f}" for name, share in zip(SETS[kind], shares, strict=True))
    print(f"{kind}{' + dense' if dense else ''}: R@10 {said}", flush=True)
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


def main() -> None:
    """Fit the rows that are asked for, or all."""
    if not os.environ.get("VARVES_BENCH_DATA"):
        sys.exit(wanted())
    asked = [word for word in sys.argv[1:] if word in SETS] or list(SETS)
    for kind in asked:
        print(fit(kind, dense="--dense" in sys.argv[1:]), flush=True)


if __name__ == "__main__":
    main()
