"""Finds the statement that puts one thing in the place of another: "on Sundays instead".

The words "instead", "after all" or "not in the church" say that one value takes the place of
another one, of whatever kind the two are. The newer statement must repeat everything else of the
older one: "barley in field 3 instead" says nothing of the oats in field 2. What it names as
replaced must be the older value.

The result is certain if the statement names the older value, or if it says of the same thing when,
where or how instead. If it gives another object, several may stand side by side, and "instead" may
mean a third one: "serve stew at the festival instead", where soup is served as well.
"""

from __future__ import annotations

import re

from varves.language.differences import THEMES, FrameDifference
from varves.language.wording import two_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.frames import Frame, Mention, Statement

_MARK = re.compile(r"\b(?:instead|after all|rather than)\b", re.IGNORECASE)
_SWITCHING = frozenset(("switch", "move", "migrate", "change"))
_AFTER_ALL = re.compile(r",?\s*\bafter all\b", re.IGNORECASE)
_MOST = 2  # the most words of one value


def unbounded(said: str) -> str:
    """Return a text without "after all", which sets no bound: "use barley after all"."""
    return _AFTER_ALL.sub("", said)


def instead(older: Statement, newer: Statement, said: str) -> tuple[str, bool] | None:
    """Return why the newer statement takes the older one's place, and whether that is certain.

    Args:
        older: the older statement.
        newer: the newer statement, made of `unbounded(said)`.
        said: the text of the newer statement.
    """
    marked = _MARK.search(said) is not None
    if not any(marked or one.against or one.verb in _SWITCHING for one in newer.frames):
        return None
    if len(older.frames) != 1 or len(newer.frames) != 1 or older.partly or newer.partly:
        return None
    [old], [late] = older.frames, newer.frames
    if old.conditions != late.conditions or not _affirms(old) or not _affirms(late):
        return None
    found = FrameDifference(old, late)
    if late.verb in _SWITCHING:
        return _switched(found)
    same_verb = old.verb == late.verb or old.verbs & late.verbs
    if not same_verb or old.future != late.future or found.passed or found.bounded:
        return None
    return _exchanged(found, marked=marked)


def _affirms(frame: Frame) -> bool:
    return not (frame.negated or frame.also or frame.hedged or frame.past)


def _exchanged(found: FrameDifference, *, marked: bool) -> tuple[str, bool] | None:
    """Return why one value of a clause takes the place of another, all else being equal."""
    old, late = found.old, found.late
    gone = [*found.gone, *(one for _, one, _ in found.pairs)]
    come = [*found.come, *(other for _, _, other in found.pairs)]
    roles = {term.role for term in (*gone, *come)}
    if len(roles) != 1 or roles & {*THEMES, "verb"}:
        return None
    if not (0 < len(gone) <= _MOST and 0 < len(come) <= _MOST):
        return None
    named = {term.key for term in gone} <= late.against
    if (late.against and not named) or not (named or marked):
        return None
    rest = any(old.terms[key].role != "verb" for key in found.core)
    if not rest and len(gone) + len(come) > _MOST:
        return None
    reason = two_values((old.text, late.text), gone, come, gone[0].raw)
    return reason, named or (rest and roles != {"object"})


def _switched(found: FrameDifference) -> tuple[str, bool] | None:
    """Return why a switch from one thing to another ends the use of the first."""
    late = found.late.terms.values()
    left = [term for term in late if term.role == "from"]
    to = [term for term in late if term.role == "to"]
    before: list[Mention] = [
        found.old.terms[term.key] for term in left if term.key in found.old.terms
    ]
    if not to or not before or len(before) != len(left) or any(t.role != "object" for t in before):
        return None
    about = {term.key for term in late if term not in left and term not in to}
    theirs = {term.key for term in found.old.terms.values() if term.role not in ("object", "verb")}
    if about - {found.late.verb} != theirs or not theirs:
        return None
    return two_values((found.old.text, found.late.text), before, to, before[0].raw), True
