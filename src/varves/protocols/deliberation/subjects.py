"""What a decision or a proposal is about: its topic, its outcome, its content.

The outcome is what follows the words that decide, to the end of their sentence. The topic is what
stands in quotation marks in that sentence, else what follows about, regarding, on or for, else the
message's first words. A proposal's content is what follows the words that propose.
"""

from __future__ import annotations

import re

from varves.values.gist import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.deliberation.patterns import PatternPlace, SearchedText
    from varves.protocols.deliberation.state import Proposal

LONGEST = 500  # characters of a topic, an outcome, a content or a position
_BACK = 2000  # characters before a place in which its sentence's beginning is looked for
_ENDS = re.compile(r"[.!?\u2026]+(?=[\"'\u201d\u2019)\]*_]*(?:\s|$))|\n|$")
_SHORTENED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no|dr|mr|mrs|ms|st)\.$", re.IGNORECASE)
_TAG = re.compile(r"\[[A-Za-z]+\]")
_LEADING = re.compile(r"(?:[\s:,;.\u2013\u2014*_\u2026-]|--+)+")
_LIST = re.compile(
    r"[\s:;.!*_]*\n\s*((?:[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t]+[^\n]{1,500}(?:\n|$)){1,20})"
)
_POINT = re.compile(r"^[ \t]*(?:[-*\u2022]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
_TRAILING = " \t\r\n.!?,;:*_\u2026"
_QUOTES = (
    re.compile(r"\"([^\"\n]{1,100})\""),
    re.compile(r"\u201c([^\u201d\n]{1,100})\u201d"),
    re.compile(r"\u00ab\s?([^\u00bb\n]{1,100}?)\s?\u00bb"),
    re.compile(r"`([^`\n]{1,100})`"),
    # An apostrophe has a letter on its left; an opening quotation mark has none.
    re.compile(r"(?<![\w'])['\u2018](?=\S)([^\n]{1,100}?)(?<=\S)['\u2019](?!\w)"),
)
_AFTER = (
    re.compile(r"(?<![\w-])(?:about|regarding)\s+", re.IGNORECASE),
    re.compile(r"(?<![\w-])(?:on|for)\s+", re.IGNORECASE),
)
_STOP = re.compile(
    r"[,;:!?()\n\u2013\u2014]|\.(?=\s|$)|\s-+\s|\s(?:that|to|is|are|was|will|would|because|since|so|"
    r"but|with|by|in|as|until|if|when|we|it|they|for|on|about)\s",
    re.IGNORECASE,
)
_NOTHING = """
now example instance sure good this that these those it me us you them him her all both once time
hold board top everyone everybody everything reasons later today tomorrow ever
"""
_NO_TOPIC = frozenset(_NOTHING.split())
_ARTICLES = frozenset(("a", "an", "the", "our", "its"))
_LINKING = {
    "decision": re.compile(r"\s*(?:is|was|that)\b", re.IGNORECASE),
    "proposal": re.compile(r"\s*(?:that|is|was|would\s+be)\b(?:\s+that\b)?", re.IGNORECASE),
}
_WORD = re.compile(r"\w+")


def sentence_bounds(text: str, place: PatternPlace) -> tuple[int, int]:
    """Return where the sentence begins and ends in which something stands."""
    begin = max(0, place.start - _BACK)
    start = begin
    for match in _ENDS.finditer(text, begin, place.start):
        if match.end() <= place.start and match[0] and not _shortened(text, match):
            start = match.end()
    return start, sentence_end(text, place.end)


def sentence_end(text: str, start: int) -> int:
    """Return where the sentence that is under way ends."""
    limit = min(len(text), start + LONGEST)
    for match in _ENDS.finditer(text, start, limit):
        if match[0] != "" and match[0] != "\n" and _shortened(text, match):
            continue
        return match.start()
    return limit


def _shortened(text: str, stop: re.Match[str]) -> bool:
    """Tell whether a full stop belongs to a shortened word, not to the sentence."""
    return _SHORTENED.search(text, max(0, stop.start() - 8), stop.start() + 1) is not None


def sentence(text: SearchedText, place: PatternPlace) -> str:
    """Return the sentence in which something stands, as it was written."""
    start, end = sentence_bounds(text.plain, place)
    return trimmed(text.text[start : min(len(text.text), end + 1)], ends="")


def trimmed(text: str, ends: str = _TRAILING) -> str:
    """Return a text on one line, without tags and what only leads on, and not too long."""
    short = " ".join(_TAG.sub(" ", text[: 2 * LONGEST]).split())
    lead = _LEADING.match(short)
    short = short[lead.end() :] if lead else short
    short = short.rstrip(ends) if ends else short.rstrip()
    if len(short) > LONGEST:
        short = short[: LONGEST - 1].rsplit(" ", 1)[0] + "\u2026"
    return short


def rest(text: SearchedText, place: PatternPlace, kind: str) -> str:
    """Return what follows the words that make a kind, to the sentence's end; else the sentence."""
    start = place.end
    while (
        start < len(text.plain) and text.plain[start - 1].isalnum() and text.plain[start].isalnum()
    ):
        start += 1  # the pattern ended within a word
    linking = _LINKING[kind].match(text.plain, start)
    start = linking.end() if linking else start
    points = _points(text, start)
    if points:
        return points
    lead = _LEADING.match(text.plain, start, start + LONGEST)
    after = lead.end() if lead else start
    broken = "\n" in text.plain[start:after] and kind == "decision" and not place.marker
    if not broken or text.plain[start:after].lstrip().startswith(":"):
        end = sentence_end(text.plain, after)
        found = trimmed(text.text[after:end])
        if _WORD.search(found):
            leads_on = text.plain[after:end].rstrip().endswith(":")
            points = _points(text, end) if leads_on else ""
            return trimmed(f"{found}: {points}") if points else found
    whole = trimmed(sentence(text, place))
    return whole or _all(text)


def _points(text: SearchedText, start: int) -> str:
    """Return a list that begins on the next line, on one line; nothing where there is none."""
    found = _LIST.match(text.plain, start, start + 2 * LONGEST)
    if found is None:
        return ""
    lines = _POINT.sub("", text.text[found.start(1) : found.end(1)]).splitlines()
    return trimmed("; ".join(line for each in lines if (line := trimmed(each))))


def _all(text: SearchedText) -> str:
    """Return the message in one line; one that is a tag alone is just that."""
    return trimmed(text.text) or " ".join(text.text.split())[:LONGEST]


def topic(
    text: SearchedText, place: PatternPlace, words: int, *, named: Sequence[Proposal] = ()
) -> str:
    """Return what a decision is about; of one that only names a proposal, what that says."""
    start, end = sentence_bounds(text.plain, place)
    part = text.text[start:end]
    quotes = [match for pattern in _QUOTES for match in pattern.finditer(part)]
    for match in sorted(quotes, key=lambda one: one.start()):
        found = " ".join(match[1].split()).rstrip(",;:")
        if _WORD.search(found):
            return found
    for pattern in _AFTER:
        for match in pattern.finditer(part):
            found = _named(part, match.end(), words)
            if found:
                return found
    whole = named[0].content if len(named) == 1 else text.text[:LONGEST]
    first = _TAG.sub(" ", whole).split()[:words]
    return trimmed(" ".join(first)) or _all(text)


def _named(part: str, start: int, words: int) -> str:
    """Return what a word such as about leads to, unless it is nothing of its own."""
    stop = _STOP.search(part, start)
    found = trimmed(" ".join(part[start : stop.start() if stop else len(part)].split()[:words]))
    told = found.lower().split()
    return "" if not told or told[0] in _NO_TOPIC else found


def outcome(text: SearchedText, place: PatternPlace, about: str) -> str:
    """Return what was decided, without the topic where that only leads on to it."""
    found = rest(text, place, "decision")
    lead = re.match(
        rf"(?:about|regarding|on|for)\s+[\"'\u201c\u2018`]?{re.escape(about)}[\"'\u201d\u2019`]?\s*:\s*",
        found,
        re.IGNORECASE,
    )
    return found[lead.end() :] if lead and lead.end() < len(found) else found


def same_topic(one: str, other: str) -> bool:
    """Tell whether two topics are one: case, marks, endings and articles do not count."""
    return _bare(one) == _bare(other)


def same_outcome(one: str, other: str) -> bool:
    """Tell whether two outcomes are one: the same words, in whichever order."""
    return sorted(_bare(one)) == sorted(_bare(other))


def _bare(text: str) -> list[str]:
    words = (word for word in _WORD.findall(text.lower()) if word not in _ARTICLES)
    return [stem(word) for word in words]
