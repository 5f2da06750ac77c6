"""The entries of talks: found by the talk's name in an index, however long the log is.

Talks are private, so only the private log is asked: a branch that carries such events says nothing.
"""

from __future__ import annotations

from varves.events.kinds import DROPPED, SAID
from varves.index.sqlite.tallies import said as count_said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.events.event import Event
    from varves.index.sqlite.index import Index

    Place = tuple[str, str, str]

CORE, PRIVATE = "core", "private"
_LAST = chr(0x10FFFF)
_HERE = (
    f"session = ? and protocol = '{CORE}' and kind = ? and present and not held and away = ''"
    f" and log = '{PRIVATE}'"
)


def entries(
    index: Index,
    name: str,
    *,
    after: Place | None = None,
    first: int | None = None,
    last: int | None = None,
    noted: bool = False,
) -> list[Event]:
    """Return what was said in a talk and stands here, in order.

    Args:
        index: where to look.
        name: the talk.
        after: only what comes after this place in the order.
        first: only the first so many of it.
        last: only the last so many of it.
        noted: only what has a note.
    """
    where, values = _after(name, SAID, after)
    if noted:  # quotes within a text are escaped
        where += """ and instr(line, '"note":"')"""
    if first is not None or last is not None:
        way = "" if last is None else " desc"
        most = first if last is None else last
        order = f"order by hlc{way}, writer{way}, id{way} limit {int(most or 0)}"
        where = f"id in (select id from event where {where} {order})"
    return index.found(where, values)


def drops(index: Index, name: str) -> list[Event]:
    """Return what took entries out of a talk, in order."""
    where, values = _after(name, DROPPED, None)
    return index.found(where, values)


def _after(name: str, kind: str, after: Place | None) -> tuple[str, list[str]]:
    if after is None:
        return _HERE, [name, kind]
    return f"{_HERE} and hlc >= ? and (hlc, writer, id) > (?, ?, ?)", [name, kind, after[0], *after]


def count(index: Index, name: str) -> int:
    """Return how many entries a talk ever had; they are not counted one by one."""
    return count_said(index.db, (name, CORE), (SAID,))


def names(index: Index, prefix: str) -> list[str]:
    """Return the names of the talks that begin so."""
    found = index.db.execute(
        "select session from talk where session >= ? and session < ?"
        " and protocol = ? and kind = ? and count > 0 order by session",
        (prefix, prefix + _LAST, CORE, SAID),
    )
    return [name for (name,) in found if name.startswith(prefix)]


def changed_at(index: Index, name: str) -> str:
    """Return when the newest event of a talk was recorded."""
    newest = ("", "")
    for kind in (SAID, DROPPED):
        sql = f"select hlc, time from event where {_HERE} order by hlc desc limit 1"
        newest = max(newest, index.db.execute(sql, (name, kind)).fetchone() or newest)
    return newest[1]
