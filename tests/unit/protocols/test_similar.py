"""How alike two texts are, and which of many are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from varves.protocols.similar import FEW, above, candidates, similarity

WORDS = [f"{letter * 4}{other * 3}" for letter in "abcdefghij" for other in "klmnopqrst"]


def some(count, skip=0):
    return " ".join(WORDS[skip : skip + count])


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param("The  Cache\nis warm", "the cache IS warm", 1.0, id="case-and-space"),
        pytest.param("", "", 1.0, id="nothing"),
        pytest.param("abc", "xyz", 0.0, id="nothing-in-common"),
        pytest.param("colour behaviour", "color behavior", 2 * 14 / 30, id="sequence"),
        pytest.param("d c b a", "a b c d", 1.0, id="words-turned-around"),
        pytest.param("a b c", "c b a x", 3 / 4, id="words"),
    ],
)
def test_it_is_the_larger_of_word_overlap_and_sequence_ratio(one, other, alike):
    assert similarity(one, other) == pytest.approx(alike)


@given(st.text(max_size=40), st.text(max_size=40))
def test_it_does_not_matter_which_is_first(one, other):
    assert similarity(one, other) == similarity(other, one)
    assert 0 <= similarity(one, other) <= 1


@given(st.text("ab c", max_size=20), st.text("ab c", max_size=20), st.sampled_from([0.5, 0.8]))
def test_the_quick_bounds_change_no_answer(one, other, threshold):
    assert above(threshold)(one, other) == (similarity(one, other) > threshold)


def test_above_is_strict_and_asks_another_measure_where_one_is_given():
    assert not above(0.8, lambda one, other: 0.8)("a", "b")
    assert above(0.8, lambda one, other: 0.81)("a", "b")


def test_long_texts_are_compared_by_words():
    one = " ".join(WORDS) * 5
    assert similarity(one, f"{one} more") > 0.9


def test_of_a_few_texts_all_are_compared():
    assert list(candidates(["a", "b", "c"])) == [(0, 1), (0, 2), (1, 2)]
    assert list(candidates(["a", "b", "c"], lambda place: place == 1)) == [(0, 1), (1, 2)]


@pytest.fixture
def many():
    """Texts that share little, with a near duplicate of the seventh at the end."""
    texts = [some(6, place % 94) + f" {place}" for place in range(0, 94 * 2, 2)]
    assert len(texts) > FEW
    return [*texts, texts[7] + " again"]


def test_of_many_those_that_share_most_words_are_compared(many):
    pairs = list(candidates(many))
    assert (7, len(many) - 1) in pairs
    assert len(pairs) < len(many) * 20
    assert len({*pairs}) == len(pairs)
    assert all(one < other for one, other in pairs)


def test_of_many_one_of_each_pair_is_fresh(many):
    last = len(many) - 1
    pairs = list(candidates(many, lambda place: place == 7))
    assert (7, last) in pairs
    assert all(7 in pair for pair in pairs)


def test_ten_thousand_texts_do_not_make_millions_of_pairs():
    texts = [f"{some(5, place % 90)} number {place}" for place in range(10_000)]
    assert sum(1 for _ in candidates(texts)) <= 10 * len(texts)
