"""Reduces the text of a decision to its outcome, so that two decisions can be compared.

We decided to use Redis.                use Redis
We decided not to use Redis.            do not use Redis
We agreed against a rewrite.            no rewrite
"""

from __future__ import annotations

import re
from functools import lru_cache

from varves.language.acts import DECIDES
from varves.language.frames import MEASURES, TIMES, statement
from varves.language.reader import read
from varves.language.tokens import canonical

_REMEMBERED = 2048
_ARTICLE = re.compile(r"^(?:an?|the) ")
_WORD = re.compile(r"[a-z]+")
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['\u2019]t\b")
_AT_LAST = re.compile(
    r"\s*,?\s+(?:after all|for now|until\b.*|for good|as (?:it|they) (?:is|are))\W*$"
)
_KEEPING = "keep retain preserve continue stay remain maintain leave"
_ENDING = """
drop remove delete cancel sell end retire abolish scrap stop discontinue deprecate abandon discard
demolish dissolve withdraw ditch
"""
_SENSES = {canonical(word): False for word in _KEEPING.split()} | {
    canonical(word): True for word in _ENDING.split()
}


@lru_cache(maxsize=_REMEMBERED)
def outcome(text: str) -> tuple[str, bool]:
    """Return the text of a decision's outcome, and whether the decision is against it."""
    for one in read(text, kinds=(DECIDES,)):
        act = one.act(DECIDES)
        if act is not None and act.plainly:
            told = text[act.end : one.sentence.end].strip(" :,.!")
            return (told, True) if act.against else (told.removeprefix("to "), False)
    return text, False


def without_announcement(text: str) -> str:
    """Return a text without the words that announce a decision; other texts are unchanged."""
    told, against = outcome(text)
    if not against:
        return told
    said = _ARTICLE.sub("", told)
    return f"do not {said[3:]}" if said.startswith("to ") else f"no {said}"


def turns_back(older: str, newer: str) -> bool:
    """Return whether one decision ends what the other keeps: "drop the export", "it stays"."""
    (one, ends), (other, ended) = _fate(older), _fate(newer)
    if ends is None or ended is None or ends == ended or not one or not other:
        return False
    less, more = sorted((one, other), key=len)
    return less <= more and len(more - less) <= 1


@lru_cache(maxsize=_REMEMBERED)
def _fate(text: str) -> tuple[frozenset[str], bool | None]:
    """Return the things that a decision is about, and whether it ends them; None if neither."""
    told = _AT_LAST.sub("", without_announcement(text).lower())
    verb = next((word for word in _WORD.findall(told) if canonical(word) in _SENSES), None)
    if verb is None:
        return frozenset(), None
    terms = [one for frame in statement(told).frames for one in frame.terms.values()]
    if any(one.kind in (*MEASURES, *TIMES) for one in terms):
        return frozenset(), None  # "keep logs for 30 days" ends nothing that "delete …" keeps
    things = frozenset(one.key for one in terms if canonical(one.raw.lower()) != canonical(verb))
    return things, _SENSES[canonical(verb)] != (_DENIED.search(told) is not None)
