"""How many events there are, by kind, and by session, protocol and kind: kept, so never counted.

A catching up adds what it read. What an index counts so are all events it ever read; those that do
not stand here (held back, of another worktree, gone) are few, and told apart by an index of theirs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    Key = tuple[str, str | None, str | None]  # kind, session, protocol
    Counted = dict[Key, tuple[int, str]]

_KIND = """
    insert into kind values (?1, ?2, ?3) on conflict (name)
    do update set count = count + ?2, last = max(last, ?3)
"""
_TALK = """
    insert into talk values (?1, ?2, ?3, ?4) on conflict (session, protocol, kind)
    do update set count = count + ?4
"""


def count(counted: Counted, key: Key, stamp: str, *, step: int = 1) -> None:
    """Count one event more, or one less: another line of its id takes its place."""
    held, last = counted.get(key, (0, ""))
    counted[key] = held + step, max(last, stamp)


def save(db: Connection, counted: Counted) -> None:
    """Add what was counted to what is known."""
    for (kind, session, protocol), (number, last) in counted.items():
        db.execute(_KIND, (kind, number, last))
        if session is not None:
            db.execute(_TALK, (session, protocol or "", kind, number))
    counted.clear()


def kinds(db: Connection, *but: str) -> list[tuple[str, int, str]]:
    """Return the kinds of all events, how many there are of each and the last stamp."""
    asked = f"name not in ({', '.join('?' * len(but))}) and count"
    sql = f"select name, count, last from kind where {asked} order by name"
    return db.execute(sql, but).fetchall()


def tally(db: Connection, names: Sequence[str]) -> dict[str, list[int | str]]:
    """Return by kind the number and the last stamp of all events, and of those that stand not."""
    asked = f"in ({', '.join('?' * len(names))})"
    found: dict[str, list[int | str]] = {}
    apart = f"(held or away <> '' or not present) and kind {asked}"
    for sql in (
        f"select name, count, last from kind where name {asked} and count",
        f"select kind, count(*), max(hlc) from event where {apart} group by kind",
    ):
        for kind, *told in db.execute(sql, tuple(names)):
            found.setdefault(kind, []).extend(told)
    return found


def said(db: Connection, whose: tuple[str, str], names: Sequence[str]) -> int:
    """Return how many events of some kinds a session has that stand here."""
    asked = f"session = ? and protocol = ? and kind in ({', '.join('?' * len(names))})"
    sql = (
        f"select (select coalesce(sum(count), 0) from talk where {asked})"
        " - (select count(*) from event indexed by event_apart"
        f" where (held or away <> '' or not present) and {asked})"
    )
    return int(db.execute(sql, (*whose, *names, *whose, *names)).fetchone()[0])
