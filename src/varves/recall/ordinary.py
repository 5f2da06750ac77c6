"""How much a word tells, whatever the ledger is about.

In a small ledger, how many memories contain a word tells little: "keep" may be as rare in it as
"database". The table `ordinary_words.txt` has the stems of English words that tell less than
others. Its first line has the words with a ninth of the full weight, its second line those with two
ninths, and so on. `python -m benchmarks.related_words.weights` writes it. A word that is not in the
table has the full weight.
"""

from __future__ import annotations

import os
from functools import cache

TABLE = os.path.join(os.path.dirname(__file__), "ordinary_words.txt")
FULL_WEIGHT = 9


def weight(stem: str) -> float:
    """Return the weight of a word, from 1/9 to 1, by its stem."""
    return _table().get(stem, 1.0)


@cache
def _table() -> dict[str, float]:
    with open(TABLE, encoding="utf-8") as file:
        return {
            stem: level / FULL_WEIGHT
            for level, line in enumerate(file, start=1)
            for stem in line.split()
        }
