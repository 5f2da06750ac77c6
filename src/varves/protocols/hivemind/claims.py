"""Decides whether two sentences make rival claims about one thing or are about two things.

A similarity measure finds that one word replaced another, but not in which part of the sentence.
"Port 8080 is open" and "Port 8081 is open" are two facts; "The port is 8080" and "The port is 8081"
are one fact and its update. The position of the difference therefore decides:

    before the verb       another subject: two things
    a purpose or a place  "for queues", "slow on Safari", "fails on Linux": two things
    the value             a name, a number or an opposite after "is"; a name after "lives in" and
                          the like; a day or a time after "runs on"; an amount: one thing
    a negation            and nothing else: one thing
    anything else         not known

Verbs that can have several objects at a time (supports, needs, listens on) have no single value. If
the result is unknown, nothing is superseded, because an unneeded question costs a line, but a wrong
decision loses a fact.
"""

from __future__ import annotations

import re

from varves.values.gist import stem
from varves.values.lexicon import ANTONYMS, COUNTS, DAYS, LABELS
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

ONE, TWO, UNKNOWN = "one thing", "two things", "not known"

_TELLING = re.compile(
    r"(?:it turns out|(?:(?:we|i) )?(?:found|learned|learnt|noticed|confirmed|discovered)(?: out)?"
    r"|note|keep in mind|remember|(?:fact|learned|finding|note):)(?: that)?\s+",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\s=]+|=+")
_BREAK = re.compile(r"[,;(\[\u2013\u2014]|[.!?…](?=\s)")
_MARKS = "\"'`()[]{}\u201c\u201d\u2018\u2019,;.!?…"
_LONGEST = 3  # the maximum number of words in one value


def _some(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_SILENT = _some("a an the now currently still already just also please")
_INDEFINITE = _some("a an one another some there it this that he she they")
_CHANGES = _some("now instead longer moved switched changed replaced became anymore")
_DOING = _some("do does don't doesn't")
_NEGATIONS = _DOING | _some("not no never isn't aren't can't cannot won't")
_ASIDE = _some(", when if because that which while unless until so but and or")
_BE = _some("is are was were be =")
_STATING = _BE | _some("can may must should will")
_AUXILIARY = _STATING | _some("has have had")
_SPEAKERS = _some("we i you")
_RELATING = _some("on in at to with by from under via as after until every up out")
_PURPOSE = _some("for of about between")
_UNITS = _stems("s sec second ms min minute h hour day week month year kb mb gb tb percent %")
_TIMED = _stems("run start begin end go open close happen")  # followed by a day or a time
_SETTLED = _stems("live store keep host locate base pin set default point own cap limit schedule")
_HAPPENING = _stems("happen occur fail crash break appear reproduce hang freeze")
_SEVERAL = _stems("return throw give answer show support depend listen accept reject mean")
_KNOWN = _TIMED | _SETTLED | _HAPPENING | _SEVERAL | _stems(
    "use take last cost expire stay equal include contain call know see need require allow add drop"
    " send read write retry hold skip serve pay approve review validate handle belong work speak"
    " change ignore wait expect create delete update connect sell ship load block trigger reset"
)  # fmt: skip
_PLATFORMS = _some(
    "safari chrome firefox edge opera ie windows linux macos mac ios ipados android ubuntu debian"
    " fedora alpine arm arm64 x86 x64 amd64 aarch64 staging production prod dev development test"
)


def statement(text: str) -> str:
    """Return a sentence without an opening such as "we found that"."""
    return _TELLING.sub("", text, count=1) if _TELLING.match(text) else text


def claimed(older: str, newer: str) -> str:
    """Return `ONE`, `TWO` or `UNKNOWN` for two sentences; the module describes the rules."""
    a, b = _words(older), _words(newer)
    plain, other = ([word for word in said if word.lower() not in _NEGATIONS] for said in (a, b))
    denied = len(a) - len(plain) != len(b) - len(other)
    if denied and _conjugated(plain, other, does=not _DOING.isdisjoint(map(str.lower, a + b))):
        return ONE
    a, b = plain, other
    begun = _matched(a, b)
    verb, its = _verb(a), _verb(b)
    if verb is None or its is None:
        return UNKNOWN
    if begun <= max(verb, its):
        changes = not _CHANGES.isdisjoint(words(newer))
        return UNKNOWN if changes else _subjects(a[:verb], b[:its])
    least = min(len(a), len(b)) - begun
    ended = min(_matched(a[::-1], b[::-1], endings=True), least)
    old, late, rest = a[begun : len(a) - ended], b[begun : len(b) - ended], a[len(a) - ended :]
    vague = _begins(older) in _INDEFINITE or _begins(newer) in _INDEFINITE
    if _begins(older) == a[0].lower() and a[1:begun] == ["is"] and old and old[0][0].isupper():
        return UNKNOWN  # Ada is Lead, and may also be Founder
    if denied or vague or not old or not late or not _ASIDE.isdisjoint([*a[:begun], *old, *late]):
        return UNKNOWN
    return _valued(a[verb:begun], (old, late), rest)


def _begins(text: str) -> str:
    """Return the first word of a sentence, articles included."""
    return next(iter(words(statement(text))), "")


def _words(text: str) -> list[str]:
    """Return the significant words of a sentence, with a comma at the end of each clause."""
    found: list[str] = []
    for raw in _TOKEN.findall(_BREAK.sub(" , ", statement(text.strip()))):
        word = raw if raw == "," else raw.strip(_MARKS).replace("\u2019", "'")
        found += [word.rstrip(":"), "="] if word.endswith(":") else [word]
    return [word for word in found if word and word.lower() not in _SILENT]


def _conjugated(a: Sequence[str], b: Sequence[str], *, does: bool) -> bool:
    """Return whether two sentences differ only in negations and in the verb form after `does`."""
    if len(a) != len(b):
        return False
    apart = [place for place in range(len(a)) if not _equal(a, b, place)]
    return not apart or (does and len(apart) == 1 and stem(a[apart[0]]) == stem(b[apart[0]]))


def _matched(a: Sequence[str], b: Sequence[str], *, endings: bool = False) -> int:
    """Return the number of leading words that two sentences share."""
    count = 0
    while count < min(len(a), len(b)) and (
        _equal(a, b, count) or (endings and a[count].islower() and stem(a[count]) == stem(b[count]))
    ):
        count += 1
    return count


def _equal(a: Sequence[str], b: Sequence[str], place: int) -> bool:
    """Compare two words exactly, except for the capital letter of a sentence's first word."""
    one, other = a[place], b[place]
    return one == other or (place == 0 and one[1:] == other[1:] and one.lower() == other.lower())


def _verb(words: Sequence[str]) -> int | None:
    """Return the position of the main verb, or None if no known verb is found."""
    low = [word.lower() for word in words]
    end = next((place for place, word in enumerate(low) if place and word in _ASIDE), len(low))
    for place, word in enumerate(low[:end]):
        if place and word in _AUXILIARY:
            return place
    if end > 1 and low[0] in _SPEAKERS:
        return 2 if end > 2 and low[1] in ("always", "usually", "often") else 1
    for place, word in enumerate(low[1:end], 1):
        if stem(word) in _KNOWN and not word.endswith(("ion", "ing")):
            return place
    return 0 if low and not low[0].endswith("s") and stem(low[0]) in _KNOWN else None


def _subjects(one: Sequence[str], other: Sequence[str]) -> str:
    """Return `TWO` if each subject has a word that the other lacks."""
    left, right = ({stem(word.lower()) for word in said} for said in (one, other))
    return TWO if left - right and right - left else UNKNOWN


def _valued(lead: Sequence[str], spans: tuple[list[str], list[str]], rest: Sequence[str]) -> str:
    """Classify a difference after the verb by the words before it, starting with the verb."""
    low = [word.lower() for word in lead]
    old, late = spans
    if low[0].endswith("ed") or max(len(old), len(late)) > _LONGEST:
        return UNKNOWN  # a past event can happen again
    if len(old) == len(late) == 1 and opposed(old[0], late[0]):
        return ONE if _STATING.issuperset(low) else UNKNOWN
    if _counts(old, rest) and _counts(late, rest):
        amount = stem(low[0]) not in _SEVERAL | _HAPPENING and not _is_label(lead[-1])
        return ONE if amount else UNKNOWN
    if low[-1] in _PURPOSE or (low[-1] in _RELATING and _elsewhere(low, spans)):
        return TWO
    return ONE if _is_value(low, (*old, *late), rest) else UNKNOWN


def opposed(one: str, other: str) -> bool:
    """Return whether two words are opposites."""
    return stem(one.lower()) in ANTONYMS.get(stem(other.lower()), ())


def _counts(span: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether a span is a number that counts the next word, or has a unit."""
    first, unit = span[0].lower(), span[1:]
    if len(unit) > 1 or (unit and stem(unit[0].lower()) not in _UNITS):
        return False
    if first in COUNTS or first.replace(".", "").replace(",", "").isdigit():
        noun = [*unit, *rest][:1]
        return bool(noun) and noun[0] not in _RELATING | _PURPOSE | _ASIDE
    return first[0].isdigit() and stem(first.lstrip("0123456789.,")) in _UNITS


def _is_label(word: str) -> bool:
    """Return whether a number after this word identifies a thing, as in Android 9 or ticket 9."""
    return word[0].isupper() or stem(word) in LABELS


def _elsewhere(low: Sequence[str], spans: Sequence[Sequence[str]]) -> bool:
    """Return whether the words only name a place or platform where the sentence is true."""
    described = low[0] in _BE and len(low) > 2 and not low[1].endswith(("ed", "en", "pt", "ld"))
    platforms = all(span[0].lower() in _PLATFORMS for span in spans)
    return platforms or described or stem(low[0]) in _HAPPENING


def _is_value(low: Sequence[str], said: Sequence[str], rest: Sequence[str]) -> bool:
    """Return whether the words are in a position that has one value at a time."""
    parts = [word for word in low if word not in _AUXILIARY and word != "version"]
    leads = len(parts)
    while parts and parts[-1] in _RELATING:
        parts.pop()
    verb = stem(parts[0]) if parts else ""
    times = all(word[0].isdigit() or word.lower() in DAYS for word in said)
    names = times or not any(word.isalpha() and word.islower() for word in said)
    if len(parts) > 1 or (len(said) > 2 and said[0][0].isdigit() and not times):
        return False
    if not parts:  # "is Omar", "is at 10:00"; "in Rome" and "owners are" allow several values
        return low[0] in _BE and (times or (names and not leads and low[0] in ("is", "=")))
    if verb == "use":
        return len(said) == 2 and rest[:1] == ["for"]
    if verb in _TIMED:
        return times and parts[0] == low[0]
    return verb in _SETTLED and names and leads > 1
