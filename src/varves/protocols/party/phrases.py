"""Decides by fixed phrases whether a sentence of a turn is worth remembering, and as what.

The first matching rule applies; if its phrase is negated, the sentence is ignored.
docs/protocols/party.md lists the rules.
"""

from __future__ import annotations

import re

from varves.protocols.party.relevance import significant
from varves.protocols.party.sentences import is_own
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.party.sentences import TurnSentence

KEPT = {
    "constraint": "context",
    "fact": "context",
    "preference": "preference",
    "observation": "observation",
    "inference": "observation",
}
"""The memory type for each rule; turns may have these names as types too."""
_LEAD = re.compile(
    r"^(?:(?:and|but|so|also|then)\b[\s,]+"
    r"|(?:well|ok|okay|yes|no|still|again|honestly|personally|frankly|by the way|for me"
    r"|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally)"
    r"\s*[,:]\s*)+",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|hardly|neither|nor|no longer|nobody|no one|nothing|can not|used to|false"
    r"|untrue|myth|wrong|doubt)\b"
)
_LATER = re.compile(r"\b(?:would|could|might|may|should)\s+(?:\w+\s+)?$")
_MUCH = (
    r"(?:(?:really|strongly|clearly|much|still|always|generally|usually|definitely|do|also|would"
    r"|personally|simply|far|tend to)\s+)*"
)
_CHAT = (  # preferences about the conversation itself
    r"(?!(?:to\s+|not\s+)*(?:wait|hear|listen|say|discuss|talk|think|stop|answer|comment"
    r"|postpone|move on|go first)\b|(?:it|that|this|yours|mine|neither|both)\W*$)"
)
_LAW = (
    r"(?:licen[cs]e|contract|policy|law|regulations?|regulator|customer|client|budget|sla"
    r"|auditors?|security team|vendor|platform|hosting|deadline)"
)
_NAMED_LAW = r"(?:gdpr|hipaa|compliance|legal)"
_BINDS = (
    r"(?:forbids?|prohibits?|requires?|rules? out|does not allow|do not allow|does not permit"
    r"|demands?|disallows?|limits? us to|insists? (?:on|that))"
)
_LIMITED = (
    r"(?:only (?:allows|accepts|permits)|(?:allows|accepts|permits|supports) only"
    r"|is (?:capped|limited) (?:at|to)(?=.*\d))"
)
_THING = r"(?!(?:it|so|none|nothing|much|more|a lot)\W*$|(?:that|this|them|these|those)\b(?! we))"
_CONCRETE = (
    r"(?:use|run|deploy|upgrade|access|store|install|rely on|depend on|exceed|expose|host)(?! away)"
)
_TALKING = (  # obligations of the conversation, not of the project
    r"(?!(?:\w+ly\s+)?(?:agree|disagree|decide|say|know|tell|wait|see|imagine|help|be sure|remember"
    r"|keep \w+ing|go on|continue|answer|understand|believe|stress|thank|ignore|forget|talk|discuss"
    r"|think|stop|hurry|finish|do (?:this|that|it)|be (?:honest|careful|fair|quick|clear)"
    r"|afford to wait)\b)"
)
_REASON = (
    r"(?:because|since|due to|as (?:the|our|it|we|that)|by law|by contract|for legal|owing to)"
)
_WE = (
    r"(?<!\w)(?:we|our \w+|the project|this project|the team|the app|the system|the build)\s+"
    r"(?:\w+ly\s+|still\s+)?"
)
_BARRED = r"(?:can not|must not|may not|(?:are|is|am) not (?:allowed|permitted) to)\s+"
_BOUND = (
    r"(?:must|have to|has to|(?:are|is) (?:required|limited|bound) to"
    r"|needs? to(?=\s+(?:support|keep|stay|remain|comply|retain|encrypt)\b))\s+"
)
_SEEN = r"(?:i|we)\s+(?:have\s+)?(?:just\s+|also\s+)?"
_RULES = (
    ("constraint", r"^(?:project\s+|hard\s+)?constraint\s*:\s*(?P<said>.+)"),
    (
        "constraint",
        (
            r"\b(?:the|our|one|another|a hard)\s+(?:\w+\s+)?(?:constraint|hard limit|restriction)"
            r"\s+(?:is|are)\s+(?P<said>.+)"
        ),
    ),
    ("constraint", rf"{_WE}{_BARRED}(?P<said>{_TALKING}.+?\b{_REASON}\b.+)"),
    (
        "constraint",
        (
            rf"(?:{_WE}{_BARRED}|\bit is (?:not possible|impossible) to\s+)"
            rf"(?P<said>{_CONCRETE}\s+{_THING}.+)"
        ),
    ),
    ("constraint", rf"{_WE}{_BOUND}(?P<said>{_TALKING}.+?\b{_REASON}\b.+)"),
    (
        "constraint",
        (
            rf"(?:\b(?:the|our|their)\s+(?:[\w-]+\s+)?{_LAW}|\b{_NAMED_LAW})\s+"
            rf"(?P<said>{_BINDS}\s+{_THING}.+)"
        ),
    ),
    (
        "constraint",
        rf"\b(?:the|our|their)\s+(?:[\w-]+\s+){{1,2}}{_LIMITED}\s+(?P<said>{_THING}.+)",
    ),
    ("preference", r"^preference\s*:\s*(?P<said>.+)"),
    ("preference", rf"\bi\s+{_MUCH}(?:prefer|favou?r)\s+(?P<said>{_CHAT}.+)"),
    ("preference", rf"\bi\s+would\s+(?:much\s+)?rather\s+(?P<said>{_CHAT}.+)"),
    ("preference", r"\bmy\s+(?:\w+\s+)?preference\s+(?:is|goes to)\s+(?P<said>.+)"),
    ("preference", rf"\bi\s+{_MUCH}like\s+(?P<said>.+?\s+(?:better|more)\s+than\s+.+)"),
    (
        "fact",
        (
            r"^(?:fact|for the record|it is a fact)(?:\s*[:,]\s*(?:that\s+)?|\s+that\s+)"
            r"(?P<said>.+)"
        ),
    ),
    (
        "fact",
        (
            r"^(?:i|we)\s+(?:have\s+)?(?:just\s+|now\s+)?"
            r"(?:(?:verified|confirmed|proved)\s+that|measured)\s+(?P<said>.+)"
        ),
    ),
    ("inference", r"^(?:inference|assumption|hypothesis)\s*:\s*(?P<said>.+)"),
    (
        "inference",
        (
            r"\b(?:i|we)\s+(?:can\s+)?(?:infer|assume|suspect|presume|conclude|deduce)"
            r"(?:\s+that)?\s+(?P<said>(?!you\b|so\b|not\b).+)"
        ),
    ),
    (
        "inference",
        (
            r"^(?:presumably|apparently|probably|most likely|(?:it )?(?:seems|looks) like|it seems"
            r"|it appears)(?:\s+that|\s*,)?\s+(?P<said>(?!(?:so|not|just|yes|no|an?|you)\b).+)"
        ),
    ),
    (
        "inference",
        (
            r"\b(?:this|that|which)\s+(?:suggests|implies|hints|indicates)\s+(?:that\s+)?"
            r"(?P<said>.+)"
        ),
    ),
    ("observation", r"^(?:observation|finding)\s*:\s*(?P<said>.+)"),
    (
        "observation",
        (
            rf"\b{_SEEN}(?:notice|noticed|observe|observed|discovered|found(?:\s+out)?|learned"
            r"|learnt|see|saw)\s+that\s+(?P<said>(?!you\b).+)"
        ),
    ),
    (
        "observation",
        rf"\b{_SEEN}(?:noticed|observed)\s+(?P<said>(?!you\b|that\b|nothing\b|no\b).+)",
    ),
    (
        "observation",
        (
            r"\b(?:it\s+)?turn(?:s|ed)\s+out\s+(?:that\s+)?"
            r"(?P<said>(?!to\b|well\b|fine\b|ok\b).+)"
        ),
    ),
)
_READ = tuple((rule, re.compile(phrase)) for rule, phrase in _RULES)
_DECISION = re.compile(
    r"^(?:(?:final\s+|the\s+)?decision|decided|agreed|resolution)\s*:\s*(?P<said>.+)"
    r"|^(?:so\s+|then\s+|ok\s*,?\s+)*(?:we|the team|the party)\s+(?:have\s+|has\s+)?"
    r"(?:now\s+|hereby\s+|just\s+|all\s+|both\s+)*(?:decided|agreed|resolved|settled)"
    r"(?:\s+(?:to|that|on)\b(?!\s+(?:disagree|meet|talk|wait|postpone|discuss|continue)\b)"
    r"|\s*:)\s*(?P<told>.+)"
    r"|^(?:so\s+|then\s+|ok\s*,?\s+)*(?:it\s+is|that\s+is)\s+(?:now\s+|hereby\s+)?"
    r"(?:decided|settled)(?:\s+that\b|\s*:)\s*(?P<settled>.+)"
    r"|^(?:so\s+)?(?:the|our)\s+(?:final\s+)?decision\s+is\s+(?:to|that)\s+(?P<ruled>(?!be\b).+)"
)
_PAST = re.compile(
    r"\b(?:yesterday|last (?:week|month|year|time|session|sprint|quarter)|years? ago|months? ago"
    r"|weeks? ago|back (?:then|in)|in the past|earlier this|previously|at the time|in 20\d\d"
    r"|originally|initially|already|at first|when we)\b"
)
_UNSURE = re.compile(
    r"\b(?:i (?:think|guess|believe|suppose|suspect|assume)|maybe|perhaps|probably|possibly"
    r"|presumably|apparently|it seems|likely|might)\b"
)
LEAST = {"preference": 1, "fact": 2, "constraint": 2, "observation": 2, "inference": 2}
_LABEL = re.compile(
    r"^(?:project\s+|hard\s+|final\s+|the\s+)?(?:fact|constraint|preference|inference|assumption|hypothesis"
    r"|observation|finding|decision|decided|agreed|resolution|argument|proposal)\s*:\s*",
    re.IGNORECASE,
)


class KeptSentence(Value):
    """What a sentence is kept for."""

    rule: str
    text: str
    unsure: bool = False


def worth(sentence: TurnSentence) -> KeptSentence | None:
    """Return what a sentence is worth remembering for, or None."""
    if not is_own(sentence):
        return None
    plain = _LEAD.sub("", sentence.plain, count=1)
    for rule, phrase in _READ:
        found = phrase.search(plain)
        if found is None:
            continue
        before = plain[: found.start()]
        enough = len(re.findall(r"\w+", found["said"])) >= LEAST[rule]
        if not enough or _is_denied(rule, before, plain[found.start() : found.start("said")]):
            return None
        unsure = bool(rule in {"constraint", "fact"} and _UNSURE.search(before + found[0]))
        return KeptSentence(rule=rule, text=cleaned(sentence.text), unsure=unsure)
    return None


def _is_denied(rule: str, before: str, phrase: str) -> bool:
    """Return whether words before or within a phrase negate it."""
    if rule == "constraint":  # the phrase itself is a negation: `cannot`
        return bool(_DENIED.search(before) or _LATER.search(before))
    inside = phrase if rule != "preference" else phrase.replace("would rather", "")
    return bool(_DENIED.search(before + inside) or _LATER.search(before))


def decided(sentence: TurnSentence) -> str | None:
    """Return the decision that a sentence announces, or None."""
    if not is_own(sentence) or _PAST.search(sentence.plain) or _UNSURE.search(sentence.plain):
        return None
    found = _DECISION.search(sentence.plain)
    if found is None:
        return None
    said = found["said"] or found["told"] or found["settled"] or found["ruled"]
    nothing = re.match(
        r"(?:none|nothing|open|pending|postponed|tbd|not yet|no (?:decision|consensus)|no\W*$)",
        said,
    )
    return None if nothing or not significant(said) else cleaned(sentence.text)


def cleaned(text: str) -> str:
    """Return a sentence on one line without a label, a leading `And` and its full stop."""
    line = " ".join(text.split())
    line = _LABEL.sub("", _LEAD.sub("", line, count=1), count=1)
    line = line.strip(" *_")
    return line[:-1] if line.endswith(".") and not line.endswith("..") else line
