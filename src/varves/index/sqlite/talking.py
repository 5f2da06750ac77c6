"""A session's events, by its name and protocol: read from an index, however long the log is."""

from __future__ import annotations

from varves.index.sqlite.tallies import said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.events.event import Event
    from varves.index.sqlite.index import Index

_STANDS = "session = ? and protocol = ? and present and not held and away = ''"


def talk(
    index: Index,
    whose: tuple[str, str],
    kinds: Sequence[str],
    *,
    after: tuple[str, str, str] | None = None,
    most: int | None = None,
) -> list[Event]:
    """Return the events of some kinds of a session that stand here, in order.

    Args:
        index: where to look.
        whose: the session and the protocol.
        kinds: of which events.
        after: only those after this place in the order.
        most: only the last so many.
    """
    where = f"{_STANDS} and kind in ({', '.join('?' * len(kinds))})"
    values: list[str] = [*whose, *kinds]
    if after is not None:
        where += " and hlc >= ? and (hlc, writer, id) > (?, ?, ?)"
        values += [after[0], *after]
    if most is not None:
        last = f"order by hlc desc, writer desc, id desc limit {int(most)}"
        where = f"id in (select id from event where {where} {last})"
    return index.found(where, values)


def apart(index: Index, whose: tuple[str, str], kinds: Sequence[str]) -> tuple[int, ...]:
    """Return how many events of a session do not stand here, and a number made of which they are.

    Where a branch takes another's place, as many may come as go.
    """
    found = index.db.execute(
        "select count(*), total(unicode(substr(id, -1)) * 16384 + unicode(substr(id, -2)) * 128"
        " + unicode(substr(id, -3))) from event indexed by event_apart"
        " where (held or away <> '' or not present) and session = ? and protocol = ?"
        f" and kind in ({', '.join('?' * len(kinds))})",
        (*whose, *kinds),
    ).fetchone()
    return tuple(map(int, found))


def pulse(index: Index, whose: tuple[str, str], kinds: Sequence[str]) -> tuple[int, str]:
    """Return how many events of some kinds a session has, and the stamp of the last.

    They are not counted one by one, however many there are; but for those that do not stand here.
    """
    latest = f"select hlc from event where {_STANDS} and kind = ? order by hlc desc limit 1"
    stamps = (index.db.execute(latest, (*whose, kind)).fetchone() for kind in kinds)
    return said(index.db, whose, kinds), max((found[0] for found in stamps if found), default="")
