from __future__ import annotations

from varves.protocols.hivemind.wording import one_line, statement_of, summary_of


def test_the_telling_fields_come_first_and_nothing_is_said_twice():
    content = {
        "why": "speed",
        "text": "Use Redis",
        "more": [{"x": "speed"}, {"y": ["deep"]}],
        "n": 3,
    }
    assert statement_of(content) == "Use Redis\nspeed\ndeep"


def test_a_summary_is_given_or_found_or_the_first_words():
    assert summary_of({"text": "b"}, "given\n  line") == "given line"
    assert summary_of({"text": "b", "summary": "short"}) == "short"
    assert summary_of({"text": "one\ntwo"}) == "one"
    assert summary_of({"count": 3, "size": 4}) == "count, size"


def test_a_line_is_cut_at_a_word_and_never_longer():
    cut = one_line("word " * 100)
    assert len(cut) <= 200
    assert cut.endswith("word\u2026")
    assert len(one_line("x" * 500)) == 200
    assert one_line("a\x00b\tc") == "a b c"
