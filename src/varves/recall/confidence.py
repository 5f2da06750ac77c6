"""How sure a hit is: the share of hits with such numbers that were right on labelled questions.

For each kind of memory, a logistic function predicts it from three numbers: the hit's score, its
share of the best hit's score, and the share of the question's words that it covers.
`python -m benchmarks.confidence` fits the function on several public sets and prints how well it
holds on each. Only the default profile has it: the scores of the published formulas mean something
else.
"""

from __future__ import annotations

from math import exp

# constant, score, share of the best score, share of the question
WORDS: dict[str, tuple[float, float, float, float]] = {
    "people": (-6.46, -1.20, 7.26, 0.64),
    "chat": (-9.58, 1.61, 5.21, 1.77),
    "plain": (-6.97, 2.20, 3.01, 1.50),
}
DENSE: dict[str, tuple[float, float, float, float]] = {
    "people": (-7.01, -0.69, 7.18, 0.69),
    "chat": (-9.81, 2.21, 4.85, 0.96),
    "plain": (-7.88, 2.50, 3.73, 1.46),
}
WEAK = 0.02  # a hit with less confidence is left out
WEAK_IN_OTHER_WORDS = 0.005  # the same for a hit that contains no word of the question
UNSURE = 0.12  # if no hit has more, the answer as a whole is weak


def confidence_of(score: float, best: float, cover: float, *, kind: str, dense: bool) -> float:
    """Return how likely a hit is right, from 0 to 1.

    Args:
        score: the score of the hit.
        best: the score of the best hit of the same answer.
        cover: the share of the question's words that the memory contains.
        kind: the kind of the memory: people, chat or plain.
        dense: whether meanings were compared.
    """
    constant, *weights = (DENSE if dense else WORDS)[kind]
    share = score / best if best > 0 else 0.0
    numbers = zip(weights, (score, share, cover), strict=True)
    return round(1 / (1 + exp(-constant - sum(w * number for w, number in numbers))), 3)
