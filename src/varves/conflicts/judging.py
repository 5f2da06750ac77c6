"""Judges whether the newer of two memories repeats, updates or contradicts the older one.

The judge of `varves.language` decides. If it has no opinion and the texts are close, the rule of
likeness may decide. Last, what both texts are about is compared. A statement that is limited to a
day or a week does not contradict another statement, but it may update one.
"""

from __future__ import annotations

from binascii import crc32
from functools import lru_cache

from varves.events.views import VIEW_OF
from varves.language.judge import CONTRADICTION, judge, statement
from varves.language.leaving import agreeing
from varves.language.matter import Matter
from varves.language.opposing import opposed
from varves.language.passing import is_passing
from varves.recall.likeness import relation
from varves.recall.stopwords import STOPWORDS
from varves.values.gist import MAX_CHARS, gist
from varves.values.text import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.language.judge import Statement
    from varves.values.gist import Gist
    from varves.values.near import Near

    Prepare = Callable[[str], "Prepared"]

SAME, UPDATE = "same", "update"
_SURE = (SAME, UPDATE)  # of texts that are not close, frames only name contradictions
# the kinds of conflict whose names differ from those of their relations
KINDS = {SAME: "duplicate"}
PREPARED = 2048  # the number of prepared texts that a process caches
_LONG = 300  # texts of this many letters are equal only if they have the same words
_KEYS = 48  # the most keys of one statement
_FEW = 3  # with at most this many words in a clause, each word is a key
_RESTATED = ("party", "deliberation")  # protocols in which a speaker may repeat a statement


class Prepared:
    """A text prepared for the judge, and the keys under which its statements are found."""

    __slots__ = ("_close", "_gist", "_matter", "statement", "text")

    def __init__(self, text: str) -> None:
        self.text = text[:MAX_CHARS]
        self.statement = statement(self.text)
        self._close: frozenset[str] | None = None
        self._gist: Gist | None = None
        self._matter: Matter | None = None

    @property
    def keys(self) -> frozenset[str]:
        """The keys under which the text is found."""
        return frozenset(self.statement.keys[:_KEYS])

    @property
    def close(self) -> frozenset[str]:
        """The keys of which texts in similar words share one; computed at the first use."""
        if self._close is None:
            self._close = frozenset(self.statement.close)
        return self._close

    @property
    def passes(self) -> bool:
        """Whether the text is only true for a time that it names."""
        return is_passing(self.text, self.statement)

    @property
    def gist(self) -> Gist:
        """The text as the rule of likeness compares it; computed at the first use."""
        if self._gist is None:
            self._gist = gist(self.text)
        return self._gist

    @property
    def matter(self) -> Matter:
        """What the text is about; computed at the first use."""
        if self._matter is None:
            self._matter = Matter(self.text)
        return self._matter


prepared = lru_cache(maxsize=PREPARED)(Prepared)
_gist = lru_cache(maxsize=PREPARED)(gist)


class Judged:
    """How a newer memory relates to an older one: same, update or contradiction, and why."""

    __slots__ = ("passing", "reason", "relation")

    def __init__(self, relation: str, reason: str, *, passing: bool) -> None:
        self.relation = relation
        self.reason = reason
        self.passing = passing
        """Whether the newer memory is about a limited time, so that no person needs to decide."""

    @property
    def kind(self) -> str:
        """The kind of the conflict: duplicate, update or contradiction."""
        return KINDS.get(self.relation, self.relation)


def is_compared(near: Near) -> bool:
    """Return whether a memory takes part in comparisons: a statement, not a view of a record."""
    return near.is_statement and VIEW_OF not in (near.links or "")


def judged(older: Near, newer: Near, *, prepare: Prepare = prepared) -> Judged | None:
    """Return how the newer memory relates to the older one, or None.

    Three cases are not reported: statements of two people about themselves, two memories of which
    one names the other, and a statement that a speaker repeats in a conversation.
    """
    if older.id in (newer.links or "") or newer.id in (older.links or ""):
        return None
    apart = older.speaker and newer.speaker and older.speaker != newer.speaker
    if apart and (_gist(older.text).personal or _gist(newer.text).personal):
        return None
    old, late = prepare(older.text), prepare(newer.text)
    kind, reason = _relation(old, late)
    if not kind or (kind == SAME and _is_long_and_differs(older.text, newer.text)):
        return None
    if kind == SAME and newer.protocol in _RESTATED and older.speaker == newer.speaker:
        return None
    passing = kind != SAME and (old.passes or late.passes)
    return Judged(UPDATE if passing else kind, reason, passing=passing)


def _relation(old: Prepared, late: Prepared) -> tuple[str, str]:
    """Return how two texts relate, and why; the first is "" if nothing is to be reported.

    The frames decide if they can, then likeness, and last what both texts are about.
    """
    verdict = judge(old.statement, late.statement)
    if verdict is not None and verdict.kind == CONTRADICTION:
        return verdict.kind, verdict.reason
    close = not old.close.isdisjoint(late.close)
    if verdict is not None and close and verdict.kind in _SURE:
        return verdict.kind, verdict.reason
    if agreeing(old.statement, late.statement):
        return "", ""
    alike = None
    if verdict is None and close:
        alike = relation(old.gist, late.gist)
        if alike is not None and alike.kind == CONTRADICTION:
            # likeness knows few words that deny, such as "forbidden"
            alike = None if _deny_alike(old.statement, late.statement) else alike
    if alike is not None:
        return (SAME if alike.kind == "duplicate" else alike.kind), alike.reason
    if not (old.statement.frames and late.statement.frames):
        return "", ""
    reason = opposed(old.matter, late.matter)
    return (CONTRADICTION, reason) if reason else ("", "")


def _deny_alike(old: Statement, late: Statement) -> bool:
    """Return whether two texts deny alike: "never without a test", "forbidden without a test"."""
    if old.denies and late.denies:
        return True
    if len(old.frames) != 1 or len(late.frames) != 1:
        return False
    [one], [other] = old.frames, late.frames
    return one.negated == other.negated and one.turned != other.turned


def _is_long_and_differs(one: str, other: str) -> bool:
    """Return whether two texts are so long that the judge might miss words in which they differ."""
    if max(len(one), len(other)) < _LONG:
        return False
    here, there = ({*words(text)} - STOPWORDS for text in (one, other))
    return here != there


def numbers(keys: frozenset[str], near: Near) -> frozenset[int]:
    """Return a memory's keys as the index stores them: numbers that depend on scope and log."""
    start = crc32(f"{near.kept}\x1f{near.scope}\x1f".encode("utf-8", "replace"))
    return frozenset(crc32(key.encode("utf-8", "replace"), start) for key in keys)


def terms(text: str) -> list[str]:
    """Return the words of a text with which the index is searched for similar memories."""
    return [word for word in dict.fromkeys(words(text[:MAX_CHARS])) if word not in STOPWORDS]
