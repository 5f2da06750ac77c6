"""Computes the difference between two clauses: common words, rival values, and other words."""

from __future__ import annotations

from varves.language.english.nouns import (
    AGENTS,
    EXCLUSIVE,
    HEADS,
    MACHINES,
    PLACE_LABELS,
)
from varves.language.english.words import LIGHT
from varves.language.frames import MEASURES, TIMES, Frame, Mention, is_soft, is_tool
from varves.language.places import PLACING, RESTING, apart, kept_apart
from varves.language.tokens import KIND_OF, canonical
from varves.language.wording import two_values

_OPPOSED = (("before", "after"), ("least", "most"))
THEMES = ("subject", "patient")  # the roles of words that name a clause's subject
POLAR = frozenset(canonical(word) for word in ("allow", "require", "enable", "have", "use"))
"""Words that only affirm something or, if negated, deny it."""
MANY = frozenset(
    canonical(word)
    for word in (
        *("support", "include", "contain", "accept", "consume", "offer", "speak", "know"),
        *("sell", "like", "visit", "work"),
    )
)
"""Verbs that may be true of several values at the same time."""
Pair = tuple[str, Mention, Mention]


def _excluding() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in EXCLUSIVE:
        words = row.split()
        for word in words:
            for key in {word, canonical(word)}:
                others = found.setdefault(key, set())
                for other in words:
                    if other != word and canonical(other) != canonical(word):
                        others |= {other, canonical(other)}
    return found


_EXCLUDING = _excluding()
_AGENTS = frozenset(canonical(word) for word in AGENTS)
_TENDING = frozenset(canonical(word) for word in ("handle", "coordinate", "oversee"))
_LIGHT = frozenset(canonical(word) for word in LIGHT)
_COSTS = frozenset(canonical(word) for word in ("cost", "year", "month", "week", "day", "hour"))
WHEN = TIMES - {"frequency"}
"""The kinds of values that say when an event happens."""
_ABSENCES = frozenset(canonical(word) for word in ("holiday", "vacation", "leave", "trip", "visit"))
# words for payments, which may be due on a day of the month
_OWED = frozenset(canonical(word) for word in ("due", "pay"))
_WEEK = 604_800
_DAY, _HALF = 24, 720  # the hours of a day; the minutes of half a day
_ORDERING = frozenset(("in", "is", "verb", "to", "from", "until"))
_FREE = canonical("free")
_USING = frozenset(("use", "choose", "pick", "employ", "adopt"))
_ACTIVITY = ("ing", "tion", "sion", "ment", "ance")
"""Endings of words for what is done: validation, styling, management."""
_ENDS = frozenset(
    ("opposing", "from", "to", "before", "after", "above", "below", "until", "without")
)
# by role: whether the word with this role acts
_ACTS = {"subject": True, "agent": True, "object": False, "patient": False}
_LINKS = frozenset(("be", "have", "use", "do", "get", "make"))
_KEEPING = frozenset(("live", "keep", "store", "host", "reside", "limit", "cap", "set", "need"))
_LONG = 8  # the most words of a subject that a reason repeats
_FEW = 3  # a text with more clauses than this is a conversation, not a note


def excluded_by(one: str) -> set[str]:
    """Return the words that contradict a given word, if both are said of the same thing."""
    return _EXCLUDING.get(one, set())


def excludes(one: str, other: str) -> bool:
    """Return whether two words contradict each other, or name two tools of the same kind."""
    if other in _EXCLUDING.get(one, ()):
        return True
    return one != other and one in KIND_OF and KIND_OF[one] == KIND_OF.get(other)


def may_recur(old: Frame, late: Frame) -> bool:
    """Return whether two clauses are about an event that may happen several times."""
    if old.verb == late.verb and (old.exists or old.verb == "have"):
        return True  # "there is a fire drill", "we have a booth at the fair"
    shared = [(old.terms[key], late.terms[key]) for key in old.terms.keys() & late.terms.keys()]
    return any(
        one.key in _ABSENCES and "verb" not in (one.role, other.role) for one, other in shared
    )  # "on leave in July", but not "the train leaves at 7"


def rival(one: Mention, other: Mention) -> str:
    """Return the kind of choice (such as a database) in which two terms differ, or ""."""
    if other.key in _EXCLUDING.get(one.key, ()):
        return "choice"
    if is_tool(one.kind) or is_tool(other.kind):
        return _tool(one) if _tool(one) == _tool(other) else ""
    if one.kind == other.kind:
        return one.kind if one.kind not in ("", "name") and _is_rival(one, other) else ""
    if {one.kind, other.kind} == {"time", "number"}:
        return "time" if _is_hour(one, other) else ""
    if {one.kind, other.kind} == {"money", "percent"} and one.role == other.role == "is":
        return "money"
    if _FREE in (one.key, other.key) and "money" in (one.kind, other.kind):
        return "money"
    if {one.kind, other.kind} == {"day", "frequency"}:
        often = one if one.kind == "frequency" else other
        return "frequency" if isinstance(often.size, float) and often.size < _WEEK else ""
    return ""


def _tool(term: Mention) -> str:
    """Return the kind of a tool, also of one with an ordinary name: "bun" beside "yarn"."""
    return KIND_OF.get(term.raw.casefold(), "") if term.kind in ("", "name") else term.kind


def _is_rival(one: Mention, other: Mention) -> bool:
    """Return whether two values of one kind contradict each other."""
    if one.kind == "ordinal":
        # only as in "in the first person", not as in "the first draft"
        return {one.role, other.role} <= _ORDERING
    if one.kind == "frequency":  # "every month" and "at the end of the month" may both be true
        return abs(_size(one) - _size(other)) >= 1
    return True


def _size(term: Mention) -> float:
    return term.size if isinstance(term.size, float) and term.size < _WEEK * 999 else 0.0


def _is_hour(one: Mention, other: Mention) -> bool:
    """Return whether a number and a time mean different hours, as in "at ten" and "at 9:15"."""
    clock, hour = (one, other) if one.kind == "time" else (other, one)
    if one.role != other.role or not isinstance(hour.size, float) or not hour.size.is_integer():
        return False
    if not 1 <= hour.size <= _DAY or not isinstance(clock.size, int):
        return False
    return clock.size % _HALF != hour.size * 60 % _HALF


def is_known(term: Mention) -> str:
    """Return the kind of a term, `choice` if it is one of several choices, or ""."""
    if term.kind not in ("", "name"):
        return term.kind
    return "choice" if term.key in _EXCLUDING else ""


def is_year(term: Mention) -> bool:
    """Return whether a number may be a year."""
    return isinstance(term.size, float) and 1900 <= term.size <= 2100


def turned(old: Frame, late: Frame, one: Mention, other: Mention) -> bool:
    """Return whether "X is the Y" is compared with "the Y is X", and only Y is different."""
    if {one.role, other.role} != {"subject", "is"}:
        return False
    both = [(old.terms[key], late.terms[key]) for key in old.terms.keys() & late.terms.keys()]
    return any(
        {mine.role, yours.role} == {"subject", "is"} and mine.kind in ("person", "name")
        for mine, yours in both
    )


def _without_verbs(terms: list[Mention]) -> list[Mention]:
    return [term for term in terms if term.role != "verb"] or terms


_PLACE_LABELS = frozenset(canonical(word) for word in PLACE_LABELS)
_HEADS = frozenset(canonical(word) for word in HEADS)
_MACHINES = frozenset(canonical(word) for word in MACHINES)


class FrameDifference:
    """Two clauses and their difference."""

    __slots__ = (
        "blurred",
        "bounded",
        "come",
        "core",
        "counted",
        "gone",
        "late",
        "old",
        "opposed",
        "pairs",
        "passed",
    )

    def __init__(self, old: Frame, late: Frame) -> None:
        self.old, self.late = old, late
        shared = old.terms.keys() & late.terms.keys()
        self.core = {
            key for key in shared if not is_soft(key) and old.terms[key].kind not in MEASURES
        }
        """The content words that both frames have."""
        self.counted = len(shared) - len(self.core)
        self.pairs: list[Pair] = []
        """The rival values: (kind, older value, newer value)."""
        self.passed = False
        """Whether one frame has an aside that the other frame does not have."""
        self.gone = self._only(old, shared)
        """The words of the older frame alone; values that have a rival are left out."""
        self.come = self._only(late, shared)
        self.blurred = self._blurred()
        """Whether the subject of each frame has soft words that the other one lacks."""
        self._pair()
        self._absorb()
        self.gone = [term for term in self.gone if not is_soft(term.key)]
        self.come = [term for term in self.come if not is_soft(term.key)]
        self.bounded = old.bounds != late.bounds
        self.opposed: list[str] = []
        """The two contradictory bounds, if the frames differ in bounds; otherwise []."""
        bounds = old.bounds ^ late.bounds
        for both in _OPPOSED:
            if bounds == set(both):
                self.opposed = [both[0], both[1]]

    def _only(self, frame: Frame, shared: set[str]) -> list[Mention]:
        found = [term for key, term in frame.terms.items() if key not in shared]
        self.passed = self.passed or any(term.aside for term in found)
        return [term for term in found if not term.aside]

    def _blurred(self) -> bool:
        here, there = (
            {term.key for term in terms if term.role in THEMES and is_soft(term.key)}
            for terms in (self.gone, self.come)
        )
        if "default" in here | there and self.old.bounds ^ self.late.bounds:
            return True  # the default of something and its maximum are two values
        return bool(here - {"only"} and there - {"only"})

    def _pair(self) -> None:
        for one in list(self.gone):
            for other in self.come:
                kind = rival(one, other)
                if kind:
                    self.pairs.append((kind, one, other))
                    self.gone.remove(one)
                    self.come.remove(other)
                    break

    def _absorb(self) -> None:
        """Remove the words that belong to a value, as in "plain JavaScript", "local disk"."""
        for kind, one, other in list(self.pairs):
            if kind in MEASURES or one.role in THEMES or other.role in THEMES:
                continue
            self.gone = [term for term in self.gone if term.role != one.role]
            self.come = [term for term in self.come if term.role != other.role]
        kinds = {kind for kind, *_ in self.pairs}
        light = _LIGHT | _OWED if "monthday" in kinds else _LIGHT
        light = light | _COSTS if "money" in kinds else light
        if self.pairs:
            self.gone = [term for term in self.gone if term.key not in light]
            self.come = [term for term in self.come if term.key not in light]

    @property
    def rejected(self) -> list[Mention]:
        """The words of the older clause that the newer clause rejects: "Stripe, not Adyen"."""
        if self.late.negated or self.old.negated or not self.firm or len(self.late.against) > _FEW:
            return []
        return [
            term
            for key, term in self.old.terms.items()
            if key in self.late.against
            and key not in self.late.terms
            and term.kind not in ("environment", *MEASURES)
            and (term.kind or term.role not in THEMES)
            and not is_soft(key)
        ]

    @property
    def unwanted(self) -> list[Mention]:
        """The words of the newer clause that the older clause rejects: "no mocks"."""
        if not self.old.against or self.late.negated or self.old.negated or len(self.core) < 2:
            return []
        return [
            term
            for key, term in self.late.terms.items()
            if key in self.old.against
            and key not in self.old.terms
            and term.kind not in ("environment", *MEASURES)
            and (term.kind or term.role not in THEMES)
            and not is_soft(key)
        ]

    @property
    def on_machines(self) -> bool:
        """Whether the clauses are about a machine, on which only one system runs."""
        return any(self.old.terms[k].role in THEMES and k in _MACHINES for k in self.core)

    @property
    def lone(self) -> bool:
        """Whether each clause is the only clause of its text."""
        return self.old.company == self.late.company == 1

    @property
    def firm(self) -> bool:
        """Whether the clauses share enough words to be about the same thing.

        In conversations, clauses may share a few words by chance.
        """
        most = max(self.old.company, self.late.company)
        return len(self.core) > (0 if most == 1 else 1 if most <= _FEW else 2)

    @property
    def verbs(self) -> set[str]:
        """The verbs of both clauses."""
        return self.old.verbs | self.late.verbs

    @property
    def agents(self) -> set[str]:
        """The relations of both clauses that only one person can have at a time."""
        return (self.core & _AGENTS) | (self.old.verbs & self.late.verbs & _TENDING)

    @property
    def about_others(self) -> bool:
        """Whether the subject of each clause has any words that the other clause lacks."""
        shared = self.old.terms.keys() & self.late.terms.keys()
        return all(
            any(t.role in THEMES and key not in shared for key, t in frame.terms.items())
            for frame in (self.old, self.late)
        )

    @property
    def theme_pairs(self) -> list[Pair]:
        """The pairs of words that say which thing is meant, and are not values of the thing."""
        return [pair for pair in self.pairs if self._is_theme(*pair)]

    def _is_theme(self, kind: str, one: Mention, other: Mention) -> bool:
        if kind == "instant" or (kind in WHEN and may_recur(self.old, self.late)):
            return True
        if one.role not in THEMES or other.role not in THEMES:
            return (kind == "environment" and one.role == other.role) or turned(
                self.old, self.late, one, other
            )
        if kind == "person":
            return not self.agents
        if kind in MEASURES and self.old.bounds and self.old.bounds == self.late.bounds:
            return False  # "coverage below 80 % fails the build" gives a limit
        if kind == "number":
            # a number as in "two reviewers" does not say which thing is meant
            return is_year(one) or is_year(other)
        if self.old.verb == "be" == self.late.verb and kind not in MEASURES:
            return not any(self.old.terms[key].role == "is" for key in self.core)
        return True

    @property
    def held_by_one(self) -> bool:
        """Whether the clauses give one role to two people: "Ann is the editor"."""
        if not self.old.held or self.old.held != self.late.held:
            return False
        pairs = [term for _, *both in self.pairs for term in both]
        differing = (*self.gone, *self.come, *pairs)
        people = all(
            term.kind in ("person", "name") and term.role == "subject" for term in differing
        )
        counts = len(self.gone) + len(self.pairs), len(self.come) + len(self.pairs)
        return people and counts == (1, 1)

    @property
    def other_label(self) -> bool:
        """Whether the clauses name two numbered places of a thing: "in room 204", "in room 117"."""
        if self.pairs or len(self.gone) != 1 or len(self.come) != 1 or not self._rests():
            return False
        one, other = self.gone[0], self.come[0]
        numbered = one.raw[:1].isdigit() and other.raw[:1].isdigit()
        if not numbered or one.role != "in" or other.role != "in":
            return False
        return self._beside(one, _PLACE_LABELS, before=True)

    @property
    def other_head(self) -> bool:
        """Whether the clauses differ in a word that is the value of one noun: "in state draft"."""
        if self.pairs or len(self.gone) != 1 or len(self.come) != 1:
            return False
        one, other = self.gone[0], self.come[0]
        if one.role != other.role or one.role not in ("in", "is") or self.verbs & MANY:
            return False
        return self._beside(one, _HEADS, before=True) or self._beside(one, _HEADS, before=False)

    def _beside(self, term: Mention, nouns: frozenset[str], *, before: bool) -> bool:
        """Return whether a word of `nouns` in both clauses is next to a term of the older one."""
        keys = list(self.old.terms)
        at = keys.index(term.key) + (-1 if before else 1)
        if not 0 <= at < len(keys):
            return False
        beside = keys[at]
        same = beside in nouns and beside in self.late.terms
        return same and self.old.terms[beside].role == term.role

    def _rests(self) -> bool:
        """Return whether both clauses say where one thing is, and say which thing they mean."""
        verbs = self.old.verb in RESTING and self.late.verb in RESTING
        themed = any(self.old.terms[key].role in THEMES for key in self.core)
        return verbs and themed and not (self.old.exists or self.late.exists)

    @property
    def elsewhere(self) -> bool:
        """Whether the clauses name two places of a thing: "on the fridge", "in the desk drawer"."""
        if not self._rests():
            return False
        pairs = [term for _, *both in self.pairs for term in both]
        differing = [term for term in (*self.gone, *self.come, *pairs) if term.role != "verb"]
        if any(term.role not in PLACING for term in differing):
            return False
        return apart(self.old, self.late)

    @property
    def stored_apart(self) -> bool:
        """Whether the clauses name two kinds of stores for one kind of data."""
        differing = (*self.gone, *self.come)
        if not ({self.old.verb, self.late.verb} <= RESTING) or not self.core:
            return False
        if self.old.verb == "be" or self.late.verb == "be":
            return False
        if any(term.role != "in" for term in differing):
            return False
        return kept_apart(self.old, self.late)

    @property
    def one_is_choice(self) -> bool:
        """Whether the clauses differ in one pair of words that contradict each other."""
        if len(self.pairs) != 1:
            return False
        kind, one, other = self.pairs[0]
        return kind == "choice" and one.role == other.role == "is"

    @property
    def one_is_it(self) -> bool:
        """Whether the clauses give one thing different names: "X is our largest customer"."""
        if self.old.verb != "be" or self.late.verb != "be" or not self._named():
            return False
        told = [self.old.terms[key] for key in self.core if self.old.terms[key].role == "is"]
        return any(term.raw.endswith("est") or term.key in _AGENTS for term in told)

    def _named(self) -> bool:
        differing = (*self.gone, *self.come)
        return all(term.kind not in ("", *MEASURES) or term.raw[:1].isupper() for term in differing)

    @property
    def one_purpose(self) -> bool:
        """Whether the clauses name two things for one purpose: "use Zod for validation"."""
        if self.old.verb not in _USING or self.late.verb not in _USING:
            return False
        aims = [
            {k for k, t in one.terms.items() if t.role == "for"} for one in (self.old, self.late)
        ]
        if not aims[0] or aims[0] != aims[1]:
            return False
        if all(term.kind or is_known(term) for term in (*self.gone, *self.come)):
            return True
        # two things may serve the product pages, but validation is done in one way
        return any(self.old.terms[key].raw.casefold().endswith(_ACTIVITY) for key in aims[0])

    @property
    def of_all(self) -> bool:
        """Whether both clauses are about all things of one kind: "reviews all patches"."""
        return self.old.universal and self.late.universal and len(self.core) > 1

    @property
    def all_people(self) -> bool:
        """Whether the clauses differ only in people."""
        return all(kind == "person" for kind, *_ in self.pairs)

    @property
    def all_named(self) -> bool:
        """Whether every difference is a person or a name."""
        return all(term.kind in ("person", "name") for term in (*self.gone, *self.come))

    @property
    def both_names(self) -> bool:
        """Whether every difference is written as a name."""
        return all(term.kind == "name" for term in (*self.gone, *self.come))

    @property
    def of_other_kinds(self) -> bool:
        """Whether the differing words are of two known kinds, such as a tool and a person."""
        mine = {is_known(term) for term in self.gone} - {""}
        yours = {is_known(term) for term in self.come} - {""}
        if "choice" in mine | yours:
            return True  # two values of one choice would form a pair
        if mine and yours:
            return mine != yours
        # a tool that is not known is written as a name
        return mine != yours and not all(term.kind for term in (*self.gone, *self.come))

    @property
    def says_enough(self) -> bool:
        """Whether two clauses without a difference have enough words to be the same statement."""
        return len(self.core) + self.counted > 1 and not self.passed

    @property
    def equal_roles(self) -> bool:
        """Whether both clauses have the same verb, and every word has the same role in both."""
        old, late = self.old, self.late
        linked = old.verb in _LINKS or late.verb in _LINKS or {old.verb, late.verb} <= _KEEPING
        if old.verbs != late.verbs and not linked:
            return False
        both = [(old.terms[key], late.terms[key]) for key in old.terms.keys() & late.terms.keys()]
        if any({one.role, other.role} & _ENDS and one.role != other.role for one, other in both):
            return False
        turns = {
            (_ACTS.get(one.role), _ACTS.get(other.role))
            for one, other in both
            if one.kind not in MEASURES
        }
        return not {(True, False), (False, True)} <= turns

    def reason(self, pairs: list[Pair] | None = None) -> str:
        """Return a text with the common subject and the difference of the clauses."""
        both = self.late.terms.keys()
        said = [term.raw for key, term in self.old.terms.items() if key in both]
        about = " ".join(said) if len(said) < _LONG else " ".join(said[:_LONG]) + " \u2026"
        pairs = pairs or self.pairs
        before = [one for _, one, _ in pairs] or _without_verbs(self.gone)
        after = [other for *_, other in pairs] or _without_verbs(self.come)
        if self.opposed and not before and not after:
            return f"two values for {about}: {self.opposed[0]} and {self.opposed[1]}"
        if before and after:
            return two_values((self.old.text, self.late.text), before, after, about)
        return f"another value for {about}"
