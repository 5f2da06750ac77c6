"""When two texts are one value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from varves.values.text import fold, tokens, value_key, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use Zod", "use zod"),
        ("Use Zod.", "Use Zod"),
        ("Use Zod!?…", "Use Zod"),
        ("  Use\tZod\n", "Use Zod"),
        ("Use\u00a0Zod", "Use Zod"),
        ("\uff35\uff53\uff45\u3000\uff3a\uff4f\uff44\u3002", "Use Zod"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_case_space_width_and_final_punctuation_do_not_count(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use Zod", "Use Yup"),
        ("Use Zod", "UseZod"),
        ("a.b", "ab"),
        ("not x", "x"),
        ("cafe", "caf\u00e9"),
        ("(x)", "x"),
    ],
)
def test_everything_else_counts(one, other):
    assert fold(one) != fold(other)


@given(st.text(max_size=40))
def test_folding_an_ascii_text_twice_changes_nothing(text):
    plain = text.encode("ascii", "ignore").decode("ascii")
    assert fold(fold(plain)) == fold(plain)


@given(st.text(max_size=30), st.sampled_from(["project", "agent:a"]), st.sampled_from(["p", "q"]))
def test_a_value_is_looked_up_per_log_and_scope(text, scope, log):
    key = value_key(log, scope, text)
    assert key == value_key(log, scope, text.upper().lower()) or fold(text) != fold(
        text.upper().lower()
    )
    assert key != value_key(log + "x", scope, text)
    assert key != value_key(log, scope + "x", text)
    assert len(key) == 16


def test_a_key_can_be_made_of_half_a_surrogate_pair():
    """What came in by a merge must not stop the fold."""
    assert value_key("project", "project", "\ud800") != value_key("project", "project", "\ud801")


def test_words_are_lower_case_and_without_punctuation():
    assert words('NEAR("Zod", 3) -- C++ naïve') == ["near", "zod", "3", "c", "naïve"]
    assert words('"*^:()-\0') == []


@pytest.mark.parametrize(("text", "count"), [("", 0), ("abc", 1), ("abcd", 1), ("abcde", 2)])
def test_four_characters_are_taken_for_a_token(text, count):
    assert tokens(text) == count
