"""A search reads only entries that can match; it finds what reading all of them finds."""

from __future__ import annotations

from math import log
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from varves.protocols.scoped.search import common_part, holding, relevant, stem, words
from varves.values.text import fold

SPOKEN = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "valid",
                "validation",
                "validates",
                "cities",
                "city",
                "planned",
                "plan",
                "ﬁles",
                "Straße",
                "STRASSE",
                "handling",
                "handle",
                "e",
                "ss",
                "running",
                "runs",
                "設定ファイル設定",
                "設定",
                "ไทย",
                "été",
                "ÉTÉ",
                "über",
                "İstanbul",
                "naïve",
                "x1",
                "1.2",
            ]
        ),
        st.text(max_size=6),
    ),
    max_size=7,
).map(" ".join)


def entries(texts):
    return [SimpleNamespace(id=str(at), text=text) for at, text in enumerate(texts)]


@given(texts=st.lists(SPOKEN, max_size=8), query=SPOKEN)
@example(texts=["Handling of über-long ﬁles", "the"], query="handle files")
def test_entries_without_the_common_part_do_not_match(texts, query):
    every = entries(texts)
    some = [one for one in every if common_part(query) in fold(one.text)]
    assert holding(some, query) == holding(every, query)


@given(
    texts=st.lists(SPOKEN, max_size=8),
    said=st.lists(
        st.sampled_from(["validates", "cities", "planning", "ÉTÉ", "設定", "straße", "files"])
    ),
)
def test_the_relevance_of_entries_is_that_of_all_their_words(texts, said):
    asked = {stem(word) for word in words(" ".join(said))}
    held = {one.id: asked & {stem(w) for w in words(one.text)} for one in entries(texts)}
    often = {one: sum(one in each for each in held.values()) for one in asked}
    expected = {
        name: sum(log(1 + len(held) / often[one]) for one in shared)
        for name, shared in held.items()
        if shared
    }
    found = relevant(entries(texts), " ".join(said))
    assert found == pytest.approx(expected)
