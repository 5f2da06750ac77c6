"""The patterns that make a message a decision, a proposal, a support or an opposition.

They are the published patterns, matched with any case and any apostrophe, and those that settings
add. Lines quoted with `>` are blanked before matching, because they are another's words; positions
in the blanked text are the same as in the message.
"""

from __future__ import annotations

import re

from varves.errors import UsageError
from varves.language.sentences import unwrapped
from varves.protocols.deliberation.punctuation import led, parted
from varves.values.text import quoted
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

DECISION, PROPOSAL, SUPPORT, OPPOSE = "decision", "proposal", "support", "oppose"
KINDS = (DECISION, PROPOSAL, SUPPORT, OPPOSE)

# A word that must occur, then the pattern, in lower case; the word makes the search fast.
PUBLISHED: dict[str, tuple[tuple[str, str], ...]] = {
    DECISION: (
        ("we", r"we(?:'ve)?\s+(?:agreed|decided|concluded)"),
        ("consensus", r"consensus\s+(?:is|reached)"),
        ("let's", r"let's\s+go\s+with"),
        ("final", r"final\s+(?:decision|answer)"),
        ("[consensus]", r"\[consensus\]"),
        ("[decision]", r"\[decision\]"),
    ),
    PROPOSAL: (
        ("propose", r"i\s+propose"),
        ("what", r"what\s+if\s+we"),
        ("let's", r"let's\s+consider"),
        ("suggestion", r"my\s+suggestion"),
        ("[proposal]", r"\[proposal\]"),
    ),
    SUPPORT: (
        ("agree", r"i\s+agree"),
        ("idea", r"great\s+idea"),
        ("let's", r"let's\s+do\s+it"),
    ),
    OPPOSE: (
        ("disagree", r"i\s+disagree"),
        ("won't", r"won't\s+work"),
        ("problem", r"problem\s+with"),
    ),
}
_APOSTROPHES = "\u2019\u02bc\uff07"
_QUOTED_LINES = re.compile(r"^(?:[ \t]*>[^\n]*(?:\n(?=[ \t]*>))?)+", re.MULTILINE)
_PIECE = 100_000  # characters that a pattern of the settings searches at once
_SECONDS = 0.25  # the time limit for such a pattern
_MOST = 200  # the maximum number of matches of one kind in one message


class SearchedText(Value):
    """The text of a message in the forms that are searched, all of the same length."""

    text: str
    plain: str
    """The text with straight apostrophes, quoted lines blanked, wrapped lines joined.

    Headings and joined acts have their punctuation (`punctuation.py`).
    """
    folded: str
    """`plain` in lower case."""


class PatternPlace(Value):
    """The position of a match."""

    start: int
    end: int
    marker: bool = False
    """Whether the match is a tag in brackets."""

    def holds(self, other: PatternPlace) -> bool:
        """Return whether another place begins in this one."""
        return self.start <= other.start < self.end


def said(text: str) -> SearchedText:
    """Prepare a text for the search."""
    plain = text
    for sign in _APOSTROPHES:
        plain = plain.replace(sign, "'")
    if ">" in plain:
        unquoted = _QUOTED_LINES.sub(lambda lines: " " * len(lines[0]), plain)
        plain = unquoted if unquoted.strip() else plain
    plain = parted(led(unwrapped(plain)))
    # The only letter whose lower case is longer than itself.
    return SearchedText(text=text, plain=plain, folded=plain.replace("\u0130", "i").lower())


class Patterns:
    """The compiled patterns, published and from the settings."""

    def __init__(self, options: Value) -> None:
        self._published = {
            kind: tuple((word, re.compile(pattern)) for word, pattern in PUBLISHED[kind])
            for kind in KINDS
        }
        self._own = {kind: _own(f"{kind}_patterns", options) for kind in KINDS}

    def places(self, kind: str, text: SearchedText) -> tuple[PatternPlace, ...]:
        """Return where patterns of a kind match, in order."""
        found = [
            PatternPlace(start=match.start(), end=match.end(), marker=match[0].startswith("["))
            for word, pattern in self._published[kind]
            if word in text.folded
            for match, _ in zip(pattern.finditer(text.folded), range(_MOST), strict=False)
        ]
        found += self.own(kind, text.plain)
        return tuple(sorted(found, key=lambda place: (place.start, place.end)))

    def own(self, kind: str, plain: str) -> list[PatternPlace]:
        """Return where patterns of the settings match."""
        return [place for one in self._own[kind] for place in one.places(plain)]


class GivenPatterns:
    """The patterns of reactions that a caller gives instead of the published ones."""

    def __init__(self, given: Mapping[str, Iterable[str | re.Pattern[str]]]) -> None:
        unknown = [kind for kind in given if kind not in (SUPPORT, OPPOSE)]
        if unknown:
            raise UsageError(f"no reaction: {quoted(unknown[0])}", f"use {SUPPORT} and {OPPOSE}")
        self._given = {kind: tuple(map(_compiled, _each(given[kind]))) for kind in given}

    def places(self, kind: str, text: SearchedText) -> tuple[PatternPlace, ...]:
        """Return where patterns of a kind match, in order."""
        found = [
            PatternPlace(start=match.start(), end=match.end())
            for pattern in self._given.get(kind, ())
            for match, _ in zip(pattern.finditer(text.plain), range(_MOST), strict=False)
        ]
        return tuple(sorted(found, key=lambda place: (place.start, place.end)))


def _each(given: Any) -> Iterable[str | re.Pattern[str]]:
    return (given,) if isinstance(given, str | re.Pattern) else given


def _compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    if isinstance(pattern, re.Pattern):
        return pattern
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UsageError(f"not a regular expression: {quoted(pattern)}: {error}") from None


class _Own:
    """A pattern of the settings, with a time limit after which it is skipped."""

    def __init__(self, name: str, compiled: Any) -> None:
        self.name = name
        self._compiled = compiled

    def places(self, plain: str) -> list[PatternPlace]:
        """Return where the pattern matches; nothing if the time limit is exceeded."""
        found = []
        try:
            for start, piece in _pieces(plain):
                for match in self._compiled.finditer(piece, timeout=_SECONDS):
                    found.append(PatternPlace(start=start + match.start(), end=start + match.end()))
                    if len(found) == _MOST:
                        return found
        except TimeoutError:
            from logging import getLogger

            getLogger("varves.deliberation").warning(
                "[deliberation] %s takes too long on a message and was skipped", self.name
            )
            return []
        return found


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Split a text at line ends, or at spaces, into pieces of limited length."""
    start = 0
    while len(text) - start > _PIECE:
        middle, most = start + _PIECE // 2, start + _PIECE
        cut = max(text.rfind("\n", middle, most), middle - 1) + 1
        if cut == middle:
            cut = max(text.rfind(" ", middle, most), most - 1) + 1
        yield start, text[start:cut]
        start = cut
    yield start, text[start:]


def _own(name: str, options: Value) -> tuple[_Own, ...]:
    """Compile the patterns that settings add for one kind.

    Raises:
        UsageError: a pattern is not a valid regular expression, or matches every text.
    """
    patterns: tuple[str, ...] = getattr(options, name)
    if not patterns:
        return ()
    import regex  # type: ignore[import-untyped]  # the standard library's cannot be stopped

    made = []
    for number, pattern in enumerate(patterns, start=1):
        place = f"{name}, number {number}"
        try:
            compiled = regex.compile(pattern, regex.IGNORECASE)
            fits_all = compiled.search("", timeout=_SECONDS) is not None
        except regex.error as error:
            raise UsageError(
                f"[deliberation] {place} is not a regular expression: {quoted(pattern)}: {error}",
                "in settings.toml, single quotes keep a backslash as it is",
            ) from None
        if fits_all:
            raise UsageError(
                f"[deliberation] {place} matches every message: {quoted(pattern)}",
                "a pattern must match at least one character",
            )
        made.append(_Own(place, compiled))
    return tuple(made)
