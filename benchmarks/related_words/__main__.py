"""Writes the table of related words that recall uses without the dense extra.

    python -m benchmarks.related_words

The table is made from two sources: `groups.txt`, written by hand, and the static embedding table
that `varves[semantic]` installs. From the latter come the nearest words of each word in
`vocabulary.txt`: the English words that are one token of that table. A related word has a strength
from 1 to 9. Words of one group have 9, a thing and its kind 7; the strength of a near
word grows with its cosine.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from varves.index.words import stem
from varves.models.wordllama import load
from varves.recall.related import TABLE
from varves.recall.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUPS = Path(__file__).with_name("groups.txt")
VOCABULARY = Path(__file__).with_name("vocabulary.txt")
SAME = {2: 9, 3: 9, 4: 8, 5: 7}  # by the number of words in a group: a wide group means less
WIDE, KIND = 6, 7
NEAREST = 5  # the most near words of one word that come from the vectors
LEAST = 0.45  # the least cosine of two near words
STEPS = 0.06  # the strength grows by one with each step of the cosine
MOST = 12  # the most related words of one word
COMMON = 1  # how many common directions of all vectors are removed

Strengths = dict[str, dict[str, int]]


def main() -> None:
    """Write the table next to the module that reads it."""
    found: Strengths = {}
    for word, other, strength in (*_written(), *_near()):
        held = found.setdefault(_key(word), {})
        known = {stem(one) for one in held}
        if stem(other) != stem(word) and (other in held or stem(other) not in known):
            held[other] = max(strength, held.get(other, 0))
    lines = [_line(key, held) for key, held in sorted(found.items()) if held]
    table = Path(TABLE)
    table.write_text("\n" + "\n".join(lines) + "\n", "utf-8")
    print(f"{len(lines)} words, {table.stat().st_size} bytes")


def _key(word: str) -> str:
    return " ".join(stem(part) for part in word.split())


def _line(key: str, held: dict[str, int]) -> str:
    best = sorted(held.items(), key=lambda one: (-one[1], one[0]))[:MOST]
    return key + "\t" + "\t".join(f"{strength}{word}" for word, strength in best)


def _written() -> Iterator[tuple[str, str, int]]:
    """Yield (word, related word, strength) from the groups, in both directions."""
    for line in GROUPS.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        kind, among, members = line.partition(" < ")
        if among:
            for member in members.split(", "):
                yield kind, member, KIND
                yield member, kind, KIND
        else:
            words = line.split(", ")
            strength = SAME.get(len(words), WIDE)
            yield from ((one, other, strength) for one in words for other in words if one != other)


def _near() -> Iterator[tuple[str, str, int]]:
    """Yield (word, near word, strength) from the static embedding table."""
    import numpy as np

    encoder, why = load()
    if encoder is None:
        raise SystemExit(why)
    words = [word for word in VOCABULARY.read_text("utf-8").split() if word not in STOPWORDS]
    rows = encoder.encode(words)
    rows = rows - rows.mean(axis=0)
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    for direction in directions[:COMMON]:
        rows = rows - np.outer(rows @ direction, direction)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for word, cosines in zip(words, rows @ rows.T, strict=True):
        best = np.argsort(-cosines, kind="stable")[: 4 * NEAREST]
        near = [
            (words[place], float(cosines[place]))
            for place in best
            if cosines[place] >= LEAST and stem(words[place]) != stem(word)
        ]
        for other, cosine in near[:NEAREST]:
            yield word, other, min(KIND, 1 + int((cosine - LEAST) / STEPS))


if __name__ == "__main__":
    main()
