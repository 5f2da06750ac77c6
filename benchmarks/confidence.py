"""The confidence of hits, fitted on several public sets.

    VARVES_BENCH_DATA=FOLDER python -m benchmarks.confidence [--dense]

Every hit of a sample of questions is right or not. A logistic regression for each kind of memory
predicts that from the numbers that `recall/confidence.py` names; every set counts the same. Each
question is also asked as if its answer were not there: then none of its hits is right. What is
printed goes into `recall/confidence.py`, with a table of how many hits were right for each
predicted share, set by set.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import varves
from benchmarks import project_set
from benchmarks.fit import PROJECT, Asked, ranking_of
from benchmarks.published import SESSIONS, found, wanted
from benchmarks.scoring import APART
from varves.recall.confidence import ENOUGH, WEAK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy import float64
    from numpy.typing import NDArray

    from varves.recall.features import Candidate
    from varves.recall.rank import Ranking

    Floats = NDArray[float64]

# stores of a set, and questions of a store, that are asked
SAMPLE = {
    "locomo": (4, 100),
    "locomo" + SESSIONS: (3, 80),
    "qmsum": (12, 12),
    "realmem": (4, 60),
    "lme_s500": (25, 1),
    "lme_pool": (1, 100),
}
EDGES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 1.0)
MOST = 60  # so many candidates of a question are looked at; its answers among them may be many
FEWEST = 15  # so many hits are needed for a share
ROUNDS, RIDGE = 50, 1e-3


class Hit(NamedTuple):
    """One hit of one question: its numbers, and whether it was right."""

    source: str
    kind: str
    share: float
    cover: float
    told: float
    meaning: float
    right: bool


def hits_of(
    ranking: Ranking, ranked: Sequence[tuple[Candidate, bool]], source: str
) -> Iterator[Hit]:
    """Yield the first ten candidates of a question, with its answer and without it."""
    wrong = [(one, right) for one, right in ranked if not right]
    for told in (ranked[:10], wrong[:10]):
        for one, right in told:
            best = told[0][0].score
            share = one.score / best if best > 0 else 0.0
            cover, words = ranking.covered(one)
            meaning = one.features.get("meaning", 0.0)
            yield Hit(source, one.kind, share, cover, min(ENOUGH, words), meaning, right)


def gather(folder: str, *, dense: bool) -> list[Hit]:
    """Ask a sample of every set's questions."""
    found_hits: list[Hit] = []
    for source, read in found(folder).items():
        if source not in SAMPLE:
            continue
        stores, most = SAMPLE[source]
        for store in random.Random(5).sample(all_of := read(), min(stores, len(all_of))):
            asked, done = Asked(dense=dense), 0
            questions = [one for one in store.questions if one.kind not in APART]
            chosen = random.Random(7).sample(questions, min(most, len(questions)))
            for question in sorted(chosen, key=lambda one: one.before or 1 << 30):
                upto = min(question.before or len(store.statements), len(store.statements))
                if upto > done:
                    asked.add(store.statements[done:upto])
                    done = upto
                ranking = asked.ranking(question, k=10)
                ranked = [(one, name in question.gold) for one, name in asked.named(ranking, MOST)]
                found_hits += hits_of(ranking, ranked, source)
            asked.close()
    return found_hits + project(dense=dense)


def project(*, dense: bool) -> list[Hit]:
    """Ask the development questions of the project set."""

    def asked(ledger: varves.Ledger, question: dict[str, Any], known: dict[str, str]) -> list[Hit]:
        ranking = ranking_of(ledger, question["text"], k=10, dense=dense)
        gold = {known[key] for key in question["gold"]}
        ranked = [(one, one.id in gold) for one in ranking.candidates[:MOST]]
        return list(hits_of(ranking, ranked, PROJECT))

    with tempfile.TemporaryDirectory() as folder:
        return [hit for hits in project_set.replay(folder, ask=asked) for hit in hits]


def regress(table: Floats, right: Floats, weight: Floats) -> Floats:
    """Return the coefficients of a logistic regression, by Newton's method."""
    import numpy as np

    found_row = np.zeros(table.shape[1])
    for _ in range(ROUNDS):
        likely = 1 / (1 + np.exp(-table @ found_row))
        curve = (table * (weight * likely * (1 - likely))[:, None]).T @ table
        slope = table.T @ (weight * (right - likely))
        found_row = found_row + np.linalg.solve(curve + RIDGE * np.eye(len(found_row)), slope)
    return found_row


def fit(kind: str, hits: Sequence[Hit]) -> None:
    """Fit one kind, and print the row and how well it holds on each set."""
    import numpy as np

    sources = sorted({one.source for one in hits})
    size = {source: sum(one.source == source for one in hits) for source in sources}
    table = np.array([[1.0, one.share, one.cover, one.told, one.meaning] for one in hits])
    right = np.array([float(one.right) for one in hits])
    row = regress(table, right, np.array([len(hits) / size[one.source] for one in hits]))
    print(f'"{kind}": ({", ".join(f"{value:.2f}" for value in row)}),')
    likely = 1 / (1 + np.exp(-table @ row))
    for source in sources:
        mine = np.array([one.source == source for one in hits])
        shares = [_share(right[mine], likely[mine], low, high) for low, high in pairwise(EDGES)]
        kept = right[mine & (likely >= WEAK)].sum() / max(1.0, right[mine].sum())
        print(f"  {source}: {'; '.join(filter(None, shares))}; {kept:.1%} of the right are kept")


def _share(right: Any, likely: Any, low: float, high: float) -> str:
    mine = (likely >= low) & (likely < high)
    if mine.sum() < FEWEST:
        return ""
    return f"{low:.0%} to {high:.0%}: {right[mine].mean():.0%} of {mine.sum()}"


def main() -> None:
    """Fit all kinds."""
    folder = os.environ.get("VARVES_BENCH_DATA")
    if not folder:
        sys.exit(wanted())
    hits = gather(folder, dense="--dense" in sys.argv[1:])
    for kind in ("people", "chat", "plain"):
        fit(kind, [one for one in hits if one.kind == kind])


if __name__ == "__main__":
    main()
