"""The committed set: a project's memory replayed as it was lived, and questions asked on the way.

Every operation is done at its own instant, every question asked at its own by its own actor, so a
later correction cannot help and an expired memory cannot be hidden. Half of the questions, chosen
by a hash of their ids, is for development; the other half is kept for the end.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

import varves
from benchmarks.row import Row
from varves.values.instants import FixedClock, instant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Asked = TypeVar("Asked")

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "project")
AT_LEAST = 90.0
DEPTHS = (1, 5, 10)
_ABOUT = ("type", "tags", "speaker", "session", "turn", "scope", "ttl", "confidence", "priority")


@dataclass
class Answer:
    """The first ten keys of an answer, beside what was wanted and what was not."""

    id: str
    kind: str
    found: list[frozenset[str]]  # the keys that a hit stands for
    gold: frozenset[str]
    never: frozenset[str]

    def within(self, depth: int) -> bool:
        """Tell whether a right key is among the first so many hits."""
        return any(keys & self.gold for keys in self.found[:depth])

    @property
    def wrong(self) -> frozenset[str]:
        """The keys in the first ten that must not be there."""
        return frozenset(self.never.intersection(*[frozenset().union(*self.found[:10])]))


@dataclass
class _Project:
    """A replayed project: its ledgers by actor, and which memory holds which key."""

    root: str
    ledger: Callable[[str], varves.Ledger]
    memories: dict[str, str] = field(default_factory=dict)

    def do(self, step: dict[str, Any]) -> None:
        """Do one operation."""
        if step["op"] == "forget":
            self.ledger("USER").forget(self.memories[step["of"]], reason=step["reason"])
            return
        if step["op"] == "correct":
            before = self.memories[step["of"]]
            done = self.ledger("USER").correct(before, step["text"], reason=step.get("reason"))
        else:
            level, _, name = step["scope"].partition(":")
            actor = name if level == "agent" else "USER"
            about = {key: step[key] for key in _ABOUT if step.get(key) is not None}
            about["at"] = step["at"]
            if step.get("evidence"):
                _write(self.root, step["evidence"])
                about["evidence"] = [step["evidence"]]
            done = self.ledger(actor).remember(step["text"], **about)
        self.memories[step["key"]] = done.id


def ask(ledger: varves.Ledger, question: dict[str, Any], known: dict[str, str]) -> Answer:
    """Ask a ledger one question; `known` has the memory of each key."""
    keys: dict[str, set[str]] = {}
    for key, memory in known.items():
        keys.setdefault(memory, set()).add(key)
    found = []
    for hit in ledger.recall(question["text"], k=10, all=True):
        names = (hit.memory.id, *hit.reasons.get("same", ()))
        found.append(frozenset(key for name in names for key in keys.get(name, {name})))
    gold, never = frozenset(question["gold"]), frozenset(question["never"])
    return Answer(question["id"], question["kind"], found, gold, never)


def kept(question: dict[str, Any]) -> bool:
    """Tell whether a question belongs to the half kept for the end."""
    return sha256(question["id"].encode()).hexdigest()[0] in "01234567"


def replay(
    folder: str,
    *,
    half: bool = False,
    source: str = "",
    ask: Callable[[varves.Ledger, dict[str, Any], dict[str, str]], Asked] = ask,
) -> list[Asked]:
    """Live the project in an empty folder and ask the questions of one half on the way.

    Args:
        folder: where the ledgers are made.
        half: ask the half kept for the end, not the one for development.
        source: where the set lies, by default the committed one.
        ask: asks a ledger one question.
    """
    source = source or FOLDER
    steps = [(step["at"], 0, step) for step in read(source, "memories.jsonl")]
    questions = [one for one in read(source, "questions.jsonl") if kept(one) is half]
    steps += [(one["at"], 1, one) for one in questions]
    clock = FixedClock(0)
    answers = []
    with ExitStack() as stack:
        projects: dict[str, _Project] = {}
        for at, asking, step in sorted(steps, key=lambda one: (instant(one[0]), one[1])):
            clock.ms = instant(at)
            name = "main" if asking else step["project"]
            if name not in projects:
                root = os.path.join(folder, name)
                os.mkdir(root)
                ledgers = _ledgers(root, f"{folder}/home", clock, stack)
                projects[name] = _Project(root, ledgers)
            if asking:
                known = {k: m for one in projects.values() for k, m in one.memories.items()}
                answers.append(ask(projects[name].ledger(step["actor"]), step, known))
            else:
                projects[name].do(step)
    return answers


def _ledgers(
    root: str, home: str, clock: FixedClock, stack: ExitStack
) -> Callable[[str], varves.Ledger]:
    """Return how each actor opens a project's ledger: once."""
    opened: dict[str, varves.Ledger] = {}

    def ledger(actor: str) -> varves.Ledger:
        if actor not in opened:
            door = varves.open(root, home=home, clock=clock, actor=actor, mode="fast")
            opened[actor] = stack.enter_context(door)
        return opened[actor]

    return ledger


def _write(root: str, path: str) -> None:
    """Put the file there that a memory points to."""
    place = os.path.join(root, path.partition(":")[0])
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if not os.path.exists(place):
        with open(place, "w", encoding="utf-8") as file:
            file.write(f"{path}\n" * 400)


def read(source: str, name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of one of the set's files."""
    with open(os.path.join(source, name), encoding="utf-8") as file:
        yield from map(json.loads, file)


def table(answers: Sequence[Answer]) -> list[tuple[str, ...]]:
    """Return, for each kind and for all, how often a right key was among the first."""
    kinds: dict[str, list[Answer]] = {}
    for answer in sorted(answers, key=lambda one: one.kind):
        kinds.setdefault(answer.kind, []).append(answer)
    if answers:
        kinds["all"] = list(answers)
    rows: list[tuple[str, ...]] = [
        ("kind", "questions", *(f"in first {depth}" for depth in DEPTHS), "with a wrong one")
    ]
    for kind, given in kinds.items():
        shares = [100 * sum(one.within(depth) for one in given) / len(given) for depth in DEPTHS]
        wrong = sum(bool(one.wrong) for one in given)
        rows.append((kind, str(len(given)), *(f"{share:.0f} %" for share in shares), str(wrong)))
    return rows


def rows(answers: Sequence[Answer]) -> list[Row]:
    """Return what is asked of the set, and whether it is so."""
    first = 100 * sum(one.within(1) for one in answers) / len(answers)
    wrong = sum(bool(one.wrong) for one in answers)
    return [
        Row(
            f"project set: right memory first ({len(answers)} questions)",
            f"{first:.0f} %",
            target=f">= {AT_LEAST:.0f} %",
            met=first >= AT_LEAST,
        ),
        Row(
            "project set: answers with a superseded, foreign or expired memory in the first ten",
            str(wrong),
            target="0",
            met=wrong == 0,
        ),
    ]
