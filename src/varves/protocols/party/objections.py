"""Objections to what somebody said, and the arguments to which nobody objected."""

from __future__ import annotations

import re

from varves.language.acts import OPPOSES, PROPOSES
from varves.language.english.tongue import ENGLISH
from varves.protocols.party.consent import answered
from varves.protocols.party.debate import Won
from varves.protocols.party.phrases import (
    ABOUT_TALK,
    COUNTERS,
    POSITION,
    REASON,
    cleaned,
    decided,
    gives_reason,
    worth,
)
from varves.protocols.party.relations import DISAGREES
from varves.protocols.party.relevance import significant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from varves.protocols.party.debate import Debate
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.turns import Heard

_DOUBTS = re.compile(  # an answer that doubts, without a word of objection
    r"^(?:hm+|erm?|uh|well)\b[,.!\u2026 ]*"
    r"(?:(?:that|it|this) (?:is|sounds|seems|would|costs)|i\b|$)"
    r"|^(?:(?:hm+|well|but|honestly)[,.]? )*(?:(?:that|this|it) (?:is|sounds|seems|would be|looks)"
    r" (?:very |rather |quite |pretty |a bit |a little |awfully |really )*(?:expensive|risky|hard"
    r"|difficult|slow|dangerous|tricky|costly|unlikely|odd|strange|early|late|ambitious)"
    r"|i (?:am not (?:so |too |really |entirely )?(?:sure|certain)|doubt|have (?:my |some )?doubts"
    r"|wonder|am (?:in doubt|hesitant|sceptical|skeptical|afraid)))\b"
)
_POINTS = re.compile(r"\b(?:it|its|that|this|those|they|them|their)\b")
_WHO = re.compile(r"^(?:(?:and|ok|okay|so|good|great|fine|yes|but)\b[,.!]* )*(?:who|where)\b")
_ABOUT = re.compile(r"^(?:(?:and|ok|okay|so|good|great|fine|yes)\b[,.!]* )*what about\b")
_THERE = re.compile(r"\b(?:there|then|such|so (?:much|many|early|late))\b")


def unchallenged(heard: Sequence[Heard], debates: Iterable[Debate]) -> Iterator[Won]:
    """Yield the arguments outside debates that others heard and to which nobody objected."""
    debated = {move.event for debate in debates if debate.is_exchange for move in debate.moves}
    for place, one in enumerate(heard):
        after = {each.turn.agent for each in heard[place + 1 :]} - {one.turn.agent}
        if not after or one.turn.event in debated or _is_challenged(place, heard):
            continue
        text = cleaned(one.turn.text) if one.turn.type == "argument" else _argued(one)
        if text:
            doubted = _is_doubted(place, heard)
            yield Won(agent=one.turn.agent, text=text, challenged=doubted, turns=(one.turn.event,))


def _argued(one: Heard) -> str:
    """Return the sentences of a turn that take a position and give the reason."""
    if one.turn.type != "statement":
        return ""
    found = [
        cleaned(each.text)
        for each in one.statements
        if each.is_own
        and gives_reason(each)
        and worth(each) is None
        and decided(each) is None
        and not ABOUT_TALK.search(each.plain)
        and (each.act(PROPOSES) or POSITION.search(each.plain))
    ]
    return ". ".join(found)


def is_disputed(place: int, heard: Sequence[Heard]) -> bool:
    """Return whether somebody objects to a turn before its speaker goes on."""
    speaker = heard[place].turn.agent
    for each in heard[place + 1 :]:
        if each.turn.agent == speaker:
            return False
        if objects(each, speaker, follows=each is heard[place + 1]):
            return True
    return False


def objects(one: Heard, speaker: str, *, follows: bool) -> bool:
    """Return whether a turn objects to what a speaker said.

    If it `follows` that, or addresses the speaker, it need not name them.
    """
    if any((bond.relation, bond.other) == (DISAGREES, speaker) for bond in one.bonds):
        return True
    if one.turn.type == "rebuttal" and one.turn.to in (None, speaker):
        return True
    if one.turn.type != "statement" or not (follows or one.turn.to == speaker):
        return False
    return any(opposes(each, meets=True) for each in one.spoken if each.is_own)


def _is_challenged(place: int, heard: Sequence[Heard]) -> bool:
    """Return whether somebody objects to a turn, or asks in answer what speaks against it."""
    speaker, later = heard[place].turn.agent, heard[place + 1 :]
    about = significant(heard[place].turn.text)
    asked = any(
        ENGLISH.acts["challenges"].search(sentence.plain) and not _is_elsewhere(sentence, about)
        for each in later
        if each.turn.agent != speaker and (each is later[0] or each.turn.to == speaker)
        for sentence in each.spoken
        if sentence.asks
    )
    return asked or is_disputed(place, heard)


def _is_doubted(place: int, heard: Sequence[Heard]) -> bool:
    """Return whether the next agent answers a turn with a doubt or with a reason of its own."""
    speaker = heard[place].turn.agent
    after = heard[place + 1]
    if after.turn.agent == speaker or after.turn.type != "statement":
        return False
    if after.turn.to not in (None, speaker) or answered(
        after, speaker, heard[place].turn.text, follows=True
    ):
        return False
    about = significant(heard[place].turn.text)
    return any(
        _DOUBTS.search(each.plain)
        or (each.asks and _ABOUT.match(each.plain))  # perhaps a doubt, perhaps the next matter
        or (REASON.search(each.plain) and (_POINTS.search(each.plain) or about & _words(each)))
        for each in after.spoken
    )


def _is_elsewhere(sentence: TurnSentence, about: frozenset[str]) -> bool:
    """Return whether a question goes on to something else: "And who brings the coffee?"."""
    further = _WHO.match(sentence.plain) or _ABOUT.match(sentence.plain)
    pointing = _POINTS.search(sentence.plain) or _THERE.search(sentence.plain)
    return bool(further) and not pointing and not about & _words(sentence)


def _words(sentence: TurnSentence) -> frozenset[str]:
    return significant(sentence.text)


def opposes(sentence: TurnSentence, *, meets: bool = False) -> bool:
    """Return whether a sentence opposes a proposal, and not another person.

    If the turn answers a side (`meets`), it need not say that it objects: "that is too slow".
    """
    act = sentence.act(OPPOSES, plainly=not meets)
    if act is None:
        return meets and COUNTERS.search(sentence.plain) is not None
    return not act.whom
