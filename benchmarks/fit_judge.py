"""The weights of the judge's last stage, fitted on the pairs of `judge/`.

    python -m benchmarks.fit_judge [MORE.jsonl ...] [--weights]

Contradictions are told from look-alikes, from notes that one author wrote about one project, and
from the committed project. Only pairs that may disagree and that the frames leave open are used. A
logistic regression over the features, and over their products with a few of them, gives the
weights. First each author is scored with weights that were fitted without that author; then the
weights of all are printed for `language/opposing_weights.py`. Files on the command line are further
pairs, or further notes (`text`).
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.judgement import LATER, PAIRS, PROJECT, share
from varves.language.judge import CONTRADICTION, UPDATE, judge, statement
from varves.language.matter import Matter
from varves.language.opposing import Opposition
from varves.language.opposing_weights import LEAST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HEADS = (
    *("always", "clear scale", "denial", "only", "most", "known", "wording", "fewest new"),
    *("exact", "local"),
)
PLAIN, NATURAL, CROSSED = 1.0, 1.5, 0.2  # what one pair counts; some crossed pairs are true
DECAY = 2.0
RELATED = 1.6  # the least that two notes have in common to be a pair
MOST = 150  # of the pairs of one author's notes


class Pair:
    """Two texts, and whether they contradict each other."""

    def __init__(self, one: str, other: str, *, true: bool, author: int, weight: float) -> None:
        self.one, self.other, self.true = one, other, true
        self.author, self.weight, self.free = author, weight, False
        self.found = Opposition(matter(one), matter(other))
        verdict = judge(statement(one), statement(other))
        self.raised = verdict is not None and verdict.kind in (CONTRADICTION, UPDATE)
        self.open = not self.raised and self.found.any
        self.features = self.found.features if self.open else {}


_MATTERS: dict[str, Matter] = {}


def matter(text: str) -> Matter:
    """Return what a text is about; each text is read once."""
    if text not in _MATTERS:
        _MATTERS[text] = Matter(text)
    return _MATTERS[text]


def rows(paths: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of files."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)


def labelled(more: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the labelled pairs, each with its author and whether its wording is free."""
    for name in ("plain", "free", "lookalikes", *LATER, "fitting"):
        for row in rows([os.path.join(PAIRS, f"{name}.jsonl")]):
            row["free"] = row.get("form", name) == "free"
            yield row
    for row in rows(more):
        if "label" in row:
            row["free"] = row["label"] != "plain"
            row.setdefault("author", 8)
            yield row


def related(texts: list[str], least: float, *, exact: float = 0.0) -> Iterator[tuple[str, str]]:
    """Yield the pairs of texts that have words in common."""
    read = [(text, matter(text)) for text in texts]
    for at, (late, newer) in enumerate(read):
        for old, older in read[:at]:
            shared = sum(word.weight * newer.matched(word) for word in older.words)
            same = sum(word.weight for word in older.words if word.key in newer.keys)
            if shared >= least and same >= exact:
                yield old, late


def gathered(more: list[str]) -> list[Pair]:
    """Return every pair with its label."""
    known = list(labelled(more))
    found: list[Pair] = []
    for row in known:
        if row["label"] in ("contradiction", "plain", "different"):
            true = row["label"] != "different"
            pair = Pair(row["a"], row["b"], true=true, author=int(row["author"]), weight=PLAIN)
            pair.free = row["free"]
            found.append(pair)
    notes = [row["text"] for row in rows([os.path.join(PAIRS, "statements.jsonl")])]
    others = [row["text"] for row in rows(more) if "text" in row]
    done = list(rows([PROJECT]))
    replaced = {row["of"] for row in done if row["op"] == "correct"}
    kept = [row["text"] for row in done if row["op"] == "remember" and row["key"] not in replaced]
    natural = [
        *related(notes, RELATED + 0.6),
        *related(others, RELATED),
        *related(kept, RELATED, exact=0.9),
    ]
    found += [Pair(a, b, true=False, author=0, weight=NATURAL) for a, b in natural]
    for author in sorted({int(row["author"]) for row in known}):
        mine = [row for row in known if int(row["author"]) == author and row["free"]]
        of = {text: at for at, row in enumerate(mine) for text in (row["a"], row["b"])}
        crossed = [p for p in related(list(of), RELATED, exact=0.9) if of[p[0]] != of[p[1]]]
        random.Random(author).shuffle(crossed)
        found += [Pair(a, b, true=False, author=author, weight=CROSSED) for a, b in crossed[:MOST]]
    return found


def design(pairs: list[Pair], names: list[str]) -> Floats:
    """Return the features of pairs, and their products with the heads."""
    plain = np.array([[float(pair.features[name]) for name in names] for pair in pairs])
    return np.hstack([plain * plain[:, [names.index(head)]] for head in HEADS])


def fitted(values: Floats, truth: Floats, counts: Floats) -> Floats:
    """Return the weights of a logistic regression, by Newton's method."""
    weights = np.zeros(values.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-values @ weights))
        slope = values.T @ (counts * (chance - truth)) + DECAY * weights
        curve = (values * (counts * chance * (1 - chance))[:, None]).T @ values
        step = np.linalg.solve(curve + DECAY * np.eye(len(weights)), slope)
        weights -= step
        if abs(step).max() < 1e-6:
            break
    return weights


def main() -> int:
    """Print how well each author's pairs are scored by weights without them, then the weights."""
    more = [each for each in sys.argv[1:] if not each.startswith("-")]
    pairs = gathered(more)
    left = [pair for pair in pairs if pair.open]
    names = sorted({name for pair in left for name in pair.features})
    values = design(left, names)
    truth = np.array([float(pair.true) for pair in left])
    counts = np.array([pair.weight for pair in left])
    scores = np.zeros(len(left))
    authors = np.array([pair.author for pair in left])
    half = np.random.default_rng(1).random(len(left)) < 0.5
    for author in sorted(set(authors)):
        apart = (authors == author) & (half if author == 0 else True)
        weights = fitted(values[~apart], truth[~apart], counts[~apart])
        scores[apart] = values[apart] @ weights
        if author == 0:
            apart = (authors == author) & ~half
            weights = fitted(values[~apart], truth[~apart], counts[~apart])
            scores[apart] = values[apart] @ weights
    over = [pair for s, pair in zip(scores, left, strict=True) if s >= LEAST]
    for author in sorted({pair.author for pair in pairs if pair.author}):
        mine = [pair for pair in pairs if pair.author == author]
        free = [pair for pair in mine if pair.true and pair.free]
        found = sum(pair.raised or pair in over for pair in free)
        alike = [pair for pair in mine if not pair.true and pair.weight == PLAIN]
        wrong = sum(pair.raised or pair in over for pair in alike)
        print(
            f"author {author}: free wording {share(found, len(free))}, frames alone"
            f" {sum(pair.raised for pair in free)}; false alarms {share(wrong, len(alike))}"
        )
    natural = [pair for pair in pairs if pair.weight == NATURAL]
    wrong = sum(pair in over for pair in natural)
    print(f"pairs of natural notes: false alarms {share(wrong, len(natural))}")
    if "--weights" in sys.argv:
        weights = fitted(values, truth, counts).reshape(len(HEADS), len(names))
        print("WEIGHTS: dict[str, dict[str, float]] = {")
        for head, row in zip(HEADS, weights, strict=True):
            kept = {name: round(float(w), 1) for name, w in zip(names, row, strict=True)}
            kept = {name: w for name, w in kept.items() if abs(w) >= 0.1}
            print(f"    {head!r}: {kept!r},")
        print("}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
