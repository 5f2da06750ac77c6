"""Counts of events by kind and by session, in SQLite."""

from __future__ import annotations

from varves.index.sqlite.conditions import marks
from varves.index.sqlite.schema import OUT
from varves.values.instants import HOUR, MINUTE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection


_LAST = chr(0x10FFFF)


class SqliteCounts:
    """Counts of events, updated with each write, so that no query has to count events."""

    def __init__(self, db: Connection, apart: str) -> None:
        self._db = db
        self._apart = apart  # the table of events, with a hint for those that do not count here

    def kinds(self, *but: str) -> list[tuple[str, int, str]]:
        """Return (kind, number, last stamp) of all events, without the kinds in `but`."""
        asked = f"name not in ({marks(but)}) and count"
        sql = f"select name, count, last from kind where {asked} order by name"
        return self._db.execute(sql, but).fetchall()

    def by_hour(self, *, minutes: bool = False) -> list[tuple[str, int]]:
        """Return (hour or minute, number) of the events that count here, where there are any."""
        long = MINUTE if minutes else HOUR
        sql = f"select substr(time, 1, {long}), count(*) from event where not {OUT} group by 1"
        return self._db.execute(sql).fetchall()

    def by_kind(self, kinds: Sequence[str]) -> dict[str, list[int | str]]:
        """Return, by kind, the number and last stamp of all events, and of events elsewhere.

        The time this takes does not depend on the number of events.
        """
        asked = f"in ({marks(kinds)})"
        found: dict[str, list[int | str]] = {}
        apart = f"{OUT} and kind {asked}"
        for sql in (
            f"select name, count, last from kind where name {asked} and count",
            f"select kind, count(*), max(hlc) from event where {apart} group by kind",
        ):
            for kind, *told in self._db.execute(sql, tuple(kinds)):
                found.setdefault(kind, []).extend(told)
        return found

    def in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> int:
        """Return the number of events of some kinds that a session has in this checkout."""
        asked = f"session = ? and protocol = ? and kind in ({marks(kinds)})"
        sql = (
            f"select (select coalesce(sum(count), 0) from talk where {asked})"
            f" - (select count(*) from {self._apart} where {OUT} and {asked})"
        )
        values = (session, protocol, *kinds)
        return int(self._db.execute(sql, values + values).fetchone()[0])

    def last_in_session(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[str, str]:
        """Return the stamp and time of a session's last event of some kinds in this checkout."""
        sql = (
            "select hlc, time from event where session = ? and protocol = ? and kind = ?"
            " and present and not held and away = '' order by hlc desc limit 1"
        )
        looks = (self._db.execute(sql, (session, protocol, kind)).fetchone() for kind in kinds)
        return max((found for found in looks if found), default=("", ""))

    def not_here(self, session: str, protocol: str, kinds: Sequence[str]) -> tuple[int, ...]:
        """Return the number of a session's events that are not in this checkout, and a checksum.

        The checksum is computed from the ids of these events. It changes if another branch is
        checked out that adds as many events as it removes.
        """
        found = self._db.execute(
            "select count(*), total(unicode(substr(id, -1)) * 16384 + unicode(substr(id, -2)) * 128"
            f" + unicode(substr(id, -3))) from {self._apart} where {OUT}"
            f" and session = ? and protocol = ? and kind in ({marks(kinds)})",
            (session, protocol, *kinds),
        ).fetchone()
        return tuple(map(int, found))

    def sessions(self, prefix: str, protocol: str, kind: str) -> list[str]:
        """Return the sessions whose id has this prefix and that ever had an event of a kind."""
        found = self._db.execute(
            "select session from talk where session >= ? and session < ?"
            " and protocol = ? and kind = ? and count > 0 order by session",
            (prefix, prefix + _LAST, protocol, kind),
        )
        return [name for (name,) in found if name.startswith(prefix)]
