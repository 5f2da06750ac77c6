"""Full-text search with FTS5; a caller finds only the memories that it may see."""

from __future__ import annotations

from sqlite3 import DatabaseError

from varves.index.sqlite.conditions import HOLDS, TAGGED, is_trusted, marks, once, tagged
from varves.index.sqlite.schema import ANY_VIEW, FIELDS, TOKENS, WEIGHTS
from varves.index.where import Trusted
from varves.values.memory import STATUSES
from varves.values.query import Term, passed_over, worth_searching
from varves.values.scope import CONVERSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from sqlite3 import Connection
    from typing import Any

    from varves.values.memory import Memory
    from varves.values.query import Query

    Light = tuple[Any, ...]

_COLUMNS = ", ".join(f"m.{name}" for name in FIELDS)
_LIGHT = (
    "m.n, m.text, m.summary, m.topic, m.tags, m.speaker, m.session, m.at, m.priority, m.confidence,"
    " m.trust, m.scope, m.id, m.hlc, m.cited"
)
_RANKED = (
    f"select rowid, bm25(words, {WEIGHTS}) as score from words where words match ?"
    " order by score, rowid desc limit ? offset ?"
)
_LASTING = (
    "m.priority is not 'critical' and m.n in (select n from memory where priority = 'high'"
    " union select n from memory where scope <> 'project' and scope in ({})"
    " union select n from (select n from memory where nature in ('procedural', 'semantic')"
    " or category = 'preference' order by hlc desc limit 600))"
)
_RECENT = (
    "m.priority is not 'critical' and m.n in (select n from memory order by hlc desc limit 3000)"
)
_HOLDING = (
    "select (select group_concat(rowid) from words where words match p.value)"
    " from json_each(?) p order by p.key"
)  # one SQL statement for all phrases
_SIDE = (
    "(select group_concat(n) from (select b.n from memory b where b.session = m.session"
    " and b.place {} m.place order by b.place {} limit ?))"
)
_AROUND = f"select m.n, {_SIDE.format('<', 'desc')}, {_SIDE.format('>', 'asc')} from memory m"


class Stems:
    """Finds the stems of words in the word index; uses a temporary table made at first use."""

    def __init__(self, db: Connection) -> None:
        self._db = db
        self._made = False

    def of(self, words: Sequence[str]) -> list[tuple[int, str, int]]:
        """Return (place in `words`, stem, number of memories) for each word that a memory has."""
        db = self._db
        if not self._made:
            db.execute("pragma temp_store = memory")
            db.execute(f"create virtual table temp.probe using fts5(w, content = '', {TOKENS})")
            db.execute("create virtual table temp.stems using fts5vocab(temp, probe, instance)")
            self._made = True
        db.execute("insert into probe (probe) values ('delete-all')")
        db.executemany("insert into probe (rowid, w) values (?, ?)", enumerate(words))
        return db.execute(
            "select s.doc, s.term, v.doc from temp.stems s join vocabulary v"
            " on v.term = s.term order by s.doc"
        ).fetchall()


class SqliteSearch:
    """Full-text search in SQLite, with the queries of recall."""

    def __init__(
        self, db: Connection, stems: Stems, to_memory: Callable[[tuple[Any, ...]], Memory]
    ) -> None:
        self._db = db
        self._stems = stems
        self._to_memory = to_memory
        self._bridged: bool | None = None

    def terms(self, words: Sequence[str]) -> tuple[list[Term], list[str]]:
        """Return the words of a query to search for, rarest first, and the words left out."""
        return worth_searching(self._counts(words).values())

    def total(self) -> int:
        """Count the memories, of any status.

        To count the rows would be slow. FTS5 stores the number as the first varint of its averages
        record.
        """
        row = self._db.execute("select block from words_data where id = 1").fetchone()
        if row and not isinstance(row[0], bytes):
            raise DatabaseError("malformed record of averages")
        total = 0
        for byte in row[0] if row else b"":
            total = total << 7 | byte & 0x7F
            if byte < 0x80:
                break
        return total

    def _counts(self, words: Sequence[str]) -> dict[str, Term]:
        """Return, for each word, its stem in the index and how many memories have this stem."""
        terms: dict[str, Term] = {}
        for place, stem, count in self._stems.of(words):
            terms.setdefault(stem, Term(word=words[place], stem=stem, count=count))
        return terms

    def ranked(self, terms: list[Term], limit: int, offset: int) -> list[tuple[int, float]]:
        """Return memories that contain a term, by row and score, best first."""
        match = " OR ".join(f'"{term.word}"' for term in terms)
        found = self._db.execute(_RANKED, (match, limit, offset))
        return [(n, -score) for n, score in found]

    def holding(self, phrases: Sequence[str]) -> list[list[int]]:
        """Return, for each word or phrase of lower-case words, the memories that contain it."""
        quoted = ", ".join([f'"\\"{phrase}\\""' for phrase in phrases])  # letters and digits only
        return [_numbers(listed) for (listed,) in self._db.execute(_HOLDING, (f"[{quoted}]",))]

    def rows(self, query: Query, numbers: Sequence[int]) -> list[Light]:
        """Return the columns for ranking of those memories that the caller may see."""
        where, values = self._filters(query)
        marks = ", ".join("?" * len(numbers))
        return self._db.execute(
            f"select {_LIGHT} from memory m where m.n in ({marks}) and {where}",
            [*numbers, *values],
        ).fetchall()

    def around(self, numbers: Sequence[int], far: int) -> dict[int, tuple[list[int], list[int]]]:
        """Return the memories up to `far` turns before and after each memory in its session."""
        marks = ", ".join("?" * len(numbers))
        found = self._db.execute(f"{_AROUND} where m.n in ({marks})", (far, far, *numbers))
        return {n: (_numbers(before), _numbers(after)) for n, before, after in found}

    def uses(self, names: Sequence[str]) -> dict[str, int]:
        """Return how often each memory was shown; memories that were never shown are left out."""
        sql = f"select memory, count from use where memory in ({marks(names)})"
        return dict(self._db.execute(sql, [*names]).fetchall())

    def passed_over(self, query: Query, numbers: Sequence[int]) -> list[tuple[str, str]]:
        """Return memories that the caller may see but recall leaves out, each with the reason."""
        everything = query.replace(include=(*STATUSES, "sensitive", "quarantined"))
        where, values = self._filters(everything)
        trusted, clones = is_trusted(Trusted(clones=query.clones))
        marks = ", ".join("?" * len(numbers))
        found = self._db.execute(
            f"select m.id, m.status, m.expires_at, {trusted}, {TAGGED} from memory m"
            f" where m.n in ({marks}) and {where} order by m.n",
            [*clones, tagged("sensitive"), *numbers, *values],
        )
        return [
            (name, passed_over(query, status, ends, trusted=bool(free), sensitive=bool(hidden)))
            for name, status, ends, free, hidden in found
        ]

    def count(self, query: Query) -> int:
        """Count the memories the caller may see."""
        where, values = self._filters(query)
        row = self._db.execute(f"select count(*) from memory m where {where}", values)
        return int(row.fetchone()[0])

    def memories(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """Return complete memories."""
        marks = ", ".join("?" * len(numbers))
        rows = self._db.execute(
            f"select m.n, {_COLUMNS} from memory m where m.n in ({marks})", list(numbers)
        )
        return {row[0]: self._to_memory(row[1:]) for row in rows}

    def names(self, query: Query, column: str, begun: str) -> list[str]:
        """Return the values of a column in the memories the caller may see, newest first.

        Args:
            query: names the caller; its k is the maximum number of values.
            column: one of the memory's fields.
            begun: a prefix of the values; case is ignored.
        """
        where, values = self._filters(query)
        rows = self._db.execute(
            f"select m.{column} from memory m where {where}"
            f" and lower(substr(m.{column}, 1, ?)) = ?"
            f" group by m.{column} order by max(m.hlc) desc limit ?",
            [*values, len(begun), begun.lower(), query.k],
        )
        return [row[0] for row in rows]

    def views(self, memories: Sequence[Memory]) -> dict[str, tuple[str, ...]]:
        """Return, by memory, the protocols that show the memory or its record as a view."""
        if not self._is_bridged():
            return {}
        from varves.events.views import source_of

        sources = {one.id: source_of(one.links) or one.id for one in memories}
        marks = ", ".join("?" * len(sources))
        found = self._db.execute(
            f"select m.view, m.protocol, m.id from memory m where m.view in ({marks})"
            " and m.status in ('active', 'proposed') order by m.protocol",
            [*sources.values()],
        ).fetchall()
        told = {
            name: tuple(dict.fromkeys(row[1] for row in found if row[0] == of and row[2] != name))
            for name, of in sources.items()
        }
        return {name: protocols for name, protocols in told.items() if protocols}

    def newest(self, query: Query) -> list[Memory]:
        """Return the memories that the caller may see, newest first.

        Here and in the methods below, memories of critical priority come first, then those of high
        priority.
        """
        return self._pressing(query, "1")

    def critical(self, query: Query) -> list[Memory]:
        """Return the memories of critical priority."""
        return self._pressing(query, "m.priority = 'critical'")

    def named(self, query: Query, names: Sequence[str]) -> list[Memory]:
        """Return the memories with these ids."""
        return self._pressing(query, f"m.id in ({marks(names)})", names)

    def lasting(self, query: Query, scopes: Sequence[str]) -> list[Memory]:
        """Return long-lived memories, and memories of some scopes, but no critical memories."""
        return self._pressing(query, _LASTING.format(marks(scopes)), scopes)

    def recent(self, query: Query) -> list[Memory]:
        """Return the most recently recorded memories, without critical memories."""
        return self._pressing(query, _RECENT)

    def _pressing(self, query: Query, where: str, values: Sequence[str] = ()) -> list[Memory]:
        seen, allowed = self._filters(query)
        order = "m.priority = 'critical' desc, m.priority = 'high' desc, m.hlc desc, m.id"
        rows = self._db.execute(
            f"select {_COLUMNS} from memory m where {seen} and ({where}) order by {order} limit ?",
            [*allowed, *values, query.k],
        )
        return [self._to_memory(row) for row in rows]

    def _filters(self, query: Query) -> tuple[str, list[Any]]:
        """Return the SQL condition for visible memories; a record and its views match only once.

        If the record is not visible or not in this checkout, the first of its views matches.
        """
        where, values = _filters(query)
        return once(where, values) if self._is_bridged() else (where, values)

    def _is_bridged(self) -> bool:
        if self._bridged is None:
            self._bridged = self._db.execute(ANY_VIEW).fetchone() is not None
        return self._bridged


def _numbers(listed: str | None) -> list[int]:
    return [int(n) for n in listed.split(",")] if listed else []


def _filters(query: Query) -> tuple[str, list[Any]]:
    """Return the SQL condition for visible memories, over the table of memories `m`."""
    statuses = {"active", *query.include} - {"sensitive", "quarantined"}
    where = [f"m.status in ({', '.join('?' * len(statuses))})"]
    values: list[Any] = sorted(statuses)
    if "expired" not in query.include:
        where.append(HOLDS)
        values.append(query.now)
    if "sensitive" not in query.include and query.tag != "sensitive":
        where.append(f"not {TAGGED}")
        values.append(tagged("sensitive"))
    if "quarantined" not in query.include:
        trusted, clones = is_trusted(Trusted(clones=query.clones))
        where.append(trusted)
        values += clones
    for column, value in (("type", query.type), ("protocol", query.protocol)):
        if value is not None:
            where.append(f"m.{column} = ?")
            values.append(value)
    if query.tag is not None:
        where.append(TAGGED)
        values.append(tagged(query.tag))
    if query.source is not None:
        where.append("substr(m.source, 1, ?) = ?")
        values += [len(query.source), query.source]
    if query.scope is not None:
        where.append("(m.scope = ? or m.scope like ? escape '\\')")
        values += [query.scope, query.scope.replace("%", r"\%").replace("_", r"\_") + ":%"]
    visible, allowed = _visible(query)
    where.append(visible)
    values += allowed
    return " and ".join(where), values


def _visible(query: Query) -> tuple[str, list[Any]]:
    """Return the SQL condition that excludes memories of other sessions and of other agents.

    The results of a conversation are visible also to agents that did not take part.
    """
    where, values = [f"m.scope not like 'session:%' or m.protocol = '{CONVERSING}'"], []
    if query.session is not None:
        where[0] += " or m.scope = ?"
        values.append(f"session:{query.session}")
    where[0] = f"({where[0]})"
    if query.actor != "USER":
        where.append("(m.scope not like 'agent:%' or m.scope = ?)")
        values.append(f"agent:{query.actor}")
    return " and ".join(where), values
