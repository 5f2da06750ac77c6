"""What git brought back of a purged memory, and taking it away again.

A switch, reset or checkout puts files from before a purge into the work tree. The purge itself is
kept beside git (`log/kept.py`), so nothing of it is told meanwhile. Reading changes no file; the
next write, or `doctor --fix`, says the purge again on this branch and erases the lines.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events.purge import purged_by
from varves.index.sqlite.returned import is_back, settle_purges
from varves.index.where import EventWhere
from varves.purge.purge import finish, keep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.context.engine import Engine


def clean(ledger: Any) -> None:
    """After a write, erase what came back; what fails here fails nobody's write."""
    engine = ledger._engine  # noqa: SLF001 - a part of the ledger
    engine.cleaning = True
    try:
        keep(engine)
        barred = _own(engine)
        if barred and is_back(engine.fresh().index, barred):
            from varves.files.protocols import render_all

            recorder = ledger._writing()  # noqa: SLF001
            finish(engine, recorder, recorder.act(origin="agent"), only=barred)
            render_all(ledger)
        settle_purges(engine.index())
    except (VarvesError, OSError):
        pass  # it stays hidden, `doctor` names it, and the next write tries again
    finally:
        engine.cleaning = False


def _own(engine: Engine) -> set[str]:
    """Return what this clone purged: memories, and the talk that goes with them."""
    index = engine.fresh().index
    own = purged_by(index.events(EventWhere(kept_purge=True)))
    return own | index.covered() if own else own
