"""How alike two texts are.

The measure is the larger of two: the overlap of their words (shared words by all words), and the
ratio of `difflib.SequenceMatcher` (what matches, twice, by both lengths). Case and white space do
not count. The ratio is taken on characters; where both texts together are longer than `BY_WORD`
characters, on words, since the work grows with the product of the lengths.
"""

from __future__ import annotations

from difflib import SequenceMatcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Measure = Callable[[str, str], float]
    """Tells from 0 to 1 how alike two texts are; the port by which another may be put in."""

BY_WORD = 4000


def folded(text: str) -> str:
    """Fold case and white space."""
    return " ".join(text.casefold().split())


def similarity(one: str, other: str) -> float:
    """Return how alike two texts are: the larger of word overlap and sequence ratio."""
    a, b = sorted((folded(one), folded(other)))
    if a == b:
        return 1.0
    left, right = a.split(), b.split()
    overlap = _overlap(frozenset(left), frozenset(right))
    if len(a) + len(b) > BY_WORD:
        return max(overlap, SequenceMatcher(None, left, right, autojunk=False).ratio())
    return max(overlap, SequenceMatcher(None, a, b, autojunk=False).ratio())


def above(threshold: float, measure: Measure = similarity) -> Callable[[str, str], bool]:
    """Return a test for being more alike than a threshold; cheap bounds go before the measure."""

    def alike(one: str, other: str) -> bool:
        if measure is similarity and not _possible(folded(one), folded(other), threshold):
            return False
        return measure(one, other) > threshold

    return alike


def _possible(a: str, b: str, threshold: float) -> bool:
    """Tell whether two folded texts can be more alike than a threshold, by what is quickly told."""
    if _overlap(frozenset(a.split()), frozenset(b.split())) > threshold:
        return True
    if len(a) + len(b) > BY_WORD:
        return True
    length = len(a) + len(b) or 1
    if 2 * min(len(a), len(b)) / length <= threshold:
        return False
    # The ratio's matches are a common subsequence: there are no more of them than in the longest.
    return 2 * _subsequence(a, b) / length > threshold


def _subsequence(a: str, b: str) -> int:
    """Return how long the longest common subsequence is; a bit for each character of `b`."""
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
