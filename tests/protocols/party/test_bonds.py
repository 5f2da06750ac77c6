"""Relationships and the decision history: what a session adds to them."""

from __future__ import annotations

import pytest

from varves.errors import Refused

NONE = {"agrees_with": [], "disagrees_with": [], "complements": []}


@pytest.mark.requirement("S0-32")
def test_two_agreements_in_one_session_make_a_relationship(room):
    room.hold(("ada", "I agree with Noa."))
    assert room.sidecar()["relationships"] == NONE
    room.hold(("ada", "I agree with Noa."))
    assert room.sidecar()["relationships"] == NONE
    room.hold(("ada", "I agree with Noa."), ("ada", "Yes.", {"to": "noa", "type": "agreement"}))
    assert room.sidecar()["relationships"] == NONE | {"agrees_with": ["noa"]}
    assert room.sidecar("noa")["relationships"] == NONE


@pytest.mark.requirement("S0-33")
def test_two_disagreements_in_one_session_make_a_relationship(room):
    room.hold(("ada", "No.", {"to": "ben", "type": "disagreement"}))
    assert room.sidecar()["relationships"] == NONE
    room.hold(*[("ada", "No.", {"to": "ben", "type": "disagreement"})] * 2)
    assert room.sidecar()["relationships"] == NONE | {"disagrees_with": ["ben"]}


@pytest.mark.requirement("S0-34")
def test_a_complement_is_a_signal_and_never_guessed(room):
    talk = [("ada", "I know storage well."), ("noa", "I know networks well.")]
    room.hold(*talk, {"text": "Ship it", "pro": ["ada", "noa"]})
    assert room.sidecar()["relationships"] == NONE
    room.hold(("ada", "Noa knows networks.", {"to": "noa", "type": "complement"}))
    assert room.sidecar()["relationships"] == NONE | {"complements": ["noa"]}
    assert room.sidecar("noa")["relationships"] == NONE | {"complements": ["ada"]}
    assert room.sidecar("ben")["relationships"] == NONE


@pytest.mark.requirement("S0-35")
def test_a_relationship_names_each_once_and_never_the_agent_itself(room):
    agreeing = [("ada", "Yes.", {"to": "noa", "type": "agreement"})] * 3
    itself = [("ada", "Yes.", {"to": "ada", "type": "agreement"})] * 3
    for _ in range(2):
        room.hold(*agreeing, *itself)
    assert room.sidecar()["relationships"] == NONE | {"agrees_with": ["noa"]}


@pytest.mark.requirement("S0-36")
def test_each_decision_adds_one_entry_with_role_position_and_outcome(room):
    room.verbs.start(agents=["ada", "ben", "noa", "eve"])
    first = room.verbs.decide(
        "Sessions live in Redis",
        pro=["ada"],
        contra=["ben"],
        arbitrator="eve",
        positions={"ada": "one store", "noa": "no view"},
    )
    second = room.verbs.decide("Two regions", outcome="rejected", pro=["ada"], contra=["ben"])
    room.verbs.end()
    room.verbs.end()

    assert (first.id, second.id) == ("DR-001", "DR-002")
    keys = ("dr_id", "role", "position", "outcome")
    entries = {
        agent: [tuple(one.values()) for one in room.sidecar(agent)["decision_history"]]
        for agent in ("ada", "ben", "noa", "eve")
    }
    assert entries == {
        "ada": [
            ("DR-001", "proponent", "one store", "won"),
            ("DR-002", "proponent", "for", "lost"),
        ],
        "ben": [
            ("DR-001", "opponent", "against", "lost"),
            ("DR-002", "opponent", "against", "won"),
        ],
        "noa": [
            ("DR-001", "participant", "no view", "accepted"),
            ("DR-002", "participant", "", "rejected"),
        ],
        "eve": [
            ("DR-001", "arbitrator", "", "accepted"),
            ("DR-002", "participant", "", "rejected"),
        ],
    }
    assert all(tuple(one) == keys for one in room.sidecar()["decision_history"])


@pytest.mark.requirement("S0-36")
def test_a_compromise_is_everybodys_and_numbers_go_on(room):
    room.hold({"text": "One"}, {"text": "Two"})
    room.again()
    room.hold({"text": "Three", "outcome": "compromise", "pro": ["ada"], "contra": ["ben"]})
    history = room.sidecar()["decision_history"]
    assert [one["dr_id"] for one in history] == ["DR-001", "DR-002", "DR-003"]
    assert {room.sidecar(one)["decision_history"][-1]["outcome"] for one in ("ada", "ben")} == {
        "compromised"
    }


@pytest.mark.requirement("S0-36")
def test_a_decision_that_is_recorded_again_with_its_id_is_one_entry(room):
    room.hold({"text": "One", "id": "DR-007"}, {"text": "One", "id": "DR-007", "pro": ["ada"]})
    assert [one["outcome"] for one in room.sidecar()["decision_history"]] == ["won"]
    room.hold({"text": "One", "id": "DR-007", "outcome": "rejected"})
    history = room.sidecar()["decision_history"]
    assert [(one["dr_id"], one["outcome"]) for one in history] == [("DR-007", "rejected")]
    assert room.verbs.start(agents=["ada"]) is not None
    assert room.verbs.decide("Next").id == "DR-008"


@pytest.mark.requirement("S0-36")
@pytest.mark.parametrize("parties", [1, 2])
def test_an_id_of_another_decision_is_refused_and_both_decisions_stay(room, parties):
    first, second = "Ship on Mondays", "Host in Frankfurt"
    room.verbs.start(agents=["ada"])
    room.verbs.decide(first, id="DR-007")
    if parties == 2:
        room.verbs.end()
        room.again()
        room.verbs.start(agents=["ada"])
    with pytest.raises(Refused, match=f"DR-007 is the id of another decision: '{first}'"):
        room.verbs.decide(second, id="DR-007")
    assert room.verbs.decide(second).id == "DR-008"
    room.verbs.end()
    assert [one["dr_id"] for one in room.sidecar()["decision_history"]] == ["DR-007", "DR-008"]
    assert list(room.memories()) == [first, second]


@pytest.mark.requirement("S0-36")
def test_an_id_that_only_the_history_knows_is_refused(room):
    entry = {"dr_id": "DR-3", "role": "participant", "position": "", "outcome": "accepted"}
    room.hold(agents=["ada"])
    room.edit("ada", lambda sidecar: sidecar.update(decision_history=[entry]))
    room.verbs.start(agents=["ada"])
    with pytest.raises(Refused, match="DR-3 is the id of another decision"):
        room.verbs.decide("Ship on Mondays", id="DR-3")
    assert room.verbs.decide("Ship on Mondays").id == "DR-004"


def test_a_number_of_signs_can_be_set(room):
    room.settings("agree_at = 1")
    room.hold(("ada", "Yes.", {"to": "noa", "type": "agreement"}))
    assert room.sidecar()["relationships"]["agrees_with"] == ["noa"]
