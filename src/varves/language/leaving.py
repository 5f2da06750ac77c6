"""Finds what a clause says was left, replaced, removed or ruled out.

"The shop moved from MySQL to PostgreSQL" and "the shop does not use MySQL" agree, although one
states something of MySQL and the other denies it.
"""

from __future__ import annotations

from varves.language.differences import THEMES
from varves.language.english.verbs import CHANGE_VERBS
from varves.language.frames import is_soft

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.frames import Frame, Statement

_INTRANSITIVE = frozenset(("be", "end", "expire", "die", "leave", "retire"))
# these verbs may be meant as passive: "the last slice deleted today"
_EITHER = frozenset(("delete", "remove", "drop"))
_ADDING = frozenset(("update", "extend"))  # "updated the prices from the ERP" leaves nothing
_INTO = frozenset(("merge", "split"))  # "the user table was split into two"
_BEGUN = ("to", "with", "agent")


def left(frame: Frame) -> set[str]:
    """Return the words for what is no longer so, by what a clause reports."""
    if frame.negated and not frame.turned:
        return set()
    terms = frame.terms.values()
    roles: tuple[str, ...] = ()
    if frame.gone:
        roles = ends(frame)
    elif any(term.role == "verb" and term.raw.lower() == "left" for term in terms):
        roles = ("object",)
    elif frame.verb in _INTO and any(term.role == "in" for term in terms):
        roles = ("patient",) if frame.passive else ("object",)
    found = {term.key for term in terms if term.role in roles and not is_soft(term.key)}
    moved = frame.changed and frame.verb in CHANGE_VERBS - _ADDING
    begun = [term for term in terms if term.role == "to"]
    passed = any(term.role == "verb" and term.raw.lower() == "passed" for term in terms)
    handed = begun and (passed or any(term.kind == "person" for term in begun))
    if moved or handed:  # as in "ownership passed from Ada to Ben"
        found |= {term.key for term in terms if term.role == "from"}
    return found | frame.against


def ends(late: Frame) -> tuple[str, ...]:
    """Return the roles of what ends in a clause, as in "X is gone" and "we removed X"."""
    if late.verb in _INTRANSITIVE or not late.verb:
        return THEMES
    if late.passive:
        return ("patient",)
    objects = any(term.role == "object" for term in late.terms.values())
    return THEMES if late.verb in _EITHER and not objects else ("object",)


def agree(one: Frame, other: Frame) -> bool:
    """Return whether one clause denies just what the other one says was left or removed."""
    if one.negated == other.negated:
        return False
    denied, stated = (one, other) if one.negated else (other, one)
    begun = {term.key for term in stated.terms.values() if term.role in _BEGUN}
    return bool(left(stated) & denied.terms.keys()) and not begun & denied.terms.keys()


def agreeing(one: Statement, other: Statement) -> bool:
    """Return whether a clause of one text denies what a clause of the other says was left."""
    return any(agree(here, there) for here in one.frames for there in other.frames)
