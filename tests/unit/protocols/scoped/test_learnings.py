"""Phrases that are learnings, and phrases that are not."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.errors import UsageError
from varves.protocols.scoped.learnings import extract, from_output, spoken, stated
from varves.protocols.scoped.options import LONGEST


@each_row(
    ("said", "kind", "text"),
    [
        ("Learned: library X lacks feature Y.", "pattern", "Library X lacks feature Y"),
        ("I learned that chunks work best", "pattern", "Chunks work best"),
        ("- Lesson learned: test the backup", "pattern", "Test the backup"),
        ("We decided to use Zod", "decision", "Use Zod"),
        ("**Decision:** use Zod for input", "decision", "Use Zod for input"),
        ("We'll use Zod for input", "decision", "We'll use Zod for input"),
        ("Convention: tabs, not blanks", "convention", "Tabs, not blanks"),
        ("Never deploy on Fridays", "convention", "Never deploy on Fridays"),
        ("From now on tests come first", "convention", "From now on tests come first"),
        ("The user prefers short answers", "preference", "The user prefers short answers"),
        ("The import failed because of tabs", "pattern", "The import failed because of tabs"),
        ("It turned out the cache was cold", "pattern", "It turned out the cache was cold"),
        ("1. Gotcha: times are in UTC", "pattern", "Times are in UTC"),
        ("I fixed it by seeding the RNG", "pattern", "I fixed it by seeding the RNG"),
        ("The workaround is to pin it", "pattern", "The workaround is to pin it"),
        ("We decided against GraphQL", "decision", "We decided against GraphQL"),
        ("All migrations must be small", "convention", "All migrations must be small"),
    ],
)
def test_what_is_a_learning(said, kind, text):
    assert [(one.type, one.text) for one in extract(said)] == [(kind, text)]


@each_row(
    ("said", "learnings"),
    [
        ("Fix: the pool was 5; raise it to 20", ["The pool was 5; raise it to 20"]),
        ("Learned: the feed stalls;\nrestart it nightly", ["The feed stalls;\nrestart it nightly"]),
        ("We decided to use Zod \u2014 Yup is slow", ["Use Zod \u2014 Yup is slow"]),
        ("Insight: tags are free; count them; log it", ["Tags are free; count them; log it"]),
        (
            "Mistake: deployed without a tag; next time tag first",
            ["Mistake: deployed without a tag; next time tag first"],
        ),
        (
            "Lesson: nobody had the key. Next time share it first. I go home now.",
            ["Nobody had the key. Next time share it first"],
        ),
        (
            "The job failed because of a full disk; rotating the logs fixed it.",
            ["The job failed because of a full disk; rotating the logs fixed it"],
        ),
        ("The search is slow; it lacks an index", ["The search is slow; it lacks an index"]),
        (
            "I prefer small commits; always run the linter first",
            ["I prefer small commits", "Always run the linter first"],
        ),
        ("Decision: use Zod; rule: no raw SQL", ["Use Zod", "No raw SQL"]),
        ("Learned: the API lacks paging; should we ask?", ["The API lacks paging"]),
        ("Learned: the API lacks paging; maybe they add it", ["The API lacks paging"]),
        ('Learned "the API lacks paging"', ["The API lacks paging"]),
    ],
)
def test_a_learning_is_told_to_its_end(said, learnings):
    assert [one.text for one in extract(said)] == learnings


def test_of_a_long_sentence_as_many_parts_are_taken_as_a_learning_may_have():
    part = "the importer reads one file a minute"
    [found] = extract(f"Learned: {'; '.join([part] * 40)}")
    assert LONGEST - len(part) - 20 < len(found.text) <= LONGEST
    assert found.text.endswith(part)


@each_row(
    "said",
    [
        "",
        "Did we decide to use Zod? Always?",
        "Maybe we should never deploy on Fridays",
        "I ran the tests and they pass",
        "```\nDecision: this is code\n```",
        "Learned: x",
        "Decision: " + "long " * LONGEST,
        "The word never stands here in the middle",
        "As we decided earlier, the API stays",
        "He said the deploy failed because of DNS",
        "If the build fails because of memory, tell me",
        "I tried to fix it by restarting",
    ],
)
def test_what_is_none(said):
    assert extract(said) == ()


def test_the_same_learning_is_found_once():
    assert len(extract("Learned: tests come first.\nLearned: Tests come first!")) == 1


def test_a_statement_without_a_mark_is_taken_whole():
    assert [one.text for one in stated("Library X  has no\nfeature Y", extract)] == [
        "Library X has no feature Y"
    ]
    assert stated("Is it so?", extract) == ()
    assert stated("word " * LONGEST, extract) == ()


@each_row("said", ["ok", "Maybe we need a cache? Not sure yet.", "Perhaps a cache helps", "done"])
def test_a_guess_or_a_mere_word_is_not_taken_whole(said):
    assert stated(said, extract) == ()


def test_a_transcript_that_is_no_json_is_taken_as_text():
    assert spoken("plain text") == "plain text"
    assert spoken('{"role": "user"\nnot json') == '{"role": "user"\nnot json'
    assert spoken('{"role": "tool", "content": "x"}') == ""
    assert spoken("{}\n[1]") == "{}\n[1]"


@each_row("output", ["{", "7", '"x"', "null", b"\xff"])
def test_an_output_that_is_no_object_is_refused(output):
    with pytest.raises(UsageError):
        from_output(output, extract)


def test_an_output_that_is_a_list_is_all_learnings():
    found = from_output(["Chunks work best", {"text": "Times are in UTC"}], extract)
    assert [one.text for one in found] == ["Chunks work best", "Times are in UTC"]


def test_odd_values_in_an_output_do_no_harm():
    deep = current = {}
    for _ in range(50):
        current["learnings"] = {}
        current = current["learnings"]
    current["learnings"] = ["too deep"]
    assert from_output(deep, extract) == ()
    found = from_output(
        {"decisions": [None, 7, "", {"text": "Use Zod", "confidence": "high", "type": 3}]}, extract
    )
    assert [(one.text, one.type, one.confidence) for one in found] == [("Use Zod", "decision", 0.7)]
