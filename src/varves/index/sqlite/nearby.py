"""Finds memories for comparison, by words or by keys, and stores the pairs that were found.

Keys are numbers and pairs are ids, so neither contains text. Both are deleted with their memory.
"""

from __future__ import annotations

from varves.index.sqlite.conditions import HOLDS, is_trusted, marks
from varves.values.near import MEMBERS, PLACES, Near, best, nearest, paired, scores, sharing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection
    from typing import Any

    from varves.index.where import Trusted
    from varves.values.near import Pair

# everything that a comparison depends on; the version would not show an older event that came late
_SEAL = (
    "m.id || m.version || hex(m.key) || m.at || char(31) || coalesce(m.speaker, '') || char(31)"
    " || coalesce(m.links, '')"
)
_FIELDS = f"m.id, m.text, m.speaker, m.at, m.scope, m.kept, m.n, {_SEAL}, m.links, m.hlc"
_FIELDS += ", m.protocol, m.type"
_MEMBERS = (
    "select k.value, (select group_concat(n) from (select n from said where key = k.value"
    " order by n desc limit ?)) from json_each(?) k"
)  # one SQL statement for all keys
_PORTION = 500  # the most values in one SQL statement
_PLACES = "select rowid from words where words match ? order by rowid desc limit ?"
_SENSITIVE = "not instr(char(31) || m.tags || char(31), char(31) || 'sensitive' || char(31))"
_STANDING = (
    f"m.status = 'active' and not m.away and m.type <> 'document' and {HOLDS} and {_SENSITIVE}"
)


class SqliteNearby:
    """Queries for comparing memories: their texts, their keys, and the pairs that were found.

    Only memories that are current, trusted, not sensitive and in this checkout are included.
    """

    def __init__(self, db: Connection, now: str, rule: Trusted) -> None:
        self._db = db
        trusted, clones = is_trusted(rule)
        self._where = f"{_STANDING} and {trusted}"
        self._values: list[Any] = [now, *clones]
        self._scored: tuple[list[str], dict[int, float]] = ([], {})

    def nearest(self, terms: list[str], *, scope: str, kept: str, other_than: str) -> list[Near]:
        """Return the memories of a scope and log that share the rarest of the given words."""
        if terms != self._scored[0]:  # the same words are often searched in several scopes
            self._scored = (terms, scores(terms, self._places))
        scored = self._scored[1]
        worth = best(scored)
        rows = self._db.execute(
            f"select m.n, length(m.text) from memory m where m.n in ({marks(worth)})"
            f" and m.scope = ? and m.kept = ? and m.id <> ? and {self._where}"
            " order by m.at desc, m.id",
            [*worth, scope, kept, other_than, *self._values],
        )
        numbers = nearest(scored, dict(rows.fetchall()))
        sql = f"select {_FIELDS} from memory m where m.n in ({marks(numbers)})"
        found = {row[6]: Near(row) for row in self._db.execute(sql, numbers)}
        return [found[n] for n in numbers if n in found]

    def _places(self, term: str) -> list[int]:
        found = self._db.execute(_PLACES, (f'text : "{term}"', PLACES)).fetchall()
        return [n for (n,) in found]

    def named(self, names: Iterable[str]) -> list[Near]:
        """Return the memories with these ids, without memories that are not compared."""
        wanted = list(names)
        sql = f"select {_FIELDS} from memory m where m.id in ({marks(wanted)}) and {self._where}"
        return [Near(row) for row in self._db.execute(sql, [*wanted, *self._values])]

    def numbered(self, numbers: Sequence[int]) -> list[Near]:
        """Return those memories among the given numbers that are compared, in the given order."""
        sql = f"select {_FIELDS} from memory m where m.n in ({marks(numbers)}) and {self._where}"
        rows = self._db.execute(sql, [*numbers, *self._values])
        found = {row[6]: Near(row) for row in rows}
        return [found[n] for n in numbers if n in found]

    # Keys

    def sharing(self, keys: Iterable[int], *, other_than: str, most: int) -> list[Near]:
        """Return the memories that share the most of the given keys; a rare key counts more."""
        found = self.numbered(sharing(self.members(keys).values(), most + 1))
        return [near for near in found if near.id != other_than][:most]

    def unkeyed(self, most: int) -> list[Near]:
        """Return memories whose keys are not stored, or are outdated, newest first."""
        rows = self._db.execute(
            f"select {_FIELDS} from pending p join memory m on m.n = p.n where not p.keyed"
            " order by p.n desc limit ?",
            (most,),
        )
        return [Near(row) for row in rows]

    def keep_keys(self, found: Sequence[tuple[Near, Iterable[int]]]) -> None:
        """Store the keys of memories; memories that changed since they were read are skipped."""
        from varves.index.sqlite.update import Transaction

        with Transaction(self._db):
            same = self._unchanged([near for near, _ in found])
            rows = [(near.n, key) for near, keys in found if near.n in same for key in keys]
            self._db.executemany("insert or ignore into said values (?, ?)", rows)
            done = [(n,) for n in same]
            self._db.executemany("update pending set keyed = 1 where n = ?", done)

    def members(self, keys: Iterable[int]) -> dict[int, list[int]]:
        """Return, by key, the numbers of the newest MEMBERS memories that have it, newest first."""
        rows = self._db.execute(_MEMBERS, (MEMBERS, str(list(keys))))
        return {key: list(map(int, found.split(","))) if found else [] for key, found in rows}

    def _unchanged(self, nears: list[Near]) -> set[int]:
        """Return the numbers of the memories that have not changed since they were read."""
        found: set[int] = set()
        for start in range(0, len(nears), _PORTION):
            part = {near.n: near.seal for near in nears[start : start + _PORTION]}
            sql = f"select m.n, {_SEAL} from memory m where m.n in ({marks(part)})"
            found |= {n for n, seal in self._db.execute(sql, list(part)) if part[n] == seal}
        return found

    # Comparisons

    def waiting(self, after: int, most: int) -> list[Near]:
        """Return at most `most` memories that changed since they were last compared."""
        rows = self._db.execute(
            f"select {_FIELDS} from pending p join memory m on m.n = p.n where p.n > ?"
            " order by p.n limit ?",
            (after, most),
        )
        return [Near(row) for row in rows]

    def writers(self, after: int, most: int) -> list[tuple[int, str]]:
        """Return (number, writer) of the newest memories that wait for comparison.

        Their numbers are above `after`.
        """
        return self._db.execute(
            "select p.n, m.writer from pending p join memory m on m.n = p.n where p.n > ?"
            " order by p.n desc limit ?",
            (after, most),
        ).fetchall()

    def newest_waiting(self) -> int:
        """Return the highest number of a memory that waits for comparison, or 0."""
        return self._db.execute("select max(n) from pending").fetchone()[0] or 0

    def unseen(self) -> int:
        """Return how many memories changed since they were last compared."""
        return int(self._db.execute("select count(*) from pending").fetchone()[0])

    def partners(self, name: str) -> list[str]:
        """Return the memories that form a pair of related memories with the given memory."""
        sql = "select older from alike where newer = ?"
        sql += " union select newer from alike where older = ?"
        return [partner for (partner,) in self._db.execute(sql, (name, name))]

    def keep(self, found: list[tuple[Near, list[tuple[str, str]]]]) -> None:
        """Record that memories were compared, with the related pairs (newer, older) found.

        All earlier pairs of these memories are deleted first. A memory that changed since it was
        read is still to be compared.
        """
        from varves.index.sqlite.update import Transaction

        names = [(near.id, near.id) for near, _ in found]
        with Transaction(self._db):
            self._db.executemany("delete from alike where newer = ? or older = ?", names)
            for _, pairs in found:
                self._db.executemany("insert or ignore into alike values (?, ?)", pairs)
            same = self._unchanged([near for near, _ in found])
            done = "delete from pending where n = ? and keyed"
            self._db.executemany(done, [(n,) for n in same])

    def pairs(self) -> list[Pair]:
        """Return all pairs of related memories, in the order in which they were recorded.

        The ids of rows are not used, because their order differs between clones.
        """
        found = self._db.execute("select newer, older from alike").fetchall()
        rows = self._db.execute(
            "select m.id, m.at, m.hlc, m.scope, m.kept from memory m"
            " where m.id in (select newer from alike union select older from alike)"
            f" and {self._where}",
            self._values,
        )
        return paired(found, rows)
