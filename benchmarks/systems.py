"""What is compared: grep, SQLite full text, BM25, dense alone, and this ledger with and without it.

Each is made without arguments, takes `add(statements)` any number of times, a statement being
(id, text, instant or None, {speaker, session}), and answers `search(query, k)` with ids, best
first. The ledger is used as anyone would: `remember_many` and `recall` of an opened ledger.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections import Counter
from functools import cache
from heapq import nsmallest
from math import log
from typing import TYPE_CHECKING
from weakref import finalize

import varves
from varves.models import wordllama
from varves.values.instants import FixedClock, instant
from varves.values.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from benchmarks.published import Statement

# Words that the full-text baselines leave out of a query.
STOP = frozenset(
    re.findall(
        r"\w+",
        """
    a about after all also am an and any are aren as at be because been before being but by can
    could couldn d did didn do does doesn doing don done for from had has hasn have haven having he
    her here hers him his how i if in into is isn it its just like ll m me more most my no not now
    of on one or our out over re s she shouldn so some such t than that the their them then there
    these they this those to too up us ve very was wasn we were what when where which while who
    whom whose why will with won would you your yours
    """,
    )
)
BEGINNING = "2020-01-01T00:00:00Z"  # when a store without dates was written


def words(text: str) -> list[str]:
    """Return a text's words that tell something, in lower case."""
    return [word for word in re.findall(r"\w+", text.lower()) if word not in STOP]


def spoken(statement: Statement) -> str:
    """Return a statement with its speaker before it, as the baselines read it."""
    _, text, _, about = statement
    return f"{about['speaker']}: {text}" if about.get("speaker") else text


class Grep:
    """The memories that hold the most of the query's words, whatever the words."""

    def __init__(self) -> None:
        self._held: list[tuple[str, frozenset[str]]] = []

    def add(self, statements: Sequence[Statement]) -> None:
        """Keep the words of each."""
        self._held += [(one[0], frozenset(words(spoken(one)))) for one in statements]

    def search(self, query: str, k: int) -> list[str]:
        """Count the words that each holds."""
        asked = frozenset(words(query))
        counted = ((-len(asked & held), name) for name, held in self._held)
        return [name for count, name in nsmallest(k, counted) if count]


class FullText:
    """SQLite FTS5 with its Porter stemmer: the query's words joined by OR, ranked by its bm25()."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "create virtual table held using fts5(id unindexed, text, tokenize='porter unicode61')"
        )

    def add(self, statements: Sequence[Statement]) -> None:
        """Index each."""
        rows = [(one[0], spoken(one)) for one in statements]
        self._db.executemany("insert into held values (?, ?)", rows)

    def search(self, query: str, k: int) -> list[str]:
        """Ask for any of the words."""
        any_of = match(query)
        if not any_of:
            return []
        sql = "select id from held where held match ? order by bm25(held) limit ?"
        return [name for (name,) in self._db.execute(sql, (any_of, k))]

    def close(self) -> None:
        """Let go of the database."""
        self._db.close()


def match(query: str) -> str:
    """Write a query's words as an FTS5 expression that any of them fulfils."""
    return " OR ".join(f'"{word}"' for word in dict.fromkeys(words(query)))


class Stems:
    """Stems of words, as SQLite's Porter tokenizer makes them, each looked up once."""

    def __init__(self) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "create virtual table word using fts5(w, content='', tokenize='porter unicode61')"
        )
        self._db.execute("create virtual table stem using fts5vocab(word, instance)")
        self._known: dict[str, tuple[str, ...]] = {}
        self._count = 0

    def of(self, texts: Iterable[str]) -> Iterator[list[str]]:
        """Yield the stems of the telling words of each text."""
        split = [words(text) for text in texts]
        fresh = [w for w in dict.fromkeys(w for one in split for w in one) if w not in self._known]
        first = self._count + 1
        numbered = list(enumerate(fresh, first))
        self._count += len(fresh)
        self._db.executemany("insert into word (rowid, w) values (?, ?)", numbered)
        found: dict[int, list[str]] = {}
        sql = "select doc, term from stem where doc >= ? order by doc, offset"
        for row, term in self._db.execute(sql, (first,)) if fresh else ():
            found.setdefault(row, []).append(term)
        for row, word in numbered:
            self._known[word] = tuple(found.get(row, ()))
        for one in split:
            yield [stem for word in one for stem in self._known[word]]


class Bm25:
    """Okapi BM25 (k1 0.9, b 0.4) over Porter stems, in plain Python, growing as it is added to."""

    K1, B = 0.9, 0.4

    def __init__(self) -> None:
        self._stems = Stems()
        self._names: list[str] = []
        self._lengths: list[int] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._total = 0

    def add(self, statements: Sequence[Statement]) -> None:
        """Count the stems of each."""
        stems = self._stems.of(spoken(one) for one in statements)
        for one, found in zip(statements, stems, strict=True):
            place = len(self._names)
            self._names.append(one[0])
            self._lengths.append(len(found))
            self._total += len(found)
            for stem, count in Counter(found).items():
                self._postings.setdefault(stem, []).append((place, count))

    def search(self, query: str, k: int) -> list[str]:
        """Add up what each asked stem is worth."""
        scores: dict[int, float] = {}
        count = len(self._names)
        average = self._total / count if count else 1.0
        for stem in dict.fromkeys(next(self._stems.of([query]))):
            held = self._postings.get(stem, ())
            worth = log(1 + (count - len(held) + 0.5) / (len(held) + 0.5))
            for place, times in held:
                size = 1 - self.B + self.B * self._lengths[place] / average
                gain = worth * times * (self.K1 + 1) / (times + self.K1 * size)
                scores[place] = scores.get(place, 0.0) + gain
        best = nsmallest(k, ((-score, place) for place, score in scores.items()))
        return [self._names[place] for _, place in best]


class Dense:
    """The dense extra's encoder alone: every memory's vector against the query's."""

    def __init__(self) -> None:
        self._model = _model()
        self._names: list[str] = []
        self._vectors: list[Any] = []
        self._held: Any = None

    def add(self, statements: Sequence[Statement]) -> None:
        """Encode each."""
        self._names += [one[0] for one in statements]
        self._vectors.append(self._model.encode([spoken(one) for one in statements]))
        self._held = None

    def search(self, query: str, k: int) -> list[str]:
        """Compare with every one."""
        import numpy as np

        if self._held is None:
            self._held = np.concatenate(self._vectors)
        alike = self._held @ self._model.encode([query])[0]
        return [self._names[place] for place in np.argsort(-alike, kind="stable")[:k]]


class Varves:
    """This ledger, base install: each store a ledger of its own in a folder of its own.

    Memories are recorded at the first instant the store speaks of, each with the instant it was
    said at; a question is asked at its own date or, if it has none, at the last of those instants.
    """

    dense = False

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="varves-set-", dir=_quick_place())
        self._clock = FixedClock(0)
        self._ledger = varves.open(
            self._folder,
            home=f"{self._folder}/home",
            clock=self._clock,
            actor="USER",
            mode="fast",
        )
        self._ending = finalize(self, _end, self._ledger, self._folder)
        self._written = 0
        self._latest = 0
        self._names: dict[tuple[str | None, int | None], str] = {}
        self._said: set[str] = set()
        self._sessions: dict[str, str] = {}
        self._turns: Counter[str] = Counter()

    def add(self, statements: Sequence[Statement]) -> None:
        """Remember them, and let the index catch up."""
        moments = [instant(one[2]) for one in statements if one[2]] or [instant(BEGINNING)]
        self._written = self._written or min(moments)
        self._latest = max(self._latest, *moments)
        self._clock.ms = self._written
        told = [one for one in map(self._told, statements) if one["text"].strip()]
        done = self._ledger.remember_many(told)
        if done.written != len(told):
            raise RuntimeError(f"{done.known} were known, refused: {done.refused[:3]}")
        self._catch_up()

    def _told(self, statement: Statement) -> dict[str, Any]:
        """Return a statement as the ledger takes it.

        What was said before, word for word, would count as known and be kept once; an id of its
        own keeps it where it was said.
        """
        name, text, at, about = statement
        session = self._sessions.setdefault(about["session"], f"s{len(self._sessions)}")
        turn = self._turns[session]
        self._turns[session] += 1
        self._names[session, turn] = name
        told: dict[str, Any] = {"text": text, "session": session, "turn": turn}
        if fold(text) in self._said:
            told["id"] = f"mem_{len(self._names):012}"
        self._said.add(fold(text))
        if about.get("speaker"):
            told["speaker"] = about["speaker"]
        if at:
            told["at"] = at
        return told

    def _catch_up(self) -> None:
        self._ledger.status()

    def search(self, query: str, k: int, now: str | None = None) -> list[str]:
        """Recall; where the answer names twins of a hit, they follow it."""
        asked_at = instant(now) if now else self._latest
        self._clock.ms = max(asked_at, self._written)
        found: list[str] = []
        for hit in self._ledger.recall(query, k=k, dense=self.dense, all=True):
            twins = [self._ledger.show(name) for name in hit.reasons.get("same", ())]
            found += [self._names[one.session, one.turn] for one in (hit.memory, *twins)]
        return found

    def close(self) -> None:
        """Remove the ledger."""
        self._ending()


class VarvesDense(Varves):
    """This ledger with the dense extra; what it embeds counts as inserting."""

    dense = True

    def _catch_up(self) -> None:
        super()._catch_up()
        self._ledger.recall("anything", k=1, dense=True)


@cache
def _model() -> wordllama.WordLlama:
    model, lack = wordllama.load()
    if model is None:
        raise RuntimeError(f"dense similarity: {lack}")
    return model


def _end(ledger: varves.Ledger, folder: str) -> None:
    ledger.close()
    shutil.rmtree(folder, ignore_errors=True)


def _quick_place() -> str | None:
    """Return where a sync costs nothing, since none is measured here."""
    shared = "/dev/shm"  # noqa: S108 - on purpose, under a name nobody else has
    return shared if os.access(shared, os.W_OK) else None


def dense_missing() -> str:
    """Say why there is no dense similarity here; empty if there is."""
    return wordllama.absence()
