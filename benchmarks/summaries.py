"""`python -m benchmarks.summaries`: how much of what matters a summary without a model keeps.

Two published rankings, LexRank and the one of SumBasic, choose sentences for each twelve messages
of labelled minutes, both with maximal marginal relevance; the first sentences, and the first of
each message, stand for comparison. What matters is what people labelled a decision or a proposal:
how many of these messages are told of, and how many of their words.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from typing import TYPE_CHECKING

from varves.protocols.deliberation.extractive import alike, choose, lexrank, sentences
from varves.protocols.deliberation.transcripts import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from varves.protocols.deliberation.extractive import SummarySentence
    from varves.protocols.deliberation.state import Message

    Pick = Callable[[Sequence[SummarySentence], int], list[SummarySentence]]

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "deliberation")
SETS = (
    ("2021-08-31.md", "2021-08-31.jsonl"),
    ("2023-05-31-TAIT-stabilization.md", "2023-05-31.jsonl"),
)
"""Minutes and labels; the minutes that are kept apart are not among them."""
INTERVAL = 12
WORDS = (60, 100, 200)
MATTERS = {"decision", "proposal"}
HEADINGS = ("sentences chosen by", "words", "labelled messages told", "their words", "repetition")


def likely(found: Sequence[SummarySentence]) -> list[float]:
    """Return how likely the words of each sentence are, from 0 to 1 (Nenkova, Vanderwende)."""
    held = Counter(term for one in found for term in one.vector)
    raw = [sum(held[term] for term in one.vector) / len(one.vector) for one in found]
    most = max(raw, default=1.0)
    return [one / most for one in raw]


def first(found: Sequence[SummarySentence], words: int) -> list[SummarySentence]:
    """Return the first sentences that fit."""
    taken = []
    for one in found:
        words -= one.words
        if words < 0:
            break
        taken.append(one)
    return taken


def first_of_each(found: Sequence[SummarySentence], words: int) -> list[SummarySentence]:
    """Return the first sentences of the messages, as many as fit."""
    heads: dict[str, SummarySentence] = {}
    for one in found:
        heads.setdefault(one.message.id, one)
    return first(list(heads.values()), words)


METHODS: dict[str, Pick] = {
    "place: the first": first,
    "place: the first of each message": first_of_each,
    "SumBasic's ranking": lambda found, words: choose(found, words, rank=likely),
    "LexRank (ours)": lambda found, words: choose(found, words, rank=lexrank),
}


def chunks() -> Iterator[tuple[tuple[Message, ...], set[str]]]:
    """Yield the chunks of the labelled minutes, each with the messages that matter."""
    for minutes, labels in SETS:
        with open(os.path.join(HERE, "minutes", minutes), encoding="utf-8") as file:
            messages = read(file.read(), minutes).messages
        with open(os.path.join(HERE, "labels", labels), encoding="utf-8") as file:
            judged = [json.loads(line) for line in file]
        matter = {f"line-{one['line']}" for one in judged if MATTERS & set(one["labels"])}
        for start in range(0, len(messages), INTERVAL):
            held = messages[start : start + INTERVAL]
            yield held, {one.id for one in held if one.id in matter}


def measured(pick: Pick, words: int) -> tuple[int, int, float, float]:
    """Return how many labelled messages are told, of how many, of their words, and repetition."""
    told = there = kept = held = 0
    repeats = []
    for messages, matter in chunks():
        found = sentences(messages)
        taken = pick(found, words)
        terms = {term for one in taken for term in one.vector}
        told += len(matter & {one.message.id for one in taken})
        there += len(matter)
        for name in matter:
            own = {term for one in found if one.message.id == name for term in one.vector}
            held += len(own)
            kept += len(own & terms)
        repeats += [_repeats(one, taken) for one in taken]
    return told, there, kept / held, sum(repeats) / len(repeats)


def _repeats(one: SummarySentence, taken: Sequence[SummarySentence]) -> float:
    return max((alike(one.vector, other.vector) for other in taken if other is not one), default=0)


def table() -> list[tuple[str, ...]]:
    """Return the comparison, a heading first."""
    rows = [HEADINGS]
    for words in WORDS:
        for name, pick in METHODS.items():
            told, there, kept, repeats = measured(pick, words)
            rows.append((name, f"{words}", f"{told} of {there}", f"{kept:.2f}", f"{repeats:.2f}"))
    return rows


def main() -> int:
    """Print the comparison."""
    for row in table():
        print(f"{row[0]:<34}{row[1]:>6}{row[2]:>24}{row[3]:>13}{row[4]:>12}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
