"""Finds who agrees with, disagrees with or complements whom, in the speaker's own words.

An agent's relations come only from that agent's statements, in the present tense. Doubtful
statements are ignored: partial agreement, agreement under a condition, and agreement of others. The
type of a turn, if given, is trusted.
"""

from __future__ import annotations

import re

from varves.protocols.party.sentences import is_own
from varves.protocols.party.talk import Bond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.protocols.party.sentences import Names, TurnSentence
    from varves.protocols.party.talk import Turn

AGREES, DISAGREES, COMPLEMENTS = "agrees_with", "disagrees_with", "complements"
TYPED = {"agreement": AGREES, "disagreement": DISAGREES, "complement": COMPLEMENTS}
_NAMES = r"@\d+(?:(?:\s*,\s*@\d+)*\s*,?\s*(?:\band|&)\s+@\d+)?"
_SAYING = (
    r"(?:proposal|plan|point|idea|view|argument|position|approach|suggestion|reasoning|concern"
    r"|assessment|analysis|take|opinion|objection|conclusion|choice|design|number|estimate|comment"
    r"|remark|draft|rebuttal|preference|statement)s?"
)
_THEIRS = rf"(?!'s?(?!\w)(?!\s+(?:\w+\s+){{0,2}}{_SAYING}\b))"  # Noa's point, not Noa's brother
_FULLY = (
    r"fully|completely|totally|entirely|strongly|absolutely|wholeheartedly|really|certainly"
    r"|definitely|firmly|clearly|simply"
)
_ADVERBS = rf"(?:(?:do|{_FULLY}|also|still|very much|must|have to|now|then|just|too)\s+)*"
_AFTER = rf"(?:\s+(?:{_FULLY}|here|too|now|as well|100\s?%))*"
_NOT = r"(?:do not|can not|do no longer|no longer)\s+(?:really\s+)?"
_MORE = r"could not\s+(?P<more>agree more|disagree more|agree less)"
_VERB = re.compile(
    rf"(?P<who>\bi\s+|\b(?:and|but)\s+)(?:{_ADVERBS}(?P<not>{_NOT})?(?P<verb>agree|disagree|concur)"
    rf"|{_MORE})\b{_AFTER}"
)
_OBJECT = re.compile(
    rf"\s+with\s+(?:both\s+|what\s+|everything\s+)?(?P<names>{_NAMES}){_THEIRS}"
    r"(?!\s*(?:more|less|rather)\b)"
    r"|(?P<you>\s+with\s+(?:you|that|this|it|your\s+\w+|what\s+you\s+\w+|everything\s+you\s+\w+)\b"
    r"|\s*(?:[,.;:!\u2014\u2013]|$)|\s+-\s|\s+(?:that|on|about|because|and|but)\b)"
)
_CLAUSE = re.compile(r"[,;:\u2014\u2013]\s*|\s-\s|\b(?:and|but|so|because|yet)\s+")
_BLOCKS = re.compile(
    r"\b(?:not|never|when|whenever|until|once|before|after|would|could|should|might|may|will|used|"
    r"sure|think|thinks|say|says|said|see|wish|hope|want|pretend|people|you|they|he|she|why|how)\b|@"
)
_PARTLY = re.compile(
    r"\b(?:partly|partially|in part|to (?:some|an|a certain) extent|up to a point|somewhat|mostly"
    r"|more or less|half|to disagree|nor|sometimes|in principle|in theory)\b"
)
_RIGHT = re.compile(
    rf"(?P<think>\bi\s+(?:do\s+)?(?P<un>not\s+)?(?:think|believe)\s+(?:that\s+)?)?"
    rf"(?P<who>{_NAMES}|\byou)\s+(?:is|are)\s+(?:(?:{_FULLY}|quite|both|so)\s+)?"
    r"(?P<not>not\s+)?(?P<verdict>right|correct|wrong|mistaken)\b"
    r"(?!\s*(?:now|away|here|there|behind|next|or\b|after|before|-|in\s+(?:front|the\s+middle)))"
)
_OTHER = (
    (AGREES, rf"\bi\s+{_ADVERBS}(?:side|stand)\s+with\s+(?P<names>{_NAMES}){_THEIRS}"),
    (AGREES, rf"\bi\s+{_ADVERBS}(?:second|support|back)\s+(?P<names>{_NAMES}){_THEIRS}"),
    (AGREES, rf"\bi\s+am\s+with\s+(?P<names>{_NAMES})(?=\s+on\b|\s+here\b|\s*[.,!;]|$)"),
    (AGREES, rf"^(?:(?:{_FULLY})\s+)?(?:agree|seconded|\+1)\s*(?:,|with|to)\s*(?P<names>{_NAMES})"),
    (AGREES, rf"^(?:fully\s+)?agreed\s*,?\s*(?P<names>{_NAMES})\s*[.!,]?"),
    (DISAGREES, rf"\bi\s+{_ADVERBS}(?:object\s+to|oppose|dispute)\s+(?P<names>{_NAMES}){_THEIRS}"),
    (DISAGREES, rf"^(?:(?:{_FULLY})\s+)?disagree\s+with\s+(?P<names>{_NAMES})"),
    (COMPLEMENTS, rf"\bi\s+{_ADVERBS}complement\s+(?P<names>{_NAMES})"),
    (COMPLEMENTS, rf"(?P<names>{_NAMES})\s+and\s+i\s+{_ADVERBS}complement\s+each\s+other"),
    (COMPLEMENTS, rf"\bi\s+and\s+(?P<names>{_NAMES})\s+complement\s+each\s+other"),
    (COMPLEMENTS, rf"\bmy\s+(?:\w+\s+){{1,3}}complements?\s+(?P<names>{_NAMES})"),
    (
        COMPLEMENTS,
        (
            rf"(?P<names>{_NAMES})(?:'s?\s+(?:\w+\s+){{1,3}}|\s+)(?:really\s+)?complements?\s+"
            r"(?:me|mine|my\s+\w+)\b"
        ),
    ),
)
_OTHERS = tuple((relation, re.compile(said)) for relation, said in _OTHER)
_BARE = re.compile(
    r"^(?:fully\s+|totally\s+|completely\s+)?(?P<word>agreed|seconded|\+1|disagree)\s*[.!]?$"
)
_CALLED = re.compile(rf"^(?P<first>{_NAMES})\s*,|,\s*(?P<last>{_NAMES})\s*(?:,|[.!]*$)")


def bonds(turn: Turn, spoken: Sequence[TurnSentence], names: Names) -> list[Bond]:
    """Return the relations of the speaker that a turn states, each once."""
    if turn.type in TYPED:
        found = [(TYPED[turn.type], other) for other in _addressed(turn, spoken, names)]
    elif turn.type == "question":
        found = []
    else:
        found = [one for sentence in spoken for one in said(sentence, turn, names)]
    return [
        Bond(agent=turn.agent, other=other, relation=relation, turns=(turn.event,), rule=relation)
        for relation, other in dict.fromkeys(found)
        if other != turn.agent and other in names.agents
    ]


def _addressed(turn: Turn, spoken: Iterable[TurnSentence], names: Names) -> list[str]:
    """Return the agent a typed turn is about: the one it addresses, otherwise the one it names."""
    if turn.to is not None:
        return [turn.to]
    named = names.read(" ".join(sentence.placed for sentence in spoken))
    others = [name for name in named if name != turn.agent]
    return others if len(others) == 1 else []


def said(sentence: TurnSentence, turn: Turn, names: Names) -> list[tuple[str, str]]:
    """Return the relations one sentence states, as pairs of a relation and an agent."""
    placed = sentence.placed
    if not is_own(sentence) or _PARTLY.search(placed):
        return []
    called = _CALLED.search(placed)
    told = [turn.to] if turn.to is not None else []
    spoken_to = names.read(called[0]) if called else told
    bare = _BARE.match(placed)
    if bare:
        relation = DISAGREES if bare["word"] == "disagree" else AGREES
        return [(relation, other) for other in spoken_to]
    found = [*_verbs(placed, names, spoken_to), *_verdicts(placed, names, spoken_to)]
    for relation, phrase in _OTHERS:
        for match in phrase.finditer(placed):
            if not _is_blocked(placed[: match.start()]):
                found += [(relation, other) for other in names.read(match["names"])]
    return found


def _verbs(placed: str, names: Names, spoken_to: list[str]) -> list[tuple[str, str]]:
    """Match `I agree with ...`, its opposite, and what `and` or `but` continues."""
    found: list[tuple[str, str]] = []
    states = False
    for match in _VERB.finditer(placed):
        carried = not match["who"].startswith("i")
        if (carried and not states) or (not carried and _is_blocked(placed[: match.start()])):
            continue
        about = _OBJECT.match(placed, match.end())
        if about is None or (match["not"] and match["verb"] == "disagree"):
            continue
        states = True
        others = names.read(about["names"]) if about["names"] else spoken_to
        found += [(_meant(match), other) for other in others]
    return found


def _meant(match: re.Match[str]) -> str:
    if match["more"]:
        return AGREES if match["more"] == "agree more" else DISAGREES
    return DISAGREES if match["not"] or match["verb"] == "disagree" else AGREES


def _verdicts(placed: str, names: Names, spoken_to: list[str]) -> list[tuple[str, str]]:
    """Match `Noa is right`, `you are wrong` and similar sentences."""
    found = []
    for match in _RIGHT.finditer(placed):
        if _is_blocked(placed[: match.start()]):
            continue
        right = match["verdict"] in {"right", "correct"}
        denials = bool(match["un"]) + bool(match["not"])
        if denials and not right:
            continue  # `not wrong` does not mean right
        others = names.read(match["who"]) if "@" in match["who"] else spoken_to
        relation = AGREES if right and denials != 1 else DISAGREES
        found += [(relation, other) for other in others]
    return found


def _is_blocked(before: str) -> bool:
    """Return whether words before a statement in the same clause negate it."""
    return bool(_BLOCKS.search(_CLAUSE.split(before)[-1]))
