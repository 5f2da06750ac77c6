"""Gives a message the punctuation that its layout and its conjunctions stand for.

A heading such as "## Final decision" leads on to the text below it, as a colon does. A sentence
that decides one thing "and" proposes another is two sentences. Each function returns a text of the
same length, so that positions in it are positions in the message.
"""

from __future__ import annotations

import re

# Phrases that decide; a text after them tells what was decided.
_STANDS = r"(?:we(?:'ve|\s+have)?\s+(?:all\s+)?(?:agreed|decided|concluded)|"
_STANDS += r"consensus(?:\s+(?:is|has\s+been|was))?\s+reached|final\s+(?:decision|answer))"
# Words that are a decision only as a whole heading.
_HEADINGS = r"(?:(?:decision|verdict|conclusion|resolution|consensus|agreement)s?"
_HEADINGS += r"(?:\s+(?:made|taken|reached))?|agreed|decided|resolved)"
_MARKED = r"(?:\#{1,6}[ \t]+[*_]{0,3}|[*_]{2,3})"
_NUMBER = r"(?:\d{1,2}[.)][ \t]+|[-*\u2022][ \t]+)?"
_BELOW = r"(?:[^\w\n?:]|_){0,20}(?:\n[ \t]*(?:=+|-{3,}|~{3,})?[ \t]*(?=\n)){0,5}\n\s{0,50}"
_TAIL = rf"(?P<tail>{_BELOW}|[*_]{{0,3}}[.!\u2026]+[*_]{{0,3}}[ \t]+)"
_LEADS_ON = (
    re.compile(
        rf"^(?P<before>[^\n]*?)(?<![^\W_]){_STANDS}(?![^\W_]){_TAIL}(?=(?P<body>[^\n]+))",
        re.IGNORECASE | re.MULTILINE,
    ),
    re.compile(
        rf"^(?P<before>[ \t]*{_NUMBER}{_MARKED}(?:the |our |my )?)"
        rf"{_HEADINGS}(?![^\W_])(?P<tail>{_BELOW})(?=(?P<body>[^\n]+))",
        re.IGNORECASE | re.MULTILINE,
    ),
)
# "That is our final decision": the words before the phrase say what it is.
_PREDICATE = re.compile(
    r"(?:(?:\b(?:is|are|was|were|be|been|as|remains?|stays?|becomes?|makes?)|\w's|n't)\b"
    r"(?:\s+[\w*_]+){0,3}|\b(?:what|which|before|after|until|once|since|if|when|no|not|a|that)\b)\W*$",
    re.IGNORECASE,
)
_LAST_CLAUSE = re.compile(r".*[.!?;:,]\s", re.DOTALL)
_NEXT = re.compile(r"\s*(?:\#|>|`{3}|~{3}|\|)")
_LIST = re.compile(r"(?:[-*\u2022]|\d{1,2}[.)])[ \t]+")
_SENTENCE = re.compile(r"[^.!?\u2026]*[.!?\u2026]*")
# What people say after a decision, which is not its content.
_COURTESY = re.compile(
    r"\W*(?:(?:many |a big )?thanks?\b|thank you|cheers\b|bye\b|goodbye|good ?night|see (?:you|ya)|"
    r"have a (?:nice|good|great)|(?:kind |best )?regards|well done|good (?:job|work)|"
    r"great (?:job|work|meeting)|nice (?:job|work)|congrat|hooray|hurray|finally\b\W*$|phew|"
    r"(?:let's |we can )?mov(?:e|ing) on|on to (?:the|our|topic|item)\b|that's (?:all|it)\b|"
    r"(?:the |our )?(?:next|following|last|second|third|fourth) "
    r"(?:topic|item|point|agenda|subject|up|question)|(?:so,? )?(?:what's|what is) next|"
    r"any other (?:business|topics?|questions?|points?)|back to (?:the|our|item|topic)\b|"
    r"(?:that|this) (?:concludes|brings us|was (?:the|our) last|leaves)|so much for\b|"
    r"now (?:for|on|to|let's|we (?:can|have|need|come))\b)",
    re.IGNORECASE,
)

# Phrases with which a proposal, a decision or a view begins.
_PROPOSES = (
    r"(?:i(?:'d|\s+would|'m|\s+am)?(?:\s+(?:like\s+to|also|still|now|then))?"
    r"\s+(?:propos|suggest)(?:e|ing)?\b|what\s+if\s+we\b|let's\s+consider\b|"
    r"my\s+(?:suggestion|proposal)\s+(?:is|would)\b|(?:how|what)\s+about\b|"
    r"why\s+(?:not|don't\s+we)\b|(?:could|shall|should|can|maybe|perhaps)\s+we\b|"
    r"\[proposal\])"
)
_DECIDES = (
    r"(?:we(?:'ve|\s+have)?\s+(?:also\s+|now\s+|then\s+|all\s+)?(?:agreed|decided|concluded)\b|"
    r"let's\s+go\s+with\b|(?:the\s+)?consensus\s+(?:is|reached)\b|"
    r"(?:(?:the|our|my)\s+)?final\s+(?:decision|answer)\b|\[(?:decision|consensus)\])"
)
_SIDES = r"i\s+(?:dis)?agree\b"
_ACTS = rf"(?=(?P<proposes>{_PROPOSES})|(?P<decides>{_DECIDES})|{_SIDES})"
_AND = r"(?:and|but|so|also|then|while|whereas|yet|plus|although|though|however)"
_PARTED = re.compile(
    rf"(?<!\s)(?P<joint>\s?[,;\u2013\u2014]\s{{1,3}}(?:{_AND}\b,?\s{{1,3}}){{0,3}}|"
    rf"\s{{1,3}}(?:-{{1,3}}\s)?(?:{_AND}\s{{1,3}}){{1,3}}|\s-{{1,3}}\s|\s(?=\[\w{{8,9}}\]\s?\S))"
    rf"(?:(?:now|then|also|next|still|additionally)\s?,?\s){{0,2}}{_ACTS}",
    re.IGNORECASE,
)
# An act that says something.
_PROPOSED = re.compile(rf"{_PROPOSES}\W*\w", re.IGNORECASE)
_SETTLED = re.compile(rf"{_DECIDES}\W*\w", re.IGNORECASE)
_SUBJECTS = re.compile(r"(?:\bthat|\bif|\bwhat|[,;:])\s+(?:[A-Z]\w*|he|she|they|you)$")
_NEAR = 500  # the characters before a phrase that are read
_STOP = re.compile(r"[.!?\u2026]+(?=[\"')\]*_]*\s)|\n")


def led(plain: str) -> str:
    """Return a text in which a colon follows a heading or a sentence that only says "decided"."""
    for pattern in _LEADS_ON:
        plain = pattern.sub(_with_colon, plain)
    return plain


def _with_colon(found: re.Match[str]) -> str:
    tail, body = found["tail"], found["body"]
    if predicative(found["before"]):
        return found[0]
    told = _SENTENCE.match(body)
    if _NEXT.match(body) or _COURTESY.match(body) or (told and told[0].endswith("?")):
        return found[0]
    if _LIST.match(body):  # the list stays below
        start = tail.rfind("\n")
        return (
            found[0] if start < 1 else f"{found[0][: -len(tail)]}:{tail[1:start]!s}{tail[start:]}"
        )
    return f"{found[0][: -len(tail)]}:{' ' * (len(tail) - 1)}"


def predicative(before: str) -> bool:
    """Return whether words before a phrase make it a statement about them, as in "that is our"."""
    return _PREDICATE.search(_LAST_CLAUSE.sub("", before[-_NEAR:])) is not None


def parted(plain: str) -> str:
    """Return a text in which a full stop precedes an act that follows one of another kind."""
    return _PARTED.sub(_with_stop, plain)


def _with_stop(found: re.Match[str]) -> str:
    joint = found["joint"]
    before = found.string[max(0, found.start() - _NEAR) : found.start()]
    stops = [stop.end() for stop in _STOP.finditer(before)]
    said = before[stops[-1] :] if stops else before
    proposed = not found["proposes"] and _PROPOSED.search(said)
    settled = not found["decides"] and _SETTLED.search(said)
    if not (proposed or settled) or _SUBJECTS.search(said):
        return found[0]
    stop = "." + " " * (len(joint) - 1) if joint[1:] else "\n"
    return stop + found[0][len(joint) :]
