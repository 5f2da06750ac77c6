"""Where vectors come from does not show: from the index, from memory or fresh, one order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from varves.context.similarity import Semantic
from varves.index.sqlite.index import SqliteIndex
from varves.models import wordllama

ENCODER, _ = wordllama.load()
WORDS = st.sampled_from(
    ["bees", "swarm", "in", "May", "deploy", "Friday", "key", "pot", "日本", "🙂", "Crêpe"]
)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


def semantic_over(index: SqliteIndex) -> Semantic:
    return Semantic(lambda: index, allowed=True, encoder=ENCODER)


def add(index: SqliteIndex, texts: list[tuple[str, str | None]]) -> None:
    for text, session in texts:
        index.db.execute(
            "insert into memory (id, text, session, place) values"
            " ((select count(*) from memory), ?, ?, (select count(*) from memory))",
            (text, session),
        )


def answer(semantic: Semantic, index: SqliteIndex, query: str):
    semantic.prepare(index, wanted=True)
    found = semantic.similar(query, index, top=100)
    numbers = [n for (n,) in index.db.execute("select n from memory order by n")]
    return found.top, found.scores(numbers)


ROWS = st.lists(st.tuples(TEXTS, st.sampled_from([None, "one", "two"])), max_size=12)


@given(first=ROWS, then=ROWS, gone=st.sets(st.integers(1, 24)), query=TEXTS)
def test_one_order_wherever_the_vectors_came_from(first, then, gone, query):
    index = SqliteIndex(None)
    warm = semantic_over(index)
    add(index, first)
    answer(warm, index, query)
    add(index, then)
    answer(warm, index, query)
    for n in gone:
        index.db.execute("delete from memory where n = ?", (n,))
        index.db.execute("delete from vector where n = ?", (n,))
    by_memory = answer(warm, index, query)
    by_index = answer(semantic_over(index), index, query)
    index.db.execute("delete from vector")
    fresh = answer(semantic_over(index), index, query)
    assert by_index[0] == fresh[0] == by_memory[0]
    assert by_index[1].keys() == fresh[1].keys() == by_memory[1].keys()
    for n, scores in fresh[1].items():
        for other in (by_index[1][n], by_memory[1][n]):
            assert all(abs(a - b) < 1e-4 for a, b in zip(scores, other, strict=True))
    index.close()
