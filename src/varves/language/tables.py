"""Tables of phrases: the data with which texts of a language are read.

A row is a pattern, a sentence that it matches, and a near miss: a similar sentence that it does not
match. One test checks every row of every table. A pattern is a regular expression over the plain
form of a sentence. Its brackets do not capture, and `<name>` stands for a class of words. A line
break in a pattern means a space, except next to a bar or a bracket. Patterns are compiled at their
first use.
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
    """Return a pattern whose line breaks are removed or replaced by spaces."""
    return _JOINED.sub("", pattern.strip("\n")).replace("\n", " ")


class PhraseTable:
    """The phrases of one kind; they are compiled at their first use."""

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
            rows: each is a pattern, a sentence that it matches, and a near miss.
            classes: the words that a `<name>` in a pattern stands for.
            anchors: pieces of text, separated by bars. Every match contains one of them, so a text
                without any is not searched. Empty if they are not known.
        """
        self.rows = rows
        self._classes = classes or {}
        self._anchors = tuple(anchors.split("|")) if anchors else ()
        self._made: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """All rows as one regular expression."""
        if self._made is None:
            self._made = re.compile("|".join(self.written(row[0]) for row in self.rows))
        return self._made

    def written(self, pattern: str) -> str:
        """Return the pattern of a row as a regular expression; names of classes are replaced."""
        pattern = _joined(pattern)
        while _CLASS.search(pattern):
            pattern = _CLASS.sub(lambda name: f"({_joined(self._classes[name[1]])})", pattern)
        return _GROUP.sub("(?:", f"({pattern})")

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match of any row, or None."""
        if self._anchors and not any(one in text for one in self._anchors):
            return None
        return self.pattern.search(text, start, len(text) if end is None else end)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match of any row at the beginning of a text, or None."""
        return self.pattern.match(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield every match of any row."""
        return self.pattern.finditer(text)


class Tongue(Value):
    """The data about one language that the reader needs."""

    whole: dict[str, str]
    """Words with their written-out forms: "can't" becomes "can not"."""
    starting: dict[str, str]
    """Words that are written out only at the beginning of a clause: "lets" becomes "let us"."""
    endings: tuple[tuple[str, str], ...]
    """Patterns of shortened words, with the forms in which they are written out."""
    shortened: str
    """A pattern of abbreviations, up to their full stop, which does not end a sentence."""
    heading: str
    """A pattern of the end of a heading; a dash after it does not end a part of a sentence."""
    lead: str
    """A pattern of the words that only open a sentence."""
    condition: str
    """A pattern of clauses that are only conditions, such as "if …"."""
    negation: str
    turn: str
    """A pattern of words such as "but", after which the opposite may follow."""
    clause: str
    """A pattern of what separates two clauses, if the second has a subject of its own."""
    afresh: str
    """A pattern of words such as "today", which say that something happens now."""
    unfinished: str
    """A pattern of the end of a line that does not end a sentence, such as "of the"."""
    continuing: str
    """A pattern of the start of a line that does not begin a sentence, such as "instead of"."""
    guards: dict[str, PhraseTable]
    acts: dict[str, PhraseTable]
    """The phrases by kind of act.

    Some kinds have tables that are used only in certain situations.
    """
