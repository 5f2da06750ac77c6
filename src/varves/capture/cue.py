"""A pattern that is compiled only when a text contains one of the words that it requires.

There are about eighty patterns, and compiling them takes longer than reading a whole session. Most
turns contain no lasting statement, so most patterns are never compiled.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class Cue:
    """A regular expression that is compiled at its first use."""

    __slots__ = ("_anchors", "_made", "_source")

    def __init__(self, source: str, *, anchors: str = "") -> None:
        """Store the source of a pattern, without compiling it.

        Args:
            source: the expression.
            anchors: pieces of text, separated by bars. Every match contains one of them. Empty if
                they are not known.
        """
        self._source = source
        self._anchors = tuple(anchors.split("|")) if anchors else ()
        self._made: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        if self._made is None:
            from re import compile as compiled

            self._made = compiled(self._source)
        return self._made

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        """Return the first match of the pattern in a text, or None."""
        if self._anchors and not any(one in text for one in self._anchors):
            return None
        return self.pattern.search(text, start, len(text) if end is None else end)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match of the pattern at the beginning of a text, or None."""
        if self._anchors and not any(one in text for one in self._anchors):
            return None
        return self.pattern.match(text)
