"""The stems by which the forms of a word are found."""

from __future__ import annotations

from tests.tables import each_row
from varves.index.words import index_words, stem


@each_row(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("caress", "caress"),
        ("agreed", "agree"),
        ("feed", "feed"),
        ("plastered", "plaster"),
        ("bled", "bled"),
        ("motoring", "motor"),
        ("sing", "sing"),
        ("conflated", "conflate"),
        ("troubled", "trouble"),
        ("sized", "size"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("hissing", "hiss"),
        ("filing", "file"),
        ("hoping", "hope"),
        ("failing", "fail"),
        ("happy", "happi"),
        ("sky", "sky"),
        ("is", "is"),
    ],
)
def test_a_word_is_reduced_as_porter_does_in_his_first_steps(word, expected):
    assert stem(word) == expected


def test_case_and_accents_do_not_count():
    assert index_words("Crêpes HOPING") == ["crepe", "hope"]
