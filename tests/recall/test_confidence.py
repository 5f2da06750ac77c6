"""A hit says how likely it is right; a hit that is far weaker than the best one is left out."""

from __future__ import annotations

import sys

import pytest

NOTES = [
    "All input is validated with Zod at the edge of the api",
    "Dates are UTC everywhere, also in tests",
    "The api listens on port 8080",
    "Zod schemas are in src/schemas",
]
FAR = "The edge of the carpet in the hall on the second floor is loose"
QUESTION = "how is input validated with Zod at the edge of the api"


@pytest.fixture
def filled(scene):
    for text in (*NOTES, FAR):
        scene.remember(text)
    return scene


def test_the_best_hit_is_by_far_the_surest(filled):
    hits = filled.ledger.recall(QUESTION, dense=False, all=True).hits
    sure = [hit.as_dict()["confidence_of_match"] for hit in hits]
    assert len(sure) > 1
    assert 0 < max(sure[1:]) < 0.1
    assert 0.4 < sure[0] < 1


def test_a_weak_match_is_left_out_and_counted_unless_all_are_wanted(filled, varves):
    everything = filled.texts(QUESTION, dense=False, all=True)
    found = filled.ledger.recall(QUESTION, dense=False, explain=True)
    texts = [hit.memory.text for hit in found]
    assert texts == [text for text in everything if text in texts]
    assert texts[0] == NOTES[0]
    assert FAR in everything
    assert FAR not in texts
    reasons = [miss["why"] for miss in found.explained["near_misses"]]
    assert "a weak match beside the best one" in reasons
    filled.ledger.close()
    assert len(varves("recall", QUESTION, "--all", "--json").json["hits"]) == len(everything)
    assert varves("recall", QUESTION, "--json").json["omitted"] > 0


def test_weak_matches_in_other_words_are_counted_too(scene):
    """They contain no word of the question, but a related one, or stand next to such a turn."""
    for turn, text in enumerate(["The car broke down", "It was late", "We walked home", *NOTES]):
        scene.remember(text, session="s1", turn=turn, speaker="Ada")
    scene.remember("Each vehicle is washed on Fridays")
    everything = scene.ledger.recall("which vehicle is washed", dense=False, all=True, k=50)
    found = scene.ledger.recall("which vehicle is washed", dense=False, k=50)
    assert found.hits[0].memory.text == "Each vehicle is washed on Fridays"
    assert len(found.hits) < len(everything.hits)
    assert len(found.hits) + found.omitted == len(everything.hits) + everything.omitted


def test_the_published_formulas_leave_no_weak_match_out(filled):
    for profile in ("scoped", "hivemind"):
        hits = filled.ledger.recall("api", profile=profile).hits
        assert len(hits) == 2
        assert all("confidence_of_match" not in hit.as_dict() for hit in hits)


@pytest.mark.parametrize("lacking", ["", "numpy", "wordllama"])
def test_an_answer_of_weak_matches_only_says_so(filled, varves, monkeypatch, lacking):
    """The option to compare meanings is named where it can be used."""
    if lacking:
        monkeypatch.setitem(sys.modules, lacking, None)
    filled.ledger.close()
    asked = varves("recall", "what endpoint broke yesterday in the warehouse")
    assert asked.out
    more = "" if lacking else ", or --dense to compare meanings too"
    assert asked.err == f"varves: only weak matches; try other words{more}\n"
    assert "weak" not in varves("recall", QUESTION).err
