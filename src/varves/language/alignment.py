"""Compares two clauses, with regard to the whole texts that they belong to.

In free text, one clause may name a thing and another its value, or the writer may add words. Two
clauses are about the same thing on two conditions. The text of one clause mentions everything that
the other clause is about, and it adds nothing that could mean a part or a special case of the
thing.
"""

from __future__ import annotations

from varves.language.differences import (
    MANY,
    POLAR,
    THEMES,
    WHEN,
    is_year,
    may_recur,
    rival,
    turned,
)
from varves.language.english.words import GENERIC
from varves.language.frames import MEASURES, is_soft, is_tool
from varves.language.leaving import agree
from varves.language.tokens import canonical
from varves.language.wording import two_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.differences import Pair
    from varves.language.frames import Frame, Mention, Statement

_NOTE = 3  # a text with more clauses than this is a conversation, not a note
_FEW = 2
# values of these kinds show which subject is meant
_WHICH = frozenset(("environment", "instant", "person", "path", "os"))
_OFTEN = frozenset(("frequency", "duration"))
_SOME = 5  # the most words that a sentence about a change may add
_GENERIC = frozenset(canonical(word) for word in GENERIC)
_OUTSIDE = frozenset(("outside", "without", "opposing", "despite"))


def aligned(older: Statement, newer: Statement) -> tuple[bool, str]:
    """Return whether the newer text describes a change, and how the texts disagree.

    The second value is "" if they do not disagree.
    """
    if max(len(older.frames), len(newer.frames)) > _NOTE:
        return False, ""
    here, there = _words(older), _words(newer)
    for late in newer.frames:
        for old in older.frames:
            if late.also or not _states(old, there) or not _states(late, here) or agree(old, late):
                continue
            denied = old.negated != late.negated
            if not denied and (old.verbs | late.verbs) & MANY:
                continue  # nothing has one value
            both = Alignment(old, late, here=here, there=there)
            reason = both.denied() if denied else both.valued()
            if reason and not both.is_apart:
                return late.changed, reason
    return False, ""


def _states(frame: Frame, other: set[str]) -> bool:
    """Return whether a clause states a present fact.

    All its conditions must occur in the other text.
    """
    return frame.conditions <= other and not frame.hedged and not frame.past and not frame.future


def _solid(frame: Frame) -> dict[str, Mention]:
    """Return, by key, the words of a clause that name its subject matter."""
    return {
        key: term
        for key, term in frame.terms.items()
        if (term.kind not in MEASURES or term.kind == "ordinal")
        and not is_soft(key)
        and key not in POLAR
        and key not in _GENERIC
    }


def _rival(one: Mention, other: Mention, late: Frame) -> str:
    """Return the kind of value, such as a day, that two terms both give differently, or "".

    A frequency may change into a duration.
    """
    kind = rival(one, other)
    often = late.changed and one.kind != other.kind and {one.kind, other.kind} == _OFTEN
    return "frequency" if often else kind


def _is_outcome(one: Mention, late: Frame) -> bool:
    """Return whether a clause about a change names a word as the new value, not as the former."""
    term = late.terms.get(one.key)
    return term is not None and term.role in ("to", "with")


def _words(text: Statement) -> set[str]:
    return {key for frame in text.frames for key in (*frame.terms, *frame.conditions)}


class Alignment:
    """Two clauses, each with the words that are missing from the other clause's text."""

    __slots__ = ("come", "gone", "late", "old", "pairs", "shared")

    def __init__(self, old: Frame, late: Frame, *, here: set[str], there: set[str]) -> None:
        self.old, self.late = old, late
        said = here | old.against
        others = [other for other in late.terms.values() if other.key not in said]
        self.pairs: list[Pair] = [
            (kind, one, other)
            for one in old.terms.values()
            if one.key not in there or (late.changed and not _is_outcome(one, late))
            for other in others
            if (kind := _rival(one, other, late))
        ]
        valued = {term.key for _, *terms in self.pairs for term in terms}
        mine, yours = _solid(old), _solid(late)
        self.shared = (mine.keys() & there) | (yours.keys() & here)
        self.shared |= (old.conditions & there) | (late.conditions & here)
        self.gone = [term for key, term in mine.items() if key not in there | valued]
        self.come = [term for key, term in yours.items() if key not in here | valued]

    @property
    def is_apart(self) -> bool:
        """Whether a clause is about another year than the other, or about all but one thing."""
        mine, yours = self.old.terms, self.late.terms
        for key in mine.keys() | yours.keys():
            one, other = mine.get(key), yours.get(key)
            roles = {term.role for term in (one, other) if term}
            if roles & _OUTSIDE and len(roles) > 1:
                return True
            if any(
                term and term.kind == "number" and is_year(term) for term in (one, other)
            ) and not (one and other):
                return True
        return False

    def valued(self) -> str:
        """Return how the clauses differ if they differ in only one value; otherwise ""."""
        if len({kind for kind, *_ in self.pairs}) != 1 or not self.shared:
            return ""
        kind, one, other = self.pairs[0]
        if kind in _WHICH or (one.role in THEMES and other.role in THEMES):
            return ""
        if turned(self.old, self.late, one, other):
            return ""
        if kind in WHEN and may_recur(self.old, self.late):
            return ""
        bounds = self.old.bounds, self.late.bounds
        named = any(term.role in (*THEMES, "object") for term in self.come)
        apart = all(bounds) or (named and bounds[0] == {"least"})
        if bounds[0] != bounds[1] and apart:
            return ""  # "3.11 or newer", "we bumped the importer to 3.12"
        if "default" in self.old.terms.keys() ^ self.late.terms.keys():
            return ""
        moved = self.late.changed and self._contained()
        plain = len(self.shared) >= _FEW and self._added(kind)
        return self._reason() if moved or plain else ""

    def _contained(self) -> bool:
        """Return whether a clause about a change names everything that the older one is about."""
        if any(term.role != "verb" for term in self.gone) or len(self.come) > _SOME:
            return False
        return not any(
            term.kind or term.raw[:1].isdigit() for term in self.come if term.role in THEMES
        )

    def _added(self, kind: str) -> bool:
        """Return whether at most one clause has further words, and these do not restrict it."""
        if self.gone and self.come:
            return False
        more = self.gone or self.come
        return not more or (kind not in MEASURES and all(term.role == "verb" for term in more))

    def denied(self) -> str:
        """Return how the clauses disagree if one denies the other; otherwise ""."""
        stated, denied = (self.old, self.late) if self.late.negated else (self.late, self.old)
        extra, more = (self.come, self.gone) if self.late.negated else (self.gone, self.come)
        if self.pairs or denied.turned or stated.turned or stated.bounds != denied.bounds:
            return ""
        if any(t.kind == "number" and t.key not in stated.terms for t in denied.terms.values()):
            return ""  # "merges no longer need two approvals" does not mean that they need none
        words = _solid(denied)
        said = _solid(stated)
        named = any(is_tool(term.kind) for term in words.values())
        if not words or not words.keys() <= said.keys() or len(self.shared) < _FEW:
            return ""
        few = len(words.keys() | denied.conditions) < _FEW
        if extra or len(more) > _FEW or (few and not named and more):
            return ""
        if any(term.role == "for" for term in more):
            return ""  # "For the docs repo, pushing to main is fine"
        return "one says it, the other denies it"

    def _reason(self) -> str:
        _, one, other = self.pairs[0]
        about = " ".join(term.raw for key, term in self.old.terms.items() if key in self.shared)
        return two_values((self.old.text, self.late.text), [one], [other], about)
