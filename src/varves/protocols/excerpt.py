"""Shortens a text for a published file; the log keeps the whole text."""

from __future__ import annotations

LONGEST = 100
_MARK = "…"


def shortened(text: str, length: int = LONGEST) -> str:
    """Return a text on one line, cut at a word boundary to at most `length` characters.

    A single word longer than `length` is cut inside the word.
    """
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    room = length - len(_MARK)
    cut = line[:room]
    if line[room] != " ":
        cut = cut.rpartition(" ")[0] or cut
    return cut.rstrip(" ,;:.-\u2013\u2014(") + _MARK
