"""When two texts say the same: little is folded, and in doubt they do not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.protocols.hivemind.facts import DIFFERENT, SAME
from tests.tables import each_row
from varves.protocols.sameness import content_words, group_of, same

TEXTS = st.text(st.sampled_from("aAbs thei.,'-5é\n`"), max_size=24)


@each_row(("one", "other"), SAME)
def test_what_repeats_is_the_same_either_way_and_of_one_group(one, other):
    assert same(one, other)
    assert same(other, one)
    assert group_of(one) == group_of(other)


@each_row(
    ("one", "other"),
    [
        *DIFFERENT,
        ("cd ..", "cd ."),
        ("the answer is 5!", "the answer is 5"),
        ("it costs $5", "it costs 5"),
        ("use C++ here", "use C here"),
        ("option a is open", "option is open"),
        ("news are read", "new are read"),
        ("add 1,5 litres", "add 15 litres"),
        ("the user group of users", "the users group of user"),
        ("run it in prod", "run it in PR"),
        ("x²", "x2"),
        ("Masse", "Maße"),
        ("zero\u200bwidth", "zerowidth"),
        ("the Polish docs are late", "the polish docs are late"),
        ("ask May about it", "ask may about it"),
        ("we moved to Windows", "we moved to windows"),
    ],
)
def test_what_differs_is_not_the_same_either_way(one, other):
    assert not same(one, other)
    assert not same(other, one)


@given(TEXTS, TEXTS)
def test_it_does_not_matter_which_is_first_and_the_same_are_of_one_group(one, other):
    assert same(one, one)
    assert same(one, other) == same(other, one)
    if same(one, other):
        assert group_of(one) == group_of(other)


@given(st.lists(st.sampled_from(["not", "no", "on", "off", "EU", "US", "3", "4"]), max_size=4))
def test_no_word_that_carries_meaning_is_left_out(words):
    assert [word.raw.lower() for word in content_words(" ".join(words))] == [
        word.lower() for word in words
    ]
