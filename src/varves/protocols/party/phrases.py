"""Decides whether a sentence of a turn is worth remembering, and as which type of memory.

The reader of the package `language` finds the acts of a sentence; the first act that has a type of
memory applies. Defined here are only the types of memories and the rules about the talk itself.
docs/protocols/party.md lists the rules.
"""

from __future__ import annotations

import re

from varves.language.acts import (
    ATTESTS,
    BINDS,
    DECIDES,
    INFERS,
    LEARNS,
    LIKES,
    OBSERVES,
    PREFERS,
    RESOLVES,
)
from varves.language.english.tongue import ENGLISH
from varves.language.sentences import plain
from varves.protocols.party.relevance import significant
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.acts import SpeechAct
    from varves.protocols.party.sentences import TurnSentence

GROUND = re.compile(
    r"\b(?:because|since|therefore|otherwise|due to|for example|for instance|so that|evidence"
    r"|shows?|showed|proves?|measured|benchmarks?|tests?|costs?|fails?|breaks?|loses?"
    r"|the reason|why)\b|\d|, so (?!be it|do i\b|am i\b)\w"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|a hundred)"
    r" (?:milli|micro)?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|percent)\b"
)
REASON = re.compile(
    r"\b(?:because|since (?!yesterday|last|then|\d)|therefore|otherwise|due to|so that|the reason"
    r"|which (?:means|would mean|saves|costs)|that is why)\b|, so (?!be it|do i\b|am i\b)\w"
)
_GIVEN = re.compile(  # a reason after a colon is a clause, and not a list or what "this" means
    r"(?<!this)(?<!that)(?<!these)(?<!follows)(?<!following)(?<!things)(?<!people): "
    r"(?:\w[\w'-]* ){1,5}?"
    r"(?:is|are|was|were|has|have|had|can|could|will|would|does|do|did|needs?|takes?|costs?|leaks?"
    r"|breaks?|fails?|fell|broke|froze|lost|got|went|came|took|ran|(?!need)\w{3,}ed)\b"
)
_ASKS_FOR = re.compile(  # "we should do two things: …"
    r"\b(?:two|three|four|five|six|some|several|the following) (?:\w+ ){1,2}?: "
    r"|: (?:who|what|how)\b"
)
POSITION = re.compile(  # what somebody may object to
    r"\b(?:should|ought to|better|best|worse|worst|safer|simpler|cheaper|faster|slower|easier"
    r"|harder|riskier|fewer|too \w+"
    r"|(?:is|are|would be|seems?|makes?) (?:an? |the |not |no )*(?:right|wrong|good|bad|great|sense"
    r"|risky|safe|unsafe|overkill|worth|essential|important|necessary|enough|sensible|mistake|waste))\b"
)
SHOULD = re.compile(r"\b(?:should|ought to)\b")
ABOUT_TALK = re.compile(
    r"\b(?:should|let us|need to|ought to|must|have to) (?:\w+ )?(?:keep \w+ing|be honest|talk"
    r"|discuss|wait|meet|stop|think|move on|listen|take a|go first|postpone|hear|hurry|leave|start"
    r"|begin|eat|wrap up|get going|be quick|speak|sit|finish|come back|stay late|go home)\b"
)
COUNTERS = re.compile(r"^(?:but|however|yet)\b|\bthough[.!]*$")
INSTEAD = re.compile(r"\b(?:instead|rather than)\b")
ASIDE = re.compile(
    r"[;\u2014]|,?\s+(?:because|since|due\s+to|so\s+that|instead\s+of|rather\s+than)\b"
    r"|,\s+(?:and\s+|but\s+)?not\b",
    re.IGNORECASE,
)
AGAINST = re.compile(
    r"\b(?:not|no(?!-)|never|without|drop|dropped|avoid|against|reject|rejected)\b"
)
SIDED = re.compile(r"\b(?:agreed?|disagree|object|oppose|opposed|reject|against)\b", re.IGNORECASE)
VERDICT = re.compile(r"\b(?:agree|disagree|agreed)\b|\b(?:right|wrong)\W*$")
BECAUSE = re.compile(  # a reason follows; a name that is addressed is skipped
    r"(?:,\s+[\w-]+)?\s*(?:(?:,\s+)?\b(?:because|since|as)\s+|[,:;\u2014]\s+|\s-\s)",
    re.IGNORECASE,
)


KEPT = {
    "constraint": "context",
    "fact": "context",
    "preference": "preference",
    "observation": "observation",
    "inference": "observation",
}
"""The memory type for each rule; turns may have these names as types too."""
_ACTS = {
    BINDS: "constraint",
    PREFERS: "preference",
    LIKES: "preference",
    ATTESTS: "fact",
    INFERS: "inference",
    LEARNS: "observation",
    OBSERVES: "observation",
}
_LEAST = {"preference": 1, "constraint": 1}  # the fewest words of a statement; 2 by default
_TALK = re.compile(  # statements about the conversation itself
    r"(?:to |not )*(?:wait|hear|listen|say|discuss|talk|think|stop|answer|comment|postpone|meet"
    r"|continue|disagree|move on|let us"
    r"|decide (?:(?:on )?(?:that|this|it)|about|later|soon|next|tomorrow|then|when|if|whether)"
    r"|(?:go|speak|talk|present|begin|start) (?:first|last|next))\b"
    r"|(?:it|that|this|yours|mine|neither|both|not)\W*$"
)
_DONE = re.compile(r"(?:to |not )*(?:wait|stop|continue|discuss|meet|postpone)\b")
"""What a group may also do in its work: "to postpone the launch"."""
_SOON = re.compile(  # a time of the talk itself
    r"\b(?:noon|midnight|lunch|dinner|breakfast|break|o'clock|\d+(?:[:.]\d+)?(?: ?[ap]\.?m\b)?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|later|soon|again|first|now"
    r"|then|next \w+)\b"
)
_LEAD = re.compile(
    r"^(?:(?:and|but|so|also|then)\b[\s,]+"
    r"|(?:well|ok|okay|oh|true|exactly|yes|no|right|alright|great|good|fine|done|actually|agreed|still|again"
    r"|honestly|personally|frankly|by the way|for me"
    r"|(?:one|another) (?:more |last |other )?(?:thing|point)"
    r"|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally)(?: then)?"
    r"\s*[,:]\s*(?:(?:so|then)\s+)?)+",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\[(?:decision|consensus)\]\s*|"
    r"^(?:project\s+|hard\s+|final\s+|the\s+)?(?:fact|constraint|preference|inference|assumption|hypothesis"
    r"|observation|finding|decision|decided|agreed|resolution|argument|proposal|verdict|consensus"
    r"|conclusion|call|answer)\s*(?:[:\u2014\u2013]|--?\s)\s*"
    r"|^(?:just\s+)?for\s+the\s+record\s*[,:]\s*(?:that\s+)?"
    r"|^it(?:[\u2019']s|\s+is)\s+(?:now\s+|all\s+|hereby\s+)?(?:settled|decided|agreed)\s*:\s*",
    re.IGNORECASE,
)


def gives_reason(sentence: TurnSentence) -> bool:
    """Return whether a sentence gives a reason, perhaps after a colon: "… upstairs: it floods"."""
    plainly = sentence.plain
    if REASON.search(plainly) is not None:
        return True
    return _GIVEN.search(plainly) is not None and _ASKS_FOR.search(plainly) is None


class KeptSentence(Value):
    """A sentence that is worth remembering: the rule that found it, and its text."""

    rule: str
    text: str
    unsure: bool = False


def worth(sentence: TurnSentence) -> KeptSentence | None:
    """Return the rule by which a sentence is worth remembering, and the text to keep; or None."""
    if not sentence.is_own:
        return None
    for kind, rule in _ACTS.items():
        act = sentence.act(kind, plainly=kind == PREFERS)
        if act is None:
            continue
        if len(re.findall(r"\w+", act.value)) < _LEAST.get(rule, 2):
            return None
        if kind == PREFERS and is_about_talk(act.value):
            return None
        unsure = rule in {"constraint", "fact"} and _is_guessed(sentence, act)
        return KeptSentence(rule=rule, text=cleaned(sentence.whole), unsure=unsure)
    return None


def _is_guessed(sentence: TurnSentence, act: SpeechAct) -> bool:
    """Return whether words before the statement mark it as a guess."""
    within = sentence.said.sentence
    before = plain(within.own[: act.start - within.start])
    return ENGLISH.guards["guesses"].search(before) is not None


def is_choice(sentence: TurnSentence) -> bool:
    """Return whether a decision is only a choice, as in "let's go with Redis".

    Such a choice is not a decision if somebody objects.
    """
    return sentence.act(DECIDES, plainly=True) is None


def decided(sentence: TurnSentence) -> str | None:
    """Return the decision that a sentence announces, or None."""
    act = sentence.act(DECIDES, plainly=True) or sentence.act(RESOLVES)
    if act is None or not sentence.is_own or sentence.said.guards.guesses:
        return None
    done = _DONE.match(act.value) if act.plainly else None
    works = done is not None and significant(_SOON.sub(" ", act.value[done.end() :]))
    if (is_about_talk(act.value) and not works) or not significant(act.value or sentence.text):
        return None
    return cleaned(sentence.whole)


def is_about_talk(told: str) -> bool:
    """Return whether what an act says is about the conversation itself, as in "let's wait"."""
    return _TALK.match(told) is not None


def covers(longer: str, shorter: str) -> bool:
    """Return whether a decision has all significant words of another, and denies what it denies."""
    wanted, held = significant(shorter), significant(longer)
    denied = [AGAINST.search(text.casefold()) is not None for text in (longer, shorter)]
    return bool(wanted) and wanted <= held and denied[0] == denied[1]


def cleaned(text: str) -> str:
    """Return a sentence on one line without a label, a leading `And` and its full stop."""
    line = " ".join(text.split())
    line = _LABEL.sub("", _LEAD.sub("", line, count=1), count=1)
    line = line.strip(" *_").rstrip(";,")
    return line[:-1] if line.endswith(".") and not line.endswith("..") else line
