"""How far the log was processed for bridges: a stamp, stored only in the index."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context

MARK = "bridged"


def begin(context: Context) -> None:
    """Record where bridges must start processing; called before a verb writes, if any are set."""
    index = context.fresh().index
    index.notes().put(MARK, index.latest_hlc(), once=True)
