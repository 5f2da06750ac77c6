"""How many events of each kind there are: kept, not counted again, and the same either way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import varves
from varves.index.sqlite.index import SqliteIndex

if TYPE_CHECKING:
    from pathlib import Path

COUNTED = "select kind, count(*), max(hlc) from event group by kind order by kind"
SAID = """
    select session, coalesce(protocol, ''), kind, count(*) from event where session is not null
    group by 1, 2, 3 order by 1, 2, 3
"""
KEPT = "select session, protocol, kind, count from talk where count order by 1, 2, 3"
INSERT = "insert or replace into event values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?)"
WHOSE = ("s1", "deliberation")


def put(
    index: SqliteIndex, name: str, kind: str, hlc: str, *, held: bool = False, of: str = "s1"
) -> None:
    """Put an event into an index, as a catching up does."""
    with index.update() as batch:
        stored = batch.stored(name)
        if stored is not None:
            batch.count({(stored.kind, stored.session, stored.protocol): (-1, "")})
        batch.count({(kind, of, WHOSE[1]): (1, hlc)})
        rest = ("t", kind, "a", of, "private", 1, "h", "{}", held, "", WHOSE[1])
        index.db.execute(INSERT, (name, hlc, "w", *rest))


def pulse(index: SqliteIndex, whose: tuple[str, str], kinds: tuple[str, ...]) -> tuple[int, str]:
    """Return how many events of some kinds a session has, and the stamp of the last."""
    counts = index.counts()
    return counts.in_session(*whose, kinds), counts.last_in_session(*whose, kinds)[0]


def steps(index: SqliteIndex, asked: tuple[str, ...]) -> int:
    """Count the steps that SQLite's machine takes to count events of some kinds, in tens."""
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        return 0

    index.db.set_progress_handler(step, 10)
    index.counts().by_kind(asked)
    index.counts().kinds("x")
    pulse(index, WHOSE, asked)
    index.db.set_progress_handler(None, 10)
    return taken


def test_an_event_said_again_is_counted_once_and_under_its_last_kind():
    index = SqliteIndex(None)
    for name, kind, hlc in (("1", "a", "01"), ("2", "a", "02"), ("3", "b", "03")):
        put(index, name, kind, hlc)
    put(index, "3", "b", "03")
    put(index, "2", "b", "02")
    assert index.counts().kinds() == [("a", 1, "02"), ("b", 2, "03")]
    put(index, "1", "c", "01", held=True)
    assert index.counts().kinds("b") == [("c", 1, "01")]
    assert index.counts().by_kind(("a", "b", "c")) == {"b": [2, "03"], "c": [1, "01", 1, "01"]}
    assert pulse(index, WHOSE, ("a", "b", "c")) == (2, "03")
    put(index, "4", "b", "04", of="s2")
    assert pulse(index, WHOSE, ("b",)) == (2, "03")
    assert pulse(index, ("s2", WHOSE[1]), ("b",)) == (1, "04")
    assert pulse(index, ("s3", WHOSE[1]), ("b",)) == (0, "")


def test_counting_takes_no_longer_where_there_are_more_events():
    taken = []
    asked = ("k1", "k2", "k3")
    for size in (40, 4_000):
        index = SqliteIndex(None)
        for number in range(size):
            put(index, f"{number}", f"k{number % 4}", f"{number:08}")
        assert index.counts().by_kind(asked)["k1"] == [size // 4, f"{size - 3:08}"]
        assert pulse(index, WHOSE, asked) == (size * 3 // 4, f"{size - 1:08}")
        taken.append(steps(index, asked))
    assert taken[0] == taken[1]


def test_what_is_kept_is_what_counting_gives(tmp_path: Path):
    with varves.open(str(tmp_path), home=str(tmp_path / "home"), actor="ada", session="s1") as one:
        one.init()
        ids = [one.remember(f"The cache holds {n} pages.").id for n in range(5)]
        one.correct(ids[0], "The cache holds nine pages.")
        one.forget(ids[1], reason="wrong")
        one.undo()
        one.purge(ids[2], reason="private")
        for _ in range(2):
            index = one._context.fresh().index
            assert index.counts().kinds() == index.db.execute(COUNTED).fetchall()
            assert index.db.execute(KEPT).fetchall() == index.db.execute(SAID).fetchall()
            assert len(index.counts().kinds()) > 3
            one.rebuild()
