"""How far the log was processed for bridges: a stamp, stored only in the index."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context

MARK = "bridged"


def begin(context: Context) -> None:
    """Record where processing must start; called before the first verb under bridges writes."""
    index = context.fresh().index
    index.notes().put(MARK, index.latest_hlc(), once=True)
