"""How sure a hit is: the share of hits with such scores that were right on labelled questions.

A logistic function of two numbers is fitted for each kind of memory: the hit's score, and its share
of the best hit's score. `python -m benchmarks.fit --confidence` fits it on several public sets and
prints how well it holds on each. Only the default profile has it; the scores of the published
formulas mean something else.
"""

from __future__ import annotations

from math import exp

# constant, score, share of the best score
WORDS: dict[str, tuple[float, float, float]] = {
    "people": (-6.81, -0.95, 7.58),
    "chat": (-6.81, -0.95, 7.58),
    "plain": (-9.18, 1.69, 6.82),
}
DENSE = WORDS
WEAK = 0.01  # a hit with less confidence is left out
UNSURE = 0.2  # if no hit has more, the answer as a whole is weak


def confidence_of(score: float, best: float, *, kind: str, dense: bool) -> float:
    """Return how likely a hit is right, from 0 to 1.

    Args:
        score: the score of the hit.
        best: the score of the best hit of the same answer.
        kind: the kind of the memory: people, chat or plain.
        dense: whether meanings were compared.
    """
    constant, by_score, by_share = (DENSE if dense else WORDS)[kind]
    share = score / best if best > 0 else 0.0
    return round(1 / (1 + exp(-(constant + by_score * score + by_share * share))), 3)
