"""The status that a decision gives to a proposal that its message answers, names or quotes.

A decision accepts a proposal if it says what the proposal says, or only points to it: "let's go
with that", "approved", "to do it". It rejects what it turns down: "to drop it", "the library, not
the gym". One that puts the matter off, finds a fault with it or chooses something else is a
decision of its own and leaves the proposal as it was.
"""

from __future__ import annotations

import re

from varves.language.frames import TIMES, statement
from varves.protocols.deliberation.repeats import contradicts, covered, restates, significant
from varves.protocols.deliberation.state import ACCEPTED, MODIFIED, REJECTED

_SAME = 0.75  # the share of a decision's words that are in a proposal that it accepts
_MORE = 0.5  # the same, if the decision also has most of the proposal's words
_MOST = 0.65  # those words
_MODIFIES = re.compile(
    r"\b(?:modif\w+|amend\w*|with\s+(?:\w+\s+)?(?:changes?|modifications?|amendments?))\b"
)
_REJECTS = re.compile(
    r"\b(?:reject|against|drop|declin|discard|abandon|refus|turn(?:ed)? down|scrap|skip|veto)\w*"
)
_NOT = re.compile(r"\W*(?:\w+\W+){0,2}(?:not|never|no|cannot|\w+n't)\b")
# What is turned down beside what is chosen: "the library, not the gym".
_INSTEAD_OF = re.compile(r"\b(?:not|instead of|rather than|in place of|over)\s+(?P<gone>[^,;.]+)")
_LATER = re.compile(
    r"\b(?:postpon\w+|defer\w*|delay\w*|shelv\w+|park(?:ed)?|wait\w*|think|discuss|talk|consider|vote|"
    r"ask|check|revisit|review|sleep on|hold off|put (?:\w+ ){1,3}off|look (?:at|into|again)|"
    r"come back|leave (?:it|that|this|things?|everything)|table (?:it|that|this)|see)\b"
)
_FAULT = re.compile(
    r"\b(?:is|are|was|were|would be|seems?|looks?|costs?|takes?|gets?)(?: \w+)? "
    r"(?:too|not|banned|dangerous|expensive|forbidden|illegal|impossible|pointless|risky|"
    r"unaffordable|unsafe|useless|wrong)\b|"
    r"\b(?:cannot|can't|won't|doesn't|isn't|aren't|don't|not enough|"
    r"too (?:much|many|few|little|\w+ (?:for|to)))\b"
)
# Words that say nothing of their own: verbs of taking something up, names of a proposal, assent.
_POINTING = """
accept accepted adopt adopted agree agreed allow approve approved carried confirm confirmed do go
grant granted keep make pass passed set start take try use have yes ok okay sure fine good idea
ideas plan proposal suggestion option approach version solution change motion point way thing ahead
original first second last new same whole test once decision consensus with all both
"""
_POINTS = re.compile(
    r"\b(?:it|that|this|them|these|those|so|yes|ok|okay|go|accept\w*|approv\w+|adopt\w*|agreed?|"
    r"pass(?:ed)?|carried|grant(?:ed)?|confirm(?:ed)?|idea|plan|proposal|suggestion|option|"
    r"approach|version|solution|change|motion|do)\b"
)
_WHEN = """
minute hour day week weekend month quarter year today tomorrow tonight morning afternoon evening
night noon next coming spring summer autumn winter season time
"""
_CLAUSE = re.compile(r"[,;:\u2013\u2014]\s|\s(?:and|because|since|so|as)\s")
_TURN = re.compile(r"\b(?:but|except|only|instead)\b")
_CALLED = re.compile(r",\s+@?[A-Z]\w*\W*$")  # "your idea, Mo"
_IT_IS = re.compile(r",?\s+it\s+is(?:,?\s+then)?\W*$")
_ID = re.compile(r"\bmem_\w+")


def verdict(outcome: str, content: str) -> str:
    """Return the status that a decision gives to a proposal that it names; "" if none."""
    if restates(outcome, content):
        return ACCEPTED
    told, about = _spaced(_CALLED.sub("", outcome)).lower(), _spaced(content).lower()
    told = _ID.sub("it", _IT_IS.sub("", told).replace(about, " it "))
    if _MODIFIES.search(told):
        return MODIFIED
    clause = told if _TURN.search(told) else _CLAUSE.split(told)[0]
    if _turns_down(clause, about) or _turns_down(told, about):
        return REJECTED
    if _points(clause) and not _unshared(_LATER, clause, about):
        return ACCEPTED
    if _unshared(_LATER, told, about) or _unshared(_FAULT, told, about):
        return ""
    return ACCEPTED if _says(told, content) else ""


def _turns_down(told: str, about: str) -> bool:
    verb = _unshared(_REJECTS, told, about) or _NOT.match(told)
    if verb:
        rest = told[verb.end() :]
        return _points(rest) or not significant(rest) or covered(rest, about) > 0
    beside = _INSTEAD_OF.search(told)
    if beside is None:
        return False
    chosen = told[: beside.start()]
    return covered(beside["gone"], about) >= _MORE and covered(chosen, about) < 1


def _unshared(pattern: re.Pattern[str], told: str, about: str) -> re.Match[str] | None:
    """Return a phrase of a decision that the proposal does not have, too."""
    found = pattern.search(told)
    if found is None or significant(found[0]) & significant(about):
        return None
    return None if found[0] in about else found


def _points(told: str) -> bool:
    """Return whether a text says nothing of its own: "to do it from May on"."""
    words = re.findall(r"[\w'-]+", told)
    own = significant(told) - significant(_POINTING)
    return bool(words) and _POINTS.search(told) is not None and own <= _times(told)


def _says(told: str, content: str) -> bool:
    """Return whether a decision says what a proposal says."""
    here, there = significant(told), significant(content)
    when, then = _times(told), _times(content)
    if contradicts(told, content) or (when - there and then - here):
        return False
    said = " ".join(sorted(here - (when - there)))
    share = covered(said, content)
    if share < _MORE or (share < _SAME and covered(content, told) < _MOST):
        return False
    return share >= _SAME or _verbs(content) <= here


def _verbs(text: str) -> frozenset[str]:
    """Return the significant verbs of a text's first clause."""
    terms = (one for frame in statement(text).frames[:1] for one in frame.terms.values())
    return frozenset(word for one in terms if one.role == "verb" for word in significant(one.raw))


def _times(text: str) -> frozenset[str]:
    """Return the significant words of a text that say when or how long."""
    terms = (one for frame in statement(text).frames for one in frame.terms.values())
    read = " ".join(one.raw for one in terms if one.kind in (*TIMES, "duration"))
    return significant(read) | (significant(text) & significant(_WHEN))


def _spaced(text: str) -> str:
    """Return a text with single spaces and straight apostrophes."""
    return " ".join(text.replace("\u2019", "'").split())
