"""Erases purged content that git restored.

In git, a switch, reset or checkout can restore files from before a purge. The purge itself is also
stored in git's folder (`log/files/kept.py`), so the content stays hidden. A read does not change
any file. The next write, or `doctor --fix`, records the purge again on this branch and erases the
lines.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events.remnants import purged_by
from varves.index.where import WAITING_PURGES, EventWhere
from varves.purge.erasure import finish, keep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context
    from varves.files.protocols import Protocols


def clean(context: Context, protocols: Protocols) -> None:
    """After a write, erase purged content that git restored; a failure does not fail the write."""
    try:
        keep(context)
        barred = _own(context)
        if barred and context.fresh().index.purges().has_returned(barred):
            finish(context.replace(origin="agent"), only=barred)
            protocols.render_all()
        context.index.get().notes().drop(WAITING_PURGES)
    except (VarvesError, OSError):
        pass  # the content stays hidden, `doctor` reports it, and the next write tries again


def _own(context: Context) -> set[str]:
    """Return what this clone purged: memories, and the conversation events erased with them."""
    index = context.fresh().index
    own = purged_by(index.events(EventWhere(kept_purge=True)))
    return own | index.purges().talk() if own else own
