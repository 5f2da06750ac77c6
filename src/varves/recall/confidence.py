"""How sure a hit is: the share of hits with such numbers that were right on labelled questions.

For each kind of memory, a logistic function predicts it from four numbers: the hit's score, its
share of the best hit's score, the share of the question's words that it covers, and how much these
words tell. Half of the questions it is fitted to were asked without their answer.
`python -m benchmarks.confidence` fits the function on several public sets and prints how well it
holds on each. Only the default profile has it: the scores of the published formulas mean something
else.
"""

from __future__ import annotations

from math import exp

Row = tuple[float, float, float, float, float]

# constant, score, share of the best score, share of the question, how much it tells
WORDS: dict[str, Row] = {
    "people": (-10.2, 0.2, 4.7, 3.7, 2.5),
    "chat": (-10.2, 0.2, 4.7, 3.7, 2.5),
    "plain": (-10.2, 0.2, 4.7, 3.7, 2.5),
}
DENSE: dict[str, Row] = {
    "people": (-10.2, 0.2, 4.7, 3.7, 2.5),
    "chat": (-10.2, 0.2, 4.7, 3.7, 2.5),
    "plain": (-10.2, 0.2, 4.7, 3.7, 2.5),
}
ENOUGH = 4.0  # more words than these make a hit no surer
WEAK = 0.02  # a hit with less confidence is left out
WEAK_IN_OTHER_WORDS = 0.005  # the same for a hit that contains no word of the question
UNSURE = 0.2  # if no hit has more, the answer as a whole is weak


def confidence_of(
    score: float, best: float, cover: float, told: float, *, kind: str, dense: bool
) -> float:
    """Return how likely a hit is right, from 0 to 1.

    Args:
        score: the score of the hit.
        best: the score of the best hit of the same answer.
        cover: the share of the question's words that the memory contains.
        told: how much these words tell, counted in words that tell the most.
        kind: the kind of the memory: people, chat or plain.
        dense: whether meanings were compared.
    """
    constant, *weights = (DENSE if dense else WORDS)[kind]
    share = score / best if best > 0 else 0.0
    numbers = zip(weights, (score, share, cover, min(told, ENOUGH)), strict=True)
    return round(1 / (1 + exp(-constant - sum(w * number for w, number in numbers))), 3)
