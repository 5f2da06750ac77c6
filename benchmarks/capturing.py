"""How well capture finds what a session is worth, and how much junk it takes, against labels.

The sessions and the rules of scoring are in `capture/LABELLING.md`. There are four sets: the first,
and three in `capture/blind`, by authors who had not seen the program. Sessions whose name (in the
third blind set: name, a line break and first message) has a SHA-256 that begins with 8 to f were
set aside while the rules of capture were written: their figures are made by a whole run, or by name
(`capture-final`). Two texts overlap by half if twice the words they share are at least half of the
words of both together. An error with its fix is also found by what comes from a message between the
failure and the proof and names both: some words of the failure as it was seen, or as it was told if
no run failed, and some of the label's that are not among those. Each figure has its 95 % interval.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from benchmarks.extraction import wilson
from benchmarks.row import Row
from varves.capture.learning import KINDS
from varves.capture.learnings import learnings
from varves.events.redact import scrub
from varves.recall.stopwords import STOPWORDS
from varves.values.signals import SessionMessage
from varves.values.text import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from benchmarks.scene import Scene
    from varves.capture.learning import Learning

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "capture")
SETS = {
    "the first set": FOLDER,
    "the first blind set": os.path.join(FOLDER, "blind", "one"),
    "the second blind set": os.path.join(FOLDER, "blind", "two"),
    "the third blind set": os.path.join(FOLDER, "blind", "three"),
}
BY_MESSAGE = "three"  # the set whose halves depend on the first message, too
HALF = 0.5
NAMED = 2  # words by which a failure, or a fix, is named
MOST_JUNK = 0.05
SAME_RUN = 6  # words that somebody else has said in this order
_BLOCK = re.compile(
    r"<([\w-]+)[^>]*>.*?(?:</\1\s*>|\Z)|^```.*?(?:^```|\Z)|^>[^\n]*", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Label:
    """One thing that a message holds, as the labeller wrote it."""

    message: int
    kind: str
    text: str
    by: str


@dataclass(frozen=True)
class Session:
    """One session: what was said, and what of it is worth remembering."""

    name: str
    messages: tuple[SessionMessage, ...]
    labels: tuple[Label, ...]
    tempting: tuple[str, ...] = ()
    """What tempts a program and is not worth remembering, if the labeller named it."""


@dataclass
class Tally:
    """What became of labels and of what was captured."""

    hits: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    junk: Counter[str] = field(default_factory=Counter)
    duplicates: int = 0
    never: int = 0
    named: int = 0
    """Hits of which the kind is right too."""
    idle: int = 0
    """Junk from sessions without any label."""
    tempting: int = 0
    """Junk that the labeller had named."""

    @property
    def captured(self) -> int:
        """How many were captured, of whatever worth."""
        return self.hits.total() + self.duplicates + self.junk.total()


def run(_scene: Scene) -> list[Row]:
    """Score the sessions that were looked at while the rules were written."""
    return _by_set(apart=False, half="the half that was looked at")


def final(_scene: Scene) -> list[Row]:
    """Score the sessions that were set aside."""
    return _by_set(apart=True, half="the half set aside")


def _by_set(*, apart: bool, half: str) -> list[Row]:
    return [
        row
        for name, folder in SETS.items()
        for row in scored(sessions(apart=apart, folder=folder), f"{half} of {name}")
    ]


def is_apart(name: str) -> bool:
    """Tell whether a session is of the half that was set aside."""
    return sha256(name.encode()).hexdigest()[0] in "89abcdef"


def sessions(*, apart: bool, folder: str = FOLDER) -> list[Session]:
    """Read one half of a set."""
    names = sorted(one.removesuffix(".jsonl") for one in os.listdir(f"{folder}/transcripts"))
    return [session(name, folder) for name in names if is_apart(_divided(name, folder)) == apart]


def _divided(name: str, folder: str) -> str:
    """Return the text by which a session belongs to one half of its set."""
    if os.path.basename(folder) != BY_MESSAGE:
        return name
    return f"{name}\n{next(_records(f'{folder}/transcripts/{name}.jsonl'))['text']}"


def session(name: str, folder: str = FOLDER) -> Session:
    """Read one session and its labels."""
    messages = tuple(
        SessionMessage(role=one["role"], text=one["text"], tool=one["tool"], ok=one["ok"])
        for one in _records(f"{folder}/transcripts/{name}.jsonl")
    )
    lines = list(_records(f"{folder}/labels/{name}.jsonl"))
    labels = tuple(
        Label(line["message"], one["kind"], one["text"], one["by"])
        for line in lines
        for one in line["learnings"]
    )
    tempting = tuple(one["text"] for line in lines for one in line.get("tempting", ()))
    return Session(name, messages, labels, tempting)


def _records(path: str) -> Iterator[dict[str, Any]]:
    with open(path, encoding="utf-8") as opened:
        yield from (json.loads(line) for line in opened if line.strip())


def judged(one: Session, found: Sequence[Learning], counted: Tally) -> None:
    """Count what was captured of one session: hits, repetitions, junk, and what was missed."""
    taken: set[int] = set()
    for item in found:
        fitting = [n for n, label in enumerate(one.labels) if matches(item, label, one)]
        fresh = [n for n in fitting if n not in taken]
        if fresh:
            label = one.labels[fresh[0]]
            taken.add(fresh[0])
            counted.hits[label.kind] += 1
            counted.named += item.kind == label.kind
        elif fitting:
            counted.duplicates += 1
        else:
            counted.junk[item.kind] += 1
            counted.idle += not one.labels
            counted.tempting += any(overlap(item.text, text) >= HALF for text in one.tempting)
        counted.never += is_never(item, one)
    for n, label in enumerate(one.labels):
        if n not in taken:
            counted.missed[label.kind] += 1


def matches(item: Learning, label: Label, one: Session) -> bool:
    """Tell whether something captured says what a label says."""
    if overlap(item.text, label.text) >= HALF:
        return True
    if label.kind != "error_fix" or item.kind != "error_fix":
        return False
    start, end = episode(one, label)
    seen = _seen(one, label, start, end)
    said, fix = _content(item.text), _content(label.text) - seen
    return (
        start <= item.message_index <= end
        and len(said & seen) >= NAMED
        and len(said & fix) >= NAMED
    )


def episode(one: Session, label: Label) -> tuple[int, int]:
    """Return where the failure of a labelled fix was first seen, and where the fix was proven."""
    before = [n for n in range(label.message) if one.messages[n].ok is False]
    earlier = [other.message for other in one.labels if other.kind == "error_fix"]
    last = max((at for at in earlier if at < label.message), default=-1)
    start = next((n for n in before if n > last), last + 1)
    after = range(label.message + 1, len(one.messages))
    proof = next((n for n in after if one.messages[n].ok and one.messages[n].tool), label.message)
    return start, min(proof + 1, len(one.messages) - 1)


def _seen(one: Session, label: Label, start: int, end: int) -> set[str]:
    """Return the words of a failure: of the runs that failed, or else of what told of it."""
    failed = [m for m in one.messages[start:end] if m.ok is False]
    told = [m for m in one.messages[start : label.message] if m.role != "assistant"]
    return set[str]().union(*(_content(m.text) for m in failed or told))


def _content(text: str) -> set[str]:
    return {word for word in words(text) if word not in STOPWORDS}


def overlap(one: str, other: str) -> float:
    """Return the share of words two texts have in common, of the words of both."""
    a, b = Counter(words(one)), Counter(words(other))
    return 2 * (a & b).total() / max(1, a.total() + b.total())


def is_never(item: Learning, one: Session) -> bool:
    """Tell whether something captured comes from where nothing may be learned.

    That is a tool's answer, a block that was injected or pasted, or a message with a secret.
    """
    message = one.messages[item.message_index]
    if message.role == "tool" or scrub(message.text)[1]:
        return True
    own = _BLOCK.sub(" ", message.text)
    if item.by != "user":
        return False
    elsewhere = _runs(other.text for other in one.messages if other.role == "tool")
    elsewhere |= _runs(found[0] for found in _BLOCK.finditer(message.text))
    return bool(_runs([item.text]) & elsewhere - _runs([own]))


def _runs(texts: Iterable[str]) -> set[tuple[str, ...]]:
    found = set()
    for text in texts:
        said = words(text)
        found.update(zip(*(said[n:] for n in range(SAME_RUN)), strict=False))
    return found


def scored(some: Sequence[Session], where: str) -> list[Row]:
    """Return the rows of some sessions."""
    counted = Tally()
    for one in some:
        judged(one, learnings(one.messages), counted)
    hits, junk, labelled = counted.hits, counted.junk.total(), sum(len(one.labels) for one in some)
    empty = sum(not one.labels for one in some)
    share = junk / max(1, counted.captured)
    rows = [
        Row(
            f"captured in {where}: {len(some)} sessions, {labelled} learnings;"
            f" {hits.total()} found, {counted.duplicates} said again, {junk} junk",
            f"recall {_share(hits.total(), labelled)}, junk {_share(junk, counted.captured)}",
            f"{_span(hits.total(), labelled)}, {_span(junk, counted.captured)} (95 %)",
            target=f"junk < {MOST_JUNK:.0%}, none that may never be",
            met=share < MOST_JUNK and not counted.never,
        ),
        Row(
            f"captured in {where}, of {empty} sessions without a learning",
            f"{counted.idle} junk",
        ),
        Row(f"captured in {where}, from what may never be learned from", f"{counted.never}"),
        *(
            [Row(f"captured in {where}, of {tempting} tempting spans", f"{counted.tempting}")]
            if (tempting := sum(len(one.tempting) for one in some))
            else []
        ),
        Row(
            f"captured in {where}, kind as labelled",
            f"{counted.named} of {hits.total()}",
        ),
    ]
    for kind in KINDS:
        there = hits[kind] + counted.missed[kind]
        rows.append(
            Row(
                f"captured in {where}, {kind}: {hits[kind]} found, {counted.missed[kind]} missed,"
                f" {counted.junk[kind]} junk",
                f"recall {_share(hits[kind], there)}",
            )
        )
    return rows


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "-"


def _span(part: int, whole: int) -> str:
    return " - ".join(f"{bound:.2f}" for bound in wilson(part, whole)) if whole else "-"
