"""When two texts are one value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tables import each_row
from varves.values.text import LONGEST, count_tokens, fold, quoted, value_key, words


@each_row(
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


@each_row(
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


@each_row(("text", "count"), [("", 0), (" ", 1), ("abc", 1), ("a b", 2), ("12", 2)])
def test_no_text_but_an_empty_one_is_free(text, count):
    assert count_tokens(text) == count


@each_row(
    ("text", "least", "most"),
    [
        ("Use Zod for all input validation, see src/schema.ts:12", 16, 17),
        ("Deploys run Monday to Thursday and start before three in the afternoon.", 14, 17),
        ('{"id":"mem_4k2m9x7q1c5d","type":"decision","at":"2026-01-20","origin":"direct","trust":3}',
         39, 45),
        ("def settle(self) -> bool:\n    return self._stale is None and self.cost <= room", 21, 24),
        ("<varves-memory-6afb56f3b14083eda23f34f9ecf9b4f7>", 29, 35),
        ("\u8bf7\u5728\u6240\u6709\u8f93\u5165\u9a8c\u8bc1\u4e2d\u4f7f\u7528 Zod\uff0c"
         "\u4e0d\u8981\u4f7f\u7528 Yup\u3002", 16, 26),
        ("F\u00fcr alle Eingaben wird Zod verwendet, nicht Yup; am Dienstag wird gepr\u00fcft.",
         19, 28),
    ],
)  # fmt: skip
def test_the_estimate_is_near_what_two_tokenizers_count(text, least, most):
    """Counted once with the vocabularies of Claude 2 and Llama 2."""
    assert 0.85 * least <= count_tokens(text) <= 1.15 * most


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text())
def test_lines_cost_together_no_more_than_one_by_one(one, other):
    assert count_tokens(f"{one}\n{other}") <= count_tokens(one + "\n") + count_tokens(other)
    assert count_tokens(one) >= len(one) / LONGEST


@each_row(
    ("value", "shown"),
    [
        ("Åsa Öberg", "'Åsa Öberg'"),
        ("\u540d\u524d", "'\u540d\u524d'"),
        ("a\nb\x1b[2J", r"'a\nb\x1b[2J'"),
        ("ab\u202ec", r"'ab\u202ec'"),
    ],
)
def test_a_quoted_value_shows_its_letters_and_escapes_what_a_terminal_obeys(value, shown):
    assert quoted(value) == shown
