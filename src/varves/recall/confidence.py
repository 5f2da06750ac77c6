"""How sure a hit is: the share of hits with such numbers that were right on labelled questions.

For each kind of memory, a logistic function predicts it from four numbers: the hit's share of the
best score, the share of the question's words that it covers, how much these words tell, and the
similarity in meaning. Half of the questions that it is fitted to were asked without their answer.
`python -m benchmarks.confidence` fits the function on several public sets and prints how well it
holds on each. Only the default profile has it: the scores of the published formulas mean something
else.
"""

from __future__ import annotations

from math import exp

Row = tuple[float, float, float, float, float]

# constant, share of the best score, share of the question, how much it tells, meaning
WORDS: dict[str, Row] = {
    "people": (-7.42, 5.49, 0.09, 0.65, 0.0),
    "chat": (-10.15, 6.78, 1.40, 0.74, 0.0),
    "plain": (-9.60, 5.35, 3.57, 0.89, 0.0),
}
DENSE: dict[str, Row] = {
    "people": (-8.75, 6.96, -0.11, 0.51, 0.20),
    "chat": (-10.34, 6.74, 1.18, 0.49, 0.51),
    "plain": (-9.44, 3.65, 2.73, 1.12, 2.71),
}
ENOUGH = 2.5  # more words than these make a hit no surer
WEAK = 0.005  # a hit with less confidence is left out
UNSURE = 0.15  # if no hit has more, the answer as a whole is weak


def confidence_of(
    share: float, cover: float, told: float, meaning: float, *, kind: str, dense: bool
) -> float:
    """Return how likely a hit is right, from 0 to 1.

    Args:
        share: the hit's share of the score of the best hit of the same answer.
        cover: the share of the question's words that the memory contains.
        told: how much these words tell, counted in words that tell the most.
        meaning: how similar the memory and the question are in meaning; 0 if this is not known.
        kind: the kind of the memory: people, chat or plain.
        dense: whether meanings were compared.
    """
    constant, *weights = (DENSE if dense else WORDS)[kind]
    numbers = zip(weights, (share, cover, min(told, ENOUGH), meaning), strict=True)
    return round(1 / (1 + exp(-constant - sum(w * number for w, number in numbers))), 3)
