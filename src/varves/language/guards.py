"""What keeps a sentence from doing what its words say."""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.sentences import SpokenSentence
    from varves.language.tables import Tongue

_NEAR = 25  # a negation within this many characters before a phrase reverses its meaning
_STOPS = (",", ";", ":", " but ")


class Guards(Value):
    """How a sentence is meant."""

    asks: bool = False
    """It is a question, with or without a question mark."""
    denies: bool = False
    """It contains a negation."""
    supposes: bool = False
    """It contains a condition, or is hypothetical."""
    reports: bool = False
    """It tells another's words."""
    cites: bool = False
    """It refers to an earlier decision, and makes none."""
    takes_back: bool = False
    """It takes back what was said before: "scratch that"."""
    past: bool = False
    """It tells of another time."""
    wishes: bool = False
    """It only says what would be welcome."""
    tells: bool = False
    """Some part of it tells what another says or thinks."""
    guesses: bool = False
    """It is said as an opinion or a guess."""


def guards(sentence: SpokenSentence, tongue: Tongue = ENGLISH) -> Guards:
    """Return how a sentence is meant."""
    found = {
        name: table.search(sentence.plain) is not None for name, table in tongue.guards.items()
    }
    found["asks"] = found["asks"] or sentence.asks
    return Guards(**found)


def negated(text: str, start: int, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a negation stands just before a position, in the same clause."""
    before = text[max(0, start - _NEAR) : start]
    for mark in _STOPS:
        before = before.rpartition(mark)[2]
    return re.search(tongue.negation, before) is not None
