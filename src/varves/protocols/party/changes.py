"""Recognises that a plan is dropped or replaced later in the same talk.

Somebody calls it off ("Hm, on second thought, no"), or names something else instead: with a new
proposal or choice, or in a few words ("OK, Tuesday then"). A few words alone can also say more
about the plan; they replace it only after somebody answered it and did not accept.
"""

from __future__ import annotations

import re

from varves.language.acts import RESOLVES
from varves.language.english.tongue import ENGLISH
from varves.protocols.party.concessions import agrees_wholly
from varves.protocols.party.phrases import decided
from varves.protocols.party.relevance import significant
from varves.protocols.party.turns import proposes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.turns import Heard

_SOFTLY = (
    r"(?:(?:no|nope|oh|ah|ok|okay|hm+|mm+|uh|um|well|actually|sorry|but|so|then|and|good|fine|right"
    r"|all right|alright|great|true|yes|yeah|please|in that case|(?:good|fair) (?:point|enough)"
    r"|point taken|you are right|i see)\b[,.!:;\u2026 -]*)*"
)
_HALTS = re.compile(  # an answer to a choice that stops it, with or without a reason
    r"^(?:(?:no|nope|nah|oh|hm+|but|please)[,.!;:]? )*"
    r"(?:(?P<no>no|nope|nah)[,.!;:]|(?:wait|hold on|hang on)\b)"
    r"(?!.*\b(?:fine|problem|objections?|worries|go ahead)\b)"
)
_CALLS_OFF = re.compile(
    rf"^{_SOFTLY}(?:(?:let us |we (?:can|could|should|better|will) |i would )?"
    r"(?:forget|scrap|drop|cancel|strike|skip|undo) (?:it|that|this|about (?:it|that)|the idea)\b"
    r"|never ?mind(?=[,.!]|$)|on (?:second|further) thoughts?\b|on reflection\b|thinking about it\b"
    r"|(?:wait|hold on|hang on)[,.!]* (?:no\b|we\b|that\b|it\b|the\b|there\b)"
    r"|(?:i|we) (?:have )?(?:just )?changed (?:my|our) minds?\b|i (?:now )?(?:take (?:it|that) back"
    r"|withdraw (?:it|that|my|the))|(?:better|rather|maybe) not\b|let us not(?= then|[.!]*$)"
    r"|let us leave (?:it|that)(?: be| alone| out| then)*[.!]*$)"
    r"|^(?:(?:oh|hm+|well|but|ok|okay|uh|um|sorry)[,.! \u2026]*)*actually[,.]* (?:no|not)\b"
)
_NO_THING = (
    r"(?!(?:i|you|we|he|she|they|it|that|this|these|those|me|us|them|him|her|there|here|let|is|are"
    r"|was|were|am|be|been|do|does|did|have|has|had|can|could|will|would|shall|should|may|might"
    r"|must|no|not|yes|what|who|when|where|why|how|which|see|talk|thanks?|thank|good|great|fine|cool"
    r"|nice|perfect|sure|right|true|correct|exactly|agreed|deal|done|bye|sorry|noted|understood|got|well|maybe"
    r"|perhaps|interesting|next|now|back|if|because|since|but|ok|okay|go|going|super|lovely)\b)"
)
_WHAT = rf"(?P<what>(?:{_NO_THING}[\w'\u2019-]+ ?){{1,5}})"
_INSTEAD = re.compile(
    rf"^{_SOFTLY}(?:(?:let us|we (?:could|can|will)) \w+ )?{_WHAT}"
    r"[, ]*\b(?:then|instead|rather)[.!?]*$"
)
_RATHER = re.compile(rf"^{_SOFTLY}(?:rather|better|make it|(?<=then )|(?<=then, )){_WHAT}[.!?]*$")
_TAKEN = re.compile(rf"^(?:(?:ok|okay|all right|alright|fine|oh|hm+)[,.!]* )+{_WHAT}[.!]*$")
_ASKED = re.compile(rf"^(?:(?:hm+|or|oh|well|and if)[,.]* )*{_WHAT}\?$")
_ONE = re.compile(r"\bones?\b")  # "a used one"
_FURTHER = re.compile(r"\b(?:and|also|next|additionally|besides|too|as well)\b")
_OPEN = re.compile(r"^(?:and|what|which|who|whose|when|where|why|how)\b")
_HESITATES = re.compile(r"^(?:hm+|mm+|uh|um|erm?|well|really)\b")
_PURPOSE = re.compile(r"\bfor (.+)", re.IGNORECASE)
_NEAR = 2  # a plan is called off so many turns after it was last spoken of


def is_called_off(one: Heard, *, since: int, words: frozenset[str]) -> bool:
    """Return whether a turn calls off the plan before it.

    Args:
        one: the turn.
        since: how many turns ago the plan was last spoken of.
        words: the significant words of the plan.
    """
    for each in one.spoken:
        if not each.asks and _CALLS_OFF.match(each.plain):
            return since <= _NEAR or bool(words & significant(each.text))
    return False


def doubts(one: Heard) -> bool:
    """Return whether a turn that accepts nothing does more than ask on, or say "oh"."""
    return any(
        _HESITATES.match(each.plain)
        or (significant(each.text) and not (each.asks and _OPEN.match(each.plain)))
        for each in one.spoken
    )


def replacement(one: Heard, words: frozenset[str], *, answered: bool) -> TurnSentence | None:
    """Return the sentence of a turn that names something else than a plan, if one does.

    Args:
        one: the turn.
        words: the significant words of the plan.
        answered: whether an earlier turn answered the plan.
    """
    if one.turn.type not in {"statement", "proposal"}:
        return None
    for each in one.spoken:
        if _FURTHER.search(each.plain) or _is_elsewhere(each.plain, words):
            continue
        told = named(each, answered=answered)
        if told is None and answered and (proposes(each) or decided(each) is not None):
            told = each.text
        if told is not None and (significant(told) - words or _ONE.search(told)):
            return each
    return None


def named(sentence: TurnSentence, *, answered: bool = True) -> str | None:
    """Return what a sentence of a few words names: "OK, Tuesday then", "Spelt?"."""
    shapes = (_INSTEAD, _RATHER, *((_TAKEN, _ASKED) if answered else ()))
    found = next(filter(None, (shape.match(sentence.plain) for shape in shapes)), None)
    what = found["what"] if found is not None else ""
    return what if significant(what) or _ONE.search(what) else None


def is_withdrawn(place: int, heard: Sequence[Heard]) -> bool:
    """Return whether a choice was called off, or exchanged for another after it was answered.

    "Let's take the blue ones." "Blue is invisible at dusk." "True, let's take orange." The answer
    need not say that it objects: the choice that follows it shows that it was an objection.
    """
    one = heard[place]
    words = significant(one.turn.text)
    answered, mine = False, True
    for since, each in enumerate(heard[place + 1 :], start=1):
        own = each.turn.agent == one.turn.agent
        if since == 1 and not own and _halts(each, one):
            return True
        if is_called_off(each, since=since, words=words):
            return True
        if mine and answered:
            if _exchanges(each, words):
                return True
            if replacement(each, words, answered=True) is not None:
                return True
        mine = mine and not own
        answered = answered or _answers(each, one)
    return False


def _answers(each: Heard, one: Heard) -> bool:
    """Return whether a turn answers another with less than agreement, and decides nothing else."""
    if agrees_wholly(each, one.turn.agent) or not doubts(each):
        return False
    return all(decided(sentence) is None for sentence in each.spoken)


def _halts(one: Heard, before: Heard) -> bool:
    found = _HALTS.match(one.spoken[0].plain) if one.spoken else None
    asked = any(each.asks for each in before.spoken)  # then "no" is an answer
    return found is not None and not (asked and found["no"])


def _exchanges(each: Heard, words: frozenset[str]) -> bool:
    """Return whether a turn admits what was said and settles for something else instead."""
    if each.turn.type != "statement":
        return False
    admits = ENGLISH.acts["admits"]
    if not any(admits.match(sentence.plain) for sentence in each.spoken):
        return False
    for sentence in each.spoken:
        text = sentence.plain
        settles = sentence.act(RESOLVES) or ENGLISH.acts["settles_for"].search(text)
        if not sentence.is_own or not settles or _FURTHER.search(text):
            continue
        if _is_elsewhere(text, words):
            continue
        admitted = admits.match(text)
        if significant(text[admitted.end() :] if admitted else text) - words:
            return True
    return False


def _is_elsewhere(plain: str, words: frozenset[str]) -> bool:
    """Return whether a sentence names another matter: "let us go with Vue for the till"."""
    purpose = _PURPOSE.search(plain)
    matter = significant(purpose[1]) if purpose is not None else frozenset[str]()
    return bool(matter) and not matter & words
