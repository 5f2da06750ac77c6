"""The memories nearest to a text, by its rarest words, at a cost that does not grow with the store.

Of each word only the newest places are looked at. A word with fewer places than that is rare, and
the memories that share the rarest words come first; frequent words help out where rare ones lack.
Which memories resemble each other is kept here too: ids only, so that no purge need look here.
"""

from __future__ import annotations

from math import log

from varves.index.sqlite.conditions import HOLDS, is_trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from varves.index.sqlite.index import Index
    from varves.index.where import Trusted

TERMS = 40  # words of a text that are looked up
PLACES = 400  # memories of one word that are looked at
ENOUGH = 3  # rare words, and frequent ones are left out
READ = 128  # memories that are looked at
LONG = 400  # characters from which on a text counts for less, since it holds many words
NEAREST = 20  # memories that are compared
_SEAL = (  # all a comparison depends on; an older event that comes in leaves the version as it is
    "m.id || m.version || hex(m.key) || m.at || char(31) || coalesce(m.speaker, '') || char(31)"
    " || coalesce(m.links, '')"
)
_FIELDS = f"m.id, m.text, m.speaker, m.at, m.scope, m.kept, m.n, {_SEAL}, m.links"
_PLACES = "select rowid from words where words match ? order by rowid desc limit ?"
_SENSITIVE = "not instr(char(31) || m.tags || char(31), char(31) || 'sensitive' || char(31))"
_STANDING = (
    f"m.status = 'active' and not m.away and m.type <> 'document' and {HOLDS} and {_SENSITIVE}"
)


class Near:
    """A memory as it is compared."""

    __slots__ = ("at", "id", "kept", "links", "n", "scope", "seal", "speaker", "text")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.id: str = row[0]
        self.text: str = row[1]
        self.speaker: str | None = row[2]
        self.at: str = row[3]
        self.scope: str = row[4]
        self.kept: str = row[5]
        self.n: int = row[6]
        self.seal: str = row[7]
        self.links: str | None = row[8]


class Nearby:
    """The word index as comparing asks for it, and the pairs that were found.

    Only memories that stand are seen: current, trusted, not sensitive and held by this checkout.
    """

    def __init__(self, index: Index, now: str, rule: Trusted) -> None:
        self._db = index.db
        trusted, clones = is_trusted(rule)
        self._where = f"{_STANDING} and {trusted}"
        self._values: list[Any] = [now, *clones]
        self._scored: tuple[list[str], dict[int, float]] = ([], {})

    def nearest(self, terms: list[str], *, scope: str, kept: str, other_than: str) -> list[Near]:
        """Return the memories of one scope and log that share the rarest of some words."""
        if terms != self._scored[0]:  # scope after scope is asked for the same words
            self._scored = (terms, self._scores(terms))
        scores = self._scored[1]
        best = sorted(scores, key=lambda n: (-scores[n], -n))[:READ]
        rows = self._db.execute(
            f"select m.n, length(m.text) from memory m where m.n in ({_marks(best)})"
            f" and m.scope = ? and m.kept = ? and m.id <> ? and {self._where}"
            " order by m.at desc, m.id",
            [*best, scope, kept, other_than, *self._values],
        )
        worth = {n: scores[n] / (LONG + size) for n, size in rows}
        nearest = sorted(worth, key=lambda n: -worth[n])[:NEAREST]  # equals: the latest first
        sql = f"select {_FIELDS} from memory m where m.n in ({_marks(nearest)})"
        found = {row[6]: Near(row) for row in self._db.execute(sql, nearest)}
        return [found[n] for n in nearest if n in found]

    def _scores(self, terms: list[str]) -> dict[int, float]:
        """Score memories by the rarest words they hold, of the newest places of each."""
        rare: list[list[int]] = []
        frequent: list[list[int]] = []
        for term in sorted(terms, key=len, reverse=True)[:TERMS]:
            rows = self._db.execute(_PLACES, (f'text : "{term}"', PLACES)).fetchall()
            places = [n for (n,) in rows]
            (rare if len(places) < PLACES else frequent).append(places)
        rare = [places for places in rare if places]
        used = rare if len(rare) >= ENOUGH else rare + frequent
        scores: dict[int, float] = {}
        several: set[int] = set()
        for places in used:
            worth = log(2 * PLACES / len(places))
            for n in places:
                if n in scores:
                    several.add(n)
                    scores[n] += worth
                else:
                    scores[n] = worth
        return {n: scores[n] for n in several} if len(used) > 1 else scores

    def named(self, names: Iterable[str]) -> list[Near]:
        """Return memories by id, as far as they stand."""
        wanted = list(names)
        sql = f"select {_FIELDS} from memory m where m.id in ({_marks(wanted)}) and {self._where}"
        return [Near(row) for row in self._db.execute(sql, [*wanted, *self._values])]

    # What was found, kept with the index

    def forget_fallen(self) -> None:
        """Let those be compared again that do not stand now, should they ever stand again.

        Meanwhile others are compared without them, and then nobody would see the pair.
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
        """Return the memories that one was found to resemble."""
        sql = "select older from alike where newer = ?1"
        sql += " union select newer from alike where older = ?1"
        return [partner for (partner,) in self._db.execute(sql, (name,))]

    def keep(self, found: list[tuple[Near, list[tuple[str, str]]]]) -> None:
        """Note, in the running transaction, that memories were compared and what they resemble.

        All that was known of them goes first: one may have found another that did not find it.
        """
        names = [(near.id,) for near, _ in found]
        self._db.executemany("delete from alike where newer = ?1 or older = ?1", names)
        for near, pairs in found:
            self._db.executemany("insert or ignore into alike values (?, ?)", pairs)
            self._db.execute("insert or replace into compared values (?, ?)", (near.n, near.seal))

    def pairs(self) -> Iterator[tuple[Near, Near]]:
        """Yield every pair that stands and is alike, the newer one of each first.

        In the order in which they were said: rows lie in another order in every clone.
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


def _marks(values: list[Any]) -> str:
    return ", ".join("?" * len(values))
