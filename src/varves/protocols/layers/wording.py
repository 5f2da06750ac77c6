"""Tells from its wording what a rule demands: to do something, or not to do it."""

from __future__ import annotations

import re

# the usual signs for wrong and right, such as crosses and ticks
_WRONG = re.compile(r"[\u274c\U0001f6ab\u26d4\u2717\u2718\u2716\U0001f6d1\U0001f44e]")
_RIGHT = re.compile(r"[\u2705\u2713\u2714\u2611\U0001f44d]")
_OPENERS = (
    *(
        "do not",
        "don't",
        "dont",
        "never",
        "avoid",
        "refrain from",
        "no",
        "not",
        "nothing",
        "nobody",
    ),
    *("none", "stop", "must not", "mustn't", "should not", "shouldn't", "shall not", "may not"),
    *("cannot", "can not", "can't", "won't", "will not", "under no circumstances", "at no time"),
    *("in no case", "on no account", "by no means", "forbidden", "prohibited", "banned", "neither"),
    *("disallowed", "not allowed", "absolutely no", "strictly no", "it is forbidden to", "abstain"),
    *("it is not allowed to", "keep away from", "stay away from", "stay out of", "keep out of"),
    *("are not allowed to", "are not to", "is not allowed to", "is not to", "aren't allowed to"),
    *("leave alone", "hands off", "resist", "absolutely never", "always avoid", "beware of"),
)
_SUBJECTS = r"(?:please |you |we |agents? |an agent |the agent |nobody |everyone |ever )*"
_CONDITION = (
    r"(?:(?:if|when|whenever|before|after|while|unless|in|on|for|during|as|even|until|with|without)"
    r"\b[^,:]{1,80}, )?"
)
_OPENING = re.compile(
    rf"{_CONDITION}{_SUBJECTS}(?:{'|'.join(sorted(_OPENERS, key=len, reverse=True))})(?![\w'-])"
)
_WITHIN = re.compile(
    r"^(?:(?!that\b|which\b|who\b|if\b|when\b|unless\b)[^\s,;:]+ ){1,6}"
    r"(?:(?:must|should|shall|may|can|will)(?:n't| not| never)|cannot|can't|won't"
    r"|(?:is|are) (?:strictly |absolutely |always )?(?:forbidden|prohibited|banned|disallowed|taboo"
    r"|not (?:allowed|permitted|acceptable|ok|okay)|never (?:allowed|acceptable|ok)|off[ -]limits"
    r"|to be avoided|unacceptable))(?!\w)"
)
_DOUBLE = re.compile(
    r"(?:do not|don't|never|dont) (?:ever )?"
    r"(?:forget|hesitate|fail|neglect|be afraid|be shy|omit)\b"
    r"|not only\b|no need\b|no matter\b|no later than\b|no problem\b"
    r"|nothing is (?:done|finished)\b"
)
_FORBIDDING = re.compile(
    rf"{_CONDITION}{_SUBJECTS}(?:do not|don't|dont|never|avoid|refrain from|must not|mustn't"
    r"|should not|shouldn't|may not|are not allowed to|are not to|under no circumstances"
    r"|it is (?:forbidden|not allowed) to|(?:stay|keep) out of)(?![\w'-])"
)
_FORBIDDEN = re.compile(
    r"^(?:(?!that\b|which\b|who\b|if\b|when\b|unless\b)[^\s,;:]+ ){1,6}"
    r"(?:(?:must|should|shall)(?:n't| not| never)|(?:is|are) (?:strictly |absolutely |always )?"
    r"(?:forbidden|prohibited|banned|taboo|not (?:allowed|permitted)|off[ -]limits))(?!\w)"
)
_ORDERING = re.compile(
    rf"{_CONDITION}{_SUBJECTS}(?:do(?! not\b| you\b| we\b| they\b)|always|make sure|be sure"
    r"|ensure that|must|have to)(?![\w'-])"
    r"|^(?:(?!that\b|which\b|who\b|if\b|when\b|unless\b)[^\s,;:]+ ){1,6}must (?:always )?\w+"
    r"|^(?:(?!(?:that|this|it|which|who|if|when|unless)\b)[^\s,;:]+ ){1,6}should (?:always )?\w+"
)
_BARE = re.compile(r"[*_\"\u201c\u201d`]+")
_SIGNED = re.compile(
    r"(?:(don't|do not|never|avoid|bad|wrong|incorrect|not this)"
    r"|(do|always|prefer|good|right|correct|do this))\s*:\s+\S"
)
_REPORTED = re.compile(r"\W*(?!(?:need|embed|feed|proceed|exceed|speed|seed)\b)\w+ed\b")


def orders(sentence: str) -> str:
    """Return `do` or `dont` for a sentence or line that plainly is a rule; otherwise ""."""
    text = _plain(sentence)
    if sentence.rstrip().endswith("?"):
        return ""
    if (_FORBIDDING.match(text) or _FORBIDDEN.match(text)) and not _DOUBLE.search(text):
        return "dont"
    return "do" if _ORDERING.match(text) or _DOUBLE.match(text) else ""


def _plain(rule: str) -> str:
    return " ".join(_BARE.sub("", rule.casefold().replace("\u2019", "'")).split())


def signed(line: str) -> str:
    """Return `do` or `dont` for a line that begins with a sign or a word for right or wrong.

    A tick before a report ("✅ Added the login") is no rule.
    """
    text = _plain(line)
    word = _SIGNED.match(text)
    if _WRONG.match(text) or (word and word[1]):
        return "dont"
    tick = _RIGHT.match(text)
    return "do" if word or (tick and not _REPORTED.match(text, tick.end())) else ""


def forbids(rule: str) -> bool:
    """Return whether a rule says what not to do."""
    text = _plain(rule)
    if sign := signed(rule):
        return sign == "dont"
    if _RIGHT.match(text):
        return False
    opening = _OPENING.match(text)
    if opening:
        return not _DOUBLE.search(text, 0, opening.end() + 20)
    return _WITHIN.match(text) is not None
