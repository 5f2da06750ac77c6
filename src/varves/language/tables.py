"""Tables of phrases: the data by which a language is read.

A row is a pattern, a sentence that it matches, and a near miss: a similar sentence that it does not
match. One test checks every row of every table. A pattern is a regular expression over the plain
form of a sentence. Its brackets do not capture, and `<name>` stands for a class of words. A line
break in a pattern is a space, except next to a bar or a bracket that needs none. Patterns are
compiled on first use.
"""

from __future__ import annotations

import re

from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Row = tuple[str, str, str]
    """A pattern, a sentence that it matches, and a near miss."""

_CLASS = re.compile(r"(?<!\?P)<([a-z_]+)>")
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
_JOINED = re.compile(r"(?<=[|(])\n|(?<=\)[*?])\n|(?<=<very>)\n|\n(?=[|) ]|\(\?|\\b|\( )")


def _joined(pattern: str) -> str:
    """Return a pattern on one line."""
    return _JOINED.sub("", pattern.strip("\n")).replace("\n", " ")


class PhraseTable:
    """The phrases of one kind, compiled on first use."""

    __slots__ = ("_anchors", "_classes", "_made", "rows")

    def __init__(
        self,
        rows: tuple[Row, ...],
        classes: Mapping[str, str] | None = None,
        *,
        anchors: str = "",
    ) -> None:
        """Store the rows.

        Args:
            rows: each a pattern, a sentence that it matches, and a near miss.
            classes: the words that a `<name>` in a pattern stands for.
            anchors: pieces of text, separated by bars, one of which every match contains; empty if
                unknown. Without one of them, the rows are not compiled.
        """
        self.rows = rows
        self._classes = classes or {}
        self._anchors = tuple(anchors.split("|")) if anchors else ()
        self._made: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """All rows as one expression."""
        if self._made is None:
            self._made = re.compile("|".join(self.written(row[0]) for row in self.rows))
        return self._made

    def written(self, pattern: str) -> str:
        """Return a row's pattern as a regular expression, with its classes of words."""
        pattern = _joined(pattern)
        while _CLASS.search(pattern):
            pattern = _CLASS.sub(lambda name: f"({_joined(self._classes[name[1]])})", pattern)
        return _GROUP.sub("(?:", f"({pattern})")

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Find the first match."""
        if self._anchors and not any(one in text for one in self._anchors):
            return None
        return self.pattern.search(text, start, len(text) if end is None else end)

    def match(self, text: str) -> re.Match[str] | None:
        """Match at the beginning."""
        return self.pattern.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Find every match."""
        return self.pattern.finditer(text)


class Tongue(Value):
    """The data that the reader needs about one language."""

    whole: dict[str, str]
    """Words that are written out as a whole: "can't" means "can not"."""
    starting: dict[str, str]
    """Words that are written out at the beginning of a clause only: "lets" means "let us"."""
    endings: tuple[tuple[str, str], ...]
    """Patterns of shortened words, with their full forms."""
    shortened: str
    """A pattern of abbreviations, after which a full stop ends no sentence."""
    lead: str
    """A pattern of the words that only open a sentence."""
    condition: str
    """A pattern of clauses that are only conditions."""
    negation: str
    turn: str
    """A pattern of words such as "but", which the opposite may follow."""
    guards: dict[str, PhraseTable]
    acts: dict[str, PhraseTable]
    """The phrases of each act, by its kind; some kinds have tables for a situation only."""
