"""Splits a message into clauses, each in the plain form that patterns match.

The reader of the package `language` finds the sentences, masks quotations and code, and expands
contractions. This module removes words that only open or close a sentence ("ok so", "please
commit"), in each language that capture supports. It also splits a dictated message at the speaker's
hesitations.
"""

from __future__ import annotations

import re

from varves.language.sentences import GAP, own_words, plain, spans
from varves.values.value import Value

LONGEST = 1000  # the most characters of a clause that are read; the rest is ignored
_MOST = 200  # the most clauses of a message that are read

_DICTATED = re.compile(r"\b(?:um+|uh+|euh)\b", re.IGNORECASE)
_GERMAN = re.compile(
    r"\b(?:der|die|das|und|ist|nicht|wir|ich|den|dass)\b", re.IGNORECASE
)  # "um" is not in the list, because it is a German word
_FILLER = re.compile(
    r"\b(?:and |or |so |oh yeah |oh )?(?:um+|uh+|euh|oh yeah|oh wait)\b", re.IGNORECASE
)
_LEAD = re.compile(
    r"^(?:[\s,;:.!*\u2013\u2014-]|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]|\d{1,2}[.)]\s|"
    r"\[[ x]\]\s|"
    r"(?:ok(?:ay)?|k|so|and|also|oh|well|hm+|mm+|ah|yeah|yes|yep|great|nice|perfect|good|cool|"
    r"thanks|thank you|thx|ty|right|alright|all right|btw|by the way|"
    r"(?:one (?:more|last|other|final)|another|last)(?: (?:thing|note|point|detail)|(?=[:,;]))|"
    r"actually|hi|hey|hello|sorry|wait|anyway|but|then it is clear|"
    r"awesome|sweet|fine|sure|got it|makes sense|fair|true|exactly|oh and|"
    r"what was i going to say|you know|i mean|um+|uh+|"
    r"ja|gut|super|danke|alles klar|übrigens|und|also|"
    r"oui|d'accord|très bien|parfait|merci|au fait|et|alors|bon|"
    r"sí|si,|vale|perfecto|genial|gracias|por cierto|y|bueno)"
    r"(?=[\s,;:.!]|$))+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:,|;|\s-|\band\b)?\s*(?:and |so |also |then )?"
    r"(?:(?:please|pls|plz|can you|could you|tu peux|peux-tu|kannst du|puedes)\b[^,;]*|"
    r"(?:btw|by the way|fyi|just (?:so you know|fyi|saying)|thanks|thank you|thx|merci|danke|"
    r"gracias|ok\?|okay\?|right\?|got it\?))\s*[.!]*$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"[,;]\s*(?:so |then |and |and so )(?:run|do not|don't|dont|check|fix|add|change|use|make|let|"
    r"update|please|you|we (?:can|could|should)|ttl|go)\b[^,;]*$",
    re.IGNORECASE,
)
_TAGGED = re.compile(  # a question that has no question mark
    r"(?:,| -) ?(?:right|correct|no|yes|ok|okay|or not|eh|oder|nicht wahr|non|verdad)[\s.!]*$|"
    r"(?:,| -) ?(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should)"
    r"(?:n['\u2019]?t| not)? (?:we|i|you|he|she|it|they|there)[\s.!]*$|"
    r"\b(?:can|could) you (?:see|tell|explain|check) (?:me )?(?:why|how|what|if|whether)\b",
    re.IGNORECASE,
)


class MessageSentence(Value):
    """One sentence of a message."""

    text: str
    """The original words, without the words that only open or close the sentence."""
    plain: str
    """The sentence's words in lower case, with contractions written out and quotations masked."""
    lead: str
    """The part that was removed from the sentence's beginning, in lower case."""
    asks: bool
    quoted: bool
    """Whether most of the sentence is in quotation marks."""


def clauses(text: str) -> list[MessageSentence]:
    """Return the clauses of a speaker's own words, in order."""
    own = masked(text)
    found = spans(own, parts=False)[:_MOST]
    if _DICTATED.search(own) and not _GERMAN.search(own):
        found = [part for start, end in found for part in _breaths(own, start, end)]
    return [one for start, end in found if (one := _clause(text, own, start, end)) is not None]


def masked(text: str) -> str:
    """Return a text in which each letter of quotations and code is replaced by a mask."""
    return own_words(text, strictly=True)


def _breaths(masked: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a dictated sentence at hesitations; return the (start, end) of each part."""
    found, at = [], start
    for pause in _FILLER.finditer(masked, start, end):
        found.append((at, pause.start()))
        at = pause.end()
    return [(a, b) for a, b in (*found, (at, end)) if masked[a:b].strip()]


def _clause(text: str, masked: str, start: int, end: int) -> MessageSentence | None:
    said = masked[start:end]
    asks = "?" in said.rstrip()[-4:] or _TAGGED.search(said) is not None
    lead = _LEAD.match(said)
    begin = start + (lead.end() if lead else 0)
    for pattern in (_TAIL, _ORDER, _TAIL):
        tail = pattern.search(masked, begin, end)
        if tail is not None and len(masked[begin : tail.start()].split()) > 3:
            end = tail.start()
    while end > begin and (text[end - 1].isspace() or text[end - 1] in ",;:-"):
        end -= 1
    said = masked[begin:end]
    if end - begin > LONGEST or not said.strip(f" {GAP}"):
        return None
    return MessageSentence(
        text=" ".join(text[begin:end].split()),
        plain=plain(said),
        lead=plain(masked[start:begin]),
        asks=asks,
        quoted=2 * said.count(GAP) > sum(map(str.isalnum, said)),
    )
