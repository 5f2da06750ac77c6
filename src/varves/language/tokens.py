"""Split a text into clauses of tokens: words, names, values and marks.

A value is a number with its unit, a version, a time, a day, a frequency: something of which one
thing has one at a time. Values of one kind are compared by size, however they are written, so
"72 hours" equals "3 days".
"""

from __future__ import annotations

import re

from varves.language.english.nouns import KINDS, SYNONYMS
from varves.language.english.verbs import GROUPS, IRREGULAR, VERBS
from varves.language.english.words import (
    COUNTS,
    EMPTY,
    FREQUENCIES,
    LABELS,
    MONTHS,
    UNITS,
    WEEKDAYS,
)
from varves.values.gist import stem

MAX_CHARS = 1200  # of a text; a longer one is a document, not a statement
_TOKEN = re.compile(
    r"`(?P<code>[^`\n]{1,120})`"
    r"|(?P<url>[a-z][a-z0-9+.-]{1,9}://[^\s,;]+)"
    r"|(?P<time>\d{1,2}:\d{2}(?::\d\d)?(?:\s?[ap]m\b)?|\b\d{1,2}\s?[ap]m\b)"
    r"|(?P<number>[$€£]?(?<![\w.])v?\d[\d,._]*(?:\s?%|[a-z]{1,3}(?![\w-]))?)(?![\w-])"
    r"|(?P<word>[^\W_](?:[\w'’&+#./@*-]*[\w+#*])?|[#~/.-]{1,2}[\w./-]+)"
    r"|(?P<mark>[.,;:!?()\[\]…\n\"“”]|\s[-–—]{1,2}\s|—|→)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?P<money>[$€£]?)v?(?P<digits>\d[\d,._]*)\s?(?P<unit>%|[a-zA-Z]{1,3})?$")
_CASE = re.compile(r"[a-z][A-Z]|_|^[A-Z]{2,}|[0-9]")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)$")
_PAIRS = (  # two words that are one
    *(("pull", "request"), ("pull", "requests"), ("credit", "card"), ("on", "call")),
    *(("front", "end"), ("back", "end"), ("sign", "off"), ("snake", "case"), ("camel", "case")),
    *(("title", "case"), ("read", "only"), ("roll", "out"), ("log", "in"), ("big", "endian")),
    *(("little", "endian"), ("github", "actions"), ("gitlab", "ci"), ("react", "native")),
    *(("stand", "up"), ("opt", "in"), ("opt", "out"), ("force", "push"), ("app", "store")),
    *(("part", "time"), ("full", "time"), ("plain", "text"), ("clear", "text"), ("server", "side"), ("client", "side")),
)
_JOINED = {pair: "".join(pair) for pair in _PAIRS} | {
    ("github", "actions"): "github-actions",
    ("gitlab", "ci"): "gitlab-ci",
    ("react", "native"): "react-native",
    ("snake", "case"): "snake_case",
    ("pull", "requests"): "pullrequest",
    ("force", "push"): "force-push",
    ("opt", "in"): "opt-in",
    ("opt", "out"): "opt-out",
    ("read", "only"): "read-only",
    ("big", "endian"): "big-endian",
    ("little", "endian"): "little-endian",
    ("server", "side"): "server-side",
    ("client", "side"): "client-side",
    ("plain", "text"): "plaintext",
    ("clear", "text"): "cleartext",
    ("sign", "off"): "sign-off",
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}
_TWELVE = 12
_HOUR = 60


def _canonical() -> dict[str, str]:
    found: dict[str, str] = {}
    for row in (*GROUPS, *SYNONYMS):
        first, *rest = row.split()
        for word in (first, *rest):
            found.setdefault(word, first)
            found.setdefault(stem(word), first)
    return found


CANONICAL = _canonical()
_KNOWN: dict[str, str] = {}


def canonical(low: str) -> str:
    """Return the word that stands for a word in any of its forms."""
    known = _KNOWN.get(low)
    if known is None:
        base = IRREGULAR.get(low, low)
        known = CANONICAL.get(low) or CANONICAL.get(base)
        if known is None:
            cut = stem(base)
            known = CANONICAL.get(cut, cut)
        if len(_KNOWN) < 20_000:
            _KNOWN[low] = known
    return known


class Word:
    """One word, name or value of a clause."""

    __slots__ = ("canon", "kind", "low", "opening", "raw", "size")

    def __init__(
        self, raw: str, low: str, kind: str = "word", size: object = None, *, opening: bool = False
    ) -> None:
        self.raw = raw
        self.low = low
        self.kind = kind
        """word, name, or what is measured: duration, size, time, day …"""
        self.size = size
        self.opening = opening
        self.canon = canonical(low) if kind in ("word", "name") else low

    def __repr__(self) -> str:
        return f"{self.low}/{self.kind}"


def words_of(text: str) -> list[Word | str]:
    """Return the words of a text, with the marks between them as plain strings."""
    found: list[Word | str] = []
    opening = True
    for match in _TOKEN.finditer(text[:MAX_CHARS]):
        kind = match.lastgroup or "word"
        raw = match[0]
        if kind == "mark":
            mark = raw.strip() or "\n"
            if mark in "\"“”":
                continue
            found.append("-" if mark in ("-", "--", "–", "—", "→") else mark)
            opening = mark in ".!?…\n;"
            continue
        if kind == "code":
            found.append(Word(match["code"], match["code"].strip().casefold(), "name"))
        elif kind == "url":
            found.append(Word(raw, raw.rstrip("/.").casefold(), "url"))
        elif kind == "time":
            found.append(Word(raw, raw.casefold(), "time", _minutes(raw)))
        elif kind == "number":
            found.append(_number(raw))
        else:
            found += _word(raw, opening=opening)
        opening = False
    return _valued(_paired(found))


def _word(raw: str, *, opening: bool) -> list[Word | str]:
    low = raw.casefold().replace("\u2019", "'")
    if low.endswith("n't"):
        head = low[:-3]
        return [Word(raw, {"ca": "can", "wo": "will"}.get(head, head)), Word("not", "not")]
    if low in ("dont", "doesnt", "didnt", "isnt", "arent", "cant", "wont", "shouldnt", "wasnt"):
        return [Word("not", "not")]
    if "'" in low:
        low = low.partition("'")[0]
        raw = raw[: len(low)]
    if low in KIND_OF:
        return [Word(raw, low, "name", opening=opening)]
    if "-" in low and low not in VERBS and low not in CANONICAL and low.replace("-", "").isalpha():
        parts = low.split("-")
        if all(len(part) > 1 for part in parts) and raw.islower():
            return [Word(part, part) for part in parts]
    named = bool(_CASE.search(raw)) or any(sign in raw for sign in "./@#+") or raw[0] in "~/#.-"
    if not named and raw[0].isupper() and not opening:
        named = True
    return [Word(raw, low, "name" if named else "word", opening=opening)]


def _number(raw: str) -> Word:
    match = _NUMBER.match(raw)
    low = raw.casefold()
    if match is None:
        return Word(raw, low, "number", low.strip("v"))
    digits = match["digits"].rstrip(".,_")
    if match["money"]:
        return Word(raw, low, "money", _size(digits))
    unit = (match["unit"] or "").casefold()
    if unit in ("k", "m") and unit not in UNITS:
        return Word(raw, low, "number", _size(digits) * (1000 if unit == "k" else 1_000_000))
    if unit in ("st", "nd", "rd", "th", "x"):
        return Word(raw, low, "number", _size(digits))
    if unit:
        kind, factor = UNITS.get(unit, ("", 0))
        return Word(raw, low, kind, _size(digits) * factor) if kind else Word(raw, low, "name")
    dotted = digits.count(".")
    if dotted > 1 or low[0] == "v":
        return Word(raw, low, "version", digits)
    return Word(raw, low, "number", _size(digits))


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


def _paired(tokens: list[Word | str]) -> list[Word | str]:
    found: list[Word | str] = []
    for token in tokens:
        before = found[-1] if found else None
        if isinstance(token, Word) and isinstance(before, Word):
            joined = _JOINED.get((before.low, token.low))
            if joined:
                found[-1] = Word(
                    f"{before.raw} {token.raw}", joined, "name" if joined in KIND_OF else "word"
                )
                continue
        found.append(token)
    return found


def _valued(tokens: list[Word | str]) -> list[Word | str]:
    """Join numbers with their units, and recognise days, months and frequencies."""
    found: list[Word | str] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if not isinstance(token, Word):
            found.append(token)
            at += 1
            continue
        if token.kind in ("word", "name"):
            token, at = _calendar(token, tokens, at, found)
        if token.kind == "number" or (token.kind == "word" and _counts(token, tokens, at)):
            after = tokens[at + 1] if at + 1 < len(tokens) else None
            unit = after.low if isinstance(after, Word) else ""
            size = token.size if token.kind == "number" else float(COUNTS[token.low])
            if unit in UNITS and isinstance(size, float):
                kind, factor = UNITS[unit]
                found.append(Word(f"{token.raw} {unit}", f"{token.low} {unit}", kind, size * factor))
                at += 2
                continue
            if token.kind == "word":
                token = Word(token.raw, token.low, "number", size)
            token = _labelled(token, found)
        found.append(token)
        at += 1
    return found


def _counts(token: Word, tokens: list[Word | str], at: int) -> bool:
    """Return whether a word is a number here; "one" is only before a noun or a unit."""
    if token.low not in COUNTS:
        return False
    if token.low not in ("one", "once"):
        return True
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    if token.low == "once":
        return after is None or isinstance(after, str)
    return isinstance(after, Word) and after.kind == "word" and after.low not in EMPTY


def _labelled(token: Word, found: list[Word | str]) -> Word:
    """Return a number as the name of a thing if the noun before it is a label."""
    before = found[-1] if found else None
    if isinstance(before, Word) and before.kind == "word":
        low = before.low
        if low in LABELS or (low.endswith("s") and low[:-1] in LABELS):
            return Word(token.raw, token.low, "name")
    return token


def _calendar(
    token: Word, tokens: list[Word | str], at: int, found: list[Word | str]
) -> tuple[Word, int]:
    low = token.low
    if low in WEEKDAYS and (low not in ("sun", "mon", "wed") or token.kind == "name"):
        return Word(token.raw, low, "day", WEEKDAYS[low]), at
    if low in MONTHS or (low == "may" and token.kind == "name" and not token.opening):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        month = MONTHS.get(low, 5)
        if isinstance(after, Word) and (after.kind == "number" or _ORDINAL.match(after.low)):
            return Word(f"{token.raw} {after.raw}", low, "date", (month, after.size)), at + 1
        before = found[-1] if found else None
        if isinstance(before, Word) and before.kind == "number":
            found.pop()
            return Word(f"{before.raw} {token.raw}", low, "date", (month, before.size)), at
        return Word(token.raw, low, "month", month), at
    if low in ("midnight", "noon"):
        return Word(token.raw, low, "time", 0 if low == "midnight" else 720), at
    if low in FREQUENCIES and token.kind == "word":
        if low != "night":
            return Word(token.raw, low, "frequency", float(FREQUENCIES[low])), at
    if low in ("a", "an") and at + 1 < len(tokens) and found:
        before, after = found[-1], tokens[at + 1]
        unit = after.low if isinstance(after, Word) else ""
        if unit in UNITS and UNITS[unit][0] == "duration" and isinstance(before, Word):
            kind, size = UNITS[unit]
            if before.low in ("once", "twice") or before.kind == "number":
                times = _number_of(before)
                if before.low == "once" or before.kind == "number":
                    found.pop()
                    raw = f"{before.raw} a {unit}"
                    return Word(raw, raw.casefold(), "frequency", size / (times or 1)), at + 1
            if before.low in ("takes", "take", "about", "within", "after", "for", "lasts", "under"):
                return Word(f"a {unit}", f"a {unit}", kind, size), at + 1
    if low in ("every", "each", "per") and at + 1 < len(tokens):
        return _period(token, tokens, at)
    return token, at


def _period(token: Word, tokens: list[Word | str], at: int) -> tuple[Word, int]:
    """Read "every two weeks", "every other day", "each night"."""
    after = tokens[at + 1]
    times, skip = 1.0, 1
    if not isinstance(after, Word) or token.low == "a":
        return token, at
    if after.low in ("other", "second"):
        times, skip = 2.0, 2
    elif after.low in COUNTS or after.kind == "number":
        times = float(COUNTS.get(after.low, 0)) or _number_of(after)
        skip = 2
    if at + skip >= len(tokens):
        return token, at
    unit = tokens[at + skip]
    if not isinstance(unit, Word):
        return token, at
    if unit.low == "night":
        return Word(f"every {unit.raw}", "every night", "frequency", 86_400.0 * times), at + skip
    if unit.low in UNITS and UNITS[unit.low][0] == "duration" and len(unit.low) > 2:
        size = UNITS[unit.low][1] * times
        if token.low == "per":
            return token, at
        return Word(f"every {unit.raw}", f"every {unit.low}", "frequency", size), at + skip
    return token, at


def _number_of(word: Word) -> float:
    return word.size if isinstance(word.size, float) else 1.0
