"""Finds the entry that an explicit override means, although the judge sees no relation.

"Prefer tabs for indentation" and "Indent with two spaces" have the same subject. A subject is what
a clause is about (`the log format`) or what something is chosen for (`for indentation`); without
either, it is the object, or the verb of a clause without one. A verb with an object is a subject
only where the other text names it by a noun (`validate input`, `for validation`). The words of both
subjects must be equal or opposite: the log format is not the date format, and documents are not the
spelling in them. Two choices of one kind, such as class components and functional components, also
have the same subject.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from varves.language.differences import THEMES, excludes
from varves.language.frames import statement
from varves.language.tokens import canonical
from varves.protocols.scoped.search import relevant
from varves.values.gist import MAX_CHARS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.language.frames import Frame
    from varves.values.memory import Memory

    Words = frozenset[str]

_CHOOSING = frozenset(
    canonical(verb) for verb in ("use", "prefer", "choose", "pick", "employ", "adopt", "take")
)


def meant(memories: Sequence[Memory], text: str) -> list[Memory]:
    """Return the memory with the subject of a text that shares the most; several if these do."""
    near = [one for one in memories if is_about_the_same(one.text, text)]
    shared = relevant(near, text)
    most = max(shared.values(), default=0.0)
    return [one for one in near if shared.get(one.id, 0.0) == most]


def is_about_the_same(one: str, other: str) -> bool:
    """Return whether two texts have a common subject."""
    if any(_is_alternative(*pair) for pair in product(_choices(one), _choices(other))):
        return True
    (named, done), (others_named, others_done) = _subjects(one), _subjects(other)
    pairs = (*product(named, others_named | others_done), *product(done, others_named))
    return any(_is_same(*pair) for pair in pairs)


def _is_alternative(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether two choices are of one kind: class components, functional components."""
    ours, theirs = {*one} - {*other}, {*other} - {*one}
    return one[-1] == other[-1] and len(ours) == len(theirs) == 1


def _is_same(one: Words, other: Words) -> bool:
    """Return whether two subjects have the same words, except opposites: dark and light themes."""
    ours, theirs = one - other, other - one
    opposite = all(any(excludes(a, b) for b in theirs) for a in ours)
    return bool(one & other) and opposite and len(ours) == len(theirs)


@lru_cache(maxsize=4096)
def _subjects(text: str) -> tuple[frozenset[Words], frozenset[Words]]:
    """Return the subjects that a text names, and those of verbs that have an object."""
    named: set[Words] = set()
    done: set[Words] = set()
    for frame in statement(text[:MAX_CHARS]).frames:
        topic, verb, thing = _words(frame, *THEMES), _words(frame, "verb"), _thing(frame)
        purpose = _words(frame, "for") if _is_choice(frame) else frozenset()
        if topic or purpose or thing:
            named.update((topic, purpose) if topic or purpose else (thing,))
            done.add(verb)
        else:
            named.add(verb)
    return frozenset(filter(None, named)), frozenset(filter(None, done))


@lru_cache(maxsize=4096)
def _choices(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each object of several words that a text chooses, in their order."""
    found = [
        tuple(key for key, term in frame.terms.items() if term.role == "object")
        for frame in statement(text[:MAX_CHARS]).frames
        if frame.verb in _CHOOSING
    ]
    return tuple(words for words in found if len(words) > 1)


def _words(frame: Frame, *roles: str) -> Words:
    return frozenset(key for key, term in frame.terms.items() if term.role in roles)


def _thing(frame: Frame) -> Words:
    """Return the words of the object; of "British spelling", the name is a value."""
    words = _words(frame, "object")
    return frozenset(key for key in words if not frame.terms[key].kind) or words


def _is_choice(frame: Frame) -> bool:
    """Return whether the object is a value that is chosen for something: tabs, or version 2."""
    words = _words(frame, "object")
    plain = [key for key in words if not frame.terms[key].kind]
    return frame.verb in _CHOOSING and (len(words) == 1 or len(plain) < len(words))
