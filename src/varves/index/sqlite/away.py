"""What only other worktrees of the repository hold, told apart from what this checkout holds.

Their project logs are read as further sources and folded with ours. An event that no file of this
checkout holds is *away*: it keeps the key of a source that has it, and so does a memory it shaped.
"""

from __future__ import annotations

from varves.events.codec import decode, purged_line
from varves.events.kinds import birth
from varves.events.purge import holds, lasts
from varves.index.sqlite.schema import SAID_AGAIN
from varves.log.sources import ELSEWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from varves.events.event import Event
    from varves.fold.family import Row
    from varves.index.sqlite.index import Index

    Lines = list[tuple[Event, bytes]]

_HOLDER = (
    "select min(case when substr(p.source, 1, ?) = ? then p.source else '' end)"
    " from place l join part p on p.n = l.part where l.event = ?"
)


def holder(db: sqlite3.Connection, event: str) -> str:
    """Return where an event is: nothing if a log of this checkout holds it, else a source."""
    row = db.execute(_HOLDER, (len(ELSEWHERE), ELSEWHERE, event)).fetchone()
    return str(row[0] or "")


def fit_to_keep(index: Index, events: Lines, where: str) -> Lines:
    """Read another checkout without what was purged here, where a purge cannot erase it."""
    barred = index.purged() if where else None
    if not barred:
        return events
    return [_kept(index.db, event, line, barred) for event, line in events]


def _kept(
    db: sqlite3.Connection, event: Event, line: bytes, barred: set[str]
) -> tuple[Event, bytes]:
    """Return a line as it may be kept; what ties other memories must have been said again."""
    if not holds(event, barred):
        return event, line
    again = f"select 1 from event where {SAID_AGAIN} and instr(line, ?)"
    if lasts(event) and not db.execute(again, (f'"event":"{event.id}"',)).fetchone():
        return event, line
    erased = purged_line(line)
    return decode(erased, event.log), erased


class Guests:
    """The events and memories of other worktrees met in one catching up; mostly none."""

    def __init__(self) -> None:
        self._events: dict[str, str] = {}
        self._births: dict[tuple[str, str], dict[str, str]] = {}  # (memory, log): event: source

    def note(self, events: Iterable[Event], where: dict[str, str]) -> None:
        """Take in the events of a family, some of which are only in other worktrees."""
        self._events |= where
        for event in events:
            record = birth(event)
            if record:
                births = self._births.setdefault((record["memory"], event.log), {})
                births[event.id] = where.get(event.id, "")

    def label(self, rows: dict[str, Row]) -> None:
        """Say of each row whether it was born elsewhere, and whose branch shows in it."""
        if not self._events:
            return
        for name, row in rows.items():
            births = self._births.get((name, row["kept"]), {})
            born = "" if "" in births.values() else min(births.values(), default="")
            changed = "" if row["version"] in births else self._events.get(row["version"], "")
            row["branch"] = changed or born or None
            row["away"] = int(bool(born))
