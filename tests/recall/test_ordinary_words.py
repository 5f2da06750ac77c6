"""A word that tells little anywhere, such as "keep", does not decide what is found."""

from __future__ import annotations

import pytest

from tests.tables import each_row
from varves.recall.stopwords import FULL_WEIGHT, ORDINARY, telling

NOTES = [
    "The ferry office keeps its lamps on all night",
    "We held the spring meeting in the old barn",
    "Go is the language of the crawler",
    "Continuous builds moved to another runner",
    "Each author gets a page of their own",
    "The heating runs from October on",
    "Somebody from the paint shop comes on Monday",
    "Images are compressed before the upload",
    "Invoices are kept for ten years",
    "The crash of the importer came from a missing index in the database",
    "Our customers pay by bank transfer only",
    "The repository of the printer driver is private",
]
ASKED = [
    ("Why did the importer keep failing?", 9),
    ("where is the code of the printer held", 11),
    ("do we keep pictures as they were sent to us", 7),
]
WITHOUT_ANSWER = [
    "Who keeps the keys of the cellar?",
    "Which page of the atlas shows Norway?",
    "Where did somebody hold the wedding?",
    "How many bicycles does the company own?",
]


@pytest.fixture
def filled(scene):
    for text in NOTES:
        scene.remember(text)
    return scene


@each_row(("query", "place"), ASKED)
def test_a_rare_word_said_differently_outweighs_an_ordinary_one(filled, query, place):
    assert filled.texts(query, dense=False)[:1] == [NOTES[place]]


@pytest.mark.parametrize("query", WITHOUT_ANSWER)
def test_a_memory_with_one_ordinary_word_of_the_question_is_a_weak_match(filled, query):
    found = filled.ledger.recall(query, dense=False)
    assert found.weak or not found.hits


@pytest.mark.parametrize("place", range(len(NOTES)))
def test_a_memory_that_is_asked_for_in_its_own_words_is_no_weak_match(filled, place):
    found = filled.ledger.recall(NOTES[place].lower(), dense=False)
    assert found.hits[0].memory.text == NOTES[place]
    assert not found.weak


def test_in_a_ledger_of_one_memory_the_answer_is_no_weak_match(scene):
    scene.remember("The staging server is called heron")
    assert not scene.ledger.recall("what is the staging server called?", dense=False).weak


def test_the_table_weighs_ordinary_words_less_than_others():
    ordered = ["also", "provid", "get", "keep", "compani", "customer", "databas", "postgres"]
    weights = [telling(stem) for stem in ordered]
    assert weights == sorted(weights)
    assert weights[0] == 1 / 9
    assert weights[-1] == 1.0


def test_each_line_of_the_table_is_sorted_and_no_stem_is_there_twice():
    with open(ORDINARY, encoding="utf-8") as file:
        lines = [line.split() for line in file]
    assert len(lines) == FULL_WEIGHT - 1
    assert all(line == sorted(line) for line in lines)
    stems = [stem for line in lines for stem in line]
    assert len(stems) == len(set(stems))
