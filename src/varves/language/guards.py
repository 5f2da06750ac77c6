"""Guards: the properties of a sentence that keep its phrases from counting."""

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
    """How a sentence is meant, as a set of properties."""

    asks: bool = False
    """It is a question, with or without a question mark."""
    denies: bool = False
    """It contains a negation."""
    supposes: bool = False
    """It contains a condition, or is hypothetical."""
    reports: bool = False
    """It reports another person's words."""
    cites: bool = False
    """It only refers to an earlier decision."""
    takes_back: bool = False
    """It retracts an earlier statement: "scratch that"."""
    past: bool = False
    """It is about another time."""
    wishes: bool = False
    """It only expresses a wish."""
    tells: bool = False
    """Part of it reports what another person says or thinks."""
    guesses: bool = False
    """It is an opinion or a guess."""


def guards(sentence: SpokenSentence, tongue: Tongue = ENGLISH) -> Guards:
    """Return how a sentence is meant."""
    found = {
        name: table.search(sentence.plain) is not None for name, table in tongue.guards.items()
    }
    found["asks"] = found["asks"] or sentence.asks
    return Guards(**found)


def negated(text: str, start: int, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a negation comes just before a position, in the same clause."""
    before = text[max(0, start - _NEAR) : start]
    for mark in _STOPS:
        before = before.rpartition(mark)[2]
    return re.search(tongue.negation, before) is not None
