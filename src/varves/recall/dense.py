"""The rule that decides whether dense similarity takes part in a ranking."""

from __future__ import annotations

from varves.values.value import Value

INLINE = 2_000  # texts that a call embeds by default; takes about a tenth of a second


class Choice(Value):
    """Whether dense similarity takes part in a ranking, and how many texts to embed first."""

    run: bool
    embed: int | None  # maximum number of texts to embed before the answer; None means all
    says: str  # a message for the caller; empty if dense was not requested


def choose(*, wanted: bool | None, why_not: str, waiting: int, total: int) -> Choice:
    """Decide from the caller's option, any obstacle (`why_not`), and how many texts lack a vector.

    By default a call embeds only a few texts. Until every text has a vector, memories are ranked by
    words alone, because otherwise those with a vector would be favoured. If dense similarity is
    requested, a call embeds all texts.
    """
    if wanted is False:
        return Choice(run=False, embed=0, says="")
    if why_not:
        return Choice(run=False, embed=0, says=f"dense: {why_not}")
    if wanted or waiting <= INLINE:
        return Choice(run=total > 0, embed=None, says=f"dense: {total:,} embedded")
    done = total - waiting + INLINE
    return Choice(run=False, embed=INLINE, says=f"dense: {done:,} of {total:,} embedded")
