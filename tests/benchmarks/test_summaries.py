from __future__ import annotations

from benchmarks import summaries


def test_the_ranking_we_use_tells_more_of_what_matters_than_the_first_sentences():
    for words in summaries.WORDS:
        told, there, kept, _ = summaries.measured(summaries.METHODS["LexRank (ours)"], words)
        first, _, of_first, _ = summaries.measured(summaries.METHODS["place: the first"], words)
        assert there == 21
        assert told > first
        assert kept > of_first


def test_the_comparison_has_a_row_for_each_method_and_budget():
    rows = summaries.table()
    assert len(rows) == 1 + len(summaries.WORDS) * len(summaries.METHODS)
    assert {len(row) for row in rows} == {len(summaries.HEADINGS)}


def test_the_minutes_that_are_kept_apart_are_not_read():
    assert not any("2021-11-09" in name for pair in summaries.SETS for name in pair)
