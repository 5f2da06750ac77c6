"""The difference between two frames: common words, rival values, and words of only one frame."""

from __future__ import annotations

from varves.language.english.nouns import AGENTS, EXCLUSIVE
from varves.language.english.words import LIGHT
from varves.language.frames import MEASURES, Frame, Mention, is_soft
from varves.language.tokens import KIND_OF, canonical

_OPPOSED = (("before", "after"), ("least", "most"))
THEMES = ("subject", "patient")  # the roles of a clause's subject
POLAR = frozenset(canonical(word) for word in ("allow", "require", "enable", "have", "use"))
"""Words that only affirm something or, with a negation, deny it."""
MANY = frozenset(
    canonical(word)
    for word in (
        *("support", "include", "contain", "accept", "consume", "offer", "speak", "know"),
        *("sell", "like", "visit", "work"),
    )
)
"""Verbs that can be true of several values at the same time."""
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
_WEEK = 604_800
_FREE = canonical("free")
_USING = frozenset(("use", "choose", "pick", "employ", "adopt"))
_ENDS = frozenset(("from", "to", "before", "after", "above", "below", "until", "without"))
_ACTS = {"subject": True, "agent": True, "object": False, "patient": False}  # whether the role acts
_LINKS = frozenset(("be", "have", "use", "do", "get", "make"))
_KEEPING = frozenset(("live", "keep", "store", "host", "reside", "limit", "cap", "set", "need"))
_LONG = 8  # the most words of a subject that a reason repeats
_FEW = 3  # a text with more clauses is a conversation, not a note


def excludes(one: str, other: str) -> bool:
    """Return whether only one of two words can be true of a thing, or both are tools of a kind."""
    if other in _EXCLUDING.get(one, ()):
        return True
    return one != other and one in KIND_OF and KIND_OF[one] == KIND_OF.get(other)


def rival(one: Mention, other: Mention) -> str:
    """Return the kind of choice for which two terms are rival values, or "" if there is none."""
    if other.key in _EXCLUDING.get(one.key, ()):
        return "choice"
    if one.kind == other.kind and one.kind not in ("", "name"):
        return one.kind
    if {one.kind, other.kind} == {"money", "percent"} and one.role == other.role == "is":
        return "money"
    if (one.key == _FREE and other.kind == "money") or (one.kind == "money" and other.key == _FREE):
        return "money"
    if {one.kind, other.kind} == {"day", "frequency"}:
        often = one if one.kind == "frequency" else other
        return "frequency" if isinstance(often.size, float) and often.size < _WEEK else ""
    return ""


def is_known(term: Mention) -> str:
    """Return a term's known kind, `choice` if it is one of several choices, or ""."""
    if term.kind not in ("", "name"):
        return term.kind
    return "choice" if term.key in _EXCLUDING else ""


def is_year(term: Mention) -> bool:
    """Return whether a number may be a year."""
    return isinstance(term.size, float) and 1900 <= term.size <= 2100


class FrameDifference:
    """Two frames and their difference."""

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
        """Content words that both frames have."""
        self.counted = len(shared) - len(self.core)
        self.pairs: list[Pair] = []
        """Values that differ: kind, older and newer."""
        self.passed = False
        """Whether one frame says something in passing that the other does not."""
        self.gone = self._only(old, shared)
        """Words of only the older frame, except values that have a rival."""
        self.come = self._only(late, shared)
        self.blurred = self._blurred()
        """Whether both frames have soft words in their subject that the other lacks."""
        self._pair()
        self._absorb()
        self.gone = [term for term in self.gone if not is_soft(term.key)]
        self.come = [term for term in self.come if not is_soft(term.key)]
        self.bounded = old.bounds != late.bounds
        self.opposed: list[str] = []
        """Two bounds that exclude each other, if the frames differ in them."""
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
            return True  # the default and the maximum of something
        return bool(here and there)

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
        """Drop words that belong to a value: "plain JavaScript", "local disk"."""
        for kind, one, other in list(self.pairs):
            if kind in MEASURES or one.role in THEMES or other.role in THEMES:
                continue
            self.gone = [term for term in self.gone if term.role != one.role]
            self.come = [term for term in self.come if term.role != other.role]
        if self.pairs:
            self.gone = [term for term in self.gone if term.key not in _LIGHT]
            self.come = [term for term in self.come if term.key not in _LIGHT]

    @property
    def rejected(self) -> list[Mention]:
        """The words of the older frame that the newer frame rejects: "Stripe, not Adyen"."""
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
    def lone(self) -> bool:
        """Whether both frames are the only ones of their texts."""
        return self.old.company == self.late.company == 1

    @property
    def firm(self) -> bool:
        """Whether the frames share enough words to be about one thing; conversations share some."""
        most = max(self.old.company, self.late.company)
        return len(self.core) > (0 if most == 1 else 1 if most <= _FEW else 2)

    @property
    def verbs(self) -> set[str]:
        """The verbs of both frames."""
        return self.old.verbs | self.late.verbs

    @property
    def agents(self) -> set[str]:
        """Shared relations that only one person can have at a time."""
        return (self.core & _AGENTS) | (self.old.verbs & self.late.verbs & _TENDING)

    @property
    def theme_pairs(self) -> list[Pair]:
        """Pairs that say which thing is meant, not which value it has."""
        return [pair for pair in self.pairs if self._is_theme(*pair)]

    def _is_theme(self, kind: str, one: Mention, other: Mention) -> bool:
        if kind == "instant":
            return True
        if one.role not in THEMES or other.role not in THEMES:
            return kind == "environment" and one.role == other.role
        if kind == "person":
            return not self.agents
        if kind == "number":
            return is_year(one) or is_year(other)  # not "two reviewers"
        if self.old.verb == "be" == self.late.verb and kind not in MEASURES:
            return not any(self.old.terms[key].role == "is" for key in self.core)
        return True

    @property
    def one_is_choice(self) -> bool:
        """Whether the frames differ in one pair of words that exclude each other."""
        if len(self.pairs) != 1:
            return False
        kind, one, other = self.pairs[0]
        return kind == "choice" and one.role == other.role == "is"

    @property
    def one_is_it(self) -> bool:
        """Whether each frame gives another name to one thing: "X is our largest customer"."""
        if self.old.verb != "be" or self.late.verb != "be" or not self._named():
            return False
        told = [self.old.terms[key] for key in self.core if self.old.terms[key].role == "is"]
        return any(term.raw.endswith("est") or term.key in _AGENTS for term in told)

    def _named(self) -> bool:
        differing = (*self.gone, *self.come)
        return all(term.kind not in ("", *MEASURES) or term.raw[:1].isupper() for term in differing)

    @property
    def one_purpose(self) -> bool:
        """Whether two things are used for one purpose: "use Zod for validation"."""
        if self.old.verb not in _USING or self.late.verb not in _USING:
            return False
        aims = [
            {k for k, t in one.terms.items() if t.role == "for"} for one in (self.old, self.late)
        ]
        return bool(aims[0]) and aims[0] == aims[1]

    @property
    def of_all(self) -> bool:
        """Whether both frames are about all things of a kind: "reviews all patches"."""
        return self.old.universal and self.late.universal and len(self.core) > 1

    @property
    def all_people(self) -> bool:
        """Whether the frames differ only in people."""
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
        """Whether the differing words are of two known kinds: a tool and something else."""
        mine = {is_known(term) for term in self.gone} - {""}
        yours = {is_known(term) for term in self.come} - {""}
        if "choice" in mine | yours:
            return True  # two values of one choice would be a pair
        if mine and yours:
            return mine != yours
        # an unknown tool is written as a name
        return mine != yours and not all(term.kind for term in (*self.gone, *self.come))

    @property
    def says_enough(self) -> bool:
        """Whether two frames without a difference have enough words to be the same statement."""
        return len(self.core) + self.counted > 1 and not self.passed

    @property
    def equal_roles(self) -> bool:
        """Whether both frames have the same verb, and every word has the same role in both."""
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

    def reason(self, what: list[Pair] | list[str] | None = None) -> str:
        """Describe the common subject and the difference."""
        both = self.late.terms.keys()
        said = [term.raw for key, term in self.old.terms.items() if key in both]
        about = " ".join(said) if len(said) < _LONG else " ".join(said[:_LONG]) + " …"
        if what and isinstance(what[0], str):
            return f"two values for {about}: {what[0]} and {what[1]}"
        pairs = [pair for pair in (what or self.pairs) if not isinstance(pair, str)]
        if pairs:
            return f"two values for {about}: {pairs[0][1].raw} and {pairs[0][2].raw}"
        before = " ".join(term.raw for term in self.gone)
        after = " ".join(term.raw for term in self.come)
        if before and after:
            return f"two values for {about}: {before} and {after}"
        return f"another value for {about}"
