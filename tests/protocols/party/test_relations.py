"""Agreements, disagreements and complements in plain words: what counts, and what does not."""

from __future__ import annotations

import pytest

AGENTS = ("ada", "noa", "ben", "query-optimizer")
ROSTER = "name,displayName\nada,Ada\nnoa,Noa\nben,Benoît\nquery-optimizer,Driss Alaoui\n"


@pytest.fixture
def called(room):
    """Give a project whose roster names the agents."""
    folder = room.root / "_mdan" / "_config"
    folder.mkdir(parents=True)
    (folder / "agent-manifest.csv").write_text(ROSTER, encoding="utf-8")
    return room


def seen(called, *turns):
    """Hold a party and return what was observed of ada's relations, with the counts."""
    talk = [("ada", turn) if isinstance(turn, str) else ("ada", *turn) for turn in turns]
    done = called.hold(*talk, agents=AGENTS).agents["ada"]
    found = {(one["relation"], one["other"]): one["count"] for one in done["relations"]}
    assert done["added"] == []
    return found


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-15")
@pytest.mark.parametrize(
    ("relation", "texts"),
    [
        pytest.param(
            "agrees_with",
            [
                "I agree with Noa.",
                "I fully agree with noa's point.",
                "I fully agree with Noa on that.",
                "I have to agree with NOA here.",
                "Noa, I agree.",
                "I agree with you, Noa.",
                "Noa is right.",
                "I think Noa is right.",
                "I couldn't agree more with Noa.",
                "I side with Noa.",
                "Agreed, Noa.",
                "@noa I agree",
                "I fully support Noa's list.",
                "I'm all for Noa's menu.",
                "Noa's reasoning holds up.",
            ],
            id="agree",
        ),
        pytest.param(
            "disagrees_with",
            [
                "I disagree with Noa.",
                "I do not agree with Noa.",
                "I don't agree with Noa's plan.",
                "I can't agree with Noa.",
                "I no longer agree with Noa.",
                "Noa is wrong.",
                "I do not think Noa is right.",
                "I object to Noa's proposal.",
                "I'm against Noa's plan, the shelves are full.",
                "I'm not convinced by Noa's estimate.",
                "I can't back what Noa proposes.",
                "Noa's design is too fragile.",
                "No, Noa, that won't work on Saturdays.",
                "I don't think Noa's list is good.",
                "I don't support Noa's menu.",
            ],
            id="disagree",
        ),
        pytest.param(
            "complements",
            [
                "Noa and I complement each other.",
                "Noa's expertise complements mine.",
                "I complement Noa.",
                "Noa and I make a good team: they draw, I calculate.",
                "Noa knows the boats and I know the tides, so together we can plan it.",
                "I bring the tax side, Noa brings the tools: between us we have everything.",
            ],
            id="complement",
        ),
    ],
)
def test_plain_words_update_relations_and_add_no_memory(called, relation, texts):
    assert seen(called, *texts) == {(relation, "noa"): len(texts)}
    assert called.sidecar("ada")["relationships"][relation] == ["noa"]
    mutual = relation == "complements"
    assert called.sidecar("noa")["relationships"][relation] == (["ada"] if mutual else [])
    pairs = [(one.data["agent"], one.data["other"]) for one in called.events("relation.observed")]
    assert pairs == [("ada", "noa"), ("noa", "ada")][: 1 + mutual]


@pytest.mark.requirement("S0-15")
def test_what_states_no_relation_is_nothing(called):
    texts = [
        "I don't disagree with Noa.",
        "I cannot disagree with Noa.",
        "I neither agree nor disagree with Noa.",
        "Do you agree with Noa?",
        "I agree with Noa?",
        "I would agree with Noa.",
        "I could agree with Noa.",
        "I will agree with Noa later.",
        "I agree with Noa if the tests pass.",
        "If it rains, I agree with Noa.",
        "I am not sure I agree with Noa.",
        "I partly agree with Noa.",
        "I agree with Noa up to a point.",
        "Noa and I agree to disagree.",
        "I agreed with Noa.",
        "I used to agree with Noa.",
        "Noa agrees with Benoît.",
        "Benoît said that I agree with Noa.",
        'Benoît said "I agree with Noa".',
        "Benoît: I agree with Noa.",
        "> I agree with Noa.",
        "```\nI agree with Noa.\n```",
        'One line reads "I agree with Noa".',
        "One line reads 'I agree with Noa'.",
        "I agree with everyone except Noa.",
        "I'm not against Noa's plan.",
        "I can't back Noa's team on Sunday.",
        "Noa's design is not too fragile.",
        "I support Noa's family.",
        "I back Noa's car into the garage.",
        "Noa's argument holds only for small boats.",
        "I don't think Noa's train is late.",
        "No, Noa, that is fine by me.",
        "I have a question about Noa's plan.",
        "I agree with nobody more than with Noa.",
        "I agree with Noa's brother.",
        "I agree with Noah.",
        "I agree with Noa-like people.",
        "I agree with noa.example.org.",
        "Noa is right now in Paris.",
        "Noa is not wrong.",
        "Is Noa right?",
        "I agree.",
        "I agree with Ada.",
        "I agree with Zoe.",
        "We should agree on a date with Noa.",
        "I compliment Noa.",
        "Noa does not complement me.",
        "Noa brings the cake and I bring the coffee.",
        "Noa and I make tea together.",
        "Noa and I don't make a good team.",
        "Noa and Benoît agree with each other.",
    ]
    assert seen(called, *texts) == {}


@pytest.mark.requirement("S0-15")
def test_names_count_whole_whatever_their_case_and_accents(called):
    texts = [
        "I agree with Benoit.",
        "I agree with BENOÎT.",
        "I agree with Benoi\u0302t.",
        "I agree with ben.",
        "I agree with Driss Alaoui.",
        "I agree with query-optimizer.",
    ]
    halves = ["I agree with Driss.", "I agree with the optimizer.", "I agree with Bennie."]
    assert seen(called, *texts, *halves) == {
        ("agrees_with", "ben"): 4,
        ("agrees_with", "query-optimizer"): 2,
    }


@pytest.mark.full_size(sample=2)
@pytest.mark.requirement("S0-15")
@pytest.mark.parametrize(
    ("turn", "found"),
    [
        pytest.param(("I agree.", {"to": "noa"}), ("agrees_with", "noa"), id="to"),
        pytest.param(("You are wrong.", {"to": "noa"}), ("disagrees_with", "noa"), id="you"),
        pytest.param(("I agree with Benoît.", {"to": "noa"}), ("agrees_with", "ben"), id="name"),
        pytest.param(("I agree with the vendor.", {"to": "noa"}), None, id="others"),
        pytest.param(("I agree to pay.", {"to": "noa"}), None, id="consent"),
        pytest.param(("Yes!", {"to": "noa", "type": "agreement"}), ("agrees_with", "noa"), id="is"),
        pytest.param(
            ("No, Noa.", {"type": "disagreement"}), ("disagrees_with", "noa"), id="is-named"
        ),
        pytest.param(
            ("Never.", {"to": "noa", "type": "disagreement"}),
            ("disagrees_with", "noa"),
            id="is-not",
        ),
        pytest.param(("Yes!", {"type": "agreement"}), None, id="to-nobody"),
        pytest.param(("Noa or Benoît.", {"type": "agreement"}), None, id="to-either"),
        pytest.param(
            ("She knows indexes.", {"to": "noa", "type": "complement"}),
            ("complements", "noa"),
            id="complement",
        ),
        pytest.param(("I agree with Noa.", {"type": "question"}), None, id="typed-question"),
    ],
)
def test_whom_a_turn_is_about(called, turn, found):
    assert seen(called, turn) == ({found: 1} if found else {})


@pytest.mark.requirement("S0-15")
def test_one_sentence_may_agree_with_some_and_disagree_with_others(called):
    found = seen(called, "I agree with Noa and Benoît but disagree with Driss Alaoui.")
    assert found == {
        ("agrees_with", "noa"): 1,
        ("agrees_with", "ben"): 1,
        ("disagrees_with", "query-optimizer"): 1,
    }


@pytest.mark.requirement("S0-15")
def test_a_sentence_that_states_a_relation_is_kept_as_nothing_else(called):
    text = "I agree with Noa: we cannot use Redis because it forgets."
    assert seen(called, text) == {("agrees_with", "noa"): 1}


@pytest.mark.requirement("S0-15", "S0-32")
def test_an_agreement_counts_once_in_a_turn(called):
    assert seen(called, "I agree with Noa. I agree with Noa!") == {("agrees_with", "noa"): 1}
    assert called.sidecar("ada")["relationships"]["agrees_with"] == []
    assert seen(called, "I agree with Noa.", "Noa is right.") == {("agrees_with", "noa"): 2}
    assert called.sidecar("ada")["relationships"]["agrees_with"] == ["noa"]


@pytest.mark.requirement("S0-15")
def test_a_name_that_two_agents_share_names_neither(room):
    folder = room.root / "_mdan" / "_config"
    folder.mkdir(parents=True)
    rows = "name,displayName\nada,Ada\nnoa,Sam\nben,Sam\n"
    (folder / "agent-manifest.csv").write_text(rows, encoding="utf-8")
    done = room.hold(("ada", "I agree with Sam."), ("ada", "I agree with noa."))
    assert [one["other"] for one in done.agents["ada"]["relations"]] == ["noa"]


@pytest.mark.requirement("S0-34")
def test_a_complement_is_never_read_between_the_lines(called):
    texts = ["Noa knows indexes and I know queries.", "Noa completes the picture.", "We fit well."]
    assert seen(called, *texts) == {}
    assert seen(called, "My expertise complements Noa's.") == {("complements", "noa"): 1}
    assert called.sidecar("ada")["relationships"]["complements"] == ["noa"]
