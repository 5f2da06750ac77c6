"""Where the line runs between a secret and a word that only stands in its place."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.events.proofs import TESTS, _noisy, _spelled


def says(test: str, value: str, before: str = "=", after: str = "") -> bool:
    text = before + value + after
    return TESTS[test](value, text, len(before), len(before) + len(value))


@each_row(
    ("value", "counts"),
    [
        ("", (0, 0, 0)),
        ("1234", (0, 0, 0)),
        ("validation", (10, 1, 0)),
        ("HelloWorld", (10, 2, 0)),
        ("qz", (2, 1, 1)),
        ("zq", (2, 1, 1)),
        ("vj1xq", (4, 2, 2)),
        ("aB3xQ9zK", (6, 6, 0)),
    ],
)
def test_letters_words_and_odd_pairs_are_counted(value, counts):
    assert _spelled(value) == counts


@each_row(
    ("value", "noisy"),
    [
        ("1234", False),
        ("abc", False),
        ("ab", True),  # two letters are no word
        ("validation", False),
        ("qzabcd", True),  # one odd pair in six letters
        ("qzabcdo", False),  # one in seven
    ],
)
def test_noise_is_letters_that_make_no_words(value, noisy):
    assert _noisy(value) is noisy


@each_row(
    ("value", "drawn"),
    [
        ("1234", True),
        ("validation123", False),
        ("validation1234", True),
        ("123", False),
        ("abc1", True),  # a word of three letters beside a digit is none
        ("abcd1", False),
        ("qzxvbnmkjhg", False),  # without digits it takes twelve letters
        ("qzxvbnmkjhgw", True),
        ("internationalisation", False),
    ],
)
def test_a_value_drawn_by_a_machine_is_known_by_its_digits_or_its_letters(value, drawn):
    assert says("random", value) is drawn


@each_row(
    ("value", "secret"),
    [
        ("x9kQ2vL8p", False),  # nine
        ("x9kQ2vL8pW", True),  # ten
        ("1234567890123456789", False),  # nineteen digits
        ("12345678901234567890", True),
        ("1234-5678-9012", False),  # no letter
        ("build-1-test-2-run-3", False),  # words
        ("xq1-vk2-zj3", False),  # a short name is one even if it is odd
        ("xq1-vk2-zj3-wq4-xv55", True),  # twenty characters of it are not
        ("x9kQ2vL8pW.json", False),
        ("${SOME_NAME_1234}", False),
    ],
)
def test_what_is_assigned_to_a_key_is_a_value_or_a_stand_in(value, secret):
    assert says("value", value) is secret


@each_row(
    ("value", "before", "secret"),
    [
        ("ab1!x", "=", False),  # five
        ("ab1!xy", "=", True),  # six
        ("hunter2", "=", True),
        ("hunter2x", '"', True),
        ("release-2", "=", False),  # a name, unless it is quoted
        ("release-2", '"', True),
        ("correct", "=", False),
        ("qzxvbnmkjhgw", "=", True),
        ("Password12", "=", False),
        ("Password123", "=", True),
        ("password", "=", False),
        ("wonder!", "=", False),  # the end of a sentence is no sign
        ("won!der", "=", True),
    ],
)
def test_a_password_has_digits_signs_or_no_words(value, before, secret):
    assert says("password", value, before) is secret


@each_row(
    ("value", "secret"),
    [
        ("Ab1cd", False),
        ("Ab1cde", True),  # six
        ("Ab1cd...", False),  # what ends the sentence is not part of it
        ("abcde1", False),  # two kinds
        ("abcd1!x", True),
        ("Abcdef", False),
        ("Release-2", False),
        ("SHA-256x", False),
    ],
)
def test_a_word_in_a_sentence_must_be_of_three_kinds(value, secret):
    assert says("strong", value, " ") is secret


@each_row(
    ("value", "before", "after", "secret"),
    [
        ("x9kQ2vL8pW", "=", "(", False),  # a call
        ("x9kQ2vL8pW", "=", "[", False),
        ("x9kQ2vL8pW", '"', " ", False),  # the quote closes before it
        ("x9kQ2vL8pW", '"', '"', True),
        ("x9kQ2vL8pW", "=", " ", True),
        ("config1.token2.value34", "=", "", False),  # code
        ("config1.token2.value34", '"', "", True),
        ("config.x9kQ2vL8pWr4Tz6m", "=", "", True),  # code with a key in it
        ("config.x9kQ2vL8pWr4Tz6", "=", "", False),
        ("mem_4k2m9x7q1c5d", "=", "", False),  # ours
        ("./keys/x9kQ2vL8pW", "=", "", False),
        ("/x9kQ2vL8pWr4Tz6mN1bV3c", "=", "", True),  # base64 may begin with a slash
        ("loading_keys(number1234)", "=", "", False),
        ("sha256x9kQ2vL8pW1234", "=", "", False),  # twenty: an algorithm's name is in it
        ("sha256x9kQ2vL8pW12345", "=", "", True),
    ],
)
def test_a_value_is_plain_or_code_or_a_path(value, before, after, secret):
    assert says("value", value, before, after) is secret


@each_row(
    ("value", "secret"),
    [
        ("abc_x9kQ2vL8", True),
        ("abc-x9kQ2vL8", True),
        ("x9kQ2vL8_abc", False),  # only the last part counts
        ("abc_x9k2v8", False),
        ("abc_XkQvLw", False),
        ("abc_Validation1", False),
    ],
)
def test_the_last_part_of_a_token_has_all_kinds_and_no_words(value, secret):
    assert says("mixed", value) is secret


@each_row(
    ("value", "secret"),
    [
        ("dXNlcjpwYXNz", True),
        ("dXNlcjpwYQ", True),
        ("dXNlcnBhc3M", False),
        ("dXNlcjpw", True),
        ("dXNlcjpwY", False),
    ],
)
def test_credentials_have_a_colon_in_them(value, secret):
    assert says("credentials", value) is secret


@pytest.mark.parametrize(
    ("value", "secret"), [("aaaa", False), ("<token>", False), ("abcd", True), ("xxxx-1", False)]
)
def test_a_blank_is_not_written_out(value, secret):
    assert says("written", value) is secret


@each_row(
    ("test", "value", "before", "after", "secret"),
    [
        ("beside", "garden2024", " '", "'", True),  # a quotation mark before it is enough
        ("beside", "garden2024", " ", " and", False),
        ("given", "SunnyHOUSE", " ", " and", False),  # two kinds of characters
        ("given", "Sunny#7X", " ", " and", True),
        ("spoken", "gardenR5", " ", " and", True),  # a capital within a word
        ("spoken", "gardenr5", " ", " and", False),
        ("nearby", "SunnyqzxVjw1", " ", " and", True),  # three kinds
        ("nearby", "sunnyqzxvjw1", " ", " and", False),
        ("nearby", "seriSungarxv1", " ", " and", True),  # two odd pairs in twelve letters
    ],
)
def test_a_word_near_the_word_password_must_look_like_one(test, value, before, after, secret):
    assert says(test, value, before, after) is secret
