"""Finds the terms of a query in a text, without splitting the text into words.

The index has found the candidates by stems. Here, each stem is searched for at the start of words,
and the rest of the word must be a usual ending. The result is as good as computing the stem of
every word, but this is much faster.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import log

from varves.index.words import stem
from varves.recall.stopwords import telling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from varves.values.query import Term

LONG = 6  # a stem with this many letters seldom begins an unrelated word
PASSAGE = 300  # the number of characters in one passage of a long text
OCCURRENCES = 60  # the most occurrences of terms in one text that are checked
SEARCHED = 20_000  # the most characters of a text that are searched
TOGETHER = 20_000  # short texts are searched together, about so many characters at once
# So many memories without any of the words are added to the count of memories. If a ledger has only
# a few memories, a word is not frequent because one or two of them contain it.
PRIOR = 100
ASKED = 6  # a query asks for at most so many words that tell the most
STRANGE = 64  # a text with more different characters beyond ASCII is read character by character
_ENDINGS = frozenset(
    [
        *("", "s", "es", "e", "ed", "d", "er", "ers", "ing", "ings", "ly", "y", "ies", "ied"),
        *("ion", "ions", "ation", "ations", "ment", "ments", "ness", "al", "able", "ive", "ity"),
        *("ful", "ence", "ance", "or", "ors", "ate", "ated", "ates", "ating", "ize", "ized"),
        *("ered", "ering", "ery"),
    ]
)
_ASCII = bytes(range(128))
_BETWEEN = "\u201c\u201d\u2018\u2019\u2013\u2014\u2026\u00a1\u00bf\u00ab\u00bb\u2022\u00b7"
# ASCII in lower case, and a space for all signs but letters and digits
_LOWERED = bytes(
    code if code > 127 or chr(code).isalnum() else 32 for code in bytes(range(256)).lower()
)
_UTF8 = "utf-8", "surrogatepass"


class Terms:
    """The terms of a query; each has a weight, and one bit in a mask of terms.

    Attributes:
        terms: the terms that memories contain.
        weights: their weights.
        lacking: the words of the query that no memory contains, each with its weight.
        whole: the total weight of the query.
        most: the highest weight that a word can have.
    """

    def __init__(self, terms: Sequence[Term], total: int, lacking: Iterable[str] = ()) -> None:
        self.terms = terms
        self._total = total + PRIOR
        self.most = log(1 + (self._total + 0.5) / 0.5)
        self.weights = [self.weight(term.word, term.count) for term in terms]
        self.mass = sum(self.weights) or 1.0
        self.lacking = {word: self.weight(word, 0) for word in lacking}
        self.whole = sum((*self.weights, *self.lacking.values())) or 1.0
        self._needles = [needle(term) for term in terms]
        self.worth = _Worth(self.weights).__getitem__  # the total weight of the terms in a mask
        sure = [
            max(weight, telling(stem(term.word)) * self.most / 2)
            for weight, term in zip(self.weights, terms, strict=True)
        ]
        self._sure = _Worth(sure).__getitem__
        self._asked = min(sum((*sure, *self.lacking.values())), ASKED * self.most) or 1.0

    def weight(self, word: str, count: int) -> float:
        """Return the weight of a word that so many memories contain.

        The fewer they are, the higher it is, but it is low for words that tell little anywhere.
        """
        return telling(stem(word)) * log(1 + (self._total - count + 0.5) / (count + 0.5))

    def covered(self, spread: str, mask: int) -> tuple[float, float]:
        """Return how much of the query the best passage of a text contains, to tell how sure it is.

        The first number is the share of the query, the second is a count of words that tell the
        most. A word that many memories contain counts at least half as much as a rare one: it may
        be what the whole ledger is about. Of a long query, only a part need be contained.
        """
        found = self.peak(spread, mask, self._sure)
        return found / self._asked, found / self.most

    def held(self, spreads: Sequence[str]) -> list[int]:
        """Return the mask of the terms in each text; `prepared` has prepared the texts."""
        return masks(self._needles, spreads)

    def peak(self, spread: str, mask: int, worth: Callable[[int], float] | None = None) -> float:
        """Return the highest total weight of terms in any one passage of a long text."""
        worth = worth or self.worth
        if len(spread) <= 2 * PASSAGE or not mask & mask - 1:
            return worth(mask)
        found: list[tuple[int, int]] = []
        others = mask.bit_count()
        for place, (sought, _) in enumerate(self._needles):
            if mask >> place & 1:
                at = spread.find(sought)
                most = len(found) + (OCCURRENCES - len(found)) // others  # room for each term
                others -= 1
                while at >= 0 and len(found) < most:
                    found.append((at, place))
                    at = spread.find(sought, at + PASSAGE // 4)
        found.sort()
        counts = [0] * len(self._needles)
        best, first, held = 0.0, 0, 0
        for at, place in found:
            while at - found[first][0] > PASSAGE:
                left = found[first][1]
                counts[left] -= 1
                if not counts[left]:
                    held ^= 1 << left
                first += 1
            counts[place] += 1
            if counts[place] == 1:
                held |= 1 << place
                best = max(best, worth(held))
        return best

    def mask(self, names: set[str]) -> int:
        """Return the mask of the terms that occur in any of the names."""
        parts = {part for name in names for part in name.lower().split()}
        return sum(1 << place for place, t in enumerate(self.terms) if t.word in parts)


class _Worth(dict[int, float]):
    """The total weight of the terms in a mask; each total is computed once."""

    def __init__(self, weights: Sequence[float]) -> None:
        super().__init__({0: 0.0})
        self._weights = weights

    def __missing__(self, mask: int) -> float:
        found = sum([weight for place, weight in enumerate(self._weights) if mask >> place & 1])
        self[mask] = found
        return found


def spread(*texts: str | None) -> str:
    """Return texts joined and prepared for the search: words separated by single characters."""
    return prepared([texts])[0]


def prepared(texts: Iterable[Iterable[str | None]]) -> list[str]:
    """Return what `spread` returns, for the texts of several memories at once."""
    plain = [" ".join(filter(None, parts))[:SEARCHED] for parts in texts]
    plain = [text if text.isascii() else _plain(text) for text in plain]
    joined = f" {'  '.join(plain)} ".encode(*_UTF8).translate(_LOWERED).decode(*_UTF8)
    ends = [*accumulate([len(text) + 2 for text in plain])]
    return [joined[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _plain(text: str) -> str:
    """Return a text without accents and typographic signs, and with small letters beyond ASCII."""
    from unicodedata import combining, normalize

    from varves.values.scripts import is_unspaced, parted

    signs = set(text.encode(*_UTF8).translate(None, _ASCII).decode(*_UTF8))
    if len(signs) > STRANGE or any(
        sign == "\u03a3" or is_unspaced(sign) or "\uff01" <= sign <= "\uffdc" for sign in signs
    ):
        text = normalize("NFKD", parted(text.lower()))
        signs = {sign for sign in set(text) if combining(sign) or sign in _BETWEEN}
    # to replace a few characters is much faster than to read all
    for sign in signs:
        parts = [part for part in normalize("NFKD", sign.lower()) if not combining(part)]
        text = text.replace(sign, "".join([" " if part in _BETWEEN else part for part in parts]))
    return text


def masks(needles: Sequence[tuple[str, bool]], spreads: Sequence[str]) -> list[int]:
    """Return, for each prepared text, the mask of the needles that it contains.

    Several texts are searched as one, which is much faster than each alone.
    """
    found: list[int] = []
    for part in _portions(spreads):
        joined = "".join(part)
        ends = list(accumulate(map(len, part)))
        held = [0] * len(part)
        for place, (sought, any_ending) in enumerate(needles):
            at = joined.find(sought)
            while at >= 0:
                if any_ending or _is_form(joined, sought, at):
                    text = bisect_right(ends, at)
                    held[text] |= 1 << place
                    at = joined.find(sought, ends[text])
                else:
                    at = joined.find(sought, at + 1)
        found += held
    return found


def _portions(spreads: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the texts in portions of about `TOGETHER` characters."""
    start = size = 0
    for place, text in enumerate(spreads):
        size += len(text)
        if size >= TOGETHER:
            yield spreads[start : place + 1]
            start, size = place + 1, 0
    if start < len(spreads):
        yield spreads[start:]


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


def _is_form(text: str, needle: str, at: int) -> bool:
    """Return whether the word in which a needle was found is a form of the word searched for."""
    start = at + len(needle)
    ending = text[start : text.find(" ", start)]
    return ending in _ENDINGS or (ending[:1] in (needle[-1], "e", "y") and ending[1:] in _ENDINGS)
