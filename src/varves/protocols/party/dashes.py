"""Completes the sentences of a turn with what follows their dashes.

The reader ends a part of a sentence at a dash, because what follows may be an act of its own: "I
agree with Noa -- I prefer mail". If it is none, it belongs to the memory: "I prefer mail -- it is
cheap".
"""

from __future__ import annotations

import re

from varves.language.acts import AGREES, COMPLEMENTS, DISAGREES, PROPOSES
from varves.language.sentences import own_words, spans
from varves.protocols.party.phrases import decided, worth
from varves.protocols.party.sentences import TRAILING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.party.sentences import TurnSentence

_DASH = re.compile(r"[\u2013\u2014]|--")
_OF_THEIR_OWN = (AGREES, DISAGREES, COMPLEMENTS, PROPOSES)


def completed(text: str, marked: str, found: Sequence[TurnSentence]) -> list[TurnSentence]:
    """Return the sentences of a turn, each with the parts after its dashes as its `whole`.

    Args:
        text: the turn.
        marked: the turn with marks for the agents.
        found: its sentences.
    """
    ends = [end for _, end in spans(own_words(marked, strictly=True), parts=False)]
    return [_completed(text, found[place:], ends) for place in range(len(found))]


def _completed(text: str, found: Sequence[TurnSentence], ends: Sequence[int]) -> TurnSentence:
    first, *later = found
    end = first.said.sentence.end
    last = next((each for each in ends if each >= end), end)
    for one in later:
        part = one.said.sentence
        if not _DASH.search(text[:end][-2:]) or part.start >= last or _says_more(one):
            break
        end = part.end
    begin = text.index(first.text, first.said.sentence.start)
    return first.replace(whole=TRAILING.sub("", text[begin:end]))


def _says_more(one: TurnSentence) -> bool:
    """Return whether a part of a sentence is something of its own, and no addition."""
    of_its_own = any(act.kind in _OF_THEIR_OWN for act in one.said.acts)
    return of_its_own or one.asks or worth(one) is not None or decided(one) is not None
