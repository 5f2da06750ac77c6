"""How alike two texts are, and which of many are worth comparing.

The measure is the larger of two: the overlap of their words (shared words by all words), and the
ratio of `difflib.SequenceMatcher` (what matches, twice, by both lengths). Case and white space do
not count. The ratio is taken on characters; where both texts together are longer than `BY_WORD`
characters, on words, since the work grows with the product of the lengths.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import combinations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Measure = Callable[[str, str], float]
    """Tells from 0 to 1 how alike two texts are; the port by which another may be put in."""

BY_WORD = 4000
FEW = 60  # so many texts are all compared with each other
GATHERED = 200  # so many are looked at more closely
CLOSEST = 10
START = 4  # letters of a word by which texts are brought together, so that endings do not matter


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


def candidates(
    texts: Sequence[str], fresh: Callable[[int], bool] = lambda _: True
) -> Iterator[tuple[int, int]]:
    """Yield the places of texts worth comparing, each pair once, the earlier first.

    One of each pair is fresh; the others were compared before. Of a few texts these are all pairs.
    Of many, each is compared with the `CLOSEST` earlier ones that share most, and at least half, of
    its words' beginnings, looked for by the rarest of them: all pairs of ten thousand texts would
    take an hour.
    """
    if len(texts) <= FEW:
        for one, other in combinations(range(len(texts)), 2):
            if fresh(one) or fresh(other):
                yield one, other
        return
    starts = [frozenset(word[:START] for word in folded(text).split()) for text in texts]
    often: dict[str, int] = {}
    for own in starts:
        for start in own:
            often[start] = often.get(start, 0) + 1
    holding: dict[str, list[int]] = {}
    # The fresh ones come last, so that each finds all the others.
    for place in sorted(range(len(texts)), key=lambda place: (fresh(place), place)):
        own = starts[place]
        rarer = sorted(own, key=lambda start: (often[start], start))[: len(own) // 2 + 1]
        if fresh(place):
            for other in _closest(rarer, holding, starts=starts, own=own):
                yield min(place, other), max(place, other)
        for start in rarer:
            holding.setdefault(start, []).append(place)


def _closest(
    rarer: list[str],
    holding: dict[str, list[int]],
    *,
    starts: list[frozenset[str]],
    own: frozenset[str],
) -> list[int]:
    """Return the places of the texts that share most with one, at least half, the closest first."""
    found: dict[int, None] = {}
    for start in rarer:
        found.update(dict.fromkeys(holding.get(start, ())[-(GATHERED - len(found)) :]))
        if len(found) >= GATHERED:
            break
    shared = [(len(own & starts[place]), place) for place in found]
    near = [
        (-count, place) for count, place in shared if 2 * count >= max(len(own), len(starts[place]))
    ]
    return [place for _, place in sorted(near)[:CLOSEST]]
