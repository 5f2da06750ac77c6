"""The briefing: what an agent should be told now, as one fenced block within a budget.

Candidates come in order of weight, each memory once. One that does not fit is left out whole and
counted; a shorter one after it may still fit.
"""

from __future__ import annotations

from varves.recall.fence import block, line_of
from varves.values.text import PER_TOKEN, fold, tokens
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.values.memory import Memory

BUDGET = 2000
_MINUTES = 16  # of an instant: as far as the minute
_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "m"))


class Briefing(Value):
    """A block for a context window, and the memories in it."""

    text: str
    tokens: int
    ids: tuple[str, ...]
    omitted: int


def briefing(
    chosen: Iterable[tuple[Memory, dict[str, Any]]], *, budget: int, nonce: str
) -> Briefing:
    """Fill a block with memories, in their order, as far as the budget goes.

    Args:
        chosen: memories, the weightiest first, each with what else is to be said of it.
        budget: the most tokens the whole block may have, its marks included.
        nonce: a fresh random word for the marks.
    """
    lines: list[str] = []
    ids: list[str] = []
    omitted = 0
    left = budget * PER_TOKEN - len(block((), nonce))
    said: set[tuple[str, str]] = set()
    for memory, about in chosen:
        value = (memory.scope, fold(memory.text))
        if value in said:
            continue
        said.add(value)
        # Quoting makes a text no shorter, and one of megabytes is not quoted in vain.
        line = line_of(record(memory, about)) if len(memory.text) < left else ""
        if not line or len(line) + 1 > left:
            omitted += 1
            continue
        left -= len(line) + 1
        lines.append(line)
        ids.append(memory.id)
    text = block(lines, nonce) if lines else ""
    return Briefing(text=text, tokens=tokens(text), ids=tuple(ids), omitted=omitted)


def record(memory: Memory, about: dict[str, Any]) -> dict[str, Any]:
    """Return what an agent needs to weigh a memory: where it comes from before what it says."""
    return {
        "id": memory.id,
        "type": memory.type,
        "scope": memory.scope,
        "at": memory.at[:_MINUTES],
        "origin": memory.origin,
        "trust": memory.trust,
        **about,
        "text": memory.text,
    }


def age(then: int, now: int) -> str:
    """Return how long ago an instant was, in its largest whole unit."""
    for unit, letter in _UNITS:
        if now - then >= unit:
            return f"{(now - then) // unit}{letter}"
    return "0m"
