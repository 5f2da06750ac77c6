"""The sentences of a message, in the plain form that the phrases are matched against.

Code, lines quoted with `>` and words in quotation marks are another's words and are left out.
Contractions are expanded ("I'd" becomes "i would", "don't" becomes "do not"). Clauses with if or
when are left out too, because they are only conditions.
"""

from __future__ import annotations

import re

from varves.protocols.deliberation.patterns import PatternPlace
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 40_000  # characters of a message that are read, half of them at its end
_END = 300  # the maximum number of sentences that are read at each end
LONGEST = 1000  # the maximum number of characters of a sentence that are matched

_CODE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(
    r"^[ \t]*>[^\n]*|\"[^\"\n]{1,300}\"|\u201c[^\u201d\n]{1,300}\u201d|"
    r"(?<![\w'])'(?=[^\s'])[^'\n]{1,200}(?<=[^\s'])'(?!\w)",
    re.MULTILINE,
)
_SPAN = re.compile(r"`[^`\n]+`|<?https?://\S+")
_CUT = re.compile(
    r"[.!?\u2026]+(?=[\"'\u201d\u2019)\]*_]*(?:\s|$))|;(?=\s)|\n+|\s-{2,}\s|\s\u2014\s"
)
_SHORTENED = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|approx|no|dr|mr|mrs|ms|st)$", re.IGNORECASE)
_MARKS = " .!?;\t\r\n\u2026"
_BULLET = re.compile(r"^\s*(?:(?:[>*+\u2022-]|\d{1,3}[.)])\s+)*(?:\[[ x]\]\s+)?")
_MEANT = (
    (re.compile(r"[\u2019\u02bc\uff07]"), "'"),
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\bshan't\b"), "shall not"),
    (re.compile(r"\blet's\b"), "let us"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"\b(it|that|this|there|here|what|he|she|who)'s\b"), r"\1 is"),
    (re.compile(r"\bgonna\b"), "going to"),
    (re.compile(r"[*_~]+"), ""),
    (re.compile(r"\s+"), " "),
)
_IF = re.compile(
    r"(?<!\bsure )(?<!\bknow )(?<!\bsee )(?<!\bwonder )(?<!\bunclear )(?<!\bas )(?<!\bobject )"
    r"\b(?:if|when|whenever|unless|in case|assuming|suppose|supposing)\b(?! we (?:just|instead)\b)"
    r"(?<!\bwhat if)(?<!\beven if)[^,;:]*(?:[,;:]|$|(?= then ))"
)


class Sentence(Value):
    """One sentence, or a part that a semicolon or a line break separates."""

    place: PatternPlace
    """Its position in the message."""
    plain: str
    """Its words in lower case, with contractions expanded."""
    done: str
    """`plain` without conditional clauses."""
    asks: bool
    """Whether it is a question."""
    first: bool = False
    """Whether it is the first sentence of the message."""


def sentences(text: str, most: int = MOST) -> tuple[Sentence, ...]:
    """Split a message into its sentences; the middle of a very long one is skipped."""
    half = most // 2
    parts = [(text, 0)]
    if len(text) > most:
        parts = [(text[:half], 0), (text[-half:], len(text) - half)]
    found = [one for part, offset in parts for one in _of(part, offset)]
    return (found[0].replace(first=True), *found[1:]) if found else ()


def _of(text: str, offset: int) -> Iterator[Sentence]:
    own = _own(text)
    spans = _spans(own)
    if len(spans) > 2 * _END:
        spans = [*spans[:_END], *spans[-_END:]]
    for start, end in spans:
        yield from _one(own, start, end, offset=offset)


def _spans(own: str) -> list[tuple[int, int]]:
    """Return where sentences begin and end, without those that contain no letter."""
    cuts = [
        cut.end()
        for cut in _CUT.finditer(own)
        if cut[0] != "." or not _SHORTENED.search(own, max(0, cut.start() - 8), cut.start())
    ]
    spans = zip([0, *cuts], [*cuts, len(own)], strict=True)
    return [(start, end) for start, end in spans if own[start:end].strip(_MARKS)]


def _own(text: str) -> str:
    """Blank the words that are not the speaker's, unless there are no others; keep the length."""
    for pattern in (_CODE, _QUOTED):
        blanked = pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        text = blanked if blanked.strip() else text
    return _SPAN.sub(lambda found: "x" * len(found[0]), text)


def _one(own: str, start: int, end: int, *, offset: int) -> Iterator[Sentence]:
    raw = own[start:end]
    lead = _BULLET.match(raw)
    begin = start + (lead.end() if lead else 0)
    raw = own[begin:end]
    if not any(char.isalnum() for char in raw) and "+" not in raw:
        return
    plain = raw[:LONGEST].lower()
    for pattern, written in _MEANT:
        plain = pattern.sub(written, plain)
    plain = plain.strip()
    done = _IF.sub(" ", plain).strip()
    place = PatternPlace(start=offset + begin, end=offset + end)
    yield Sentence(place=place, plain=plain, done=done, asks="?" in raw.rstrip()[-3:])
