"""Finds the memories of an agent that are relevant to a topic: they share significant words.

Words are compared by stem, without case and accents. Common words, words typical of any talk, and
single letters are not significant. If no memory shares a word, nothing is offered.
"""

from __future__ import annotations

from unicodedata import combining, normalize

from varves.recall.question import terms_of
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import stem
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.values.memory import Memory

_EVERYDAY = """
    use using used make made get go going come take give put want need try work way thing think
    believe say know see look good better best well bad new old one two first last many much lot
    time day must may might shall cannot let prefer preference decide decision decided agree
    disagree propose proposal suggest observation fact constraint reject rejected accept
    accepted compromise project team party topic discuss instead rather always never
    still yet even really maybe perhaps probably without within notice noticed found turn since
    also keep ok okay yes yeah
"""
_WEAK = frozenset(stem(word) for word in _EVERYDAY.split())
LINE = "{agent}, based on your experience from previous sessions..."
_LEAST = 2  # the fewest letters of a significant word


class FacilitatorLine(Value):
    """The facilitator's line for one agent, and the memories it is based on; both may be empty."""

    text: str
    cited: tuple[Memory, ...]


def significant(text: str) -> frozenset[str]:
    """Return the stems of a text's significant words."""
    if not text.isascii():
        text = "".join(sign for sign in normalize("NFKD", text) if not combining(sign))
    found = (word for word in terms_of(text) if word not in STOPWORDS and len(word) >= _LEAST)
    return frozenset(stem(word) for word in found) - _WEAK


def relevant(topic: str, memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the memories relevant to a topic, those that share the most words first.

    Ties are ordered by confidence, then newest first.
    """
    wanted = significant(topic)
    shared = [
        (len(wanted & significant(memory.text)), memory.confidence or 0.0, place, memory)
        for place, memory in enumerate(memories)
    ]
    found = sorted((one for one in shared if one[0]), key=lambda one: one[:3], reverse=True)
    return tuple(memory for *_, memory in found)


def offer(display_name: str, topic: str, memories: Sequence[Memory]) -> FacilitatorLine:
    """Return the facilitator's line to an agent about a topic; `memories` has the oldest first."""
    cited = relevant(topic, memories)
    text = LINE.format(agent=display_name) if cited else ""
    return FacilitatorLine(text=text, cited=cited)
