"""Likeness: whether a statement repeats, updates or contradicts an older one.

Similar texts may say the opposite, so the difference between them decides. If there is none, they
are duplicates; a replaced value is an update, and a negation a contradiction. In case of doubt
there is no relation.
"""

from __future__ import annotations

from varves.values.gist import Clause, Gist, gist
from varves.values.lexicon import (
    ABOUT,
    ANTONYMS,
    DAYS,
    EQUATING,
    LABELS,
    LOOSE,
    OWNING,
    ROLES,
)

__all__ = ["Gist", "Relation", "alike", "gist", "relation"]

FIRM = 3  # the words that two clauses must share before one equal neighbour identifies a value
MOST = 0.6  # the share of the words of the shorter clause that the other clause must contain
NEARLY_ALL = 0.8  # the same, if the clauses begin differently or one of them is negated
HALF = 0.5
MOST_SWAPPED = 2  # the most words in one value


class Relation:
    """How a newer statement relates to an older one, and why."""

    __slots__ = ("kind", "reason")

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        self.reason = reason


def alike(one: Gist, other: Gist) -> bool:
    """Return whether two texts say the same: the same numbers, names, negations and values.

    Inflection and fillers are ignored, and one part of a sentence may be in another position.
    """
    a, b = one.order, other.order
    if one.asks != other.asks or one.rest != other.rest:
        return False
    if a == b:
        return bool(a or one.rest)
    if len(a) != len(b) or len(a) < FIRM or one.numbers != other.numbers:
        return False
    return len(one.numbers) < 2 and not one.negations and _turned(a, b)


def _turned(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Return whether two sentences are equal after the last part of one is moved to its front."""
    return any(a[cut] == b[0] and a[cut:] + a[:cut] == b for cut in range(1, len(a)))


def relation(older: Gist, newer: Gist) -> Relation | None:
    """Return how the newer text relates to the older one; None if there is no relation."""
    if alike(older, newer) or _reworded(older, newer):
        return Relation("duplicate", "says the same")
    shared = older.frame & newer.frame
    if len(shared) < 2:
        return None
    found = None
    for late in newer.clauses:
        if len(late.frame & shared) < 2:
            continue
        for old in older.clauses:
            both = old.frame & late.frame
            if len(both) < 2:
                continue
            if old.negated != late.negated:
                if _denied(old, late, len(both)):
                    return Relation("contradiction", "one says it, the other denies it")
            elif found is None:
                found = _differing(old, late, both, changes=newer.changes)
    return found or _displaced(older, newer)


def _reworded(older: Gist, newer: Gist) -> bool:
    """Return whether two texts have the same words in another order.

    This test is less strict than `alike`.
    """
    if older.frame != newer.frame or len(older.frame) < FIRM or older.rest != newer.rest:
        return False
    if older.numbers != newer.numbers or older.negations != newer.negations:
        return False
    if older.asks != newer.asks or _bounds(older) != _bounds(newer):
        return False
    a, b = _content(older), _content(newer)
    passive = ("by" in older.order) != ("by" in newer.order)
    return len(a) == len(b) and (a == b or passive or _moved(a, b))


def _bounds(gist: Gist) -> list[str]:
    """Return the function words of a text that must match even if other words are reordered."""
    return sorted(word for word in gist.order if ROLES.get(word, 0) & ABOUT and word not in LOOSE)


def _content(gist: Gist) -> list[str]:
    """Return the stems of the words that name a text's subjects, in order."""
    return [word for clause in gist.clauses if not clause.whole for word in clause.order]


def _moved(a: list[str], b: list[str]) -> bool:
    """Return whether two neighbouring parts of a sentence have changed places."""
    start, stop = 0, len(a)
    while a[start] == b[start]:
        start += 1
    while a[stop - 1] == b[stop - 1]:
        stop -= 1
    part, other = a[start:stop], b[start:stop]
    return any(part[cut:] + part[:cut] == other for cut in range(1, len(part)))


def _denied(old: Clause, late: Clause, both: int) -> bool:
    """Return whether one clause says what the other one denies.

    `both` is the number of words that they share.
    """
    negative, positive = (late, old) if late.negated else (old, late)
    if negative.whole or both < FIRM or both < NEARLY_ALL * len(negative.frame):
        return False
    return not negative.numbers or negative.numbers == positive.numbers


def _differing(
    old: Clause, late: Clause, both: frozenset[str], *, changes: bool
) -> Relation | None:
    """Return the relation of two clauses about one subject that differ in one value, or None."""
    least = min(len(old.frame), len(late.frame))
    if old.hedged or late.hedged or not (old.states and late.states):
        return None
    if len(both) < MOST * least:
        return None
    gone = [word for word in old.order if word not in both]
    come = [word for word in late.order if word not in both]
    apart = len(both) < NEARLY_ALL * max(len(old.frame), len(late.frame))
    if old.first != late.first and apart and (not changes or len(gone) != 1 or len(come) != 1):
        return None
    if old.numbers and late.numbers and old.numbers != late.numbers:
        return _counted(old, late, gone=gone, come=come)
    if old.generic or late.generic:
        return None
    if len(gone) == 1 and len(come) == 1 and gone[0] in ANTONYMS.get(come[0], ()):
        return Relation("contradiction", f"{old.said[gone[0]]} and {late.said[come[0]]}")
    return _exchanged(old, late, gone=gone, come=come, changes=changes)


def _counted(old: Clause, late: Clause, *, gone: list[str], come: list[str]) -> Relation | None:
    """Return the relation of two clauses if one number replaces another between the same words."""
    if _other_subject(old, late, gone=gone, come=come):
        return None
    firm = len(old.frame & late.frame) >= FIRM
    for number, place in late.slots:
        before, after = _around(late, place)
        if number in old.numbers or before in LABELS:
            continue
        for other, spot in old.slots:
            if other in late.numbers:
                continue
            left, right = _around(old, spot)
            sides = (before == left != "") + (after == right != "")
            if sides == 2 or (sides and firm):
                owned = after != right and not OWNING.isdisjoint(
                    (late.leads.get(after, ""), old.leads.get(right, ""))
                )
                swapped = set(old.order[:spot]) - late.frame and set(late.order[:place]) - old.frame
                if not owned and not swapped:
                    return Relation("update", f"{other} is now {number}")
    return None


def _other_subject(old: Clause, late: Clause, *, gone: list[str], come: list[str]) -> bool:
    """Return whether two clauses with different numbers name different things.

    Names of days are ignored.
    """
    if any(_around(c, place)[0] in LABELS for c in (old, late) for _, place in c.slots):
        return True
    return any(word in old.names and word not in DAYS for word in gone) and any(
        word in late.names and word not in DAYS for word in come
    )


def _around(clause: Clause, place: int) -> tuple[str, str]:
    """Return the words directly before and after a number."""
    order = clause.order
    return order[place - 1] if place else "", order[place] if place < len(order) else ""


def _exchanged(
    old: Clause, late: Clause, *, gone: list[str], come: list[str], changes: bool
) -> Relation | None:
    """Return the relation of two clauses if one value replaces another between the same words."""
    if late.numbers and not old.numbers:
        come = [word for word in come if word not in DAYS]
    if not gone or not come or max(len(gone), len(come)) > MOST_SWAPPED:
        return None
    if len(old.frame & late.frame) < 2 * max(len(gone), len(come)):
        return None
    if not changes:
        kept = [word for word in old.order if word in late.frame]
        if old.first in gone or kept != [word for word in late.order if word in old.frame]:
            return None
    named = all(_is_name(old, word) for word in gone) and all(_is_name(late, w) for w in come)
    plain = len(gone) == len(come) == 1 and old.order[-1:] == gone and late.order[-1:] == come
    leads = {old.leads.get(gone[0], ""), late.leads.get(come[0], "")}
    if not (named and leads.isdisjoint(OWNING)) and not (plain and leads <= EQUATING):
        return None
    swapped = ((old, gone), (late, come))
    before, after = (" ".join(c.said[word] for word in part) for c, part in swapped)
    return Relation("update", f"{before} is now {after}")


def _is_name(clause: Clause, word: str) -> bool:
    return word in clause.names or (clause.capital and word == clause.first)


def _displaced(older: Gist, newer: Gist) -> Relation | None:
    """Return a relation if the newer text says that a name of the older text is gone."""
    for late in newer.clauses:
        if not late.gone or late.hedged:
            continue
        for old in older.clauses:
            lost = (old.names & late.frame) - {old.first}
            if not lost or old.first not in newer.frame or old.gone or old.negated:
                continue
            if len(old.frame & newer.frame) >= HALF * len(old.frame):
                return Relation("update", f"{old.said[min(lost)]} is gone")
    return None
