"""What was said in talk and goes with a purged memory, looked up and proven in the index."""

from __future__ import annotations

from varves.events.purge import covers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from sqlite3 import Connection

    from varves.events.event import Event

_CLAIMING = "kind = 'memory.purged' and instr(line, '\"sources\":')"


def covered(db: Connection, read: Callable[[str, str], Event], *, gone: bool) -> set[str]:
    """Return the events that purges cover besides those of the memories themselves.

    Args:
        db: where to look.
        read: makes an event of its line and its log.
        gone: whether purges count that are not shown.
    """
    known: dict[str, Event | None] = {}  # one event may prove many

    def find(name: str) -> Event | None:
        if name not in known:
            row = db.execute("select line, log from event where id = ?", (name,)).fetchone()
            known[name] = read(*row) if row else None
        return known[name]

    where = _CLAIMING if gone else f"{_CLAIMING} and present"
    purges = db.execute(f"select line, log from event where {where}").fetchall()
    return {name for line, log in purges for name in covers(read(line, log), find)}
