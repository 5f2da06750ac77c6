"""Computes the memories that would result from recording some drafts, without recording them."""

from __future__ import annotations

from varves.context.past import lasting
from varves.events.codec import stamped
from varves.index.runner import load
from varves.index.sqlite.index import SqliteIndex
from varves.index.where import EventWhere
from varves.values.instants import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.context.context import Context
    from varves.events.event import Draft, Event
    from varves.index.port import Index

WRITER = "0000000000.0"  # no writer has this name, because such events are never written


def replayed(context: Context, present: Index, drafts: Iterable[tuple[str, Draft]]) -> Index:
    """Return an index of this checkout's own events and of the given drafts (unrecorded events).

    Purged content is left out, wherever the purge is recorded.
    """
    events = present.lines(EventWhere(here=True, held=False))
    later = lasting(present, {event.id for event, _ in events})
    ahead = int(present.latest_hlc(), 16)
    for number, (log, draft) in enumerate(drafts, 1):
        events.append(_stamped(context, log, draft, hlc=f"{ahead + number:016x}"))
    view = SqliteIndex(None)
    view.branch_of = present.branch_of
    logs = {log.key: log for log in context.logs.own()}
    load(view, [*events, *later], logs, elsewhere={}, progress=None)
    view.leave_out(event.id for event, _ in later)
    return view


def _stamped(context: Context, log: str, draft: Draft, *, hlc: str) -> tuple[Event, bytes]:
    now = context.clock.now()
    stamp = {
        "id": draft.id or context.ids.event(now),
        "hlc": hlc,
        "time": iso(now),
        "writer": WRITER,
        "seq": 1,
        "prev": None,
        "seen": (),
        "salt": context.ids.salt(),
    }
    event, line = stamped(draft, log, stamp)
    return event, line.rstrip(b"\n")
