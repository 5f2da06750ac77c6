"""Shortens a text to its beginning and the sentences that must not be lost.

These state a decision, a cause, a fix, something learned or a way to do something, or are marked
with a label ("Decision: …"). Sentences and numbered lists are kept whole; "…" shows where something
is left out. Fenced code is left out.
"""

from __future__ import annotations

import re

from varves.language.enumerations import numbered_lists
from varves.language.reporting import MENDS, reported, tells_cause
from varves.language.sentences import spans
from varves.protocols.hivemind.extraction import is_labelled, without_code
from varves.protocols.hivemind.wording import one_line
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHORT = 200  # characters
_LISTED = 600  # the most characters of a numbered list that is kept whole
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s+|[-*+>\u2022]\s+)|\*\*|__(?=\S)|(?<=\S)__")
_HEADING = re.compile(r"#{1,6}\s[^\n]*$")
_ENDED = re.compile(r"[.!?:;,\u2026][\"')\]*_`]*$")


def shortened(content: dict[str, Any]) -> dict[str, Any]:
    """Return content with the same fields, each text shortened."""
    return {name: _cut(part) for name, part in content.items()}


def _cut(part: Any) -> Any:
    if isinstance(part, str):
        return condensed(part)
    if isinstance(part, list):
        return [_cut(inner) for inner in part[:3]]
    return shortened(part) if isinstance(part, dict) else part


def condensed(text: str, most: int = SHORT) -> str:
    """Return a text on one line: its first sentences, up to a length, and what must not be lost."""
    own = without_code(text)
    units = [one for one in _units(own) if not _HEADING.match(own[slice(*one)].strip())]
    lines = [_shown(own[start:end]) for start, end in units]
    kept = _needed(own, units)
    length = 0
    for place, line in enumerate(lines):
        length += len(line) + 1
        if length > most + 1:
            break
        kept.add(place)
    said: dict[str, int] = {}
    for place in sorted(kept or {0} if lines else ()):
        said.setdefault(fold(lines[place]), place)
    return _joined(lines, [*said.values()], most)


def _joined(lines: list[str], kept: list[int], most: int) -> str:
    """Join the kept lines; a mark shows where others are missing."""
    parts, before = [], -1
    shown = [lines[place] for place in kept]
    for place in kept:
        left_out = lines[before + 1 : place]
        parts += ["\u2026"] if not {*left_out} <= {*shown} else []
        is_list = bool(numbered_lists(lines[place]))
        line = one_line(lines[place], max(most, _LISTED) if is_list else most)
        ended = len(lines) == place + 1 or _ENDED.search(line)
        parts.append(line if ended else f"{line}.")
        before = place
    if not {*lines[before + 1 :]} <= {*shown} and not parts[-1].endswith("\u2026"):
        parts.append("\u2026")
    return " ".join(parts)


def _units(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of the sentences; a list and the words that introduce it are one unit."""
    lists = numbered_lists(text)
    found: list[tuple[int, int]] = []
    for start, end in spans(text, parts=False):
        at = start + len(text[start:end]) - len(text[start:end].lstrip())
        introduced = bool(found) and text[slice(*found[-1])].rstrip(" *_\n").endswith(":")
        goes_on = any(one.start < at < one.end or (introduced and at == one.start) for one in lists)
        found.append((found.pop()[0] if goes_on and found else start, end))
    return found


def _needed(text: str, units: list[tuple[int, int]]) -> set[int]:
    """Return the numbers of the units that must not be lost."""
    acts = list(reported(text))
    troubles = [act.subject for act in acts if act.kind == MENDS]
    lists = numbered_lists(text)
    return {
        number
        for number, (start, end) in enumerate(units)
        if any(start <= act.start < end for act in acts)
        or any(
            start <= one.start < end and one.tells_steps(text, text[start : one.start].strip())
            for one in lists
        )
        or is_labelled(text[start:end])
        or tells_cause(text[start:end])
        or any(text[start:end].strip(" .,;:!\n") in trouble for trouble in troubles)
    }


def _shown(text: str) -> str:
    """Return a sentence on one line, without the marks of Markdown."""
    return " ".join(_MARKUP.sub("", text).split())
