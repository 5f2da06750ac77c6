"""How often a memory was told, and when last: summed from the events that say so.

`told` keeps what each event says and `use` the sums, so that one look-up ranks many memories and a
vanished event takes back exactly what it brought.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

_COUNTING = "told t join event e on e.id = t.event where t.memory = ? and e.present and not e.held"

_UNTIL = {
    "memory": "event v on v.id = m.version",
    "scope": "(select o.protocol, o.scope, max(e.hlc) as hlc from memory o"
    " join event e on e.id = o.version group by 1, 2) v"
    " on v.protocol = m.protocol and v.scope = m.scope",
}


def uses(db: sqlite3.Connection, names: list[str]) -> dict[str, tuple[int, str]]:
    """Return (how often, when last) of those memories that were ever told."""
    marks = ", ".join("?" * len(names))
    found = db.execute(f"select memory, count, last from use where memory in ({marks})", names)
    return {memory: (count, last) for memory, count, last in found}


def told_to(db: sqlite3.Connection, memory: str) -> list[tuple[str, int, str]]:
    """Return (agent, how often, when last) of everyone who was told a memory."""
    sql = f"select t.agent, sum(t.count), max(t.last) from {_COUNTING} group by 1 order by 1"
    return db.execute(sql, (memory,)).fetchall()


def told_last(db: sqlite3.Connection, *, but: str) -> tuple[str, str, tuple[str, ...]] | None:
    """Return (agent, when, memories) of what was told last to anybody but one."""
    counting = "told t join event e on e.id = t.event where e.present and not e.held"
    newest = f"select t.agent, t.last from {counting} and t.agent != ? order by 2 desc limit 1"
    row = db.execute(newest, (but,)).fetchone()
    if row is None:
        return None
    sql = f"select distinct t.memory from {counting} and t.agent = ? and t.last = ? order by 1"
    return (*row, tuple(name for (name,) in db.execute(sql, row)))


def told_in(db: sqlite3.Connection, event: str) -> list[str]:
    """Return the memories an event says were told."""
    found = db.execute("select distinct memory from told where event = ?", (event,))
    return [memory for (memory,) in found]


def save_told(
    db: sqlite3.Connection, event: str, told: Mapping[tuple[str, str], tuple[int, str]]
) -> list[str]:
    """Keep what an event says, by memory and agent; return the memories."""
    rows = [(memory, event, agent, *count) for (memory, agent), count in told.items()]
    db.executemany("insert or replace into told values (?, ?, ?, ?, ?)", rows)
    return [memory for memory, _ in told]


def accessed(db: sqlite3.Connection, *, until: str | None = None) -> dict[str, tuple[int, str]]:
    """Return (how often, when last) by memory, of what this checkout's own logs count.

    Up to the last other event about that memory (`memory`), about any of its scope (`scope`), or up
    to now.
    """
    told = "accessed a join event e on e.id = a.event"
    if until is not None:
        told += f" join memory m on m.id = a.memory join {_UNTIL[until]} and e.hlc < v.hlc"
    found = db.execute(
        f"select a.memory, sum(a.count), max(a.last) from {told}"
        " where e.present and not e.held and e.away = '' group by a.memory"
    )
    return {memory: (count, last) for memory, count, last in found}


def save_accessed(
    db: sqlite3.Connection, event: str, counted: Mapping[str, tuple[int, str]]
) -> None:
    """Keep what an event says was accessed, by memory."""
    rows = [(memory, event, *count) for memory, count in counted.items()]
    db.executemany("insert or replace into accessed values (?, ?, ?, ?)", rows)


def save_uses(db: sqlite3.Connection, memories: Iterable[str]) -> None:
    """Sum up again what counts for some memories."""
    for memory in memories:
        db.execute("delete from use where memory = ?", (memory,))
        sums = f"select t.memory, sum(t.count), max(t.last) from {_COUNTING} group by 1"
        db.execute(f"insert into use {sums}", (memory,))
