"""Tells whether words of agreement or objection are about a proposal or about something else.

"I agree" and "that is too slow" speak of what is on the table. "I love this song" and "the coffee
is too cold" speak of a thing of their own: they count only if that thing occurs in the proposal, or
is a ground on which people decide, such as a cost or a deadline.
"""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.language.frames import MEASURES, is_soft, statement
from varves.language.sentences import plain
from varves.language.tokens import canonical
from varves.protocols.deliberation.repeats import shared

_CLAUSE = re.compile(r"[,;:\u2013\u2014]\s|\s(?:and|but|because|so|since|as)\s")


def bears(text: str, start: int, end: int, content: str) -> bool:
    """Return whether a phrase in a sentence may be about a proposal that it does not name.

    Args:
        text: the sentence.
        start: the position at which the phrase begins.
        end: the position at which the phrase ends.
        content: the proposal.
    """
    begin = max((one.end() for one in _CLAUSE.finditer(text, 0, start)), default=0)
    stop = _CLAUSE.search(text, end)
    clause = text[begin : stop.start() if stop else len(text)]
    form = plain(clause)
    if ENGLISH.acts["takes_part"].search(form) or ENGLISH.acts["points_back"].search(form):
        return True
    things, amounts = _things(clause, start - begin, end - begin)
    if not things or shared(" ".join((*things, *amounts)), content) > 0:
        return True
    return any(canonical(word.lower()) in _GROUNDS for word in things)


def _things(clause: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the words for things in a clause, and for amounts.

    Within the phrase, only words with an article are things.
    """
    found, amounts = [], []
    for frame in statement(clause).frames:
        for one in frame.terms.values():
            if one.kind in MEASURES:
                amounts.append(one.raw)
            if one.kind in MEASURES or one.role == "verb" or is_soft(one.key):
                continue
            at = clause.find(one.raw)
            inside = start <= at < end and not _ARTICLE.search(clause[:at])
            if not inside and canonical(one.raw.lower()) not in _VIEWS:
                found.append(one.raw)
    return found, amounts


_ARTICLE = re.compile(
    r"\b(?:the|a|an|this|that|these|those|my|your|our|their|his|her)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_VIEWS_WORDS = """
idea plan proposal point approach option change suggestion solution compromise way call move choice
step direction sense thing view opinion concern doubt worry objection problem issue reason argument
case good great fine nice right wrong bad better best okay ok sure yes no agree fan thanks part
"""
_GROUNDS_WORDS = """
cost price budget money fee expense deadline schedule time effort work workload risk danger user
customer client reader member people team staff colleague neighbour parent performance speed latency
disk security privacy safety maintenance complexity compatibility quality reliability downtime
licence license law rule contract policy migration support space load noise scale precedent
experience evidence test data backup rollback
"""
_VIEWS = frozenset(map(canonical, _VIEWS_WORDS.split()))
_GROUNDS = frozenset(map(canonical, _GROUNDS_WORDS.split()))
