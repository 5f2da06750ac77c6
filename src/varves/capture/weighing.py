"""Weighs a sentence: adds the weights of its signs for and against a lasting statement.

Sentences that ask, suppose, doubt, deny, report, or concern only the current task are never weighed
(`nearmisses.py`). Three kinds of sentences cannot be a statement by themselves, but may continue
one: those that begin with an order, those that only point at something, and those without a verb
that says how things are.
"""

from __future__ import annotations

from varves.capture.signs import (
    ASKING,
    BIAS,
    LIGHT,
    ORDERED,
    POINTING,
    SIGNS,
    SITUATION,
    VERB,
)
from varves.values.value import Value

# numbers of words that make a sentence short, long or very long
_SHORT, _AMPLE, _ENDLESS = 6, 11, 32
_FEWEST = 4  # the fewest words of a statement
# the fewest words of a statement after a "no", where most sentences are about the current edit
_FIRM = 10
_NO_STATEMENT = ASKING - {"what", "when"} | {"if", "let", "whoever", "hope", "looking", "you"}
_STANDING = {"do", "avoid", "keep", "skip", "stop"}  # verbs of orders that apply in general
_REASONS = {"consequence", "we do not", "duty", "people"}
_LASTING = {*_REASONS, "general", "contrast", "several things", "in this place"}
_MARKS = ".,;:!?()[]\"'*`"


class Occasion(Value):
    """The situation in which a message is written."""

    first: bool = False
    """Whether no agent has spoken before, so that the message sets the task."""
    asked: bool = False
    """Whether the agent's last words are a question."""
    offered: bool = False
    """Whether the agent's last message offers choices."""
    rejects: bool = False
    """Whether the message begins with a "no"."""


class Weighed(Value):
    """The weight of a sentence, and the signs from which the weight results."""

    weight: int
    signs: tuple[str, ...]
    core: bool
    """Whether the sentence has the form of a statement."""


def weighed(said: str, occasion: Occasion) -> Weighed:
    """Return the weight of a sentence, which is given in its plain form."""
    words = _words(said)
    have = set(words)
    found = {one.name: one.weight for one in SIGNS if one.is_in(said, have)}
    found.update((name, SITUATION[name]) for name in _situated(words, occasion))
    core = _is_core(words, found, occasion) and (
        any(map(_tells, words, ["", *words])) or "habit" in found or " = " in said
    )
    return Weighed(weight=BIAS + sum(found.values()), signs=tuple(found), core=core)


def _is_core(words: list[str], found: dict[str, int], occasion: Occasion) -> bool:
    """Return whether a sentence, apart from its verb, has the form of a lasting statement."""
    opening = _opening(words)
    if len(opening) < (_FIRM if occasion.rejects else _FEWEST):
        return False
    if occasion.first and not ("habit" in found or "we do not" in found):
        return False
    if opening[0] in POINTING:
        return "settled" in found and (occasion.offered or occasion.asked)
    if _begins_with_order(opening):
        return _is_standing(opening, found, occasion)
    return opening[0] not in _NO_STATEMENT or "habit" in found


def _is_standing(opening: list[str], found: dict[str, int], occasion: Occasion) -> bool:
    """Return whether an order states a lasting decision or a lasting reason."""
    if "habit" in found or ("settled" in found and "general" in found and occasion.offered):
        return True
    if "this one" in found or "clauses" not in found:
        return False
    if opening[0] == "let":
        return "settled" in found and not _LASTING.isdisjoint(found)
    return opening[0] in _STANDING and not _REASONS.isdisjoint(found)


def _situated(words: list[str], occasion: Occasion) -> list[str]:
    count, opening = len(words), _opening(words)
    first = opening[0] if opening else ""
    checks = (
        ("short", count < _SHORT),
        ("ample", _AMPLE <= count < _ENDLESS),
        ("endless", count >= _ENDLESS),
        ("first message", occasion.first),
        ("after a no", occasion.rejects),
        ("answers a question", occasion.asked),
        ("answers a choice", occasion.offered),
        ("of me", first == "i"),
        ("ordered", _begins_with_order(opening)),
        ("points", first in POINTING),
    )
    return [name for name, holds in checks if holds]


def _words(said: str) -> list[str]:
    return [word for part in said.split() if (word := part.strip(_MARKS))]


def _opening(words: list[str]) -> list[str]:
    """Return the words of a sentence from its first meaningful word on."""
    start = 0
    while start < len(words) - 1 and words[start] in LIGHT:
        start += 1
    return words[start:]


def _tells(word: str, before: str) -> bool:
    """Return whether a word may be the verb of a sentence that says how things are."""
    if word in VERB or (word in ORDERED and before[-1:] == "s"):
        return True
    return word[-1:] == "s" and (word[:-1] in ORDERED or word[:-2] in ORDERED)


def _begins_with_order(opening: list[str]) -> bool:
    """Return whether a sentence begins with an order."""
    if len(opening) < 2:
        return bool(opening) and opening[0] in ORDERED
    first, second = opening[:2]
    return first in ORDERED and second not in ("is", "are", "has", "of", "gets", "goes", "does")


def orders(said: str) -> bool:
    """Return whether a clause in its plain form begins with an order."""
    return _begins_with_order(_opening(_words(said)))
