"""LangGraph's store, held against the one that keeps everything in memory."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

import varves as package
from tests.frameworks.page import run_example
from tests.tables import each_row
from varves.errors import Rejected, UsageError
from varves.frameworks.langgraph_store import LedgerStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NUMBERS = count()
MANY = 1000


@pytest.fixture
def store(ledger: Any) -> LedgerStore:
    return LedgerStore(ledger)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Any:
    root = tmp_path_factory.mktemp("kept")
    with package.open(root, home=tmp_path_factory.mktemp("home"), actor="ada") as ledger:
        yield ledger


def told(answer: Any) -> Any:
    """Return an answer without its times, and without an order that nobody promises."""
    if isinstance(answer, list):
        return sorted(map(told, answer), key=repr)
    return answer if answer is None or isinstance(answer, tuple) else _told(answer)


def _told(found: Any) -> Any:
    return found.namespace, found.key, repr(found.value)


def tidy(reference: InMemoryStore) -> None:
    """Let go of namespaces that hold nothing: looking into one makes it, there."""
    spaces = reference._data  # noqa: SLF001 - there is no public way
    for namespace in [name for name, held in spaces.items() if not held]:
        del spaces[namespace]


LABELS = st.sampled_from(["a", "b", "users", "ü/€", "100%", "two words", "*x"])
SPACES = st.lists(LABELS, min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["k", "k/1", "", "a", "%2F", "line\nbreak", "ключ", " "])
VALUES = st.one_of(
    st.none(),
    st.fixed_dictionaries(
        {},
        optional={
            "n": st.one_of(st.integers(-3, 3), st.sampled_from([0.5, "2", None, True])),
            "word": st.sampled_from(["red", "green", "ünï"]),
            "inner": st.fixed_dictionaries({"x": st.integers(0, 2), "y": st.just([1, 2])}),
            "list": st.lists(st.integers(0, 2), max_size=2),
        },
    ),
)
SIGNS = st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"])
FILTERS = st.one_of(
    st.none(),
    st.fixed_dictionaries({"word": st.sampled_from(["red", "blue"])}),
    st.fixed_dictionaries({"inner": st.fixed_dictionaries({"x": st.integers(0, 2)})}),
    st.fixed_dictionaries({"list": st.lists(st.integers(0, 2), max_size=2)}),
    st.fixed_dictionaries({"n": st.dictionaries(SIGNS, st.integers(-2, 2), max_size=2)}),
)
PATTERNS = st.lists(st.one_of(LABELS, st.just("*")), max_size=3).map(tuple)
CONDITIONS = st.lists(
    st.tuples(st.sampled_from(["prefix", "suffix"]), PATTERNS).map(
        lambda given: MatchCondition(*given)
    ),
    max_size=2,
).map(tuple)
OPS = st.one_of(
    st.tuples(SPACES, KEYS, VALUES).map(lambda given: PutOp(*given)),
    st.tuples(SPACES, KEYS, VALUES).map(lambda given: PutOp(*given)),
    st.tuples(SPACES, KEYS).map(lambda given: GetOp(*given)),
    st.tuples(st.one_of(st.just(()), SPACES), FILTERS).map(lambda given: SearchOp(*given, MANY)),
    st.tuples(CONDITIONS, st.one_of(st.none(), st.integers(1, 3))).map(
        lambda given: ListNamespacesOp(*given)
    ),
)


@given(batches=st.lists(st.lists(OPS, min_size=1, max_size=4), min_size=1, max_size=5))
@settings(max_examples=50)
def test_it_answers_as_the_reference_does(batches: list[list[Any]], kept: Any):
    store, reference = LedgerStore(kept, shelf=f"l{next(NUMBERS)}"), InMemoryStore()
    for batch in batches:
        tidy(reference)
        listed = {op: reference.batch([op])[0] for op in batch if isinstance(op, ListNamespacesOp)}
        try:
            expected = reference.batch(batch)
        except (TypeError, ValueError):  # it compares what is no number, and fails
            continue
        for op, ours, theirs in zip(batch, store.batch(batch), expected, strict=True):
            if isinstance(op, ListNamespacesOp):
                assert ours == listed[op], op
            else:
                assert told(ours) == told(theirs), op


def filled(store: LedgerStore, spaces: Iterable[tuple[str, ...]]) -> LedgerStore:
    store.batch([PutOp(space, f"id{n}", {"n": n}) for n, space in enumerate(spaces)])
    return store


TREE = [
    *(("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "d", "i"), ("a", "b", "f")),
    *(("a", "c", "f"), ("b", "a", "f"), ("users", "1"), ("users", "2", "settings")),
    ("admin", "users", "3"),
]


@pytest.fixture
def tree(store: LedgerStore) -> LedgerStore:
    """Fill the namespaces of TREE."""
    assert store.list_namespaces() == []
    return filled(store, TREE)


@each_row(
    ("asked", "expected"),
    [
        ({"prefix": ("a", "b")}, TREE[:4]),
        ({"suffix": ("f",)}, [TREE[3], TREE[4], TREE[5]]),
        ({"prefix": ("a",), "suffix": ("f",)}, [TREE[3], TREE[4]]),
        ({"prefix": ("a", "b"), "max_depth": 3}, [TREE[0], ("a", "b", "d"), TREE[3]]),
        ({"prefix": ("a", "b"), "limit": 2}, TREE[:2]),
        ({"prefix": ("a", "b"), "offset": 2}, TREE[2:4]),
        ({"prefix": ("a", "*", "f")}, [TREE[3], TREE[4]]),
        ({"suffix": ("*", "f")}, [TREE[3], TREE[4], TREE[5]]),
        ({"prefix": ("nowhere",)}, []),
        ({"prefix": ("users", "1")}, [TREE[6]]),
        ({"prefix": ("users", "*")}, [TREE[6], TREE[7]]),
        ({"prefix": ("*", "users"), "suffix": ("*", "settings")}, []),
        ({"max_depth": 1}, [("a",), ("admin",), ("b",), ("users",)]),
        ({}, sorted(TREE)),
    ],
)
def test_namespaces_are_listed_by_how_they_begin_and_end(
    tree: LedgerStore, asked: dict[str, Any], expected: list[Any]
):
    assert tree.list_namespaces(**asked) == expected


def test_namespaces_come_in_pages(store: LedgerStore):
    spaces = [("space", f"{n:02}") for n in range(12)]
    filled(store, reversed(spaces))
    pages = [store.list_namespaces(prefix=("space",), limit=5, offset=n) for n in (0, 5, 10, 15)]
    assert pages == [spaces[:5], spaces[5:10], spaces[10:], []]


@each_row("space", [(), ("the", "thing.about"), ("some", ""), ("langgraph", "x"), (1,), ("a\0",)])
def test_namespaces_that_could_be_mistaken_are_refused(store: LedgerStore, space: Any):
    with pytest.raises(InvalidNamespaceError):
        store.put(space, "k", {"x": 1})
    with pytest.raises(InvalidNamespaceError):
        asyncio.run(store.aput(space, "k", {"x": 1}))
    assert store.list_namespaces() == []


def test_a_reserved_namespace_is_open_to_a_batch(store: LedgerStore):
    for space in (("langgraph", "x"), ("x", "langgraph")):
        store.batch([PutOp(space, "k", {"x": 1})])
        assert store.get(space, "k").value == {"x": 1}
        assert [one.value for one in store.search(space)] == [{"x": 1}]
        store.delete(space, "k")
        assert store.get(space, "k") is None


def test_a_batch_reads_before_it_writes_and_the_last_put_counts(store: LedgerStore):
    store.put(("a",), "k", {"n": 1})
    got, *_ = store.batch(
        [
            GetOp(("a",), "k"),
            PutOp(("a",), "k", {"n": 2}),
            PutOp(("a",), "k", {"n": 3}),
            PutOp(("a",), "new", {"n": 4}),
        ]
    )
    assert got.value == {"n": 1}
    assert store.get(("a",), "k").value == {"n": 3}


def test_a_batch_is_written_whole_or_not_at_all(store: LedgerStore):
    with pytest.raises(UsageError):
        store.batch([PutOp(("a",), "k", {"n": 1}), PutOp(("a",), "l", {"n": {1, 2}})])
    assert store.list_namespaces() == []


def test_times_are_of_the_first_and_the_last_put(store: LedgerStore):
    store.put(("a",), "k", {"n": 1})
    first = store.get(("a",), "k")
    store.put(("a",), "k", {"n": 2})
    second = store.get(("a",), "k")
    assert first.created_at == first.updated_at == second.created_at
    assert second.updated_at >= first.updated_at
    assert second.created_at.tzinfo is not None


def test_a_search_comes_in_pages_newest_first(store: LedgerStore):
    for number in range(7):
        store.put(("a", str(number % 2)), f"k{number}", {"n": number})
    store.put(("a", "0"), "k0", {"n": 7})
    found = [one.value["n"] for one in store.search(("a",), limit=MANY)]
    assert found == [7, 6, 5, 4, 3, 2, 1]
    pages = [store.search(("a",), limit=3, offset=n) for n in (0, 3, 6, 9)]
    assert [[one.value["n"] for one in page] for page in pages] == [[7, 6, 5], [4, 3, 2], [1], []]


def test_what_is_no_number_is_neither_more_nor_less(store: LedgerStore):
    store.put(("a",), "word", {"n": "word"})
    store.put(("a",), "none", {})
    store.put(("a",), "five", {"n": 5})
    assert [one.key for one in store.search(("a",), filter={"n": {"$gt": 4}})] == ["five"]
    with pytest.raises(ValueError, match=r"Unsupported operator: \$near"):
        store.search(("a",), filter={"n": {"$near": 4}})


def test_a_search_in_words_is_recall(store: LedgerStore):
    store.put(("users", "ada"), "1", {"text": "Ada drinks espresso", "kind": "drink"})
    store.put(("users", "ada"), "2", {"text": "Ada cycles to work", "kind": "way"})
    store.put(("users", "bob"), "1", {"text": "Bob drinks espresso too", "kind": "drink"})
    store.put(("usersx",), "1", {"text": "espresso elsewhere", "kind": "drink"})
    found = store.search(("users", "ada"), query="who likes espresso?")
    assert [(one.namespace, one.key) for one in found] == [(("users", "ada"), "1")]
    assert found[0].score > 0
    both = store.search(("users",), query="espresso")
    assert {one.namespace for one in both} == {("users", "ada"), ("users", "bob")}
    assert len(store.search(("users",), query="espresso", limit=1)) == 1
    assert store.search(("users",), query="espresso", offset=2) == []
    assert store.search(("users",), query="espresso", filter={"kind": "way"}) == []
    assert len(store.search(("users",), query="drinks Ada", filter={"kind": "drink"})) == 2


def test_the_example_on_the_page_runs(project: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(project)
    run_example("langgraph")


def test_it_says_that_it_knows_no_time_to_live(store: LedgerStore):
    assert not store.supports_ttl
    with pytest.raises(NotImplementedError):
        store.put(("a",), "k", {"n": 1}, ttl=5)
    with pytest.raises(NotImplementedError):
        store.batch([PutOp(("a",), "k", {"n": 1}, ttl=5)])
    assert store.get(("a",), "k") is None


def test_the_async_methods_do_the_same(store: LedgerStore):
    async def session() -> Any:
        await asyncio.gather(
            *(store.aput(("a", str(n)), "k", {"n": n}) for n in range(4)),
        )
        await store.adelete(("a", "0"), "k")
        got = await asyncio.gather(*(store.aget(("a", str(n)), "k") for n in range(4)))
        found = await store.asearch(("a",), filter={"n": {"$gte": 2}})
        return got, found, await store.alist_namespaces(prefix=("a",))

    got, found, spaces = asyncio.run(session())
    assert [one and one.value for one in got] == [None, {"n": 1}, {"n": 2}, {"n": 3}]
    assert sorted(one.value["n"] for one in found) == [2, 3]
    assert spaces == [("a", "1"), ("a", "2"), ("a", "3")]


def test_what_a_graph_put_is_a_memory_of_an_agent(store: LedgerStore, ledger: Any):
    store.put(("users", "ada"), "drink", {"text": "Ada likes espresso"})
    [hit] = ledger.recall("espresso").hits
    assert (hit.memory.origin, hit.memory.source) == ("agent", "shelf:langgraph/users/ada/drink")
    ledger.correct(hit.memory.id, "Ada likes tea")
    assert store.get(("users", "ada"), "drink").value == {"text": "Ada likes tea"}
    with pytest.raises(Rejected):
        store.put(("users", "ada"), "drink", {"text": "Ada likes espresso"})
    store.put(("users", "ada"), "drink", {"text": "Ada likes cocoa"})
    assert store.get(("users", "ada"), "drink").value == {"text": "Ada likes cocoa"}


def test_two_stores_do_not_meet(ledger: Any):
    one, other = LedgerStore(ledger), LedgerStore(ledger, private=True)
    one.put(("a",), "k", {"text": "zebra"})
    assert other.get(("a",), "k") is None
    assert other.search((), query="zebra") == []
    assert other.list_namespaces() == []
