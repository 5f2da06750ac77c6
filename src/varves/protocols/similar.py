"""Similarity of two texts.

The measure is the larger of two values: the word overlap (shared words divided by all words) and
the ratio of `difflib.SequenceMatcher` (twice the matches divided by the sum of both lengths). Case
and white space are ignored. The ratio compares characters; if both texts together are longer than
`BY_WORD` characters, it compares words, because the work grows with the product of the lengths.
"""

from __future__ import annotations

from difflib import SequenceMatcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Measure = Callable[[str, str], float]
    """Returns the similarity of two texts, from 0 to 1; callers may pass another measure."""

BY_WORD = 4000


def folded(text: str) -> str:
    """Normalise case and white space."""
    return " ".join(text.casefold().split())


def similarity(one: str, other: str) -> float:
    """Return the similarity of two texts: the larger of word overlap and sequence ratio."""
    a, b = sorted((folded(one), folded(other)))
    if a == b:
        return 1.0
    left, right = a.split(), b.split()
    overlap = _overlap(frozenset(left), frozenset(right))
    if len(a) + len(b) > BY_WORD:
        return max(overlap, SequenceMatcher(None, left, right, autojunk=False).ratio())
    return max(overlap, SequenceMatcher(None, a, b, autojunk=False).ratio())


def above(threshold: float, measure: Measure = similarity) -> Callable[[str, str], bool]:
    """Return a test for a similarity above a threshold; cheap bounds are tried first."""

    def alike(one: str, other: str) -> bool:
        if measure is similarity and not _possible(folded(one), folded(other), threshold):
            return False
        return measure(one, other) > threshold

    return alike


def _possible(a: str, b: str, threshold: float) -> bool:
    """Return whether two folded texts can be more similar than a threshold, by cheap bounds."""
    if _overlap(frozenset(a.split()), frozenset(b.split())) > threshold:
        return True
    if len(a) + len(b) > BY_WORD:
        return True
    length = len(a) + len(b) or 1
    if 2 * min(len(a), len(b)) / length <= threshold:
        return False
    # The ratio's matches form a common subsequence, so the longest one is an upper bound.
    return 2 * _subsequence(a, b) / length > threshold


def _subsequence(a: str, b: str) -> int:
    """Return the length of the longest common subsequence, with one bit per character of `b`."""
    places: dict[str, int] = {}
    for place, char in enumerate(b):
        places[char] = places.get(char, 0) | 1 << place
    whole = (1 << len(b)) - 1
    unmatched = whole
    for char in a:
        met = unmatched & places.get(char, 0)
        unmatched = (unmatched + met | unmatched - met) & whole
    return len(b) - unmatched.bit_count()


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    whole = left | right
    return len(left & right) / len(whole) if whole else 1.0
