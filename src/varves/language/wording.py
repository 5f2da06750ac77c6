"""Writes in words what two statements disagree about: the subject, and the value of each.

The words come from the statements themselves, in their order and case. The subject is the sentence
without the value: "X" in "X is …", otherwise "The API listens on port …".
"""

from __future__ import annotations

import re

from varves.language.english.words import TITLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.language.frames import Mention

_TITLED = "".join(rf"(?<!\b{title})" for title in sorted(TITLES))
_BREAK = re.compile(rf"{_TITLED}[.!?;](?=\s)|\n", re.IGNORECASE)
_OPENS = re.compile(r"(?:is|are) (?:now )?(?=(?:the|our|my|his|her|their) )", re.IGNORECASE)
_LINKS = re.compile(r"\s*(?:\b(?:is|are|was|were)(?: now)?|[:=])$", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:The|A|An|Our|My|Your|His|Her|Their|This|All|Every|Each|We|In|On) ")
_BEFORE = re.compile(
    r"\b(in|on|at|under|behind|beside|near|above|below|over|inside|outside|next to)"
    r" (?:(?:the|a|an|our|my|your) )?$",
    re.IGNORECASE,
)
_EDGES = " \t\r\n,;:.!?-\u2013\u2014\"'()[]"
_LONG = 60  # the most characters of one part that a reason repeats
_WIDE = 40  # the most characters of a value that a reason repeats


def two_values(
    texts: tuple[str, str], before: Iterable[Mention], after: Iterable[Mention], about: str
) -> str:
    """Return the reason for a judgement that names a value in each of two texts.

    `about` is used as the subject if no sentence can be.
    """
    older, newer = texts
    gone, come = list(before), list(after)
    here, there = _span(older, gone), _span(newer, come)
    if here and there:
        here, there = _with_prepositions(older, newer, here, there)
    one = older[here[0] : here[1]] if here else " ".join(term.raw for term in gone)
    other = newer[there[0] : there[1]] if there else " ".join(term.raw for term in come)
    subject = _without(older, *here) if here else ""
    return f"two values for {subject or about}: {one} and {other}"


def phrase(text: str, terms: Iterable[Mention]) -> str:
    """Return the part of a text that contains these terms; if no part does, the terms' words."""
    found = list(terms)
    span = _span(text, found)
    return text[span[0] : span[1]] if span else " ".join(term.raw for term in found)


def _with_prepositions(
    older: str, newer: str, here: tuple[int, int], there: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the positions of two values, including their prepositions if these differ."""
    one, other = _BEFORE.search(older, 0, here[0]), _BEFORE.search(newer, 0, there[0])
    if one is None or other is None or one[1].lower() == other[1].lower():
        return here, there
    return (one.start(1), here[1]), (other.start(1), there[1])


def _span(text: str, terms: list[Mention]) -> tuple[int, int] | None:
    """Return (start, end) of the terms in a text, if they are close together; or None."""
    start, end = len(text), 0
    for term in terms:
        words = r"[\s.]+".join(re.escape(word) for word in term.raw.split())
        at = re.search(rf"(?<!\w){words}(?!\w)", text)
        if at is None:
            return None
        start, end = min(start, at.start()), max(end, at.end())
    wide = end - start > _WIDE + max((len(term.raw) for term in terms), default=0)
    if end <= start or wide or _BREAK.search(text, start, end):
        return None
    return start, end


def _without(text: str, start: int, end: int) -> str:
    """Return a sentence without the value at this position."""
    first = max((found.end() for found in _BREAK.finditer(text, 0, start)), default=0)
    stop = _BREAK.search(text, end)
    head = text[first:start].strip()
    tail = text[end : stop.start() if stop else len(text)].strip(_EDGES)
    tail = tail if len(tail) <= _WIDE else ""
    bare = _LINKS.sub("", head)
    if bare != head and not tail:
        return _short(_lowered(bare))
    opened = _OPENS.match(tail)
    if opened and not head:
        return _lowered(tail[opened.end() :])
    parts = (_short(head), "\u2026", tail)
    return f'"{" ".join(part for part in parts if part)}"' if head or tail else ""


def _short(head: str) -> str:
    """Return the end of a text that is too long to be shown whole."""
    if len(head) <= _LONG:
        return head
    return "\u2026 " + head[-_LONG:].partition(" ")[2]


def _lowered(words: str) -> str:
    return words[:1].lower() + words[1:] if _ARTICLE.match(words) else words
