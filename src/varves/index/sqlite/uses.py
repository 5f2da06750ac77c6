"""Queries about how often memories were shown to agents, in SQLite."""

from __future__ import annotations

from varves.index.sqlite.schema import TOLD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection


_UNTIL = {
    "memory": "event v on v.id = m.version",
    "scope": "(select o.protocol, o.scope, max(e.hlc) as hlc from memory o"
    " join event e on e.id = o.version group by 1, 2) v"
    " on v.protocol = m.protocol and v.scope = m.scope",
}


class SqliteUses:
    """Queries about how often memories were shown to agents, and when last."""

    def __init__(self, db: Connection) -> None:
        self._db = db

    def by_agent(self, memory: str) -> list[tuple[str, int, str]]:
        """Return (agent, how often, when last) for every agent that a memory was shown to."""
        sql = f"select t.agent, sum(t.count), max(t.last) from {TOLD} and t.memory = ? group by 1"
        return self._db.execute(f"{sql} order by 1", (memory,)).fetchall()

    def latest(self, *, other_than: str) -> tuple[str, str, tuple[str, ...]] | None:
        """Return (agent, when, memories) for the last time that another agent saw memories."""
        newest = f"select t.agent, t.last from {TOLD} and t.agent != ? order by 2 desc limit 1"
        row = self._db.execute(newest, (other_than,)).fetchone()
        if row is None:
            return None
        sql = f"select distinct t.memory from {TOLD} and t.agent = ? and t.last = ? order by 1"
        return (*row, tuple(name for (name,) in self._db.execute(sql, row)))

    def accessed(self, *, until: str | None = None) -> dict[str, tuple[int, str]]:
        """Return, by memory, how often and when last it was read, from this checkout's own logs.

        `until` says up to which event accesses are counted: `memory` up to the last other event
        about that memory, `scope` up to the last other event about any memory of its scope, None up
        to now.
        """
        told = "accessed a join event e on e.id = a.event"
        if until is not None:
            told += f" join memory m on m.id = a.memory join {_UNTIL[until]} and e.hlc < v.hlc"
        found = self._db.execute(
            f"select a.memory, sum(a.count), max(a.last) from {told}"
            " where e.present and not e.held and e.away = '' group by a.memory"
        )
        return {memory: (count, last) for memory, count, last in found}
