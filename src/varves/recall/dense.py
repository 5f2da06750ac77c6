"""Decides whether dense similarity, a comparison of meanings by vectors, is used in a ranking."""

from __future__ import annotations

from varves.values.value import Value

INLINE = 2_000  # the most texts that a call embeds by default; this takes about a tenth of a second


class Choice(Value):
    """Whether dense similarity is used in a ranking, and how many texts must be embedded first."""

    run: bool
    embed: int | None  # the most texts to embed before the answer; None means all
    says: str  # a message for the caller; empty if dense was not requested


def choose(*, wanted: bool | None, why_not: str, waiting: int, total: int) -> Choice:
    """Decide whether dense similarity is used, and how many texts are embedded first.

    `wanted` is the caller's option; `why_not` is the reason why there is no encoder, or "";
    `waiting` is the number of texts without a vector. By default, a call embeds only a few texts.
    Until every text has a vector, memories are ranked by words alone, because otherwise memories
    with a vector would rank too high. If the caller requests dense similarity, the call embeds all
    texts.
    """
    if wanted is False:
        return Choice(run=False, embed=0, says="")
    if why_not:
        return Choice(run=False, embed=0, says=f"dense: {why_not}")
    if wanted or waiting <= INLINE:
        return Choice(run=total > 0, embed=None, says=f"dense: {total:,} embedded")
    done = total - waiting + INLINE
    return Choice(run=False, embed=INLINE, says=f"dense: {done:,} of {total:,} embedded")
