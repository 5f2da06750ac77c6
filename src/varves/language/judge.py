"""Judges whether two statements say the same, update or contradict each other.

Two clauses are compared term by term. The common terms are the subject, and the different terms
decide. The statements contradict each other if they differ only in a value, in words that cannot
both be true, or in a denial. If anything else differs, they are different, or there is no opinion.
In doubt, nothing is reported.
"""

from __future__ import annotations

from varves.language.alignment import aligned
from varves.language.changes import changed, displaced, exchanged, moves
from varves.language.differences import MANY, POLAR, THEMES, FrameDifference
from varves.language.english.nouns import ATTRIBUTES, SINGLE
from varves.language.english.verbs import WEAK
from varves.language.frames import MEASURES, TIMES, Frame, Mention, Statement, statement
from varves.language.leaving import agree
from varves.language.order import exchanged_places
from varves.language.tokens import canonical
from varves.language.wording import phrase, two_values

__all__ = [
    "CONTRADICTION",
    "DIFFERENT",
    "SAME",
    "UPDATE",
    "Judgement",
    "Statement",
    "judge",
    "statement",
]

SAME, UPDATE, CONTRADICTION, DIFFERENT = "same", "update", "contradiction", "different"
_RETURN = canonical("return")
_AVAILABLE = canonical("available")
_CHOOSING = frozenset((canonical("work"),))  # "works part time" is one of two choices
_ATTRIBUTES = frozenset(canonical(word) for word in ATTRIBUTES)
_SINGLE = frozenset((canonical(verb), role) for verb, role in SINGLE)
_PLACED = frozenset(
    canonical(word) for word in ("office", "headquarters", "server", "lead", "team")
)
# without a verb, values of these kinds may be labels
_VAGUE = frozenset(("number", "date", "month"))
_CASES = {"patient": "subject"}
_MOST = 4  # the most words of one value
_FEW = 2
_BEING = frozenset(("be", "live", "reside", "sit", "locate", "take", "happen", "base", "stay"))


class Judgement:
    """How a newer statement relates to an older one, and why."""

    __slots__ = ("kind", "reason")

    def __init__(self, kind: str, reason: str) -> None:
        self.kind = kind
        """same, update, contradiction or different"""
        self.reason = reason

    def __repr__(self) -> str:
        return f"{self.kind}: {self.reason}"


_APART = Judgement(DIFFERENT, "they are about different things")
_EQUAL = Judgement(SAME, "they say the same")
_ENDED = "the newer says that it is no longer so"
_DENIED = Judgement(CONTRADICTION, "one says it, the other denies it")
_REVERSED = Judgement(CONTRADICTION, "each prefers what the other rejects")


def judge(older: Statement, newer: Statement) -> Judgement | None:
    """Return how the newer statement relates to the older one; None means no opinion."""
    same = different = 0
    for late in newer.frames:
        for old in older.frames:
            verdict = None if agree(old, late) else _compared(old, late)
            if verdict is None:
                continue
            if verdict is _EQUAL and old.below - late.below and late.below - old.below:
                return _REVERSED
            if verdict is _EQUAL and exchanged_places(old, late):
                verdict = _APART
            if verdict.kind in (UPDATE, CONTRADICTION):
                if not late.changed:
                    return verdict
                return Judgement(UPDATE, _ENDED if verdict is _DENIED else verdict.reason)
            same += verdict.kind == SAME
            different += verdict.kind == DIFFERENT
    lost = displaced(older, newer)
    if lost:
        return Judgement(UPDATE, lost)
    whole = same and same >= len(older.frames) and same >= len(newer.frames)
    if whole and not older.partly and not newer.partly:
        return _EQUAL
    change, reason = aligned(older, newer)
    if reason:
        return Judgement(UPDATE if change else CONTRADICTION, reason)
    if different and len(older.frames) == len(newer.frames) == 1:
        return _APART
    return None


def _compared(old: Frame, late: Frame) -> Judgement | None:
    """Return how two clauses relate; None means no opinion."""
    if not any(key in old.terms for key in late.terms) and not old.against & late.terms.keys():
        return None
    if not old.states or not late.states or late.also:
        return _APART if old.company == late.company == 1 else None
    if old.conditions != late.conditions:
        denied = old if old.negated else late
        if old.negated == late.negated or denied.conditions or denied.turned:
            return _APART if old.conditions and late.conditions else None
    if late.gone and not old.against.isdisjoint(late.terms):
        return None  # "spaces, not tabs", "tabs are out"
    found = FrameDifference(old, late)
    if old.against and late.against and old.negated == late.negated:
        swapped = _swapped(old, late)
        if swapped is not None:
            return swapped
    rejected = found.rejected
    if rejected and found.core:
        return Judgement(CONTRADICTION, _rejection(found, rejected))
    unwanted = found.unwanted
    if unwanted:
        what = phrase(late.text, unwanted)
        return Judgement(CONTRADICTION, f"the older rules out {what}")
    return _judged(found) if found.core or found.counted else None


def _rejection(found: FrameDifference, rejected: list[Mention]) -> str:
    """Return a text that says what the newer clause rejects, and what replaces it."""
    role = rejected[0].role
    old, late = found.old, found.late
    before = [t for key, t in old.terms.items() if t.role == role and key in late.against]
    after = [t for key, t in late.terms.items() if t.role == role and key not in old.terms]
    if after and role not in THEMES:
        return two_values((old.text, late.text), before, after, before[0].raw)
    return f"the newer rules out {phrase(old.text, before)}"


def _judged(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate, by the rule that fits their form."""
    if found.blurred:
        return _APART
    if _forbids(found):
        return _EQUAL
    if not found.old.verb or not found.late.verb:
        return _fragments(found)
    if found.old.negated != found.late.negated:
        return _denied(found)
    if moves(found.late):
        reason = changed(found) or exchanged(found)
        return Judgement(UPDATE, reason) if reason else None
    return _differing(found)


def _forbids(found: FrameDifference) -> bool:
    """Return whether two denials differ only in their form: "never X", "X is forbidden"."""
    old, late = found.old, found.late
    if not (old.negated and late.negated) or old.turned == late.turned:
        return False
    if found.pairs or found.bounded or found.passed or old.against != late.against:
        return False
    return len(found.core) > 1 and all(i.key in POLAR for i in (*found.gone, *found.come))


def _swapped(old: Frame, late: Frame) -> Judgement | None:
    """Return how two preferences relate, as in "tabs over spaces"; None if they do not."""
    ours, theirs = old.against - old.terms.keys(), late.against - late.terms.keys()
    if ours & late.terms.keys() and theirs & old.terms.keys():
        return _REVERSED
    if old.against == late.against and old.terms.keys() == late.terms.keys():
        return _EQUAL
    return None


def _fragments(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if one has no verb; only measures are compared."""
    if found.gone or found.come:
        return None
    if found.old.negated != found.late.negated:
        return _DENIED if found.lone and not found.pairs and len(found.core) > 1 else None
    if not found.pairs:
        return _EQUAL if found.lone and found.says_enough and not found.bounded else None
    if not {kind for kind, *_ in found.pairs} <= MEASURES - _VAGUE or not found.firm:
        return None
    return _APART if found.bounded else Judgement(CONTRADICTION, found.reason())


def _differing(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if both affirm something or both deny something."""
    old, late = found.old, found.late
    if old.only != late.only:
        narrowed = _narrowed(found)
        if narrowed is not None:
            return narrowed
    if found.held_by_one or found.elsewhere:
        return Judgement(CONTRADICTION, found.reason())
    if found.gone and found.come:
        return _APART if found.pairs else _replaced(found)
    if (found.gone or found.come) and found.pairs:
        return Judgement(UPDATE, found.reason()) if _is_shorter(found) else _APART
    if found.gone or found.come:
        return None
    if found.pairs:
        return _valued(found)
    return _equal(found)


def _equal(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if they have the same words."""
    old, late = found.old, found.late
    if found.opposed:
        return Judgement(CONTRADICTION, found.reason())
    unequal = old.against != late.against or found.bounded or not found.equal_roles
    return None if unequal or not found.says_enough else _EQUAL


def _is_shorter(found: FrameDifference) -> bool:
    """Return whether the newer clause gives a new value but omits where or how."""
    if not found.late.changed or found.come or len(found.gone) > 1 or found.theme_pairs:
        return False
    measured = {kind for kind, *_ in found.pairs} <= MEASURES and len(found.core) > 1
    return measured and all(t.role in ("in", "with", "agent") and not t.kind for t in found.gone)


def _denied(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if one affirms something and the other denies something."""
    if found.bounded and found.old.bounds and found.late.bounds:
        return _APART
    if found.pairs:
        exactly = found.one_is_choice and not found.gone and not found.come
        return _EQUAL if exactly and not found.theme_pairs else _APART
    if found.late.negated:
        denied, extra, stated, more = found.late, found.come, found.old, found.gone
    else:
        denied, extra, stated, more = found.old, found.gone, found.late, found.come
    extra = [term for term in extra if term.key not in POLAR]
    more = [term for term in more if term.key not in POLAR]
    if not found.firm or (denied.against and not extra):
        return None
    if any(term.role == "until" for term in denied.terms.values()):
        return None  # "not merged until it is approved" denies no merge
    if any(term.role == "for" for term in more) or found.about_others:
        return _APART
    if not extra:
        case = all(term.role not in (*THEMES, "for") for term in more)
        near = len(found.core) + found.counted > 1 and len(more) <= (_MOST if case else _FEW)
        return _DENIED if not more or near else None
    if stated.universal and not more and len(found.core) > 1:
        return Judgement(CONTRADICTION, "one says it of all, the other denies it of some")
    return _APART if more else None


def _narrowed(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if one of them says "only"."""
    plain = found.late if found.old.only else found.old
    roles = {_CASES.get(term.role, term.role) for term in (*found.gone, *found.come)}
    if len(found.core) < _FEW or len(roles) > 1 or found.bounded:
        return None
    if found.old.verbs != found.late.verbs or (roles & set(THEMES) and not plain.universal):
        return None
    valued = found.pairs and not found.gone and not found.come
    if valued and (found.all_people or not found.theme_pairs):
        return Judgement(CONTRADICTION, found.reason())
    if (found.gone and found.come) or (plain.universal and (found.gone or found.come)):
        return Judgement(CONTRADICTION, found.reason())
    return None


def _valued(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if they differ only in values."""
    if not found.firm:
        return None
    if found.bounded and found.old.bounds and found.late.bounds:
        return _APART
    kinds = {kind for kind, *_ in found.pairs}
    if len(found.pairs) > 1 and not kinds <= TIMES and not kinds <= MEASURES - TIMES:
        return None if kinds <= MEASURES else _APART
    if found.theme_pairs:
        handed = found.all_people and (found.late.changed or found.of_all)
        return Judgement(CONTRADICTION, found.reason()) if handed else _APART
    if kinds <= MEASURES:
        several = found.verbs & MANY and "least" not in found.old.bounds | found.late.bounds
        named = any(found.old.terms[key].kind for key in found.core) or kinds <= TIMES
        return _APART if several and named else Judgement(CONTRADICTION, found.reason())
    if all(_is_value(found, *pair) for pair in found.pairs):
        return Judgement(CONTRADICTION, found.reason())
    return _APART


def _is_value(found: FrameDifference, kind: str, one: Mention, other: Mention) -> bool:
    """Return whether a thing has one value at a time in the role in which the clauses differ."""
    many = bool(found.verbs & (MANY - _CHOOSING if kind == "choice" else MANY))
    many = many or (_RETURN in found.verbs and kind != "choice")
    many = many or (_AVAILABLE in found.old.terms and one.role == "in" and not found.late.only)
    if many and not found.old.only:
        return False
    roles = {one.role, other.role}
    if kind == "person":
        owned = bool(found.agents) or roles == {"is"} or "agent" in roles
        return owned or _is_single(found, one.role)
    if kind == "environment" or (kind == "os" and roles == {"in"}):
        # a program may run on several systems, but a machine runs one
        return _is_single(found, one.role) or (kind == "os" and found.on_machines)
    return roles != {"for"}


def _replaced(found: FrameDifference) -> Judgement | None:
    """Return how two clauses relate if they differ in words."""
    before = {term.role for term in found.gone}
    after = {term.role for term in found.come}
    small = len(found.gone) <= _FEW and len(found.come) <= _FEW
    if found.agents and small and _is_owner(found, before | after):
        return Judgement(CONTRADICTION, found.reason())
    if found.other_label or found.other_head or found.stored_apart:
        return Judgement(CONTRADICTION, found.reason())
    if len(before) != 1 or before != after or max(len(found.gone), len(found.come)) > _MOST:
        return _APART
    role = next(iter(before))
    if role in THEMES:
        return Judgement(CONTRADICTION, found.reason()) if found.one_is_it else _APART
    verb = found.old.verbs == found.late.verbs
    joined = found.old.verb == "be" == found.late.verb
    single = _is_single(found, role) and (joined or not found.of_other_kinds)
    single = single or (role == "in" and _is_somewhere(found))
    if single or (role == "agent" and verb):
        return Judgement(CONTRADICTION, found.reason())
    if role == "object" and small and found.one_purpose and not found.of_other_kinds:
        return Judgement(CONTRADICTION, found.reason())
    moved = role in ("object", "with", "from", "to")
    swapped = verb and not joined and moved and not found.verbs & MANY
    if found.late.changed and swapped and small and found.firm and len(found.core) > 1:
        return Judgement(UPDATE, found.reason())
    return _APART


def _is_owner(found: FrameDifference, roles: set[str]) -> bool:
    """Return whether the clauses differ only in who owns or leads something."""
    if "be" in (found.old.verb, found.late.verb):
        asked = any(found.old.terms[k].role in THEMES for k in found.agents & found.core)
        return (roles == {"is"} and asked) or (roles == {"subject"} and found.all_named)
    return roles <= {"subject", "agent"}


def _is_somewhere(found: FrameDifference) -> bool:
    """Return whether both clauses give a location of one thing: "lives in Oslo", "is in Bergen"."""
    differing = (*found.gone, *found.come)
    places = all(term.kind == "name" and term.raw.istitle() for term in differing)
    return places and found.old.verb in _BEING and found.late.verb in _BEING and found.firm


def _is_single(found: FrameDifference, role: str) -> bool:
    """Return whether a role has one value at a time in both clauses."""
    old, late = found.old, found.late
    if old.verb == "be" == late.verb:
        if role == "in":
            return bool(found.core & _PLACED)
        short = len(found.gone) <= _FEW and len(found.come) <= _FEW
        if role != "is" or not short or old.sorts or late.sorts:
            return False
        named = any(old.terms[key].role in THEMES for key in found.core & _ATTRIBUTES)
        return named or found.both_names  # names of roles do not count: "Ann is the head of sales"
    if role == "object" and old.passive and late.passive and old.verb in ("call", "name"):
        return True
    if "ship" in (old.verb, late.verb) or (old.verb == "work") != (late.verb == "work"):
        return False
    verbs = old.verbs & late.verbs
    if not verbs and old.verb in WEAK and late.verb in WEAK:
        verbs = old.verbs | late.verbs
    return any((verb, role) in _SINGLE for verb in verbs)
