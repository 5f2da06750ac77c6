"""Marks the names of people in a text, so that agreement with a person can be found.

Each name is replaced by signs of the same length, so that no other position changes. In the plain
form of a sentence, names become `@0`, `@1` ... Only whole words are names; case and accents are
ignored, and a mention (`@noa`) is a name too. A name that two people share identifies neither of
them.
"""

from __future__ import annotations

import re
from unicodedata import combining, normalize

from varves.language.sentences import GAP, NAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile("[\U000f0000-\U000ffffd]")
_NO_NAMES = frozenset(
    (word,)
    for word in (
        *("i", "you", "we", "me", "us", "it", "that", "this", "he", "she", "they"),
        *("not", "and", "but", "with", "is", "are"),
    )
)


class Names:
    """The people whom a text may name."""

    def __init__(self, people: Mapping[str, str]) -> None:
        """Store the names.

        Args:
            people: for each person's name, the name that is displayed.
        """
        self.people = tuple(people)
        holders: dict[tuple[str, ...], set[int]] = {}
        dotted: dict[tuple[str, ...], set[int]] = {}
        for place, called in enumerate(people.items()):
            for form in called:
                parts, dots = _parts("".join(map(_bare, form)))
                if parts and parts not in _NO_NAMES:
                    holders.setdefault(parts, set()).add(place)
                    dotted.setdefault(parts, set()).update(dots)
        self._places = {" ".join(parts): held for parts, held in holders.items()}
        forms = sorted(holders, key=lambda parts: (-len(" ".join(parts)), parts))
        named = "|".join(_pattern(parts, dotted[parts]) for parts in forms)
        self._named = re.compile(rf"(?<![\w-])@?(?:{named})(?!\w|-\w|[./@]\w)") if forms else None

    def mark(self, text: str) -> str:
        """Return a text in which each name is replaced by its person's sign.

        The text has the same length.
        """
        text = _SIGNS.sub(GAP, text)
        if self._named is None:
            return text
        parts = [(bare, place) for place, sign in enumerate(text) for bare in _bare(sign)]
        places = [place for _, place in parts]
        marked = list(text)
        for found in self._named.finditer("".join(bare for bare, _ in parts)):
            begin, end = places[found.start()], places[found.end() - 1] + 1
            while end < len(text) and combining(text[end]):
                end += 1
            held = self._places[" ".join(_WORD.findall(found[0]))]
            sign = chr(NAMED + min(held)) if len(held) == 1 else GAP
            marked[begin:end] = sign * (end - begin)
        return "".join(marked)

    def read(self, marks: Iterable[str]) -> list[str]:
        """Return the people for marks such as `@0`, in order and without duplicates."""
        found = dict.fromkeys(int(mark[1:]) for mark in marks)
        return [self.people[place] for place in found if place < len(self.people)]


def _parts(form: str) -> tuple[tuple[str, ...], set[int]]:
    """Return the words of a name, and the places of those that a dot follows."""
    found = list(_WORD.finditer(form))
    dots = {place for place, word in enumerate(found) if form[word.end() : word.end() + 1] == "."}
    return tuple(word[0] for word in found), dots


def _pattern(parts: Sequence[str], dots: Collection[int]) -> str:
    """Return a pattern for a name; a dot stands between two words only if the name has it."""
    gaps = (r"[\s_-]+" if place not in dots else r"[\s._-]+" for place in range(len(parts) - 1))
    return "".join(f"{re.escape(word)}{gap}" for word, gap in zip(parts, (*gaps, ""), strict=True))


def _bare(sign: str) -> str:
    """Return a character in lower case and without accents."""
    if not sign.isascii():
        sign = "".join(part for part in normalize("NFKD", sign) if not combining(part))
    return sign.casefold()
