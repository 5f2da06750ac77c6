"""Laws of likeness, whatever the texts are."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from varves.recall.likeness import alike, gist, relation

KINDS = {None, "duplicate", "update", "contradiction"}
WORDS = st.sampled_from(
    [
        "the",
        "port",
        "of",
        "api",
        "Redis",
        "is",
        "not",
        "never",
        "80",
        "81",
        "5%",
        "deposit",
        "for",
        "each",
        "stay,",
        "Ingrid",
        "owns",
        "it",
        "now.",
        "removed",
        "before",
        "after?",
        "without",
        "use",
        "Zod",
    ]
)
SAID = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=14).map(" ".join))


@given(SAID, SAID)
def test_any_two_texts_can_be_compared(one, other):
    a, b = gist(one), gist(other)
    found = relation(a, b)
    assert (found.kind if found else None) in KINDS
    assert alike(a, b) == alike(b, a)
    if alike(a, b):
        assert found is not None
        assert found.kind == "duplicate"


@given(SAID)
def test_a_text_repeats_itself(text):
    assume(text.strip())
    found = relation(gist(text), gist(text))
    assert found is not None
    assert found.kind == "duplicate"
    assert alike(gist(text), gist(f"  {text}\n"))


@given(st.lists(WORDS, max_size=8), st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 8))
def test_other_numbers_are_never_alike(words, one, other, place):
    assume(one != other)
    said = [" ".join([*words[:place], str(n), *words[place:]]) for n in (one, other)]
    assert not alike(gist(said[0]), gist(said[1]))


@given(SAID, st.sampled_from(["not", "never", "without", "no"]), st.integers(0, 20))
def test_one_more_negation_is_never_alike(text, negation, place):
    words = text.split()
    denied = " ".join([*words[:place], negation, *words[place:]])
    assert not alike(gist(text), gist(denied))
