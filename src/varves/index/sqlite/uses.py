"""Queries about how often memories were shown to agents, in SQLite."""

from __future__ import annotations

from varves.index.sqlite.schema import TOLD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection


_READ = "accessed a join event e on e.id = a.event and e.present and not e.held and e.away = ''"
_OF = "m.protocol is ? and m.scope is ?"


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
        told, values = _READ, list[str]()
        if until == "memory":
            told += " join memory m on m.id = a.memory join event v on v.id = m.version"
            told += " and e.hlc < v.hlc"
        elif until == "scope":
            limits = self._limits()
            rows = ", ".join(["(?, ?, ?)"] * len(limits)) or "(null, null, null)"
            told += f" join memory m on m.id = a.memory join (values {rows}) v"
            told += " on v.column1 is m.protocol and v.column2 is m.scope and +e.hlc < v.column3"
            values = [part for limit in limits for part in limit]
        found = self._db.execute(
            f"select a.memory, sum(a.count), max(a.last) from {told} group by a.memory", values
        )
        return {memory: (count, last) for memory, count, last in found}

    def _limits(self) -> list[tuple[str, str, str]]:
        """Return (protocol, scope, stamp) for each scope with accesses: that of its last change.

        Most often a memory was recorded after the last access. Then its stamp is enough, which is
        stored with it; otherwise the event of each memory's last change is looked up.
        """
        read = f"select m.protocol, m.scope, max(e.hlc) from {_READ}"
        scopes = self._db.execute(f"{read} join memory m on m.id = a.memory group by 1, 2")
        found = []
        for protocol, scope, last in scopes.fetchall():
            recorded = (
                # the signs keep SQLite from reading the whole scope by its index
                f"select m.hlc from memory m where {_OF.replace('m.', '+m.')} and m.hlc > ?"
                " and exists (select 1 from event where id = m.version) limit 1"
            )
            changed = "select max(v.hlc) from memory m join event v on v.id = m.version"
            row = self._db.execute(recorded, (protocol, scope, last)).fetchone()
            row = row or self._db.execute(f"{changed} where {_OF}", (protocol, scope)).fetchone()
            if row[0] is not None:
                found.append((protocol, scope, row[0]))
        return found
