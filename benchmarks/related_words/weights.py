"""Writes the table of words that tell little, whatever the ledger is about.

    python -m benchmarks.related_words.weights

In the static embedding table that `varves[semantic]` installs, the length of a word's vector was
learned together with its direction: it is the weight of the word in the mean of a text. "keep" and
"every" have short vectors, "database" and "leak" long ones. A stem gets the weight of its form with
the shortest vector, in ninths of `FULL`; what has nine ninths is left out.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.related_words.__main__ import VOCABULARY
from varves.index.words import stem
from varves.models.wordllama import load
from varves.recall.stopwords import FULL_WEIGHT, ORDINARY

FULL = 16.0  # the length of the vector of a word that tells as much as any other
# the vocabulary has no word of fewer than four letters
SHORT = """
    go ok act add age ago aim air ask bad bag bed big bit box boy buy car cut day did die dog due
    eat end far fit fix fun get got guy hit hot ill job key kid law lay led leg let lie lot low man
    may men mix new now odd off oil old one own pay per put ran raw red row run sad sat saw say sea
    see set sit six sky son sum sun ten tie tip top try two use via war way web win won yes yet
"""


def main() -> None:
    """Write the table next to the module that reads it."""
    import numpy as np

    encoder, why = load()
    if encoder is None:
        raise SystemExit(why)
    lengths: dict[str, float] = {}
    words = [*VOCABULARY.read_text("utf-8").split(), *SHORT.split()]
    for word in words:
        rows = encoder._table.take(encoder.pieces(word), axis=0)  # noqa: SLF001 - used only here
        length = float(np.linalg.norm(rows.astype(np.float32).mean(axis=0)))
        lengths[stem(word)] = min(length, lengths.get(stem(word), length))
    levels: list[list[str]] = [[] for _ in range(FULL_WEIGHT - 1)]
    for word, length in sorted(lengths.items()):
        level = max(1, round(FULL_WEIGHT * length / FULL))
        if level < FULL_WEIGHT:
            levels[level - 1].append(word)
    Path(ORDINARY).write_text("".join(f"{' '.join(level)}\n" for level in levels), "utf-8")
    print(f"{sum(map(len, levels))} words, {Path(ORDINARY).stat().st_size} bytes")


if __name__ == "__main__":
    main()
