"""The word index for comparison, and the pairs that were found alike.

The stored pairs contain only ids, so a purge need not search them.
"""

from __future__ import annotations

from varves.index.sqlite.conditions import HOLDS, is_trusted, marks
from varves.values.near import PLACES, Near, best, nearest, scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection
    from typing import Any

    from varves.index.where import Trusted

# everything a comparison depends on; an older event that arrives late leaves the version unchanged
_SEAL = (
    "m.id || m.version || hex(m.key) || m.at || char(31) || coalesce(m.speaker, '') || char(31)"
    " || coalesce(m.links, '')"
)
_FIELDS = f"m.id, m.text, m.speaker, m.at, m.scope, m.kept, m.n, {_SEAL}, m.links"
_PLACES = "select rowid from words where words match ? order by rowid desc limit ?"
_SENSITIVE = "not instr(char(31) || m.tags || char(31), char(31) || 'sensitive' || char(31))"
_STANDING = (
    f"m.status = 'active' and not m.away and m.type <> 'document' and {HOLDS} and {_SENSITIVE}"
)


class SqliteNearby:
    """The word index for comparison, and the pairs that were found.

    Only memories that are current, trusted, not sensitive and in this checkout are included.
    """

    def __init__(self, db: Connection, now: str, rule: Trusted) -> None:
        self._db = db
        trusted, clones = is_trusted(rule)
        self._where = f"{_STANDING} and {trusted}"
        self._values: list[Any] = [now, *clones]
        self._scored: tuple[list[str], dict[int, float]] = ([], {})

    def nearest(self, terms: list[str], *, scope: str, kept: str, other_than: str) -> list[Near]:
        """Return the memories of one scope and log that share the rarest of some words."""
        if terms != self._scored[0]:  # several scopes are searched for the same words
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
        """Return the included memories among these ids."""
        wanted = list(names)
        sql = f"select {_FIELDS} from memory m where m.id in ({marks(wanted)}) and {self._where}"
        return [Near(row) for row in self._db.execute(sql, [*wanted, *self._values])]

    # Results, stored in the index

    def forget_fallen(self) -> None:
        """Mark excluded memories as not compared, so that they are compared when they return.

        Until then other memories are compared without them, and the pair would be missed.
        """
        fallen = f"from compared where n not in (select m.n from memory m where {self._where})"
        if self._db.execute(f"select 1 {fallen} limit 1", self._values).fetchone():
            self._db.execute(f"delete {fallen}", self._values)

    def waiting(self, after: int, most: int) -> list[Near]:
        """Return some of the memories that were not compared since they last changed."""
        sql = f"select {_FIELDS} from memory m {self._unseen} and m.n > ? order by m.n limit ?"
        return [Near(row) for row in self._db.execute(sql, [*self._values, after, most])]

    def unseen(self) -> int:
        """Return how many memories were not compared since they last changed."""
        sql = f"select count(*) from memory m {self._unseen}"
        return int(self._db.execute(sql, self._values).fetchone()[0])

    @property
    def _unseen(self) -> str:
        seen = f"select 1 from compared c where c.n = m.n and c.seal = {_SEAL}"
        return f"where not exists ({seen}) and {self._where}"

    def partners(self, name: str) -> list[str]:
        """Return the memories that were found to resemble this one."""
        sql = "select older from alike where newer = ?1"
        sql += " union select newer from alike where older = ?1"
        return [partner for (partner,) in self._db.execute(sql, (name,))]

    def keep(self, found: list[tuple[Near, list[tuple[str, str]]]]) -> None:
        """Store that memories were compared, and the pairs (newer, older) that are alike.

        All earlier pairs of these memories are deleted first, because only one memory of a pair may
        have found the other.
        """
        from varves.index.sqlite.update import Transaction

        names = [(near.id,) for near, _ in found]
        with Transaction(self._db):
            self._db.executemany("delete from alike where newer = ?1 or older = ?1", names)
            for near, pairs in found:
                self._db.executemany("insert or ignore into alike values (?, ?)", pairs)
                seen = (near.n, near.seal)
                self._db.execute("insert or replace into compared values (?, ?)", seen)

    def pairs(self) -> Iterator[tuple[Near, Near]]:
        """Yield every pair that is alike, the newer one of each first.

        The order is that of recording, because the order of rows differs between clones.
        """
        found = self._db.execute("select newer, older from alike").fetchall()
        names = {name for pair in found for name in pair}
        standing: dict[str, Near] = {}
        ordered = sorted(names)
        for start in range(0, len(ordered), 500):
            standing |= {near.id: near for near in self.named(ordered[start : start + 500])}
        stand = [
            (standing[newer], standing[older])
            for newer, older in found
            if newer in standing and older in standing
        ]
        yield from sorted(stand, key=lambda pair: [(one.at, one.id) for one in pair])
