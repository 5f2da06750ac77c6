"""Figures worked out by hand, and each way of finding on a toy store; nothing here is timed."""

from __future__ import annotations

from math import log2

import pytest

from benchmarks import scoring
from benchmarks.published import Question, Statement, Store
from benchmarks.systems import Bm25, Dense, FullText, Grep, Stems, Varves, dense_missing


def told(name: str, text: str, *, speaker: str = "", session: str = "s", at: str | None = None):
    return Statement(name, text, at, {"speaker": speaker, "session": session})


def test_one_ranked_list():
    found = scoring.figures(["x", "a", "y", "b", *"0123456", "c"], frozenset("abcd"))
    assert found["R@1"] == 0
    assert found["R@3"] == 0.25
    assert found["R@5"] == 0.5
    assert found["R@10"] == 0.5
    assert found["R@20"] == 0.75
    assert (found["hit@1"], found["hit@5"]) == (0.0, 1.0)
    assert found["MRR"] == 0.5
    best = 1 + 1 / log2(3) + 1 / log2(4) + 1 / log2(5)
    assert found["nDCG@10"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / best)


def test_nothing_found_is_nought_and_all_found_in_order_is_one():
    nothing = scoring.figures([], frozenset("a"))
    assert set(nothing.values()) == {0.0}
    everything = scoring.figures(["a", "b"], frozenset("ab"))
    assert everything["nDCG@10"] == everything["MRR"] == everything["R@3"] == 1.0
    assert everything["R@1"] == 0.5


def test_the_interval_of_a_mean():
    low, high = scoring.interval([0.0] * 50 + [1.0] * 50)
    assert 0.38 <= low <= 0.42
    assert 0.58 <= high <= 0.62
    assert scoring.interval([0.25] * 7) == (0.25, 0.25)
    assert scoring.interval([0.0, 1.0]) == (0.0, 1.0), "never beyond what is possible"


class Parrot:
    """Answers with what it holds, newest first, and notes what it was asked."""

    heard: list[tuple[int, str | None]]

    def __init__(self) -> None:
        self.held: list[str] = []

    def add(self, statements) -> None:
        self.held += [one.id for one in statements]

    def search(self, query, k, now=None):
        Parrot.heard.append((len(self.held), now))
        return [*self.held[::-1], *self.held][:k]


@pytest.fixture
def parrot(monkeypatch):
    monkeypatch.setattr(Parrot, "heard", [], raising=False)
    return Parrot


def test_a_question_sees_only_what_came_before_it_and_hears_its_date(parrot):
    store = Store(
        [told(name, name) for name in "abc"],
        [
            Question("all?", frozenset("a"), "x", "2024-01-02"),
            Question("two?", frozenset("a"), "x", None, 2),
        ],
    )
    result = scoring.evaluate(parrot, [store, store])
    assert parrot.heard == [(2, None), (3, "2024-01-02")] * 2
    assert result.overall["MRR"] == pytest.approx((1 / 2 + 1 / 3) / 2)


def test_what_never_happened_is_scored_apart(parrot):
    questions = [
        Question("?", frozenset("b"), "plain"),
        Question("?", frozenset("a"), "adversarial"),
        Question("?", frozenset("a"), "abstention"),
    ]
    result = scoring.evaluate(parrot, [Store([told("a", "x"), told("b", "y")], questions)])
    assert list(result.kinds) == ["abstention", "adversarial", "plain"]
    assert result.questions == 1
    assert result.overall["R@1"] == 1.0
    assert result.overall["R@20"] == 1.0, "named twice, counted once"
    assert result.of("adversarial")["R@1"] == 0.0


def test_times_are_per_memory_and_per_question(parrot):
    ticks = iter(range(0, 1000, 2))
    store = Store([told(name, name) for name in "abcd"], [Question("?", frozenset("a"), "x")] * 2)
    result = scoring.evaluate(parrot, [store], clock=lambda: next(ticks))
    assert result.insert_ms == 500
    assert result.query_ms == 2000


TOY = [
    told("boat", "We bought a boat, and sailing it is a joy.", speaker="Ana"),
    told("rain", "The rain kept us inside all day.", speaker="Ben"),
    told("both", "Rain on the boat: we sailed home.", speaker="Ben"),
    told("cats", "My cats sleep all day.", speaker="Ana"),
]
WAYS = [Grep, FullText, Bm25, Varves]


@pytest.mark.parametrize("way", WAYS)
def test_more_of_the_asked_words_ranks_higher(way):
    system = way()
    system.add(TOY[:2])
    system.add(TOY[2:])
    assert system.search("rain on the boat", 3)[0] == "both"
    assert set(system.search("rain on the boat", 3)) == {"both", "boat", "rain"}
    assert system.search("submarine", 3) == []


@pytest.mark.parametrize("way", [FullText, Bm25, Varves])
def test_stems_count_as_the_same_word(way):
    system = way()
    system.add(TOY)
    assert set(system.search("sails", 4)[:2]) == {"boat", "both"}


def test_grep_takes_words_as_they_are():
    system = Grep()
    system.add(TOY)
    assert system.search("sails", 3) == []


@pytest.mark.parametrize("way", [Grep, FullText, Bm25])
def test_the_speaker_is_part_of_what_the_baselines_read(way):
    system = way()
    system.add(TOY)
    assert set(system.search("ana", 4)) == {"boat", "cats"}


def test_bm25_by_hand():
    system = Bm25()
    system.add([told("one", "apple pear"), told("two", "apple apple apple plum"), told("n", "fig")])
    # Two of three hold "apple": the longer one three times, which saturates but still wins.
    assert system.search("apple", 3) == ["two", "one"]
    assert system.search("the", 3) == []


def test_stems_are_looked_up_as_words_come():
    stems = Stems()
    assert list(stems.of(["Sailing boats", ""])) == [["sail", "boat"], []]
    assert list(stems.of(["the sailed boat"])) == [["sail", "boat"]]


def test_the_ledger_keeps_what_was_said_twice_where_it_was_said():
    system = Varves()
    system.add(
        [
            told("a0", "Thanks, see you at the harbour!", session="a", at="2024-01-01T10:00"),
            told("a1", "The crane is broken.", session="a", at="2024-01-01T10:00"),
        ]
    )
    system.add([told("b0", "thanks, see you at the harbour", session="b", at="2024-03-01T10:00")])
    assert set(system.search("who comes to the harbour", 5)[:2]) == {"a0", "b0"}
    system.close()


def test_a_turn_without_words_is_passed_over_and_keeps_its_place():
    system = Varves()
    system.add([told("empty", " "), told("full", "The crane is broken.")])
    assert system.search("crane", 5) == ["full"]
    system.close()


def test_the_ledger_answers_at_a_date_before_what_it_holds():
    system = Varves()
    system.add([told("late", "The crane is broken.", at="2024-06-01T10:00")])
    assert system.search("crane", 5, now="2024-01-01T10:00") == ["late"]
    assert system.search("crane", 5) == ["late"]


@pytest.mark.skipif(bool(dense_missing()), reason="the dense extra is not installed")
def test_dense_alone_finds_what_shares_no_word():
    system = Dense()
    system.add(TOY[:2])
    system.add(TOY[2:])
    assert system.search("kittens and pets", 1) == ["cats"]
