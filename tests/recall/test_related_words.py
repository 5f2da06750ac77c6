"""Without the dense extra, a question finds a memory that says the same in other words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.tables import each_row
from varves.index.words import stem
from varves.recall.related import TABLE

NOTES = [
    "The db is dumped every night",
    "Open a PR for every change",
    "We bundle the frontend with Vite",
    "Kafka carries the order messages",
    "Anna owns billing",
    "The docs are built on each merge",
    "Nothing goes to prod on Fridays",
    "The kitten sleeps on the couch",
    "Bees swarm behind the shed in May",
    "Tea is served at four",
]
ASKED = [
    ("how is the database saved", 0),
    ("what needs a pull request", 1),
    ("which build tool do we have", 2),
    ("what message broker is in use", 3),
    ("who is responsible for invoices", 4),
    ("where does documentation come from", 5),
    ("rules for production", 6),
    ("which pet do they have", 7),
]


@pytest.fixture
def filled(scene):
    for text in NOTES:
        scene.remember(text)
    return scene


@each_row(("query", "place"), ASKED)
def test_a_question_finds_an_answer_in_other_words(filled, query, place):
    assert filled.texts(query, dense=False)[:1] == [NOTES[place]]


def test_a_memory_with_the_word_itself_comes_before_one_with_a_related_word(filled):
    filled.remember("The database has forty tables")
    assert (
        filled.texts("what is in the database", dense=False)[0] == "The database has forty tables"
    )


def test_a_word_that_only_begins_like_a_related_word_is_not_related(scene):
    scene.remember("Take care of the roses")
    scene.remember("The car needs new tyres")
    assert scene.texts("vehicle", dense=False) == ["The car needs new tyres"]


def test_an_explanation_names_each_related_word_and_where_it_comes_from(filled, varves):
    found = filled.ledger.recall("which bundler", explain=True, dense=False)
    assert found.explained["related"]["vite"] == ("bundler",)
    assert found.hits[0].reasons["related"] > 0
    filled.ledger.close()
    assert "related words: vite (bundler)" in varves("recall", "which bundler", "--explain").out


def test_the_published_formulas_search_for_the_words_themselves(filled):
    for profile in ("scoped", "hivemind"):
        assert filled.texts("which bundler", profile=profile) == []


def test_a_memory_that_the_caller_may_not_see_is_not_found_by_related_words(filled):
    filled.remember("Rollup was the one before", tags=["sensitive"])
    found = filled.ledger.recall("which bundler", dense=False)
    assert [hit.memory.text for hit in found] == [NOTES[2]]


def test_the_table_is_sorted_and_relates_no_word_to_itself():
    lines = Path(TABLE).read_text("utf-8").strip().split("\n")
    keys = [line.partition("\t")[0] for line in lines]
    assert len(keys) > 3000
    assert all(before < after for before, after in pairwise(keys))
    for line in lines:
        key, *fields = line.split("\t")
        assert fields
        for field in fields:
            assert field[0] in "123456789"
            assert " ".join(stem(part) for part in field[1:].split()) != key
