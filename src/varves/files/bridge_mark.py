"""How far the log was looked through for bridges: a stamp, kept in the index and nowhere else."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.engine import Engine

MARK = "bridged"


def begin(engine: Engine) -> None:
    """Note, before the first verb under bridges writes, from where on there is something to do."""
    index = engine.fresh().index
    index.set_note(MARK, index.latest_hlc(), once=True)
