"""Whether a procedure fixes, avoids or works around an error that was recorded.

This is so if one of these conditions is true:

- It is marked as a fix (tag `error`, or a subtype such as `error-solution`) and has the error's
  type as a tag.
- It names the error that it solves (`error` in its content), in similar words.
- Its text names the error by its code, such as ECONNREFUSED or TimeoutError, or describes a problem
or a repair and shares at least two words with the error, ignoring their endings.
"""

from __future__ import annotations

import re

from varves.language.tokens import canonical
from varves.protocols.hivemind.wording import statement_of
from varves.protocols.similar import folded
from varves.values.text import words
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from varves.protocols.hivemind.parsing import Parsed
    from varves.protocols.similar import Measure

GENERIC = frozenset(
    ("error", "errors", "failure", "exception", "bug", "problem", "issue", "unknown")
)
"""Types of errors that say nothing about what failed."""
_MARKED = ("error-solution", "prevention", "error-fix", "fix")
_VARIABLE = (
    (re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`"), "…"),
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b"), "#"),
    (re.compile(r"(?<![\w/.])(?:[a-z]:)?[\\/](?:[\w.\-]+[\\/]?)+"), "/…"),
    (
        re.compile(
            r"(?<![\w/.])(?:[\w.\-]+[\\/])*[\w\-]+\."
            r"(?!(?:com|org|net|io|dev|app|local|internal|lan)\b)[a-z]\w{0,7}(?=:\d)"
        ),
        "/…",
    ),
    (re.compile(r"\d+(?:[.:,]\d+)*"), "#"),
)
_TROUBLE = re.compile(
    r"\b(?:fix|repair|resolv|solv|avoid|prevent|workaround|work(?:ed|s)? around|recover"
    r"|fail|error|exception|crash|hang|hung|stuck|broken|breaks?\b|miss(?:ing|es)|refus|den(?:y|ie)"
    r"|time(?:s|d)? ?out|unreachable|unavailable|corrupt|conflict|invalid|wrong|flaky|leak|killed"
    r"|out of (?:memory|space|disk)|already in use|not found|cannot|can't)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:E[A-Z]{4,}|SIG[A-Z]{3,}|OOM\w*|[A-Z]{1,5}-?\d{3,}|\w+(?:Error|Exception|Warning))\b"
)
_WEAK = frozenset(map(canonical, (*GENERIC, "fail", "failed", "cannot", "run", "use", "get")))
_ENOUGH, _LEAST = 3, 2
"""So many common words name an error; so few only if they are 2 of 5 words of one of the texts."""


class Fix(Value):
    """What a procedure says about the error that it fixes."""

    text: str
    error: str
    """The error that it names as the one it solves; may be empty."""
    tags: tuple[str, ...]
    marked: bool
    """Whether it is marked as a fix."""


def fix_in(content: dict[str, Any], tags: Iterable[str], subtype: str | None) -> Fix:
    """Return what the content of a procedure says about errors."""
    tags = tuple(tags)
    return Fix(
        text=statement_of(content),
        error=str(content.get("error") or content.get("error_message") or ""),
        tags=tags,
        marked="error" in tags or subtype in _MARKED,
    )


class Mending:
    """Compares procedures with errors.

    Args:
        parse: finds the keywords of a text.
        similarity: measures how alike two texts are.
        above: the minimum similarity of the named error and a recorded one.
    """

    def __init__(
        self, parse: Callable[[str], Parsed], similarity: Measure, *, above: float
    ) -> None:
        self._parse = parse
        self._similarity = similarity
        self._above = above

    def is_for(self, fix: Fix, error: dict[str, Any]) -> bool:
        """Return whether a fix is for an error, given by the content of its record."""
        kind, told = slug(str(error["error_type"])), _told(error)
        if fix.marked and kind not in GENERIC and kind in fix.tags:
            return True
        return (bool(fix.error) and self._names(fix.error, error)) or self._mends(fix.text, told)

    def _names(self, named: str, error: dict[str, Any]) -> bool:
        if self._similarity(normalised(named), key_of(error)[1]) > self._above:
            return True
        asked = set(self._parse(named).keywords) - GENERIC
        return len(asked) >= _LEAST and asked <= {*words(_told(error))}

    def _mends(self, text: str, told: str) -> bool:
        if not {*_CODE.findall(text)}.isdisjoint(_CODE.findall(told)):
            return True
        if not _TROUBLE.search(text):
            return False
        ours, theirs = self._roots(text), self._roots(told)
        shared = len(ours & theirs)
        near = 5 * shared >= 2 * min(len(ours), len(theirs))
        return shared >= _ENOUGH or (shared >= _LEAST and near)

    def _roots(self, text: str) -> set[str]:
        return {canonical(word) for word in self._parse(text).keywords} - _WEAK


def _told(error: dict[str, Any]) -> str:
    return f"{error['error_type']} {error['error_message']}"


def slug(text: str) -> str:
    """Return an error type as a tag: `TimeoutError` becomes `timeout-error`."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", text)
    return re.sub(r"[^a-z0-9]+", "-", parted.lower()).strip("-") or "unknown"


def normalised(message: str) -> str:
    """Return a message without the parts that differ between occurrences."""
    said = folded(message)
    for part, sign in _VARIABLE:
        said = part.sub(sign, said)
    return said


def key_of(error: dict[str, Any]) -> tuple[str, str]:
    """Return what two occurrences of the same error have in common."""
    message = normalised(str(error.get("error_message")))
    return folded(str(error.get("error_type") or "")), message
