"""Full-text search over the index: candidates from FTS5, filtered by what the caller may see."""

from __future__ import annotations

from varves.stores.sqlite.quarantine import free
from varves.stores.sqlite.schema import FIELDS, SPLIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from varves.stores.sqlite.index import Index
    from varves.values.memory import Memory
    from varves.values.query import Query

FEW = 4  # a query of so few words is searched whole
FREQUENT = 0.05  # a word in more than this share of memories tells little
DIRECT, LESS = 3, 0.9  # what an agent says ranks a little below what a person says
ENOUGH = 12  # rare words searched before frequent ones are left out
_WEIGHTS = "10.0, 5.0, 3.0, 1.0"  # of the searched columns: text, summary, tags, speaker
_FIRST = 64
_TAGGED = "instr(char(31) || m.tags || char(31), ?)"
_COLUMNS = ", ".join(f"m.{name}" for name in FIELDS)
_RANKED = (
    f"select rowid, bm25(words, {_WEIGHTS}) as score from words where words match ?"
    " order by score, rowid desc limit ? offset ?"
)


class Search:
    """The word index as recall asks for it."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._db = index.db

    def rarest(self, terms: list[str]) -> list[str]:
        """Return the terms worth searching for, the frequent ones left out."""
        if len(terms) <= FEW:
            return terms
        counts = self._counts(terms)
        total = self._index.count("memory")
        known = sorted((term for term in terms if counts.get(term)), key=lambda t: counts[t])
        rare = [term for term in known if counts[term] <= FREQUENT * total]
        return rare if len(rare) >= ENOUGH else known[:ENOUGH]

    def _counts(self, terms: list[str]) -> dict[str, int]:
        """Count the memories that hold each term, by the stem the index keeps of it."""
        db = self._db
        db.execute("pragma temp_store = memory")
        db.execute("create virtual table temp.probe using fts5(w, tokenize = 'porter unicode61')")
        try:
            db.executemany("insert into probe (rowid, w) values (?, ?)", enumerate(terms))
            db.execute("create virtual table temp.stems using fts5vocab(temp, probe, instance)")
            found = db.execute(
                "select s.doc, max(v.doc) from temp.stems s left join vocabulary v"
                " on v.term = s.term group by s.doc"
            ).fetchall()
        finally:
            db.execute("drop table if exists temp.stems")
            db.execute("drop table temp.probe")
        return {terms[place]: count or 0 for place, count in found}

    def search(self, query: Query, terms: list[str]) -> Iterator[list[tuple[Memory, float]]]:
        """Yield portions of memories that hold a term and pass the filters, best first."""
        match = " OR ".join(f'"{term}"' for term in terms)
        done, portion = 0, max(_FIRST, 3 * query.k)
        while True:
            found = self._db.execute(_RANKED, (match, portion, done)).fetchall()
            yield self._seen(query, found)
            if len(found) < portion:
                return
            done, portion = done + portion, portion * 8

    def _seen(self, query: Query, ranked: list[tuple[int, float]]) -> list[tuple[Memory, float]]:
        """Read the ranked memories the caller may see."""
        where, values = _filters(query)
        marks = ", ".join("?" * len(ranked))
        rows = self._db.execute(
            f"select m.n, {_COLUMNS} from memory m where m.n in ({marks}) and {where}",
            [n for n, _ in ranked] + values,
        )
        found = {row[0]: self._index.to_memory(row[1:]) for row in rows}
        seen = [(found[n], -score * _weight(found[n])) for n, score in ranked if n in found]
        seen.sort(key=lambda pair: (pair[0].created_at, pair[0].id), reverse=True)
        return sorted(seen, key=lambda pair: -pair[1])  # equals: the newest first, in any index

    def standing(self, query: Query, where: str, values: list[Any]) -> Iterator[Memory]:
        """Yield the memories the caller may see and a condition over `m` holds for, newest first.

        The critical and then those of high priority come before the others.
        """
        seen, allowed = _filters(query)
        order = "m.priority = 'critical' desc, m.priority = 'high' desc, m.hlc desc, m.id"
        rows = self._db.execute(
            f"select {_COLUMNS} from memory m where {seen} and ({where}) order by {order} limit ?",
            [*allowed, *values, query.k],
        )
        return map(self._index.to_memory, rows.fetchall())


def _weight(memory: Memory) -> float:
    """Return what a memory's origin does to its score: what a person said comes first."""
    return 1.0 if memory.trust >= DIRECT else LESS


def _filters(query: Query) -> tuple[str, list[Any]]:
    """Return the condition a memory must meet to be seen, over the memory table `m`."""
    statuses = {"active", *query.include} - {"sensitive", "quarantined"}
    where = [f"m.status in ({', '.join('?' * len(statuses))})"]
    values: list[Any] = sorted(statuses)
    if "expired" not in query.include:
        where.append("(m.expires_at is null or m.expires_at > ?)")
        values.append(query.now)
    if "sensitive" not in query.include and query.tag != "sensitive":
        where.append(f"not {_TAGGED}")
        values.append(f"{SPLIT}sensitive{SPLIT}")
    if "quarantined" not in query.include:
        trusted, clones = free(query.clones)
        where.append(trusted)
        values += clones
    for column, value in (("type", query.type), ("protocol", query.protocol)):
        if value is not None:
            where.append(f"m.{column} = ?")
            values.append(value)
    if query.tag is not None:
        where.append(_TAGGED)
        values.append(f"{SPLIT}{query.tag}{SPLIT}")
    if query.scope is not None:
        where.append("(m.scope = ? or m.scope like ? escape '\\')")
        values += [query.scope, query.scope.replace("%", r"\%").replace("_", r"\_") + ":%"]
    else:
        visible, allowed = _visible(query)
        where.append(visible)
        values += allowed
    return " and ".join(where), values


def _visible(query: Query) -> tuple[str, list[Any]]:
    """Without a scope asked for: everything, but others' sessions and other agents' own notes."""
    where, values = ["1"], []
    if query.session is not None:
        where.append("(m.scope not like 'session:%' or m.scope = ?)")
        values.append(f"session:{query.session}")
    if query.actor != "USER":
        where.append("(m.scope not like 'agent:%' or m.scope = ?)")
        values.append(f"agent:{query.actor}")
    return " and ".join(where), values
