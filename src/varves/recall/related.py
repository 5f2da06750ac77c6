"""Related words: a question finds a memory that says the same in other words.

The table `related_words.txt` has one line for each word: its stem, then the words that are related
to it, each after a strength from 1 to 9, separated by tabs. `python -m benchmarks.related_words`
writes it. The file is read at the first question and searched as bytes; it is never parsed as a
whole.
"""

from __future__ import annotations

import os
from functools import cache
from itertools import pairwise

from varves.index.words import stem
from varves.values.query import SCANNED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.index.port import Search
    from varves.recall.terms import Terms

TABLE = os.path.join(os.path.dirname(__file__), "related_words.txt")
STRONGEST = 9
MOST = 32  # the most related words that are searched for one question


class Related:
    """The words that are related to a question's words and that the index contains.

    Attributes:
        terms: the words to search for; a phrase is searched for by each of its words.
        origins: the words of the question that each related word or phrase stands for.
    """

    def __init__(self, words: Sequence[str], index: Search, terms: Terms) -> None:
        strengths = related(words)
        parts = dict.fromkeys(part for other in strengths for part in other.split())
        found, _ = index.terms(list(parts)) if parts else ([], [])
        # a word that so many memories contain tells nothing about any of them
        self.terms = [term for term in found if term.count <= SCANNED]
        rarity = {term.word: terms.weight(term.word, term.count) for term in self.terms}
        wanted = terms.lacking | {
            term.word: weight for term, weight in zip(terms.terms, terms.weights, strict=True)
        }
        self.origins: dict[str, tuple[str, ...]] = {}
        self._worth: list[list[tuple[int, str, float]]] = []
        places = {term.word: 1 << place for place, term in enumerate(terms.terms)}
        for other, came in strengths.items():
            if not rarity.keys() >= set(other.split()):
                continue
            rare = max(rarity[part] for part in other.split())
            worth = [
                (places.get(word, 0), word, strength * min(rare, wanted.get(word, 0.0)))
                for word, strength in came.items()
            ]
            self.origins[other] = tuple(came)
            self._worth.append(worth)
        self._whole = terms.whole
        self._masks: dict[int, int] = {}
        for place, numbers in enumerate(index.holding([*self.origins]) if self.origins else ()):
            for n in numbers:
                self._masks[n] = self._masks.get(n, 0) | 1 << place
        self._known: dict[tuple[int, int], float] = {}

    def share(self, n: int, held: int) -> float:
        """Return the share of the question, up to 1, that a memory covers only by related words.

        Args:
            n: the memory.
            held: the mask of the question's words that the memory contains; they do not count.
        """
        mask = self._masks.get(n, 0)
        if not mask:
            return 0.0
        found = self._known.get((mask, held))
        if found is None:
            found = self._known[mask, held] = self._share(mask, held)
        return found

    def words_of(self, n: int) -> list[str]:
        """Return the related words and phrases that a memory contains."""
        mask = self._masks.get(n, 0)
        return [word for place, word in enumerate(self.origins) if mask >> place & 1]

    def _share(self, mask: int, held: int) -> float:
        best: dict[str, float] = {}
        for other, worth in enumerate(self._worth):
            if mask >> other & 1:
                for place, word, value in worth:
                    if not place & held and value > best.get(word, 0.0):
                        best[word] = value
        return sum(best.values()) / self._whole


def related(words: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return the strongest related words of a question's words, each with the words it came from.

    A word of the question is never among them. The values are strengths between 0 and 1, by word of
    the question. What is related to a phrase of two words counts for both.
    """
    known = {stem(word) for word in words}
    found: dict[str, dict[str, float]] = {}
    for key, origins in _keys(words):
        for strength, other in _line(key):
            if not known.issuperset(stem(part) for part in other.split()):
                came = found.setdefault(other, {})
                for origin in origins:
                    came[origin] = max(came.get(origin, 0.0), strength)
    best = sorted(found, key=lambda other: -max(found[other].values()))[:MOST]
    return {other: found[other] for other in best}


def _keys(words: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the keys to look up, each with the words of the question that it stands for."""
    stems = [stem(word) for word in words]
    found: list[tuple[str, tuple[str, ...]]] = [
        (key, (word,)) for key, word in zip(stems, words, strict=True)
    ]
    pairs = zip(pairwise(stems), pairwise(words), strict=True)
    return found + [(f"{one} {other}", pair) for (one, other), pair in pairs]


def _line(key: str) -> list[tuple[float, str]]:
    """Return (strength, word) for each related word of a key; the lines of the table are sorted."""
    table, begin = _table(), f"{key}\t".encode("utf-8", "replace")
    low, high = 0, len(table)
    while low < high:
        start = table.rfind(b"\n", 0, (low + high) // 2) + 1
        end = table.find(b"\n", start)
        line = table[start:end]
        if line.startswith(begin):
            fields = line[len(begin) :].decode("utf-8").split("\t")
            return [(int(field[0]) / STRONGEST, field[1:]) for field in fields]
        if line < begin:
            low = end + 1
        else:
            high = start
    return []


@cache
def _table() -> bytes:
    with open(TABLE, "rb") as file:
        return file.read()
