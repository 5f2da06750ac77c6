"""Stores, as a stamp in the index, how far bridges have processed the log."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context

MARK = "bridged"


def begin(context: Context) -> None:
    """Record the stamp (position in time) of the event after which bridges must start.

    This is called before a verb writes, if the settings contain bridges.
    """
    index = context.fresh().index
    index.notes().put(MARK, index.latest_hlc(), once=True)
