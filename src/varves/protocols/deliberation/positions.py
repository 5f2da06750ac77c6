"""Finds the sentence in which an agent argues or states a view, without proposing or reacting.

A question does not count, and for a view neither does a report of another's words or a condition.
An agent that takes a view back ("I was wrong") stands for what it says next, if anything.
"""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.language.guards import guards
from varves.language.sentences import sentences
from varves.protocols.deliberation.patterns import PatternPlace
from varves.protocols.deliberation.subjects import sentence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.sentences import SpokenSentence
    from varves.protocols.deliberation.patterns import SearchedText

_ARGUES = re.compile(
    r"\b(?:because|therefore|i\s+(?:think|believe|doubt|prefer)|in\s+my\s+(?:view|opinion)|"
    r"my\s+(?:view|position|concern)|we\s+should(?:n't)?|we\s+must(?:n't)?|the\s+reason)\b"
)
_READ = 20_000  # the characters of a message that are read


def argued(text: SearchedText) -> str:
    """Return the sentence in which an agent argues or states a view, or an empty string."""
    heard = [one for one in sentences(text.plain, most=_READ) if not one.asks]
    taken_back = [at for at, one in enumerate(heard) if _recants(one)]
    if taken_back:
        later = heard[taken_back[-1] + 1 :]
        chosen = next((one for one in later if _states(one)), next(iter(later), None))
        return _whole(text, chosen or heard[taken_back[-1]])
    found = _ARGUES.search(text.folded, 0, _READ)
    if found is not None:
        return sentence(text, PatternPlace(start=found.start(), end=found.end()))
    return next((_whole(text, one) for one in heard if _states(one)), "")


def _whole(text: SearchedText, one: SpokenSentence) -> str:
    return sentence(text, PatternPlace(start=one.start, end=max(one.start + 1, one.end - 1)))


def _recants(one: SpokenSentence) -> bool:
    return ENGLISH.acts["recants"].search(one.plain) is not None and not guards(one).reports


def _states(one: SpokenSentence) -> bool:
    """Return whether a sentence argues or states a view of the speaker."""
    if _ARGUES.search(one.plain):
        return True
    meant = guards(one)
    aside = meant.asks or meant.reports or meant.tells or meant.supposes or meant.wishes
    return not aside and ENGLISH.acts["holds"].search(one.done) is not None
