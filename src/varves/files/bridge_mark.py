"""How far the log was looked through for bridges: a stamp, kept in the index and nowhere else."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context

MARK = "bridged"


def begin(context: Context) -> None:
    """Note, before the first verb under bridges writes, from where on there is something to do."""
    index = context.fresh().index
    index.notes().put(MARK, index.latest_hlc(), once=True)
