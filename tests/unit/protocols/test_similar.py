"""How alike two texts are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.protocols.similar import above, similarity

WORDS = [f"{letter * 4}{other * 3}" for letter in "abcdefghij" for other in "klmnopqrst"]


@each_row(
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
