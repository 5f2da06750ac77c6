"""Finds the terms of a query in a text, without splitting the text into words.

The index has found the candidates by stems. Here, each stem is searched for at the start of words,
and the rest of the word must be a usual ending. The result is as good as computing the stem of
every word, but this is much faster.
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.values.query import Term

LONG = 6  # a stem with this many letters seldom begins an unrelated word
PASSAGE = 300  # the number of characters in one passage of a long text
OCCURRENCES = 60  # the most occurrences of terms in one text that are checked
SEARCHED = 20_000  # the most characters of a text that are searched
_ENDINGS = frozenset(
    [
        *("", "s", "es", "e", "ed", "d", "er", "ers", "ing", "ings", "ly", "y", "ies", "ied"),
        *("ion", "ions", "ation", "ations", "ment", "ments", "ness", "al", "able", "ive", "ity"),
        *("ful", "ence", "ance", "or", "ors", "ate", "ated", "ates", "ating", "ize", "ized"),
        *("ered", "ering", "ery"),
    ]
)
_BETWEEN = "\u201c\u201d\u2018\u2019\u2013\u2014\u2026\u00a1\u00bf\u00ab\u00bb\u2022\u00b7"
# maps ASCII signs and some typographic signs to a space, but not letters and digits
_SPACED = dict.fromkeys(
    (*range(48), *range(58, 65), *range(91, 97), *range(123, 128), *map(ord, _BETWEEN)), " "
)


class Terms:
    """The terms of a query; each has a weight, and one bit in a mask of terms."""

    def __init__(self, terms: Sequence[Term], total: int) -> None:
        self.terms = terms
        self._total = total
        self.weights = [self.rarity(term) for term in terms]
        self.mass = sum(self.weights) or 1.0
        self.rarest = log(1 + (total + 0.5) / 0.5)
        self._needles = [needle(term) for term in terms]
        self._worth: dict[int, float] = {0: 0.0}

    def rarity(self, term: Term) -> float:
        """Return the weight of a term: the fewer memories contain it, the higher."""
        return log(1 + (self._total - term.count + 0.5) / (term.count + 0.5))

    def held(self, spread: str) -> int:
        """Return the mask of the terms that a text contains; `spread` has prepared the text."""
        mask = 0
        for place, (sought, long) in enumerate(self._needles):
            if contains(spread, sought, any_ending=long):
                mask |= 1 << place
        return mask

    def peak(self, spread: str, mask: int) -> float:
        """Return the highest total weight of terms in any one passage of a long text."""
        if len(spread) <= 2 * PASSAGE:
            return self.worth(mask)
        found: list[tuple[int, int]] = []
        for place, (sought, _) in enumerate(self._needles):
            if mask >> place & 1:
                at = spread.find(sought)
                while at >= 0 and len(found) < OCCURRENCES:
                    found.append((at, place))
                    at = spread.find(sought, at + PASSAGE // 4)
        found.sort()
        best, first = 0.0, 0
        for last, (at, _) in enumerate(found):
            while at - found[first][0] > PASSAGE:
                first += 1
            held = 0
            for _, place in found[first : last + 1]:
                held |= 1 << place
            best = max(best, self.worth(held))
        return best

    def mask(self, names: set[str]) -> int:
        """Return the mask of the terms that occur in any of the names."""
        parts = {part for name in names for part in name.lower().split()}
        return sum(1 << place for place, t in enumerate(self.terms) if t.word in parts)

    def worth(self, mask: int) -> float:
        """Return the total weight of the terms in a mask."""
        known = self._worth.get(mask)
        if known is None:
            known = self._worth[mask] = sum(
                weight for place, weight in enumerate(self.weights) if mask >> place & 1
            )
        return known


def spread(*texts: str | None) -> str:
    """Return texts joined and prepared for the search: words separated by single characters."""
    text = " ".join(text for text in texts if text)[:SEARCHED].lower()
    if not text.isascii():
        from unicodedata import combining, normalize

        from varves.values.scripts import parted

        text = parted(text)
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    return f" {text.translate(_SPACED)} "


def contains(spread: str, sought: str, *, any_ending: bool) -> bool:
    """Return whether a prepared text contains a term, which is given as `needle` returns it."""
    at = spread.find(sought)
    return at >= 0 and (any_ending or _is_word(spread, sought, at))


def needle(term: Term) -> tuple[str, bool]:
    """Return the text by which a term is found, and whether the word may have any ending."""
    if not term.word.isascii():
        from varves.values.scripts import is_unspaced

        if is_unspaced(term.word):
            # in a text of such a script, words are not preceded by a space
            return spread(term.word).strip(), True
    start = _start(spread(term.stem).strip())
    return " " + start, len(start) >= LONG


def _start(stem: str) -> str:
    """Return the common start of a word's forms.

    For the stem `citi` of `city` and `cities`, this is `cit`.
    """
    if len(stem) == 3 and stem[-1] == "i" and stem[1] in "aeiou":
        return stem[:-1] + "y"  # the stems of `key` and `pay` are `kei` and `pai`
    return stem[:-1] if len(stem) > 3 and stem[-1] in "eiy" else stem


def _is_word(text: str, needle: str, at: int) -> bool:
    """Return whether a word that starts with `needle` is a form of the word searched for."""
    while at >= 0:
        start = at + len(needle)
        ending = text[start : text.find(" ", start)]
        if ending in _ENDINGS or (ending[:1] in (needle[-1], "e", "y") and ending[1:] in _ENDINGS):
            return True
        at = text.find(needle, start)
    return False
