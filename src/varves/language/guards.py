"""Guards: reasons why a sentence does not do what its words say, such as being a question."""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.sentences import SpokenSentence
    from varves.language.tables import Tongue

_PAST = ("past", "cites")
_NEAR = 25  # a negation at most this many characters before a phrase reverses its meaning
_STOPS = (",", ";", ":", " but ")


class Guards(Value):
    """Which guards apply to a sentence: reasons why its words are not meant as they stand."""

    asks: bool = False
    """The sentence is a question, with or without a question mark."""
    denies: bool = False
    """The sentence contains a negation."""
    supposes: bool = False
    """The sentence contains a condition, or is hypothetical."""
    reports: bool = False
    """The sentence reports another person's words."""
    cites: bool = False
    """The sentence only refers to an earlier decision."""
    takes_back: bool = False
    """The sentence retracts an earlier statement, as in "scratch that"."""
    past: bool = False
    """The sentence is about the past."""
    wishes: bool = False
    """The sentence only expresses a wish."""
    tells: bool = False
    """A part of the sentence reports what another person says or thinks."""
    guesses: bool = False
    """The sentence is an opinion or a guess."""


def guards(sentence: SpokenSentence, tongue: Tongue = ENGLISH) -> Guards:
    """Return the guards of a sentence, such as being a question or a quotation."""
    found = {
        name: table.search(sentence.plain) is not None for name, table in tongue.guards.items()
    }
    found["asks"] = found["asks"] or sentence.asks
    return Guards(**found)


def negated(text: str, start: int, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a negation precedes a position closely, in the same clause."""
    before = text[max(0, start - _NEAR) : start]
    for mark in _STOPS:
        before = before.rpartition(mark)[2]
    return re.search(tongue.negation, before) is not None


def bygone(sentence: SpokenSentence, start: int, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a phrase is part of a reference to something that was settled earlier.

    "Last week we decided to wait, and today we decided to ship" settles something new: only the
    guards of the clause with the phrase count, and those of clauses that set the time for it.
    """
    form, at = sentence.plain, sentence.unconditioned(start)
    begin, end, bound = 0, len(form), ""
    for found in re.finditer(tongue.clause, form):
        if found.end() > at:
            end = found.start()
            break
        if begin == 0 or found.start() > begin:
            begin, bound = found.end(), found[0]
    if _refers_back(form[begin:end], tongue):
        return True
    before = form[:begin]
    if not _refers_back(before, tongue):
        return False
    contrasts = re.search(tongue.turn, bound) or re.search(tongue.afresh, form[begin:end])
    if contrasts or tongue.acts["settled"].search(before) is None:
        return contrasts is None
    return False


def _refers_back(part: str, tongue: Tongue) -> bool:
    """Return whether a part of a sentence is about the past, or cites a decision."""
    return any(tongue.guards[name].search(part) is not None for name in _PAST)
