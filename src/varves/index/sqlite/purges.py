"""Queries about purged memories and their remains, in SQLite."""

from __future__ import annotations

from varves.events.kinds import BARRING
from varves.events.remnants import covers, holds, in_force
from varves.index.sqlite.conditions import marks
from varves.index.sqlite.file import from_line, from_lines
from varves.index.sqlite.schema import ERASED
from varves.log.sources import ELSEWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from sqlite3 import Connection

    from varves.events.event import Event


_WHOLE = (
    "select 1 from event e join place l on l.event = e.id join part p on p.n = l.part"
    f" where e.present and {ERASED} and substr(l.mark, -1) <> '-' and substr(p.source, 1, ?) <> ?"
)


class SqlitePurges:
    """Queries about purged memories, and their content that still exists in logs or the index."""

    def __init__(self, db: Connection, *, of_the_past: bool) -> None:
        self._db = db
        self._held = "1" if of_the_past else "present"

    def barred(self, *names: str) -> set[str]:
        """Return the purged memories among `names` or, without `names`, all purged memories.

        A view of the past includes memories that were purged later. Without `names`, the
        conversation events that were purged with them are included.
        """
        purges = self._in_force(*names)
        found = {purge.data["memory"] for purge in purges}
        return found.intersection(names) if names else found | self._covered(purges)

    def talk(self) -> set[str]:
        """Return the ids of the conversation events that were purged together with memories."""
        return self._covered(self._in_force())

    def _in_force(self, *names: str) -> list[Event]:
        where = f"{self._held} and kind in ({marks(BARRING)})"
        if names:
            where += f" and id in (select event from touch where memory in ({marks(names)}))"
        return in_force(self._events(where, (*BARRING, *names)))

    def _covered(self, purges: list[Event]) -> set[str]:
        known: dict[str, Event | None] = {}  # by id, because one event may prove many sources

        def find(name: str) -> Event | None:
            if name not in known:
                sql = "select line, log from event where id = ?"
                row = self._db.execute(sql, (name,)).fetchone()
                known[name] = from_line(*row) if row else None
            return known[name]

        return {name for purge in purges for name in covers(purge, find)}

    def has_returned(self, barred: AbstractSet[str]) -> bool:
        """Return whether files of this checkout contain content of a purged memory.

        The files are read, because the index stores only the erased line of an event that another
        worktree has erased.
        """
        if self._db.execute(_WHOLE, (len(ELSEWHERE), ELSEWHERE)).fetchone():
            return True
        about = "id = ? or id in (select event from touch where memory = ?)"
        where = f"present and away = '' and instr(line, ',\"data\":') and ({about})"
        held = (event for name in barred for event in self._events(where, (name, name)))
        return any(holds(event, barred) for event in held)

    def _events(self, where: str, values: tuple[str, ...]) -> list[Event]:
        sql = f"select line, log from event where {where}"
        return list(from_lines(self._db.execute(sql, values).fetchall()))
