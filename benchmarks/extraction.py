"""How well decisions, proposals and sides are found in what people say, against labels by hand.

No meeting here is unseen any more. Two served while the careful extractor was written, and two of
the six that were labelled blind while the reader was. The other five were kept apart and scored
once: one at F1 0.56, four at F1 0.55 (ADR 68). Then they were read too, and the phrases changed.
Their present figures (`extraction-final`) are those of development. There are few labels, so each
figure comes with its 95 % interval. Nothing here has a target: the figures are what they are.
"""

from __future__ import annotations

import json
import math
import os
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import varves
from benchmarks.row import Row
from varves.protocols.deliberation import (
    pattern_extractor,
    patterns,
    reactions,
    repeats,
    sentence_extractor,
    transitions,
)
from varves.protocols.deliberation.findings import Decided, Raised, Reacted, Stance
from varves.protocols.deliberation.options import DeliberationOptions
from varves.protocols.deliberation.state import Proposal, State
from varves.protocols.deliberation.transcripts import read
from varves.values.ids import IdSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from benchmarks.scene import Scene
    from varves.protocols.deliberation.findings import Extractor, Finding
    from varves.protocols.deliberation.repeats import Likeness
    from varves.protocols.deliberation.state import Message

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "deliberation")
SEEN = ("2021-08-31", "2023-05-31")
BLIND = ("2021-07-06", "2021-11-02")
"""Labelled by a reader who had not seen the program; used while the reader was written."""
APART = ("2021-11-09",)
"""Kept apart until it was scored once: F1 0.56."""
BLIND_APART = ("2021-06-01", "2022-02-15", "2022-03-15", "2022-10-25")
"""Labelled like `BLIND`, and kept apart until they were scored once: F1 0.55."""
LABELS = ("decision", "proposal", "support", "oppose")
SIDES = LABELS[2:]
READINGS = (pattern_extractor.published, sentence_extractor.by_reader)
Z = 1.96

Labelled = dict[int, frozenset[str]]
"""The labels of each message, by its first line."""


@dataclass(frozen=True)
class Meeting:
    """One meeting: what was said, and what two readers made of it."""

    name: str
    messages: tuple[Message, ...]
    labels: Labelled
    second: Labelled
    """Of the messages that a second reader labelled too."""


@dataclass(frozen=True)
class Tally:
    """Right, false and missed."""

    right: int = 0
    false: int = 0
    missed: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.right + other.right, self.false + other.false, self.missed + other.missed)

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right; None where nothing was found."""
        return _share(self.right, self.right + self.false)

    @property
    def recall(self) -> float | None:
        """The share of what is there that was found; None where nothing is there."""
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the two; None where nothing was found and nothing is there."""
        return _share(2 * self.right, 2 * self.right + self.false + self.missed)


def run(scene: Scene) -> list[Row]:
    """Score both readings on the meetings of development, and repeated ideas on the pairs."""
    return [
        *scored([meeting(name) for name in SEEN], "two meetings"),
        *scored([meeting(name) for name in BLIND], "two meetings labelled blind"),
        *_repeated(scene),
    ]


def final(_scene: Scene) -> list[Row]:
    """Score both readings on the meetings that were kept apart until their phrases were read."""
    one, four = ([meeting(name) for name in names] for names in (APART, BLIND_APART))
    return [
        *scored(one, "one meeting once kept apart (F1 0.56 then)"),
        *scored(four, "four meetings labelled blind and once kept apart (F1 0.55 then)"),
    ]


def scored(meetings: Sequence[Meeting], where: str) -> list[Row]:
    """Return the rows of some meetings: messages, agreement of the readers, and both readings."""
    rows = [_found(meetings, where), *_agreed(meetings, where)]
    options = DeliberationOptions()
    for made in READINGS:
        extractor = made(options)
        counts = dict.fromkeys(LABELS, Tally())
        for one in meetings:
            claimed = predicted(extractor, one.messages, options)
            for label in LABELS:
                counts[label] += tally(label, claimed, one.labels)
        rows += [_row(f"{label}, {extractor.name}, {where}", counts[label]) for label in LABELS]
        rows.append(_row(f"all labels, {extractor.name}, {where}", sum(counts.values(), Tally())))
    sides = dict.fromkeys(SIDES, Tally())
    for one in meetings:
        claimed = _sided(one.messages, options)
        for label in SIDES:
            sides[label] += tally(label, claimed, one.labels)
    what = "by the published phrases alone, whether or not of a known proposal"
    return [*rows, *(_row(f"{label} {what}, {where}", sides[label]) for label in SIDES)]


def meeting(name: str) -> Meeting:
    """Read one meeting and its labels."""
    (file,) = (one for one in sorted(os.listdir(f"{FOLDER}/minutes")) if one.startswith(name))
    with open(f"{FOLDER}/minutes/{file}", encoding="utf-8") as opened:
        messages = read(opened.read(), file).messages
    labels = _labels(f"{FOLDER}/labels/{name}.jsonl")
    second = f"{FOLDER}/labels/second/{name}.jsonl"
    return Meeting(name, messages, labels, _labels(second) if os.path.exists(second) else {})


def _labels(path: str) -> Labelled:
    return {one["line"]: frozenset(one["labels"]) for one in _records(path)}


def _records(path: str) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as opened:
        return [json.loads(line) for line in opened if line.strip()]


def predicted(
    extractor: Extractor, messages: Iterable[Message], options: DeliberationOptions
) -> Labelled:
    """Let an extractor read a conversation message by message; return the labels it gives."""
    state, found = State(), {}
    ids = IdSource()
    for index, message in enumerate(messages):
        posted = message.replace(index=index)
        findings = extractor.read(posted, state)
        found[line(message)] = named(findings)
        state = transitions.after(state, posted, findings, make_id=ids.memory, options=options)
    return found


def named(findings: Iterable[Finding]) -> frozenset[str]:
    """Return the labels that stand for some findings."""
    labels = set()
    for one in findings:
        if isinstance(one, Decided):
            labels.add("decision")
        elif isinstance(one, Raised):
            labels.add("proposal")
        elif isinstance(one, Reacted) and one.reaction in SIDES:
            labels.add(one.reaction)
        elif isinstance(one, Stance):
            labels.update(one.sides)
    return frozenset(labels)


def _sided(messages: Iterable[Message], options: DeliberationOptions) -> Labelled:
    known = patterns.Patterns(options)
    return {
        line(one): frozenset((reactions.side(patterns.said(one.content), known),))
        for one in messages
    }


def line(message: Message) -> int:
    """Return the line that a message of minutes begins in."""
    return int(message.id.removeprefix("line-"))


def tally(label: str, claimed: Labelled, known: Labelled) -> Tally:
    """Count one label; a message that was not found misses its labels, an invented one is false."""
    here = {at for at, labels in claimed.items() if label in labels}
    there = {at for at, labels in known.items() if label in labels}
    return Tally(len(here & there), len(here - there), len(there - here))


def kappa(one: Labelled, other: Labelled, label: str) -> tuple[float, float | None]:
    """Return how often two readers agree on a label, and Cohen's kappa; of what both read.

    Where chance alone would make them agree always, there is no kappa.
    """
    pairs = [(label in one[at], label in other[at]) for at in sorted(one.keys() & other.keys())]
    count = len(pairs)
    same = sum(a == b for a, b in pairs) / count
    first, second = (sum(pair[at] for pair in pairs) / count for at in (0, 1))
    chance = first * second + (1 - first) * (1 - second)
    return same, None if chance == 1 else (same - chance) / (1 - chance)


def wilson(right: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a share."""
    share, square = right / of, Z * Z / of
    middle = (share + square / 2) / (1 + square)
    half = Z * math.sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def _row(what: str, counted: Tally) -> Row:
    found, there = counted.right + counted.false, counted.right + counted.missed
    return Row(
        f"{what}: {counted.right} right, {counted.false} false, {counted.missed} missed",
        f"precision {_written(counted.precision)}, recall {_written(counted.recall)},"
        f" F1 {_written(counted.f1)}",
        f"{_span(counted.right, found)}, {_span(counted.right, there)} (95 %)",
    )


def _span(right: int, of: int) -> str:
    return " - ".join(f"{bound:.2f}" for bound in wilson(right, of)) if of else "-"


def _found(meetings: Sequence[Meeting], where: str) -> Row:
    counted = Tally()
    for one in meetings:
        lines = {line(message) for message in one.messages}
        counted += Tally(
            len(lines & one.labels.keys()),
            len(lines - one.labels.keys()),
            len(one.labels.keys() - lines),
        )
    return _row(f"messages in the minutes, {where}", counted)


def _agreed(meetings: Sequence[Meeting], where: str) -> list[Row]:
    """Return how far the two readers agree on each label, if a second one read any message."""
    first = {(one.name, at): labels for one in meetings for at, labels in one.labels.items()}
    second = {(one.name, at): labels for one in meetings for at, labels in one.second.items()}
    numbered = {key: number for number, key in enumerate(sorted(first.keys() | second.keys()))}
    one = {numbered[key]: labels for key, labels in first.items()}
    other = {numbered[key]: labels for key, labels in second.items()}
    count = len(one.keys() & other.keys())
    rows: list[Row] = []
    if not count:
        return rows
    for label in LABELS:
        same, beyond = kappa(one, other, label)
        given = [sum(label in of[at] for at in one.keys() & other.keys()) for of in (one, other)]
        rows.append(
            Row(
                f"two readers on {label}, {where}: {count} messages, given {given[0]} and"
                f" {given[1]} times",
                f"kappa {_written(beyond)}, agree in {same:.0%}",
            )
        )
    return rows


def _repeated(scene: Scene) -> list[Row]:
    """Return how well a repeated idea is recognised: by words, and by meanings too."""
    pairs = _records(f"{FOLDER}/pairs.jsonl")
    sets = {
        "the half it was set on": [one for one in pairs if _drawn(one) == 0],
        "the other half": [one for one in pairs if _drawn(one) == 1],
        "from minutes": [one for one in pairs if one["from"] == "minutes"],
    }
    with varves.open(scene.folder) as ledger:
        meanings = ledger.deliberation.core.likeness
        ways: dict[str, Likeness | None] = {"by words": None}
        if meanings("a", ["b"]) is not None:  # else the extra is not there
            ways["by words and meanings"] = meanings
        return [
            _row(f"repeated idea {way}, {len(some)} pairs, {which}", recognised(some, likeness))
            for way, likeness in ways.items()
            for which, some in sets.items()
        ]


def recognised(pairs: Iterable[dict[str, Any]], likeness: Likeness | None) -> Tally:
    """Count the pairs of which the second is taken for the first said again."""
    counted = Tally()
    for pair in pairs:
        before = Proposal(id="first", timestamp="", proposer="ana", content=pair["a"])
        same = repeats.earlier(pair["b"], (before,), 0.0, likeness=likeness)[0] is not None
        counted += Tally(same and pair["same"], same > pair["same"], same < pair["same"])
    return counted


def _drawn(pair: dict[str, Any]) -> int | None:
    """Return the half of a written pair: thresholds and rules were set on 0; of others None."""
    if pair["from"] != "written":
        return None
    return sha256(f"{pair['a']}|{pair['b']}".encode()).digest()[0] & 1


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _written(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"
