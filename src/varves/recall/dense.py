"""When meanings are compared too: a rule of what is asked, what is there and what it costs."""

from __future__ import annotations

from varves.values.value import Value

INLINE = 2_000  # texts that a call embeds unasked: about a tenth of a second


class Choice(Value):
    """Whether dense similarity takes part in a ranking, and what is done for it first."""

    run: bool
    embed: int | None  # texts to embed before the answer at the most; None: all
    says: str  # for the caller; empty if dense was not asked for


def choose(*, wanted: bool | None, why_not: str, waiting: int, total: int) -> Choice:
    """Decide from the caller's wish, what stands against it, and how many texts have no vector.

    Unasked, a call embeds a few texts at the most and ranks by words alone until all are embedded:
    an order in which only some memories can be alike would favour those. Asked, it embeds all.
    """
    if wanted is False:
        return Choice(run=False, embed=0, says="")
    if why_not:
        return Choice(run=False, embed=0, says=f"dense: {why_not}")
    if wanted or waiting <= INLINE:
        return Choice(run=total > 0, embed=None, says=f"dense: {total:,} embedded")
    done = total - waiting + INLINE
    return Choice(run=False, embed=INLINE, says=f"dense: {done:,} of {total:,} embedded")
