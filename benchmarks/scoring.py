"""Scoring: how much of the marked evidence a system ranks first, without a judge.

`R@k` is the share of a question's evidence among the first k, `hit@k` whether any of it is there,
`MRR` one over the place of the first, `nDCG@10` the gain of the first ten against the best order.
All are means over questions. Questions about what never happened (adversarial, abstention) have
rows of their own and are left out of the overall figure.
"""

from __future__ import annotations

import inspect
import math
import random
from dataclasses import dataclass, field
from math import fsum
from time import process_time
from typing import TYPE_CHECKING

from benchmarks.published import ABSTENTION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from benchmarks.published import Question, Store

DEPTHS = (1, 3, 5, 10, 20)
DEEPEST = max(DEPTHS)
FIGURES = (*(f"R@{k}" for k in DEPTHS), "hit@5", "MRR", "nDCG@10")
DRAWN = 1000  # so many samples of the questions make an interval
APART = frozenset(("adversarial", ABSTENTION))


@dataclass
class Result:
    """What a system came to on a set."""

    kinds: dict[str, list[dict[str, float]]] = field(default_factory=dict)
    inserting: float = 0.0  # processor seconds
    inserted: int = 0
    asking: float = 0.0  # processor seconds
    asked: int = 0

    @property
    def insert_ms(self) -> float:
        """Processor milliseconds of one memory."""
        return 1000 * self.inserting / max(1, self.inserted)

    @property
    def query_ms(self) -> float:
        """Processor milliseconds of one question."""
        return 1000 * self.asking / max(1, self.asked)

    def add(self, other: Result) -> None:
        """Add what the same system came to on other stores."""
        for kind, rows in other.kinds.items():
            self.kinds.setdefault(kind, []).extend(rows)
        self.kinds = dict(sorted(self.kinds.items()))
        self.inserting += other.inserting
        self.inserted += other.inserted
        self.asking += other.asking
        self.asked += other.asked

    def of(self, kind: str) -> dict[str, float]:
        """Return the means over the questions of one kind."""
        return mean(self.kinds[kind])

    @property
    def answerable(self) -> list[dict[str, float]]:
        """The figures of all questions that have an answer."""
        return [row for kind, rows in self.kinds.items() if kind not in APART for row in rows]

    @property
    def overall(self) -> dict[str, float]:
        """The means over all questions that have an answer."""
        return mean(self.answerable)

    @property
    def questions(self) -> int:
        """How many questions the overall means are over."""
        return len(self.answerable)


def figures(ranked: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Score one ranked list."""
    right = [name in gold for name in ranked]
    best = sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
    gain = sum(1 / math.log2(place + 2) for place, good in enumerate(right[:10]) if good)
    scored = {f"R@{k}": sum(right[:k]) / len(gold) for k in DEPTHS}
    scored |= {f"hit@{k}": float(any(right[:k])) for k in DEPTHS}
    scored["MRR"] = 1 / (right.index(True) + 1) if True in right else 0.0
    scored["nDCG@10"] = gain / best
    return scored


def mean(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of each figure."""
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]} if rows else {}


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return where 95 % of the means lie if as many values are drawn again and again."""
    chance, count = random.Random(0), len(values)
    means = sorted(fsum(chance.choices(values, k=count)) / count for _ in range(DRAWN))
    return means[DRAWN // 40], means[-DRAWN // 40]


def evaluate(
    system: Callable[[], Any],
    stores: Iterable[Store],
    *,
    clock: Callable[[], float] = process_time,
) -> Result:
    """Ask a system every question of a set, a fresh one for each store.

    Args:
        system: makes one; it has add(statements) and search(query, k), perhaps with `now`.
        stores: the set.
        clock: where the processor seconds come from.
    """
    result = Result()
    for store in stores:
        subject, held = system(), 0
        dated = "now" in inspect.signature(subject.search).parameters
        everything = len(store.statements)
        for question in sorted(store.questions, key=lambda one: _seen(one, everything)):
            upto = _seen(question, everything)
            if upto > held:
                began = clock()
                subject.add(store.statements[held:upto])
                result.inserting += clock() - began
                result.inserted += upto - held
                held = upto
            when = {"now": question.at} if dated else {}
            began = clock()
            ranked = subject.search(question.text, DEEPEST, **when)
            result.asking += clock() - began
            result.asked += 1
            ranked = list(dict.fromkeys(ranked))[:DEEPEST]
            result.kinds.setdefault(question.kind, []).append(figures(ranked, question.gold))
        if hasattr(subject, "close"):
            subject.close()
    result.kinds = dict(sorted(result.kinds.items()))
    return result


def _seen(question: Question, everything: int) -> int:
    """Return how many of a store's memories a question may search."""
    return everything if question.before is None else min(question.before, everything)
