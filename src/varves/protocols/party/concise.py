"""Shortens a memory to the description that a sidecar may hold; the log keeps the whole text.

What a sentence says stands mostly at its end: "every invoice that we send to the customers in the
north is printed on recycled paper". So details are left out before the end is cut: asides, an
opening about the time before, and what describes the subject more closely, the last detail first.
Words that limit the statement ("without a badge", "over 12 tonnes") are never left out.
"""

from __future__ import annotations

import re

from varves.protocols.excerpt import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ASIDES = (
    re.compile(r"\s*\([^()]*\)"),
    re.compile(
        r", (?:which|who|whose|where|for (?:example|instance)|such as|e\.g\.|i\.e\.|\w+ed) [^,;]*"
        r"(?:,(?= )|(?=[.;]|$))",
        re.IGNORECASE,
    ),
    re.compile(r"^(?:after|during|following|despite|given|thanks to) [^,]+, ", re.IGNORECASE),
)
_BOUNDS = (
    r"\b(?:no|not|never|none|nobody|neither|nor|without|only|except|but|unless|if|at (?:least|most)"
    r"|more|less|fewer|than|over|under|above|below|closed|open)\b|n[\u2019']t\b|\d"
)
_BINDS = re.compile(_BOUNDS, re.IGNORECASE)
_LIMITS = re.compile(rf"{_BOUNDS}|\b(?:up|until|before|after|each|every|all|any)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"^(?:I|We|It) (?:[\w\u2019']+ ){1,3}that |^[^,]{1,20}[,:] ", re.IGNORECASE)
_DETAIL = re.compile(
    r" (?=(?:of|for|in|on|at|from|near|behind|beside|between|to|with|by|that|which|who|whose|we"
    r"|they|i|you|and)\b)",
    re.IGNORECASE,
)
_VERB = re.compile(
    r" (?=(?:is|are|was|were|has|have|had|must|may|can|cannot|can[\u2019']t|should|shall|will|would"
    r"|needs?|does|do)\b)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\b(?:that|which|who|we|they|i|you|it)$", re.IGNORECASE)
_OMITTED = " \u2026"


def concise(text: str, length: int) -> str:
    """Return a text on one line in at most `length` characters, without details that do not fit."""
    line = " ".join(text.split())
    for one in _ASIDES:
        if len(line) > length:
            line = one.sub(lambda aside: aside[0] if _BINDS.search(aside[0]) else "", line)
    line = line[:1].upper() + line[1:] if text[:1].isupper() else line
    if len(line) > length:
        line = next((each for each in _undetailed(line) if len(each) <= length), line)
    return shortened(line, length)


def _undetailed(line: str) -> Iterator[str]:
    """Yield a sentence with fewer and fewer details of its subject."""
    clause = _CLAUSE.match(line)
    begin = clause.end() if clause else 0
    for verb in _VERB.finditer(line, begin):
        if _RELATIVE.search(line[: verb.start()]):
            continue
        subject, *details = _DETAIL.split(line[begin : verb.start()])
        if "," in line[begin : verb.start()]:
            return
        kept = [f" {one}" for one in details]
        for place in reversed(range(len(details))):
            if not _LIMITS.search(details[place]):
                kept[place] = _OMITTED
                told = re.sub(rf"(?:{_OMITTED})+", _OMITTED, "".join(kept))
                yield f"{line[:begin]}{subject}{told}{line[verb.start() :]}"
        return
