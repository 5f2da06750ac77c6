"""Recognises statements that speak of a thing without naming it: "keep OpenSSL 3.1 on it".

Two such statements may have the same words and be about two things. A pronoun refers to a thing
that an earlier clause of the text names ("The importer is slow, it takes 5 minutes"), or that the
beginning of its own clause names if the pronoun is a possessive ("The gateway keeps its logs").
Otherwise, the text does not say what it is about.
"""

from __future__ import annotations

import re

from varves.language.english.words import CONDITIONS, EMPTY, PREPOSITIONS, REASONS, listed

_PRONOUNS = listed("it they them he him she")
_POSSESSIVES = listed("its their his her")
_POINTING = listed("this that these those")
_PLACES = listed("here there")
_JOINING = REASONS | CONDITIONS | listed("and but or then before after until that")
_SEEMING = listed("turns turned seems seemed appears appeared looks looked")
"""Verbs with which "it" refers to nothing: "it turns out that"."""
_SPANS = listed("day week month quarter year sprint time way case")
_WORD = re.compile(r"[^\W_](?:[\w'\u2019./@-]*\w)?|[.;:!?,()\n]")
_LOOKED_AT = 1000  # the most characters of a statement that are searched


def refers_outside(text: str) -> bool:
    """Return whether a text refers to a thing that it does not name."""
    words = [found[0].lower() for found in _WORD.finditer(text[:_LOOKED_AT])]
    clause, named = 0, False  # the content words of this clause; whether an earlier one has any
    for place, word in enumerate(words):
        after = words[place + 1] if place + 1 < len(words) else ""
        points = word in _POINTING and _points(word, after, clause)
        if not word[0].isalnum() or (word in _JOINING and not points):
            named, clause = named or clause > 0, 0
            continue
        if named:
            return False
        empty = word == "it" and after in _SEEMING
        if (word in _PRONOUNS and not empty) or (word in _POSSESSIVES and not clause):
            return True
        if points or (word in _PLACES and _points(word, after, clause)):
            return True
        clause += word not in EMPTY and word not in PREPOSITIONS
    return False


def _points(word: str, after: str, clause: int) -> bool:
    """Return whether a word points at something: "this host", "runs here", not "there is"."""
    if word in _PLACES:
        return clause > 0 and not after[:1].isalnum()
    if word == "that":
        return clause == 0 and after[:1].isalnum()
    return after not in _SPANS
