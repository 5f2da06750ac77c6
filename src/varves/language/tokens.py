"""Splits a text into words, names, values and marks.

A value is a number with its unit, a version, a time, a day or a frequency. A thing has one value of
a kind at a time. Values of one kind are compared by size and not by spelling, so "72 hours" equals
"3 days".
"""

from __future__ import annotations

import re
from functools import lru_cache

from varves.language.english.nouns import EXCLUSIVE, KINDS, ORDINARY, PEOPLE, SERIES, SYNONYMS
from varves.language.english.verbs import GROUPS, IRREGULAR, VERBS
from varves.language.english.words import (
    COUNTS,
    EMPTY,
    FREQUENCIES,
    LABELS,
    MONTHS,
    ORDINALS,
    PERIODS,
    PHRASES,
    TITLES,
    UNITS,
    WEEKDAYS,
)
from varves.values.gist import stem

MAX_CHARS = 1200  # a text with more characters is a document, not a statement
# Most words are plain letters before a space or a mark. They are tried first, because then no other
# alternative must be tried.
_TOKEN = re.compile(
    r" ?(?P<plain>[A-Za-z]+)(?=[ ,;!?)\n]|[.:]\s|[.:]?$)"
    r"|`(?P<code>[^`\n]{1,120})`"
    r"|(?P<url>[a-z][a-z0-9+.-]{1,9}://[^\s,;]+)"
    r"|(?P<instant>\d{4}-\d\d-\d\d(?:T[\d:.]*\d(?:Z|[+-]\d\d:?\d\d)?)?(?![\w-]))"
    r"|(?P<time>\d{1,2}:\d{2}(?::\d\d)?(?:\s?[ap]m\b)?|\b\d{1,2}\s?[ap]m\b)"
    r"|(?P<number>[$€£]?(?<![\w.])v?(?:\d{1,3}(?: \d{3})+(?![\d.])|\d(?:[\d,._]*\d)?)"
    r"(?:\s?%|[a-z]{1,4}(?![\w-]))?)(?![\w-])"
    r"|(?P<word>[^\W_](?:[\w'\u2019&+#./@*-]*[\w+#*])?|[#~/.-]{1,2}[\w./=+-]+)"
    r"|(?P<mark>[.,;:!?()\[\]\u2026\n\"\u201c\u201d=\U0001f000-\U0001faff\u2600-\u27bf]|\s[-\u2013\u2014]{1,2}\s|\u2014|\u2192)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?P<money>[$€£]?)v?(?P<digits>\d[\d,._ ]*?)\s?(?P<unit>%|[a-zA-Z]{1,4})?$")
_NAMED = re.compile(r"[a-z][A-Z]|_|^[A-Z]{2,}|[0-9]|[./@#+]|^[~/#.-]")
_SERIAL = re.compile(r"-*([a-z][a-z+=-]*?)-?(\d+(?:\.\d+)*)$")
_REGION = re.compile(r"[a-z]{2}-[a-z]+-\d[a-z]?$")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+$")
_PATH = re.compile(r"(?:~|\.{0,2})/[\w./~-]+$|[\w.-]+/[\w./-]+/[\w./-]*$|[\w.-]+/[\w-]+\.\w+$")
# positions of weekdays in a month
_ORDERED = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 9}
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)$")
_CONTRACTED = {"can": "can", "ca": "can", "wo": "will", "sha": "shall"}
_DASHES = frozenset(("-", "--", "\u2013", "\u2014", "\u2013\u2013", "\u2014\u2014"))
_SILENT = frozenset('"\u201c\u201d')
_SHORTENED = {"re": "are", "ve": "have", "ll": "will", "d": "would", "m": "am"}
_SELF = frozenset(
    ("it", "he", "she", "that", "this", "there", "here", "what", "who", "where", "everything")
)
_BARE = frozenset(
    ("dont", "doesnt", "didnt", "isnt", "arent", "cant", "wont", "shouldnt", "wasnt", "havent")
)
_KNOWN_VALUES: dict[str, tuple[str, float]] = {
    "midnight": ("time", 0),
    "noon": ("time", 720),
    "forever": ("duration", float("inf")),
    "indefinitely": ("duration", float("inf")),
    **{word: ("frequency", float(period)) for word, period in FREQUENCIES.items()},
}
# Words that may be a value, or with which a value may begin.
_VALUED = frozenset(
    (
        *(*COUNTS, *WEEKDAYS, *MONTHS, *_KNOWN_VALUES, *_ORDERED, *ORDINALS),
        *("may", "every", "each", "a", "an", "per", "half", "quarter", "end"),
    )
)
_DIGITS = frozenset(float(digit) for digit in range(10))
_TWELVE = 12
# above this, "the fourth" may be a day of a month; "the third" is often one of three things
_WEEKDAYS = 3
_HOUR = 60
_REMEMBERED = 20_000  # the most words whose canonical form is cached

KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
for _row in SYNONYMS:
    _known = [KIND_OF[word] for word in _row.split() if word in KIND_OF]
    if _known:  # the other spelling is of the same kind, such as "postgresql" and "postgres"
        KIND_OF |= dict.fromkeys(_row.split(), _known[0])
_WHOLE = {word for row in EXCLUSIVE for word in row.split() if "-" in word}
_LONGEST = 4  # the most words of a phrase
_PHRASES: dict[str, list[tuple[tuple[str, ...], str]]] = {}
for _phrase, _meant in PHRASES.items():
    _words = tuple(_phrase.split())
    _PHRASES.setdefault(_words[0], []).append((_words, _meant))
for _rows in _PHRASES.values():
    _rows.sort(key=lambda row: -len(row[0]))


def _canonical() -> dict[str, str]:
    found: dict[str, str] = {}
    for row in (*GROUPS, *SYNONYMS):
        first, *rest = row.split()
        for word in (first, *rest):
            found.setdefault(word, first)
            found.setdefault(stem(word), first)
    for row in EXCLUSIVE:
        words = row.split()
        # for example, "https" is not the plural of "http"
        found |= {word: word for word in words if stem(word) != word and stem(word) in words}
    return found


_CANONICAL = _canonical()
_KNOWN: dict[str, str] = {}


def canonical(low: str) -> str:
    """Return the word that represents all forms and synonyms of a word."""
    known = _KNOWN.get(low)
    if known is None:
        root = IRREGULAR.get(low, low)
        known = _CANONICAL.get(low) or _CANONICAL.get(root)
        if known is None:
            cut = stem(root)
            known = _CANONICAL.get(cut, cut)
        if len(_KNOWN) < _REMEMBERED:
            _KNOWN[low] = known
    return known


class Token:
    """One word, name or value of a clause."""

    __slots__ = ("aside", "canon", "kind", "low", "opening", "raw", "size")

    def __init__(
        self, raw: str, low: str, kind: str = "word", size: object = None, *, opening: bool = False
    ) -> None:
        self.raw = raw
        self.low = low
        self.kind = kind
        """The kind: word, name, mark, or a quantity such as duration, size, time or day."""
        self.size = size
        self.opening = opening
        """Whether the word is the first of a sentence, so that its capital letter means nothing."""
        self.aside = False
        """Whether the word is in brackets."""
        self.canon = canonical(low) if kind in ("word", "name") else low

    def __repr__(self) -> str:
        return f"{self.low}/{self.kind}"

    def in_brackets(self) -> Token:
        """Return a copy of the token that is marked as in brackets."""
        copy = Token(self.raw, self.low, self.kind, self.size, opening=self.opening)
        copy.aside = True
        return copy


def words_of(text: str) -> list[Token | str]:
    """Return the words of a text as tokens, and the marks between them as strings."""
    return list(_words_of(text))


@lru_cache(maxsize=64)  # the frames and the matter of a text both need its words
def _words_of(text: str) -> list[Token | str]:
    found: list[Token | str] = []
    opening = True
    for match in _TOKEN.finditer(text[:MAX_CHARS]):
        kind = match.lastgroup
        if kind == "plain":
            found += _word(match["plain"], opening=opening)
            opening = False
            continue
        raw = match[0]
        if kind == "mark":
            mark = raw.strip() or "\n"
            inside = mark == ":" and text[match.end() : match.end() + 1].isalnum()
            if mark == "." and _is_title(found):
                continue
            if mark not in _SILENT and not inside:
                found.append(_mark(mark))
                opening = opening or found[-1] in (".", "!", "?", "\u2026", "\n", ";")
            continue
        if kind == "code":
            found += _name(match["code"].strip())
        elif kind in ("url", "instant"):
            found.append(Token(raw, raw.rstrip("/.").casefold(), kind))
        elif kind == "time":
            found.append(Token(raw, raw.casefold(), "time", _minutes(raw)))
        elif kind == "number":
            found.append(_number(raw))
        else:
            found += _word(raw, opening=opening)
        opening = False
    return _valued(_joined(found))


def _is_title(found: list[Token | str]) -> bool:
    """Return whether the last word is a title that is written with a full stop, such as "Dr."."""
    last = found[-1] if found else None
    return isinstance(last, Token) and last.low in TITLES and last.raw[:1].isupper()


def _titled(tokens: list[Token | str], at: int) -> tuple[Token | None, int]:
    """Return one token for a title and the names after it ("Dr. Keller"), or None.

    Also return the number of these words.
    """
    end = at + 1
    while end < len(tokens) and end < at + _LONGEST:
        token = tokens[end]
        if not isinstance(token, Token) or not token.raw[:1].isupper():
            break
        end += 1
    words = [one for one in tokens[at:end] if isinstance(one, Token)]
    if len(words) < 2 or not words[0].raw[:1].isupper():
        return None, 0
    raw = " ".join(word.raw for word in words)
    return Token(raw, words[-1].low, "person", opening=words[0].opening), len(words)


def _mark(mark: str) -> str:
    if mark == "\u2192":
        return ":"
    if mark in _DASHES:
        return "-"
    return "." if mark > "\u2027" else mark


_OPENING: dict[str, list[Token | str]] = {}
_LATER: dict[str, list[Token | str]] = {}


def _word(raw: str, *, opening: bool) -> list[Token | str]:
    """Return the tokens of a word.

    The tokens of frequent words are cached, so they must not be changed.
    """
    made = _OPENING if opening else _LATER
    found = made.get(raw)
    if found is None:
        found = _read(raw, opening=opening)
        if len(made) < _REMEMBERED:
            made[raw] = found
    return found


def _read(raw: str, *, opening: bool) -> list[Token | str]:
    low = raw.casefold().replace("\u2019", "'")
    if low.endswith("n't"):
        head = low[:-3]
        return [Token(raw, _CONTRACTED.get(head, head)), Token("not", "not")]
    if low in _BARE:
        return [Token(raw, "do"), Token("not", "not")]
    if "'" in low:
        head, _, tail = low.partition("'")
        meant = _SHORTENED.get(tail, "is" if tail == "s" and head in _SELF else "")
        own: list[Token | str] = _plain(raw[: len(head)], head, opening=opening)
        return [*own, Token(tail, meant)] if meant else own
    return _plain(raw, low, opening=opening)


def _plain(raw: str, low: str, *, opening: bool) -> list[Token | str]:
    """Return the tokens of a word without a contraction: a name, several words, or the word."""
    capital = raw[:1].isupper()
    if (low in KIND_OF and (low not in ORDINARY or (capital and not opening))) or (
        low in PEOPLE and capital
    ):
        return [Token(raw, low, "name", opening=opening)]
    if len(raw) == 1 and raw.isupper() and not opening and raw != "I":
        return [Token(raw, low, "name")]  # as in "exam A"
    if low in EMPTY and (not raw.isupper() or len(raw) == 1):
        return [Token(raw, low, opening=opening)]
    parts = low.split("-")
    if len(parts) > 1 and all(part.isalpha() and len(part) > 1 for part in parts):
        known = low in VERBS or low in _CANONICAL or low in _WHOLE
        if not known and raw[1:].islower() and " ".join(parts) not in PHRASES:
            return [Token(part, part, opening=opening and not at) for at, part in enumerate(parts)]
        low = PHRASES.get(" ".join(parts), low)
    if _NAMED.search(raw) or (raw[:1].isupper() and not opening):
        return _name(raw, opening=opening)
    return [Token(raw, low, opening=opening)]


def _name(raw: str, *, opening: bool = False) -> list[Token | str]:
    """Return the tokens of a word that is written as a name.

    A version is a token of its own, and a region becomes a place.
    """
    low = raw.casefold()
    if low not in KIND_OF:
        if _REGION.match(low):
            return [Token(raw, low, "region")]
        if _EMAIL.match(low):
            return [Token(raw, low, "email")]
        if _PATH.match(low):
            return [Token(raw, low.rstrip("/"), "path")]
        serial = _SERIAL.match(low)
        if serial and serial[1] in SERIES:
            stem_of = serial[1].removesuffix("v") if serial[1] == "gplv" else serial[1]
            return [
                Token(raw[: serial.end(1)], stem_of.removeprefix("std="), "name"),
                Token(serial[2], serial[2], "number", _size(serial[2])),
            ]
    return [Token(raw, low, "name", opening=opening)]


def _number(raw: str) -> Token:
    match = _NUMBER.match(raw)
    low = raw.casefold()
    if match is None:
        return Token(raw, low, "number", low.strip("v"))
    digits = match["digits"].replace(" ", "").rstrip(".,_")
    if match["money"]:
        return Token(raw, low, "money", _size(digits))
    unit = (match["unit"] or "").casefold()
    if unit in ("k", "m") and unit not in UNITS:
        return Token(raw, low, "number", _size(digits) * (1000 if unit == "k" else 1_000_000))
    if unit in ("st", "nd", "rd", "th", "x"):
        return Token(raw, low, "number", _size(digits))
    if unit:
        kind, factor = UNITS.get(unit, ("", 0))
        return Token(raw, low, kind, _size(digits) * factor) if kind else Token(raw, low, "name")
    if digits.count(".") > 1 or low[0] == "v":
        return Token(raw, low, "number", digits)
    return Token(raw, low, "number", _size(digits))


def _size(digits: str) -> float:
    plain = digits.replace(",", "").replace("_", "")
    try:
        return float(plain)
    except ValueError:
        return float("".join(filter(str.isdigit, plain)) or 0)


def _minutes(raw: str) -> int:
    low = raw.casefold().replace(" ", "")
    after = low.endswith("pm")
    hour, _, rest = low.rstrip("apm").partition(":")
    hours = int(hour) % _TWELVE + (_TWELVE if after else 0) if low[-1] == "m" else int(hour)
    return hours * _HOUR + int(rest[:2] or 0)


def _joined(tokens: list[Token | str]) -> list[Token | str]:
    """Return tokens with words joined that count as one word: "pull request", "no longer"."""
    found: list[Token | str] = []
    done = 0
    for at, token in enumerate(tokens):
        if at < done:
            continue
        if isinstance(token, Token) and (token.low in _PHRASES or token.low in TITLES):
            find = _titled if token.low in TITLES else _phrase_at
            phrase, length = find(tokens, at)
            if phrase is not None:
                found.append(phrase)
                done = at + length
                continue
        found.append(token)
    return found


def _phrase_at(tokens: list[Token | str], at: int) -> tuple[Token | None, int]:
    here = tokens[at : at + _LONGEST]
    lows = [one.low if isinstance(one, Token) else "" for one in here]
    for words, meant in _PHRASES[lows[0]]:
        if tuple(lows[: len(words)]) == words:
            raw = " ".join(one.raw for one in here[: len(words)] if isinstance(one, Token))
            kind = "name" if meant in KIND_OF else "word"
            first = here[0]
            return Token(raw, meant, kind, opening=isinstance(first, Token) and first.opening), len(
                words
            )
    return None, 0


def _valued(tokens: list[Token | str]) -> list[Token | str]:
    """Return tokens in which numbers are joined with units, and days and frequencies are found."""
    found: list[Token | str] = []
    done = 0
    for place, token in enumerate(tokens):
        if place < done:
            continue
        if isinstance(token, Token) and (token.low in _VALUED or token.kind == "number"):
            value, at = token, place
            if token.kind in ("word", "name"):
                value, at = _calendar(token, tokens, at, found)
            if value.kind == "number" or _counts(value, tokens, at):
                value, at = _measured(value, tokens, at, found)
            found.append(value)
            done = at + 1
        else:
            found.append(token)
    return found


def _measured(
    token: Token, tokens: list[Token | str], at: int, found: list[Token | str]
) -> tuple[Token, int]:
    """Return a token for a number with its unit, and the position of the unit.

    Without a unit, the number may be a frequency ("3 times") or label a thing ("room 204").
    """
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    unit = after.low if isinstance(after, Token) else ""
    size = token.size if token.kind == "number" else float(COUNTS[token.low])
    if unit in ("times", "o'clock") and isinstance(size, float):
        kind = "number" if unit == "times" else "time"
        size = size if unit == "times" else int(size) * _HOUR
        return Token(f"{token.raw} {unit}", token.low, kind, size), at + 1
    if unit in UNITS and isinstance(size, float):
        kind, factor = UNITS[unit]
        raw = f"{token.raw} {after.raw if isinstance(after, Token) else unit}"
        return Token(raw, f"{token.low} {unit}", kind, size * factor), at + 1
    if token.kind == "word":
        token = Token(token.raw, token.low, "number", size)
    return _labelled(token, found), at


def _counts(token: Token, tokens: list[Token | str], at: int) -> bool:
    """Return whether a word is a number here; "one" is a number only before a noun or a unit."""
    if token.kind != "word" or token.low not in COUNTS:
        return False
    if token.low not in ("one", "single"):
        return True
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return isinstance(after, Token) and after.kind == "word" and after.low not in EMPTY


def _labelled(token: Token, found: list[Token | str]) -> Token:
    """Return a number as a part of a name, if the noun before it is a label."""
    before = found[-1] if found else None
    if isinstance(before, Token) and before.kind in ("word", "name"):
        low = before.low
        if low in SERIES and not (low == "node" and token.size in _DIGITS):
            return token
        if low in LABELS or (low.endswith("s") and low[:-1] in LABELS):
            return Token(token.raw, token.low, "name")
    return token


def _calendar(
    token: Token, tokens: list[Token | str], at: int, found: list[Token | str]
) -> tuple[Token, int]:
    low = token.low
    if low in WEEKDAYS and (low not in ("sun", "mon", "wed") or token.kind == "name"):
        return Token(token.raw, low, "day", WEEKDAYS[low]), at
    if low in MONTHS or (low == "may" and token.kind == "name" and not token.opening):
        return _dated(token, tokens, at, found)
    if low in _KNOWN_VALUES and token.kind == "word":
        return Token(token.raw, low, *_KNOWN_VALUES[low]), at
    if low in ("every", "each") and at + 1 < len(tokens):
        return _period(token, tokens, at)
    if low in _READ:
        return _READ[low](token, tokens, at)
    if low in ("a", "an", "per") and at + 1 < len(tokens) and found:
        return _rate(token, tokens, at, found)
    return token, at


def _lows(tokens: list[Token | str], at: int, most: int) -> list[str]:
    """Return the next words or marks in lower case."""
    return [one.low if isinstance(one, Token) else one for one in tokens[at : at + most]]


def _past_the_hour(token: Token, tokens: list[Token | str], at: int) -> tuple[Token, int]:
    """Return the time in "half past nine" or "quarter to ten", and the position of its end."""
    after = tokens[at + 1 : at + 3]
    which, hour = _lows(after, 0, 2) if len(after) > 1 else ("", "")
    number = after[1].size if hour and isinstance(after[1], Token) else None
    hours = number if isinstance(number, float) else float(COUNTS.get(hour, 0))
    if which not in ("past", "to") or not 1 <= hours <= _TWELVE:
        return token, at
    minutes = (30 if token.low == "half" else 15) * (1 if which == "past" else -1)
    raw = f"{token.raw} {which} {hour}"
    return Token(raw, raw.casefold(), "time", int(hours) * _HOUR + minutes), at + 2


def _end_of(token: Token, tokens: list[Token | str], at: int) -> tuple[Token, int]:
    """Return the value of "the end of the …", and the position of its last word.

    "The end of the month" is a frequency, "the end of the project" is not.
    """
    before = tokens[at - 1] if at else None
    rest = _lows(tokens, at + 1, 3)
    if not isinstance(before, Token) or before.low != "the" or rest[:1] != ["of"]:
        return token, at
    if len(rest) > 2 and rest[1] in ("the", "every", "each"):
        size = PERIODS.get(rest[2], 0.0)
        raw = " ".join((token.raw, *rest))
        if size:
            return Token(raw, raw, "frequency", size), at + 3
    return token, at


def _ordered(token: Token, tokens: list[Token | str], at: int) -> tuple[Token, int]:
    """Return the value of "the first Monday", "by the fifteenth" or "third person".

    Also return the position of its last word.
    """
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    rest = _lows(tokens, at + 1, 3)
    before = tokens[at - 1] if at else None
    number = ORDINALS.get(token.low, 0)
    if rest[:1] == ["of"] and rest[-1:] == ["month"] and number:
        return Token(f"{token.raw} of the month", token.low, "monthday", float(number)), at + 3
    whole = not rest or rest[0] in (".", ",", ";") or rest[0] in MONTHS
    dated = isinstance(before, Token) and before.low == "the" and number > _WEEKDAYS
    if dated and whole:
        return Token(token.raw, token.low, "monthday", float(number)), at
    if not isinstance(after, Token) or after.low not in WEEKDAYS or token.low not in _ORDERED:
        return (Token(token.raw, token.low, "ordinal", number), at) if number else (token, at)
    size = (_ORDERED[token.low], WEEKDAYS[after.low])
    return Token(f"{token.raw} {after.raw}", f"{token.low} {after.low}", "day", size), at + 1


def _dated(
    token: Token, tokens: list[Token | str], at: int, found: list[Token | str]
) -> tuple[Token, int]:
    """Return a month, or a date with the day before or after the month.

    Also return the position of its last word.
    """
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    month = MONTHS.get(token.low, 5)
    if isinstance(after, Token) and (after.kind == "number" or _ORDINAL.match(after.low)):
        return Token(f"{token.raw} {after.raw}", token.low, "date", (month, after.size)), at + 1
    before = found[-1] if found else None
    if isinstance(before, Token) and before.kind == "number":
        found.pop()
        return Token(f"{before.raw} {token.raw}", token.low, "date", (month, before.size)), at
    return Token(token.raw, token.low, "month", month), at


def _rate(
    token: Token, tokens: list[Token | str], at: int, found: list[Token | str]
) -> tuple[Token, int]:
    """Return the value of "once a day" or "takes an hour", and the position of its last word."""
    before, after, whole = found[-1], tokens[at + 1], False
    if isinstance(after, Token) and after.low in ("whole", "full") and at + 2 < len(tokens):
        after, at, whole = tokens[at + 2], at + 1, True  # as in "a whole hour"
    unit = after.low if isinstance(after, Token) else ""
    if unit not in UNITS or not isinstance(before, Token):
        return token, at
    kind, size = UNITS[unit]
    if kind == "size" and len(unit) > 1 and token.low != "per":
        return Token(f"a {unit}", f"a {unit}", kind, size), at + 1
    if kind != "duration":
        return token, at
    if before.low == "once" or before.kind == "number":
        found.pop()
        times = before.size if isinstance(before.size, float) else 1.0
        raw = f"{before.raw} a {unit}"
        return Token(raw, raw.casefold(), "frequency", size / (times or 1)), at + 1
    if whole or (token.low != "per" and before.low in _DURING):
        return Token(f"a {unit}", f"a {unit}", kind, size), at + 1
    return token, at


_READ = {
    **dict.fromkeys((*ORDINALS, *_ORDERED), _ordered),
    "half": _past_the_hour,
    "quarter": _past_the_hour,
    "end": _end_of,
}
_DURING = frozenset(
    (
        "takes",
        "take",
        "about",
        "within",
        "after",
        "for",
        "lasts",
        "lessthan",
        "morethan",
        "is",
        "expire",
    )
)


def _period(token: Token, tokens: list[Token | str], at: int) -> tuple[Token, int]:
    """Return the value of "every two weeks" or "each night", and the position of its end."""
    after = tokens[at + 1]
    times, skip = 1.0, 1
    if not isinstance(after, Token):
        return token, at
    if after.low in ("other", "second"):
        times, skip = 2.0, 2
    elif after.low in COUNTS or after.kind == "number":
        times = float(COUNTS.get(after.low, 0)) or (
            after.size if isinstance(after.size, float) else 1.0
        )
        skip = 2
    unit = tokens[at + skip] if at + skip < len(tokens) else None
    if not isinstance(unit, Token):
        return token, at
    if unit.low in UNITS and UNITS[unit.low][0] == "duration" and len(unit.low) > 2:
        size = UNITS[unit.low][1] * times
        said = [one for one in tokens[at : at + skip + 1] if isinstance(one, Token)]
        raw = " ".join((*(one.raw for one in said[:-1]), unit.raw))
        return Token(raw, f"every {unit.low}", "frequency", size), at + skip
    return token, at
