"""A pattern that is compiled only when a text contains one of the words it requires.

There are about eighty patterns, and compiling them takes longer than reading a whole session. Most
turns contain nothing that lasts, so most patterns are never compiled.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class Cue:
    """A regular expression, compiled on first use."""

    __slots__ = ("_anchors", "_made", "_source")

    def __init__(self, source: str, *, anchors: str = "") -> None:
        """Store a pattern for later.

        Args:
            source: the expression.
            anchors: pieces of text, separated by bars, one of which every match contains; empty if
                unknown.
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
        """Find the first match."""
        if self._anchors and not any(one in text for one in self._anchors):
            return None
        return self.pattern.search(text, start, len(text) if end is None else end)

    def match(self, text: str) -> re.Match[str] | None:
        """Match at the beginning."""
        if self._anchors and not any(one in text for one in self._anchors):
            return None
        return self.pattern.match(text)
