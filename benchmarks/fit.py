"""The weights of the ranking, fitted on several public sets at once.

    VARVES_BENCH_DATA=FOLDER python -m benchmarks.fit [people|chat|plain ...] [--dense]

For every question, the real index is asked for its candidates and their features. A softmax
regression with a penalty on large weights finds weights that rank evidence above the rest; every
set counts the same. It runs once for each fold, without a fifth of the stores, and a weight whose
sign differs between folds is set to zero. Weights are never moved to raise the figures themselves:
that overfits. What is printed goes into `recall/weights.py`; the shares of evidence in the first
one and ten are of the stores that the fold was not fitted on.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import TYPE_CHECKING

import varves
from benchmarks import project_set
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
    from varves.recall.features import Candidate

    Floats = NDArray[float64]
    Lists = list[tuple[Floats, Floats, int]]  # features, gold or not, how much gold there is

PROJECT = "project"  # the committed set's half for development
SETS = {
    "people": ("locomo", "qmsum"),
    "chat": ("lme_pool",),
    "plain": ("locomo" + SESSIONS, "realmem", "lme_s500", PROJECT),
}
STEPS, RATE, SHARPNESS, DECAY = 250, 0.05, 3.0, 0.003
FOLDS = 5
EVEN = 0.5  # the share of the target that counts all evidence of a question alike


class Asked(Varves):
    """The ledger of a store, asked for candidates instead of answers."""

    def __init__(self, *, dense: bool) -> None:
        super().__init__()
        self.dense = dense

    def ranking(self, question: Question, k: int) -> Ranking:
        """Return the ranked candidates of a question that wants so many hits."""
        self.search(question.text, 1, question.at)  # sets the clock and catches up
        return ranking_of(self._ledger, question.text, k=k, dense=self.dense)

    def named(self, ranking: Ranking, first: int | None = None) -> Iterator[tuple[Candidate, str]]:
        """Yield the first candidates, or all, each with the name of its statement."""
        ranked = ranking.candidates[:first]
        held = ranking.index.memories([one.n for one in ranked])
        for one in ranked:
            memory = held[one.n]
            yield one, self._names[memory.session, memory.turn]


def ranking_of(ledger: varves.Ledger, text: str, *, k: int, dense: bool) -> Ranking:
    """Return the ranked candidates of a question that wants so many hits."""
    from varves.questions.lookup import meanings, query_of

    context = ledger._context  # noqa: SLF001 - the features are not public
    view = context.fresh()
    query = query_of(context, view, text, k=k, options={})
    search = view.index.search()
    similar, _ = meanings(context, view, query, search=search, wanted=dense)
    return Ranking(search, query, similar)


def project(kind: str, names: Sequence[str], *, dense: bool) -> Lists:
    """Return the candidates of one kind of the project set's development questions."""
    import numpy as np

    def asked(ledger: varves.Ledger, question: dict[str, Any], known: dict[str, str]) -> Any:
        ranking = ranking_of(ledger, question["text"], k=10, dense=dense)
        mine = [one for one in ranking.candidates if one.kind == kind]
        gold = {known[key] for key in question["gold"]}
        table = [[one.features.get(name, 0.0) for name in names] for one in mine]
        right = [float(one.id in gold) for one in mine]
        return np.array(table).reshape(len(mine), len(names)), np.array(right), len(gold)

    with tempfile.TemporaryDirectory() as folder:
        return [one for one in project_set.replay(folder, ask=asked) if len(one[1])]


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
            found = list(asked.named(asked.ranking(question, k=20)))
            table = [[one.features.get(name, 0.0) for name in names] for one, _ in found]
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
                best = share * gold / (share * gold).sum()
                wanted = EVEN * gold / gold.sum() + (1 - EVEN) * best
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


def fit(kind: str, *, dense: bool) -> dict[str, Any]:
    """Fit the row of one kind, and print how well it does on stores that it was not fitted on."""
    import numpy as np

    names = list((DENSE if dense else FITTED)[kind])
    there = found(os.environ["VARVES_BENCH_DATA"])
    stores = {
        name: _folds(project(kind, names, dense=dense))
        if name == PROJECT
        else _parts(there[name](), names, dense=dense)
        for name in SETS[kind]
    }
    rows, unseen = [], {name: list[tuple[float, int, int]]() for name in stores}
    for fold in range(FOLDS):
        sets = []
        for held in stores.values():
            kept = [lists for place, lists in enumerate(held) if place % FOLDS != fold]
            sets.append([one for lists in kept for one in lists])
        rows.append(regress(sets, len(names)))
        for name, held in stores.items():
            left = [
                one for place, lists in enumerate(held) if place % FOLDS == fold for one in lists
            ]
            for first in (1, 10) if left else ():
                unseen[name].append((found_share(left, rows[-1], first), first, len(left)))
    steady = np.abs(np.sign(rows).sum(axis=0)) == FOLDS
    weights = np.round(np.mean(rows, axis=0) * steady, 1)
    for name, shares in unseen.items():
        print(f"{kind}{' + dense' if dense else ''}: {name} {_means(shares)}", flush=True)
    return {
        name: float(weight) for name, weight in zip(names, weights, strict=True) if abs(weight) > 0
    }


def _parts(stores: Sequence[Store], names: Sequence[str], *, dense: bool) -> list[Lists]:
    """Return the questions of a set by store; those of a single store in equal parts."""
    parts = [gather([store], names, dense=dense) for store in stores]
    return parts if len(parts) > 1 else _folds(parts[0])


def _folds(lists: Lists) -> list[Lists]:
    return [lists[place::FOLDS] for place in range(FOLDS)]


def _means(shares: list[tuple[float, int, int]]) -> str:
    """Return the mean share of evidence in the first one and ten, over all questions."""
    said = []
    for first in (1, 10):
        mine = [(share, count) for share, depth, count in shares if depth == first]
        total = sum(count for _, count in mine)
        said.append(f"R@{first} {sum(share * count for share, count in mine) / total:.1f}")
    return ", ".join(said)


def main() -> None:
    """Fit the rows that are asked for, or all."""
    if not os.environ.get("VARVES_BENCH_DATA"):
        sys.exit(wanted())
    asked = [word for word in sys.argv[1:] if word in SETS] or list(SETS)
    for kind in asked:
        print(fit(kind, dense="--dense" in sys.argv[1:]), flush=True)


if __name__ == "__main__":
    main()
