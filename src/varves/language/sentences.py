"""Splits a message into the speaker's own sentences, each with a plain form for patterns.

Code, quotations, quoted lines and pasted logs are others' words. They are masked, and the plain
form has `_` in their place. People whose names are marked (`names.py`) become `@0`, `@1` ...
Contractions are written out ("I'd" becomes "i would", "don't" becomes "do not"). Clauses with "if"
or "when" are only conditions; `done` is the plain form without them. A line break within a wrapped
sentence is a space; a list item, a heading or a field is a sentence of its own. The number of an
item within a line belongs to the item.

No other module splits text into sentences or writes contractions out.
"""

from __future__ import annotations

import re

from varves.language.english.tongue import ENGLISH
from varves.language.enumerations import numbered_lists
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.language.tables import Tongue

# the most characters of a message that are read; of a longer one, its start and its end
MOST = 40_000
LONGEST = 1000  # the most characters of a sentence that are matched
GAP = "\u1d25"  # a letter that no language uses; it replaces each character of others' words
# the first of the private-use characters; each character replaces the name of one person
NAMED = 0xF0000
_END = 300  # the most sentences that are read at each end of a long message

_CODE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=mark)[^\n]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_PASTED = re.compile(
    r"^[ \t]*(?:>|[+-]{3} \S|@@ |\$ \S|PS [A-Z]:|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d|"
    r"at \S+ ?\(\S+:\d|File \"[^\"\n]+\", line \d|Traceback \(|Caused by: |"
    r"npm (?:ERR|error|WARN)\b|"
    r"(?:ERROR|WARN|INFO|DEBUG)\b[ :\[])[^\n]*",
    re.MULTILINE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,600}\"|\u201c[^\u201d\n]{1,600}\u201d|\u00ab[^\u00bb\n]{1,600}\u00bb|"
    r"\u201e[^\u201c\u201d\n]{1,600}[\u201c\u201d]|`[^`\n]{1,300}`|"
    r"(?<![\w'])['\u2018](?=[^\s'])[^'\n\u2019]{1,300}(?<=[^\s'])['\u2019](?!\w)|"
    r"<?https?://[^\s>]+>?"
)
# The start of a line that is never the rest of the line before it.
_BLOCK = re.compile(
    r"[ \t]*(?:$|[>*+\u2022|#\[({<-]|\d{1,3}[.)]\s|`{3}|~{3}|={3}|"
    r"@?[^\W\d_][\w .-]{0,24}:(?:\s|$))"
)
_BULLETED = re.compile(r"[ \t]*(?:[>*+\u2022-]|\d{1,3}[.)])[ \t]+")
_HEADING = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[=~`|-]{3}|[*_]{2}[^*_\n]+[*_]{2}[ \t]*$)")
_CLOSED = re.compile(r"[.!?\u2026:;][\"'\u201d\u2019\u00bb)\]*_]*$")
_WRAPPED = range(60, 121)  # the lengths of lines that may have been wrapped
_LONG = 40  # the least length if the next line begins with a small letter
_CLOSING = "\"'\u201d\u2019\u00bb)]*_"
_ENDS = rf"[.!?\u2026]+[{re.escape(_CLOSING)}]*(?=\s|$)|\n+"
_SENTENCE = re.compile(_ENDS)
_DASHES = ("--", "\u2014", "\u2013")
_NUMBERED = re.compile(r"^\s*\d{1,3}$", re.MULTILINE)
_PART = re.compile(rf"{_ENDS}|;(?=\s)|\s(?:-{{2,}}|\u2014|\u2013|=>|->)\s")
_BULLET = re.compile(r"\s*(?:(?:[>*+\u2022-]|#{1,6}|\d{1,3}[.)])\s+)*(?:\[[ xX]\]\s+)?[*_]*")
_MARKS = " .!?;\t\r\n\u2026"
_APOSTROPHE = re.compile(r"[\u2019\u2018\u02bc\uff07]")
_EMPHASIS = re.compile(r"[*~]+|(?<!\w)_+|_+(?!\w)")
_WORD = re.compile(r"[\w']+")
_SIGN = re.compile("([\U000f0000-\U000ffffd])\\1*")
_STARTS = re.compile(r"(?:^$|[,;:.!]$|^(?:ok|okay|so|then|and|but|yes|yeah|or|now|well|please)$)")


class SpokenSentence(Value):
    """One sentence, or a part of one that a semicolon, a dash or a line break separates."""

    start: int
    end: int
    """The position in the message at which the sentence ends.

    `start` and `end` do not include the mark of a list.
    """
    text: str
    """The original words, without the words that only open the sentence."""
    own: str
    """The message from `start` to `end`, with others' words masked."""
    plain: str
    """The words in lower case, with contractions written out, and `_` for others' words."""
    lead: str
    """The beginning of `plain` that only opens the sentence, such as "ok, so"."""
    done: str
    """`plain` without clauses that are only conditions."""
    asks: bool
    """Whether the sentence ends with a question mark."""
    number: int = 0
    """The number of the sentence in the message, counted from 0."""
    quoted: bool = False
    """Whether most of the sentence is others' words."""

    @property
    def body(self) -> str:
        """`plain` without the words that only open the sentence."""
        return self.plain[len(self.lead) :].lstrip(" ,;:.!")

    def unconditioned(self, at: int) -> int:
        """Convert a position in `done` (the text without conditions) to a position in `plain`."""
        return at if self.done == self.plain else _unconditioned(self.plain, at)

    def place(self, start: int, end: int, *, done: bool = True) -> tuple[int, int]:
        """Return the position in the message of a part of `done`.

        If `done` is false, the part is a part of `plain`.
        """
        if done:
            start, end = self.unconditioned(start), self.unconditioned(end)
        places = [
            (at, at + len(word), begin, stop)
            for word, at, begin, stop in _placed_words(self.own[:LONGEST], ENGLISH)
        ]
        begin = next((one[2] for one in places if one[1] > start), len(self.own))
        stop = next((one[3] for one in reversed(places) if one[0] < end), begin)
        return self.start + begin, self.start + max(begin, stop)


def sentences(
    text: str, *, most: int = MOST, strictly: bool = False, tongue: Tongue = ENGLISH
) -> tuple[SpokenSentence, ...]:
    """Return the sentences of a message; the middle of a very long message is skipped.

    Args:
        text: the message.
        most: the most characters that are read.
        strictly: whether a message that contains only other people's words has no sentences.
        tongue: the tables of its language.
    """
    half, many = most // 2, _END * most // MOST
    parts = [(text, 0)]
    if len(text) > most:
        parts = [(text[:half], 0), (text[-half:], len(text) - half)]
    found = [
        one
        for part, offset in parts
        for one in _read(part, offset, many=many, strictly=strictly, tongue=tongue)
    ]
    return tuple(one.replace(number=number) for number, one in enumerate(found))


def spans(text: str, *, parts: bool = True, tongue: Tongue = ENGLISH) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences of a text; empty sentences are left out.

    Args:
        text: the text to cut.
        parts: whether semicolons and dashes end a sentence too.
        tongue: the language, which defines the abbreviations.
    """
    text = unwrapped(text, tongue)
    marks = {mark for one in numbered_lists(text) for mark in one.marks}
    cuts = [
        cut.end()
        for cut in (_PART if parts else _SENTENCE).finditer(text)
        if cut.end() not in marks and not _continues(text, cut, tongue)
    ]
    ends = zip([0, *cuts], [*cuts, len(text)], strict=True)
    return [(start, end) for start, end in ends if text[start:end].strip(_MARKS)]


def _continues(text: str, cut: re.Match[str], tongue: Tongue) -> bool:
    """Return whether a sentence goes on after a full stop or a dash."""
    if cut[0].rstrip(_CLOSING) == ".":
        return is_shortened(text, cut.start(), tongue)
    if cut[0].strip() not in _DASHES:
        return False
    before = text[max(0, cut.start() - _LONG) : cut.start()]
    return re.search(tongue.heading, before, re.IGNORECASE) is not None


def is_shortened(text: str, stop: int, tongue: Tongue = ENGLISH) -> bool:
    """Return whether a full stop is part of an abbreviation, or of a number that counts a line."""
    if _NUMBERED.search(text, max(0, stop - 8), stop):
        return True
    shortened = re.compile(tongue.shortened, re.IGNORECASE)
    return any(one.end() == stop for one in shortened.finditer(text, max(0, stop - 8), stop + 8))


def unwrapped(text: str, tongue: Tongue = ENGLISH) -> str:
    """Return a text of the same length, with a space for each line break within a sentence."""
    if "\n" not in text:
        return text
    joined, before, start, inside = [], "", "", False
    for line in text.split("\n"):
        inside = inside and _goes_on(start, before, line, tongue)
        if not inside:
            start = line
        joined.append((" " if inside else "\n") + line)
        before, inside = line, True
    return "".join(joined)[1:]


def _goes_on(start: str, before: str, line: str, tongue: Tongue) -> bool:
    """Return whether a line is the rest of the line before it.

    Args:
        start: the first line of the sentence or paragraph.
        before: the line before.
        line: the line.
        tongue: the language.
    """
    ended = before.rstrip()
    if _BLOCK.match(line) or not ended or before.endswith("  ") or _HEADING.match(before):
        return False
    if _CLOSED.search(ended):
        return False
    bulleted = _BULLETED.match(start)
    if bulleted is not None and line.startswith((" ", "\t")):
        return True
    if ended.endswith(",") or re.search(tongue.unfinished, ended.lower()):
        return True
    small, begun = (
        line.lstrip()[:1].islower(),
        start[bulleted.end() if bulleted else 0 :].lstrip()[:1],
    )
    if small:
        continues = re.match(tongue.continuing, line.lstrip()) is not None
        return begun.isupper() or continues or len(ended) >= _LONG
    return len(ended) in _WRAPPED


def own_words(text: str, *, strictly: bool = False) -> str:
    """Return a text in which others' words are masked; it has the same length.

    Args:
        text: the message.
        strictly: whether a message that contains only other people's words is masked too.
    """
    for pattern, mask in ((_CODE, " "), (_PASTED, " "), (_QUOTED, GAP)):
        masked = "".join(_masked(text, pattern, mask))
        text = masked if strictly or masked.strip(f" \t\r\n{GAP}.,:;!?") else text
    return text


def _masked(text: str, pattern: re.Pattern[str], mask: str) -> Iterator[str]:
    """Yield the parts of a text; in parts that match the pattern, every letter is replaced."""
    at = 0
    for found in pattern.finditer(text):
        yield text[at : found.start()]
        yield re.sub(r"[^\n]", mask, found[0])
        at = found.end()
    yield text[at:]


def plain(text: str, tongue: Tongue = ENGLISH) -> str:
    """Return a text in lower case on one line, with contractions written out."""
    return " ".join(word for word, _, _, _ in _placed_words(text, tongue))


def _read(
    text: str, offset: int, *, many: int, strictly: bool, tongue: Tongue
) -> Iterator[SpokenSentence]:
    own = own_words(text, strictly=strictly)
    found = spans(own, tongue=tongue)
    if len(found) > 2 * many:
        found = [*found[:many], *found[-many:]]
    for start, end in found:
        bullet = _BULLET.match(own, start, end)
        begin = bullet.end() if bullet else start
        stop = begin + len(own[begin:end].rstrip())
        if any(char.isalnum() or char in "+^" or char > "\u2190" for char in own[begin:stop]):
            yield _sentence(text, own, begin, stop, offset=offset, tongue=tongue)


def _sentence(
    text: str, own: str, start: int, end: int, *, offset: int, tongue: Tongue
) -> SpokenSentence:
    said = own[start:end]
    form = plain(said[:LONGEST], tongue)
    lead = re.match(tongue.lead, form)
    opening = lead[0].rstrip() if lead and lead.end() < len(form) else ""
    skipped = len(opening.split())
    kept = text[start:end].split()[skipped:] if opening else text[start:end].split()
    return SpokenSentence(
        start=offset + start,
        end=offset + end,
        text=" ".join(kept),
        own=said,
        plain=form,
        lead=opening,
        done=" ".join(form[a:b] for a, b in _kept(form, tongue)),
        asks=said.rstrip(f"{_CLOSING}:! \u2026").endswith("?"),
        quoted=2 * said.count(GAP) > sum(map(str.isalnum, said)),
    )


def _kept(form: str, tongue: Tongue) -> list[tuple[int, int]]:
    """Return (start, end) of the parts of a plain form that are not conditions."""
    kept, at = [], 0
    for found in [*re.finditer(tongue.condition, form), None]:
        end = found.start() if found else len(form)
        part = form[at:end]
        if part.strip():
            kept.append((at + len(part) - len(part.lstrip()), at + len(part.rstrip())))
        at = found.end() if found else end
    return kept


def _unconditioned(form: str, at: int, tongue: Tongue = ENGLISH) -> int:
    """Convert a position in `done` (the text without conditions) to a position in `plain`."""
    begin = 0
    for start, end in _kept(form, tongue):
        if at <= begin + end - start:
            return start + at - begin
        begin += end - start + 1
    return len(form)


def _placed_words(text: str, tongue: Tongue) -> Iterator[tuple[str, int, int, int]]:
    """Yield (word, position in the plain form, start, end in the text) for each word."""
    at, before = 0, ""
    for found in re.finditer(r"\S+", text):
        word = found[0].lower()
        if not (word.isalpha() and word.isascii() and word not in tongue.whole):
            word = _written_out(word, tongue)
        elif word in tongue.starting and _STARTS.search(before):
            word = tongue.starting[word]
        if not word:
            continue
        yield word, at, found.start(), found.end()
        at += len(word) + 1
        before = word


def _written_out(word: str, tongue: Tongue) -> str:
    word = _EMPHASIS.sub("", _APOSTROPHE.sub("'", word))
    word = re.sub(f"{GAP}+", "_", word)
    word = _SIGN.sub(lambda found: f"@{ord(found[1]) - NAMED}", word)
    return _WORD.sub(lambda found: _meant(found[0], tongue), word)


def _meant(word: str, tongue: Tongue) -> str:
    if word in tongue.whole:
        return tongue.whole[word]
    if "'" in word:
        for ending, written in tongue.endings:
            longer = re.sub(ending, written, word)
            if longer != word:
                return longer
    return word
