"""Selects the most informative sentences of the summaries that a context no longer shows.

A sentence counts if it shares rare words with the last messages, and if no other sentence says the
same; so a fact that was stated once, long ago, is shown, and a repeated statement is not.
"""

from __future__ import annotations

from varves.protocols.deliberation.extractive import (
    DECISIONS,
    SummarySentence,
    alike,
    choose,
    sentences,
)
from varves.protocols.deliberation.state import PURGED, Message
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.deliberation.state import State

_LAST = 3  # the number of last messages, which show what is discussed now
_OWN = 0.5  # the weight of a sentence that shares no word with the last messages


def earlier_points(state: State, options: DeliberationOptions) -> tuple[str, ...]:
    """Return the sentences of older summaries that a context adds, in their order."""
    older = state.summaries[: max(0, len(state.summaries) - options.summaries_shown)]
    if not older or not options.earlier_words:
        return ()
    told = [Message(agent_id="", content=_points(one.content)) for one in older]
    recent = [one for one in state.pending if one.type != PURGED][-_LAST:]
    found = sentences([*told, *recent])
    asked = [one for one in found if any(one.message is now for now in recent)]
    shown = fold("\n".join(one.content for one in state.summaries[len(older) :]))
    points = [
        one for one in found if all(one is not now for now in asked) and fold(one.text) not in shown
    ]

    def rank(some: Sequence[SummarySentence]) -> list[float]:
        return [
            _OWN + max((alike(one.vector, now.vector) for now in asked), default=0.0)
            for one in some
        ]

    return tuple(one.text for one in choose(points, options.earlier_words, rank=rank))


def _points(content: str) -> str:
    """Return a summary without its decisions, which a context lists, and without its headings."""
    kept, skips = [], False
    for line in content.split("\n"):
        if line.rstrip().endswith(":"):
            skips = line.strip() == DECISIONS
        elif not skips:
            kept.append(line)
    return "\n".join(kept)
