"""What a question asks for, read from its words alone."""

from __future__ import annotations

from unicodedata import normalize

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.recall.question import MAX_WORDS, read, terms_of

NOW = "2026-11-15T06:20:00.000Z"

TERMS = [
    ("How do we validate input?", ["validate", "input"]),
    ("validate, VALIDATE; Validate", ["validate"]),
    ("what is it", ["what", "is", "it"]),  # nothing but small words: then they have to do
    ("retry-after of src/api_client.py", ["retry", "src", "api", "client", "py"]),
    ("", []),
    (" \t\n", []),
    ('"()*^:-', []),
    ("Why does PaymentGateway fail", ["paymentgateway", "fail", "payment", "gateway"]),
    ("parseHTTPHeader(userName)", ["parsehttpheader", "username", "parse", "httpheader", "user",
                                   "name"]),
    ("gateway or PaymentGateway", ["gateway", "paymentgateway", "payment"]),
    ("Wo liegt der Schl\u00fcssel?", ["wo", "liegt", "der", "schl\u00fcssel"]),
    ("\u0434\u0430 \u041d\u0415\u0422", ["\u0434\u0430", "\u043d\u0435\u0442"]),
    ("\u65e5\u672c\u8a9e", ["\u65e5\u672c", "\u672c\u8a9e"]),  # pairs of signs: no spaces
    ("\u05db\u05df \u0646\u0639\u0645", ["\u05db\u05df", "\u0646\u0639\u0645"]),
    ("key \U0001f511 lock", ["key", "lock"]),
]  # fmt: skip


@each_row(("text", "expected"), TERMS)
def test_the_words_that_carry_meaning_are_searched(text, expected):
    assert sorted(terms_of(text)) == sorted(expected)
    assert list(read(text, NOW).terms) == terms_of(text)


def test_words_come_in_the_order_they_are_asked_in():
    assert terms_of("Zod checks the input at the gateway") == ["zod", "checks", "input", "gateway"]


def test_how_a_letter_with_a_mark_is_stored_makes_no_difference():
    text = "R\u00e9sum\u00e9 na\u00efve caf\u00e9s"
    composed, parted = (read(normalize(form, text), NOW) for form in ("NFC", "NFD"))
    assert composed == parted
    assert composed.terms == ("r\u00e9sum\u00e9", "na\u00efve", "caf\u00e9s")


PAIRS = [
    ("the rate limit of the api gateway", [" rate limit", " api gateway"]),
    ("rate of limit", []),
    ("Cr\u00eape Suzette", [" crepe suzette"]),
    ("one", []),
    ("", []),
]


@each_row(("text", "expected"), PAIRS)
def test_adjacent_words_become_pairs(text, expected):
    """As `spread` writes a text: plain letters, and a sign before each word."""
    assert list(read(text, NOW).pairs) == expected


WANTS = [
    ("When did the server move?", {"when"}),
    ("Since when do we deploy on Fridays?", {"when"}),
    ("Which day is the release?", {"when", "name"}),
    ("What date was the audit?", {"when"}),
    ("The when clause is wrong", {"when"}),
    ("Tell us of the time it broke when it rained", {"quote"}),
    ("How many retries do we allow?", {"number"}),
    ("How old is the cluster?", {"number"}),
    ("What is the number of the ticket?", {"number"}),
    ("Too many retries", set()),
    ("Where do the keys lie?", {"place"}),
    ("In which city is the office?", {"place", "name"}),
    ("Who owns the parser?", {"name"}),
    ("What is the name of the cat?", {"name"}),
    ("What did the sign say?", {"quote"}),
    ("What did you recommend for lunch?", {"told"}),
    ("Can you remind me of our previous conversation?", {"told"}),
    ("What was recommended by the audit?", set()),
    ("the previous release", set()),
    ("validate input", set()),
    ("", set()),
]


@each_row(("text", "expected"), WANTS)
def test_the_kind_of_answer_wanted_is_recognised(text, expected):
    assert read(text, NOW).wants == expected


def test_times_are_read_along():
    assert read("what broke in May", NOW).times.months == {5}
    assert read("what broke", NOW).times is None


def test_a_long_prompt_is_searched_for_its_first_words():
    text = " ".join(f"word{n}" for n in range(20_000))
    assert len(text) > 100_000
    found = read(text, NOW)
    assert len(found.terms) == len(found.names) == MAX_WORDS
    assert found.terms[:2] == ("word0", "word1")
    assert len(found.pairs) == MAX_WORDS - 1
    one_word = read("a" * 100_000, NOW)
    assert len(one_word.terms) == 1


def test_a_long_prompt_of_joined_names_brings_no_more_parts_than_its_beginning_holds():
    text = " ".join(f"PaymentGateway{n}Adapter" for n in range(10_000))
    assert len(read(text, NOW).terms) < 2 * MAX_WORDS


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_text_is_a_question(text):
    found = read(text, NOW)
    assert all(term and not term.isspace() for term in found.terms)
    assert all(sign.isalnum() for term in found.terms for sign in term)
    assert len(set(found.terms)) == len(found.terms)
