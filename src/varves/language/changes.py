"""Finds the change that a newer statement reports: a new value, an end, or a replacement.

A sentence about a change rarely repeats the older statement. It names its subject, and also the new
value or the thing that is gone. Both must match the older statement.
"""

from __future__ import annotations

from varves.language.differences import THEMES
from varves.language.english.nouns import AGENTS
from varves.language.english.verbs import CHANGE_VERBS
from varves.language.english.words import CHANGES, HOLDERS
from varves.language.frames import MEASURES, is_soft, is_tool
from varves.language.leaving import agree, ends, left
from varves.language.tokens import canonical
from varves.language.wording import phrase, two_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.language.differences import FrameDifference, Pair
    from varves.language.frames import Frame, Mention, Statement

_MOVED = ("to", "from", "with", "in")
_USING = frozenset(("use", "run", "have", "employ"))
_SWITCHING = frozenset(("switch", "migrate", "convert", "port", "transition", "change"))
_TIMES = frozenset(("double", "halve"))
_HOLDERS = frozenset(canonical(word) for word in HOLDERS)
_LEADING = frozenset(map(canonical, (*AGENTS, "run", "maintain")))
_PLAIN = frozenset(("", "environment")) | MEASURES
_NOTE = 4  # a text with more clauses than this is a conversation, not a note


def moves(late: Frame) -> bool:
    """Return whether a clause says that a value changed."""
    if not late.changed or late.verb not in CHANGE_VERBS:
        return False
    return late.verb in _TIMES or any(term.role in _MOVED for term in late.terms.values())


def changed(found: FrameDifference) -> str:
    """Return how a clause about a changed value contradicts an older clause; "" if it does not."""
    old, late = found.old, found.late
    extra = [i for i in found.come if i.role not in _MOVED and i.kind != "person"]
    missing = [i for i in found.gone if i.role in (*THEMES, "agent", "object", "verb")]
    about_other = missing and any(term.role in (*THEMES, "object") for term in extra)
    # "3.11 or newer" and "we bumped the importer to 3.12" may both be true
    if _left_subject(found) or about_other or (extra and found.bounded):
        return ""
    if any(term.role in THEMES and term.raw.isdigit() for term in extra):
        return ""  # a numbered subject such as "sprint 31"
    former = _left(found)
    if former:
        return found.reason(former)
    left = [i for i in found.come if i.role == "from" and i.kind not in MEASURES]
    if left and any(term.role == "to" for term in found.come):
        return ""  # the frame names a former value that the older frame does not have
    about = [key for key in old.terms if not is_soft(key)]
    if len(extra) > 1 or len(missing) * 2 > len(about) or not found.firm:
        return ""
    measured = [pair for pair in found.pairs if pair[0] in MEASURES]
    if measured:
        return found.reason(measured)
    to = [term for term in found.come if term.role == "to"]
    often = any(term.kind == "frequency" for term in found.gone)
    counted = late.verb in _TIMES and any(i.kind in MEASURES for i in old.terms.values())
    moved = to and found.gone and not missing
    if (found.pairs and not found.theme_pairs) or moved or counted:
        return found.reason()
    return found.reason() if often and any(term.kind == "duration" for term in to) else ""


def _left_subject(found: FrameDifference) -> bool:
    """Return whether what is left is the older subject: "renamed from shop to store"."""
    old, late = found.old.terms, found.late.terms
    roles = {(old[key].role in THEMES, late[key].role) for key in found.core}
    return roles == {(True, "from")}


def exchanged(found: FrameDifference) -> str:
    """Return how the tool that a thing used was switched for another ("to X"); "" if it was not."""
    if found.old.verb not in _USING or found.late.verb not in _SWITCHING or not found.firm:
        return ""
    if len(found.gone) != 1 or len(found.come) != 1 or found.of_other_kinds:
        return ""
    one, other = found.gone[0], found.come[0]
    named = one.kind == other.kind == "name"
    return found.reason() if named and (one.role, other.role) == ("object", "to") else ""


def _left(found: FrameDifference) -> list[Pair]:
    """Return the former value and the new value, if a clause names both: "from 10 to 20"."""
    for key, old in found.old.terms.items():
        term = found.late.terms.get(key)
        if term is None or term.role != "from":
            continue
        for one in found.come:
            if one.kind == term.kind and one.role == "to":
                return [(one.kind, old, one)]
    return []


def displaced(older: Statement, newer: Statement) -> str:
    """Return a text that says which part of an older statement is gone; "" if none is."""
    if not any(frame.changed or frame.gone for frame in newer.frames):
        return ""
    words = {key for frame in newer.frames for key in frame.terms if not is_soft(key)}
    talk = max(len(older.frames), len(newer.frames)) > _NOTE
    for old in older.frames:
        if old.negated or old.hedged or old.past or not old.verb:
            continue
        mine = {key: term for key, term in old.terms.items() if not is_soft(key)}
        for late in newer.frames:
            if late.hedged or late.future or not (late.changed or late.gone) or agree(old, late):
                continue
            handed = _handed(old, late)
            if handed is not None:
                return f"the newer says that {phrase(old.text, [handed])} handed it over"
            what = _lost(late, mine)
            if what is None or (talk and what.kind in _PLAIN):
                pass
            elif what.key in left(old) and left(late) <= left(old):
                pass  # the older statement says so too
            elif _belongs(mine, mine.keys() & words, what) or _succeeded(newer, what):
                return _gone(old, late, what)
            if _switched(late, mine):
                return "the newer says that another is used now"
            waits = any(term.role == "until" for term in late.terms.values())
            if late.changed and (late.negated or late.past) and not waits and _ended(late, mine):
                return "the newer says that it is no longer so"
    return ""


def _gone(old: Frame, late: Frame, what: Mention) -> str:
    """Return a text that says that a part of the older clause is gone, or was replaced."""
    to = [term for term in late.terms.values() if term.role == "to"]
    left = [term for term in late.terms.values() if term.role == "from" and term.key in old.terms]
    measured = [term for term in left if any(one.kind == term.kind for one in to)]
    if to and left:
        before = [old.terms[term.key] for term in measured or left]
        kinds = {term.kind for term in before}
        after = [term for term in to if term.kind in kinds] or to
        return two_values((old.text, late.text), before, after, what.raw)
    return f"the newer says that {phrase(old.text, [what])} is gone or changed"


def _handed(old: Frame, late: Frame) -> Mention | None:
    """Return who handed over, in the newer clause, what the older clause says they lead or run."""
    if late.verb != "handedover" or not (old.terms.keys() | old.verbs) & _LEADING:
        return None
    what = {term.key for term in late.terms.values() if term.role == "object"}
    theirs = {key for key, term in old.terms.items() if term.role == "object"}
    if not what or not what <= old.terms.keys() or not theirs <= what:
        return None
    givers = [old.terms[k] for k, t in late.terms.items() if t.role in THEMES and k in old.terms]
    return givers[0] if givers else None


def _lost(late: Frame, mine: dict[str, Mention]) -> Mention | None:
    """Return the term of an older clause that is gone or replaced; None if no term is."""
    denied = late.negated and not late.turned
    for key, term in late.terms.items():
        if key not in mine or is_soft(key) or term.kind in MEASURES or term.raw.lower() in CHANGES:
            continue
        if term.role == "from" and late.changed:
            return mine[key]
        if not late.gone or denied:
            continue
        if late.verb == "stop" and not _alone(late, None, mine):
            return None  # "we stopped sending invoices by fax" ends no other way to send them
        if late.verb == "stop" or (term.role in ends(late) and _alone(late, term, mine)):
            return mine[key]
    return None


def _alone(late: Frame, what: Mention | None, mine: dict[str, Mention]) -> bool:
    """Return whether a clause says that only one thing is gone, and nothing else.

    Other words must be in the older statement too: of the role of this thing, or of all roles that
    say how or where.
    """
    return all(
        term.key in mine or term.key in _HOLDERS or is_soft(term.key) or term.kind in MEASURES
        for term in late.terms.values()
        if (term.role == what.role if what else term.role not in (*THEMES, "verb", "object"))
        and term is not what
    )


def _belongs(mine: dict[str, Mention], shared: set[str], what: Mention) -> bool:
    """Return whether the end that a text reports is about the subject of the older statement."""
    if what.kind not in _PLAIN and what.role not in THEMES:
        return len(shared) > 1 or len(mine) <= 2
    if what.role in ("with", "is") and len(mine) <= 2:
        return True
    return len(shared) > 1 and len(shared) * 2 >= len(mine)


def _succeeded(newer: Statement, what: Mention) -> bool:
    """Return whether a text names two values of the same kind of tool: "replaced A with B"."""
    kinds = [term.kind for frame in newer.frames for term in frame.terms.values()]
    return is_tool(what.kind) and kinds.count(what.kind) > 1


def _switched(late: Frame, mine: dict[str, Mention]) -> bool:
    """Return whether a clause only says "we switched to X", another tool of a kind in `mine`."""
    if late.verb not in CHANGE_VERBS or not late.changed or late.negated:
        return False
    to = [term for term in late.terms.values() if term.role == "to" and is_tool(term.kind)]
    if len(to) != 1 or to[0].key in mine:
        return False
    rest = [
        key
        for key, term in late.terms.items()
        if term not in to and key not in mine and not is_soft(key) and term.kind not in MEASURES
    ]
    return not rest and any(term.kind == to[0].kind for term in mine.values())


def _ended(late: Frame, mine: dict[str, Mention]) -> bool:
    """Return whether a clause says that an older clause is not true any more."""
    said = [key for key in late.terms if not is_soft(key)]
    known = [key for key in said if key in mine]
    counted = any(term.kind == "number" and key not in mine for key, term in late.terms.items())
    return not counted and len(known) > 1 and len(known) * 3 >= len(said) * 2
