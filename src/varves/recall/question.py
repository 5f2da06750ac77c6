"""What a question asks for, read from its words alone.

The index is searched for the question's terms. Its other fields describe a good answer: its
speaker, its time and its kind. These are recognised in English only. In other languages, memories
are found by terms alone.
"""

from __future__ import annotations

from itertools import pairwise

from varves.recall.stopwords import STOPWORDS
from varves.recall.terms import spread
from varves.recall.times import Times, times
from varves.values.text import entities, words
from varves.values.value import Value

MAX_WORDS = 400  # the most words of a prompt that are searched; the rest is ignored

_ASKS_WHEN = frozenset(("when", "date", "day", "month", "year"))
_ASKS_NUMBER = frozenset(("many", "much", "old", "long", "often", "far", "tall", "big", "number"))
_ASKS_PLACE = frozenset(("where", "city", "country", "town", "place"))
_ASKS_NAME = frozenset(("who", "whose", "whom", "name", "which", "called", "title"))
_ASKS_WORDS = frozenset(("say", "said", "quote", "tell", "told", "song", "book", "movie", "sign"))
_TOLD = frozenset(
    ("recommend", "recommended", "suggest", "suggested", "told", "mentioned", "provided", "gave")
)
_EARLIER = frozenset(("previous", "earlier", "remind", "last"))
_TALK = frozenset(("conversation", "chat", "discussion", "me"))


class Question(Value):
    """A question in the form that ranking uses."""

    terms: tuple[str, ...]
    pairs: tuple[str, ...]
    names: frozenset[str]
    wants: frozenset[str]
    times: Times | None


def read(text: str, now: str) -> Question:
    """Return a question that is asked at the instant `now`."""
    text = _composed(text)
    said = words(text)[:MAX_WORDS]
    known = frozenset(said)
    return Question(
        terms=tuple(terms_of(text)),
        pairs=tuple(
            f" {one} {other}"
            for one, other in pairwise(spread(" ".join(said)).split())
            if one not in STOPWORDS and other not in STOPWORDS
        ),
        names=known,
        wants=frozenset(_wants(said, known)),
        times=times(said, now),
    )


def terms_of(text: str) -> list[str]:
    """Return the distinct meaningful words of a query, in order."""
    text = _composed(text)
    found = dict.fromkeys(_searched(text)[:MAX_WORDS])
    found |= dict.fromkeys(part.lower() for part in entities(text[: MAX_WORDS * 10]))
    telling = [word for word in found if word not in STOPWORDS]
    return telling or list(found)


def _searched(text: str) -> list[str]:
    """Return the words of a query in the form in which the index stores words."""
    if text.isascii():
        return words(text)
    from varves.values.scripts import search_words

    return search_words(text)


def _composed(text: str) -> str:
    """Return a text with combining marks joined to their letters.

    Alone, they would split a word.
    """
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def _wants(said: list[str], known: frozenset[str]) -> list[str]:
    """Return the kinds of answer that the question asks for."""
    first = said[:3]
    found = []
    if "when" in first or (first[:1] in (["what"], ["which"]) and known & _ASKS_WHEN & set(first)):
        found.append("when")
    if ("how" in known and known & _ASKS_NUMBER) or {"what", "number"} <= known:
        found.append("number")
    if known & _ASKS_PLACE:
        found.append("place")
    if known & _ASKS_NAME:
        found.append("name")
    if known & _ASKS_WORDS:
        found.append("quote")
    if (known & _TOLD and known & {"you", "me", "your"}) or (known & _EARLIER and known & _TALK):
        found.append("told")
    return found
