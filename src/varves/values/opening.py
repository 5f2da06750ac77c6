"""The line with which a Markdown report begins to say something."""

from __future__ import annotations

import re

from varves.values.text import first_line

_HEADING = re.compile(r"\s*(?:#{1,6}\s.*|(\*\*|__)[^*_]+\1:?|[=*_-]{3,})\s*")
_BULLET = re.compile(r"\s*(?:[-*+\u2022]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_HASHES = re.compile(r"#{1,6}\s+")


def first_said(text: str) -> str:
    """Return the first line of a report that says something: no heading, and without its mark."""
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if line.strip() and not _HEADING.fullmatch(line):
            return first_line("\n".join((_BULLET.sub("", line), *lines[place + 1 :])))
    return _HASHES.sub("", text.strip())
