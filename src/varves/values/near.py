"""Finds the memories nearest to a text by its rarest words, at a limited cost.

For each word, at most PLACES memories are read, newest first. A word with fewer memories is rare.
The memories that share the rarest words come first. Frequent words are used only if there are too
few rare ones.
"""

from __future__ import annotations

from math import log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

TERMS = 40  # the most words of a text that are looked up
PLACES = 400  # the most memories that are read for one word
ENOUGH = 3  # with this many rare words, frequent ones are left out
READ = 128  # the most memories whose texts are read
LONG = 400  # added to the length of a text before its score is divided by the length
NEAREST = 20  # the most memories that are compared
# By protocol, the types of records that are statements; in other protocols all types are.
STATING: dict[str, tuple[str, ...]] = {
    "layers": ("decision",),  # the other types of events report what happened once
    # proposals are meant to differ, and a summary repeats what was said
    "deliberation": ("decision",),
    "hivemind": (),  # this protocol has its own rules for contradictions
}
MEMBERS = 50  # the most memories with the same key that are compared, newest first


def is_statement(protocol: str, type: str) -> bool:
    """Return whether records of this protocol and type state something that can be compared."""
    return protocol not in STATING or type in STATING[protocol]


def stated(text: str, protocol: str) -> str:
    """Return the part of a record's text to compare; in a layers event, what was decided."""
    if protocol != "layers":
        return text
    _, _, rest = f"\n{text}\n".partition("\n### What\n")
    return rest.partition("\n### ")[0].strip()


class Near:
    """A memory prepared for comparison."""

    __slots__ = (
        *("at", "hlc", "id", "kept", "links", "n", "protocol", "scope", "seal", "speaker"),
        *("text", "type"),
    )

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.id: str = row[0]
        self.protocol: str = row[10]
        self.type: str = row[11]
        self.text: str = stated(row[1], self.protocol)
        self.speaker: str | None = row[2]
        self.at: str = row[3]
        self.scope: str = row[4]
        self.kept: str = row[5]
        self.n: int = row[6]
        self.seal: str = row[7]  # changes if anything changes that a comparison depends on
        self.links: str | None = row[8]
        self.hlc: str = row[9]

    @property
    def is_statement(self) -> bool:
        """Whether this memory is a statement, so that it is compared."""
        return is_statement(self.protocol, self.type)

    @property
    def place(self) -> tuple[str, str, str]:
        """The sort key of a memory: the time when it was said, then when it was recorded."""
        return self.at, self.hlc, self.id


class Pair:
    """Two related memories of one scope and log, without their texts."""

    __slots__ = ("before", "newer", "older", "place", "scope")

    def __init__(self, newer: tuple[str, ...], older: tuple[str, ...]) -> None:
        self.newer = newer[0]
        self.older = older[0]
        self.scope = newer[3]
        self.place = _place_of(newer)
        """The sort key of the newer memory."""
        self.before = _place_of(older)
        """The sort key of the older memory."""


def _place_of(row: tuple[str, ...]) -> tuple[str, str, str]:
    return row[1], row[2], row[0]


def paired(found: Iterable[tuple[str, str]], rows: Iterable[tuple[str, ...]]) -> list[Pair]:
    """Return the pairs of which both memories are in `rows`, the oldest pair first.

    Args:
        found: the ids of the newer and of the older memory of each pair.
        rows: (id, at, stamp, scope, log) of the included memories.
    """
    known = {row[0]: row for row in rows}
    pairs = [
        Pair(known[newer], known[older])
        for newer, older in found
        if newer in known and older in known and known[newer][3:] == known[older][3:]
    ]
    return sorted(pairs, key=lambda pair: (pair.place, pair.before))


def scores(terms: list[str], places: Callable[[str], list[int]]) -> dict[int, float]:
    """Return scores by memory number; a memory that contains rarer words gets more.

    Args:
        terms: words of a text.
        places: returns the newest memories, at most PLACES, that contain a word.
    """
    rare: list[list[int]] = []
    frequent: list[list[int]] = []
    for term in sorted(terms, key=len, reverse=True)[:TERMS]:
        held = places(term)
        (rare if len(held) < PLACES else frequent).append(held)
    rare = [held for held in rare if held]
    used = rare if len(rare) >= ENOUGH else rare + frequent
    found: dict[int, float] = {}
    several: set[int] = set()
    for held in used:
        worth = log(2 * PLACES / len(held))
        for n in held:
            if n in found:
                several.add(n)
                found[n] += worth
            else:
                found[n] = worth
    return {n: found[n] for n in several} if len(used) > 1 else found


def sharing(members: Iterable[Sequence[int]], most: int) -> list[int]:
    """Return the memories that share the most keys; a rare key has more weight.

    If a statement has several keys, a memory that shares only one common key is left out.

    Args:
        members: for each key of the statement, the newest memories that have it.
        most: the maximum number of memories.
    """
    found: dict[int, float] = {}
    count = 0
    for held in members:
        count += 1
        worth = 1 / (1 + len(held))
        for n in held:
            found[n] = found.get(n, 0.0) + worth
    least = min(2, count) / (1 + MEMBERS)
    enough = [n for n, worth in found.items() if worth >= least]
    return sorted(enough, key=lambda n: (-found[n], -n))[:most]


def best(scores: dict[int, float]) -> list[int]:
    """Return the memories with the best scores, best first, at most READ of them."""
    return sorted(scores, key=lambda n: (-scores[n], -n))[:READ]


def nearest(scores: dict[int, float], sizes: dict[int, int]) -> list[int]:
    """Return the numbers of the memories to compare, best first.

    `sizes` maps each memory's number to the length of its text, latest memory first.
    """
    worth = {n: scores[n] / (LONG + size) for n, size in sizes.items()}
    # sorting keeps the latest first among equals
    return sorted(worth, key=lambda n: -worth[n])[:NEAREST]
