"""Who won a debate, with which argument, and what is no debate at all."""

from __future__ import annotations

import pytest

PROPOSED = ("ada", "I propose Redis for the session cache.")
OPPOSED = ("ben", "I disagree with Ada. Redis loses writes when it restarts.")
ANSWERED = ("ada", "Persistence is on: we ran 50 restarts and nothing was lost.")
ARGUMENT = "Persistence is on: we ran 50 restarts and nothing was lost"
REBUTTAL = "Redis loses writes when it restarts"
DEBATE = (PROPOSED, OPPOSED, ANSWERED)


def observed(room, *turns):
    """Hold a party and return the observations in each sidecar."""
    room.hold(*turns)
    found = {
        agent: [
            (content, sure) for kind, content, sure in room.kept(agent) if kind == "observation"
        ]
        for agent in ("ada", "ben", "noa")
    }
    return {agent: kept for agent, kept in found.items() if kept}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-11", "S0-23")
@pytest.mark.parametrize(
    "concession",
    [
        pytest.param(("ben", "I concede."), id="concede"),
        pytest.param(("ben", "I stand corrected.", {"to": "ada"}), id="corrected"),
        pytest.param(("ben", "Ada is right."), id="right"),
        pytest.param(("ben", "You convinced me, Ada."), id="convinced"),
        pytest.param(("ben", "Fine.", {"type": "concession"}), id="typed"),
    ],
)
def test_a_debate_is_won_when_an_opponent_concedes(room, concession):
    assert observed(room, *DEBATE, concession) == {"ada": [(ARGUMENT, 0.8)]}


@pytest.mark.full_size(sample=1)
@pytest.mark.requirement("S0-11", "S0-23")
@pytest.mark.parametrize(
    ("decision", "winner"),
    [
        pytest.param({"text": "Use Redis for the session cache"}, "ada", id="accepted"),
        pytest.param(
            {"text": "Redis for the session cache, from May", "pro": ["ada"], "contra": ["ben"]},
            "ada",
            id="more-words",
        ),
        pytest.param(
            {"text": "Go in memory", "pro": ["ada"], "contra": ["ben"]}, "ada", id="by-the-sides"
        ),
        pytest.param(
            {"text": "Redis for the session cache", "outcome": "rejected"}, "ben", id="rejected"
        ),
        pytest.param({"text": "No Redis for the session cache"}, "ben", id="denied"),
    ],
)
def test_a_debate_is_won_when_the_decision_takes_a_side(room, decision, winner):
    argument = {"ada": (ARGUMENT, 0.8), "ben": (REBUTTAL, 0.6)}  # ben's was answered
    assert observed(room, *DEBATE, dict(decision)) == {winner: [argument[winner]]}


@pytest.mark.requirement("S0-11", "S0-23")
def test_a_debate_in_everyday_words_is_won_without_any_set_phrase(room):
    proposed = ("ada", "Let's bake the rolls in the morning.")
    answered = ("ben", "I'd bake them in the evening, mornings are busy.")
    argued = ("ada", "Evening rolls are stale by ten, because the crust draws water.")
    talk = (proposed, answered, argued, ("ben", "Fair point, go ahead."))
    won = "Evening rolls are stale by ten, because the crust draws water"
    assert observed(room, *talk) == {"ada": [(won, 0.8)]}


@pytest.mark.requirement("S0-11", "S0-23")
def test_a_proposer_who_admits_the_point_and_settles_for_something_else_has_lost(room):
    proposed = ("ada", "We should write the menu in French.")
    answered = ("ben", "Nobody in the kitchen reads French and the cooks have to check it.")
    conceded = ("ada", "Hmm, that's true. German then.")
    won = "Nobody in the kitchen reads French and the cooks have to check it"
    assert observed(room, proposed, answered, conceded) == {"ben": [(won, 0.8)]}


@pytest.mark.requirement("S0-11")
def test_who_admits_a_point_but_settles_for_nothing_has_not_lost(room):
    proposed = ("ada", "We should write the menu in French.")
    answered = ("ben", "Nobody in the kitchen reads French and the cooks have to check it.")
    for said in ("Hmm, I see.", "True, but guests like it.", "OK, let's discuss it later."):
        assert observed(room, proposed, answered, ("ada", said)) == {}


@pytest.mark.requirement("S0-11")
def test_the_one_who_opposed_wins_when_the_proposer_concedes(room):
    talk = (
        ("ada", "I propose Redis because it is fast."),
        ("ben", "I disagree with Ada: it loses writes on restart."),
        ("ada", "I withdraw my proposal."),
    )
    assert observed(room, *talk) == {"ben": [("it loses writes on restart", 0.8)]}


@pytest.mark.requirement("S0-11")
def test_a_counter_proposal_that_is_taken_wins(room):
    talk = (
        ("ada", "I propose Redis for the session cache because it is fast."),
        ("ben", "I propose Postgres instead because it is already there."),
        {"text": "Use Postgres for the session cache"},
    )
    won = "I propose Postgres instead because it is already there"
    assert observed(room, *talk) == {"ben": [(won, 0.8)]}


@pytest.mark.requirement("S0-11")
def test_types_of_turns_make_a_debate_without_any_phrase(room):
    talk = (
        ("ada", "Redis for sessions", {"type": "proposal"}),
        ("ben", "It forgets on restart", {"type": "rebuttal", "to": "ada"}),
        ("ada", "Not with persistence", {"type": "argument", "to": "ben"}),
        ("ben", "Hm", {"type": "concession"}),
    )
    assert observed(room, *talk) == {"ada": [("Not with persistence", 0.8)]}


@pytest.mark.requirement("S0-23")
def test_a_won_argument_that_was_answered_scores_less(room):
    talk = (
        ("ada", "Redis for sessions", {"type": "proposal"}),
        ("ada", "It is fast", {"type": "argument"}),
        ("ben", "It forgets on restart", {"type": "rebuttal", "to": "ada"}),
        {"text": "Redis for sessions"},
    )
    assert observed(room, *talk) == {"ada": [("It is fast", 0.6)]}


@pytest.mark.requirement("S0-11", "S0-23")
def test_the_argument_to_which_a_proposer_gives_in_wins(room):
    assert observed(room, PROPOSED, OPPOSED, ("ada", "I concede.")) == {"ben": [(REBUTTAL, 0.8)]}


@pytest.mark.requirement("S0-11")
def test_of_two_who_argue_for_one_side_only_the_last_wins(room):
    third = ("noa", "I agree with Ada because Redis also expires the sessions.")
    found = observed(room, *DEBATE, third, ("ben", "I concede."))
    assert found == {"noa": [("Redis also expires the sessions", 0.8)]}


@pytest.mark.requirement("S0-11")
def test_who_only_agrees_has_argued_nothing(room):
    backed = ("noa", "Trees are green. I agree with Ada.")
    assert observed(room, *DEBATE, backed, ("ben", "I concede.")) == {"ada": [(ARGUMENT, 0.8)]}


@pytest.mark.requirement("S0-11")
def test_the_named_proponent_wins_though_another_argued_last(room):
    third = ("noa", "I agree with Ada because Redis also expires the sessions.")
    taken = {"text": "Redis for the session cache", "pro": ["ada"], "contra": ["ben"]}
    assert observed(room, *DEBATE, third, taken) == {"ada": [(ARGUMENT, 0.8)]}


@pytest.mark.requirement("S0-11")
def test_two_debates_are_told_apart(room):
    other = ("noa", "I propose tabs.")
    found = observed(room, *DEBATE, other, ("ben", "I concede.", {"to": "ada"}))
    assert found == {"ada": [(ARGUMENT, 0.8)]}


NO_DEBATE = {
    "no-exchange": (PROPOSED, OPPOSED, ("ben", "I concede.")),
    "no-opposition": (PROPOSED, ("ben", "I concede.")),
    "argued-unopposed": (PROPOSED, ANSWERED, {"text": "Redis for the session cache"}),
    "unopposed": (PROPOSED, {"text": "Redis for the session cache"}),
    "no-proposal": (OPPOSED, ANSWERED, ("ben", "I concede.")),
    "nobody-concedes": DEBATE,
    "refuses": (*DEBATE, ("ben", "I do not concede.")),
    "question": (*DEBATE, ("ben", "Should I concede?")),
    "if": (*DEBATE, ("ben", "If it holds, I concede.")),
    "nothing": (*DEBATE, ("ben", "I concede nothing.")),
    "quoted": (*DEBATE, ("ben", 'He said "I concede".')),
    "but": (*DEBATE, ("ben", "Ada is right, but the cost stays.")),
    "convinced-that": (*DEBATE, ("ben", "I am convinced that it fails.")),
    "bystander": (*DEBATE, ("noa", "I concede.")),
    "told-by-another": (*DEBATE, ("noa", "Ben conceded.")),
    "to-a-bystander": (*DEBATE, ("ben", "Noa is right.")),
    "goes-on": (*DEBATE, ("ben", "I concede."), ("ben", "No: I disagree with Ada after all.")),
    "compromise": (*DEBATE, {"text": "Redis for the session cache", "outcome": "compromise"}),
    "other-decision": (*DEBATE, {"text": "Postgres for the session cache"}),
    "off-the-proposal": (
        PROPOSED,
        ("ben", "I disagree with Ada."),
        ("noa", "Hm."),
        ("ada", "Rain is late because of wind."),
        ("ben", "I concede."),
    ),
}


@pytest.mark.requirement("S0-11")
def test_what_is_no_won_debate_leaves_no_observation(room):
    for name, talk in NO_DEBATE.items():  # one project: each of them leaves nothing
        turns = [dict(turn) if isinstance(turn, dict) else turn for turn in talk]
        assert observed(room, *turns) == {}, name


@pytest.mark.requirement("S0-11")
def test_a_later_decision_undoes_a_concession(room):
    rejected = {"text": "Redis for the session cache", "outcome": "rejected"}
    assert observed(room, *DEBATE, ("ben", "I concede."), rejected) == {"ben": [(REBUTTAL, 0.6)]}


@pytest.mark.requirement("S0-11")
def test_a_decided_debate_is_closed(room):
    accepted = {"text": "Redis for the session cache"}
    rejected = {"text": "Redis for the session cache", "outcome": "rejected"}
    assert observed(room, *DEBATE, accepted, rejected) == {"ada": [(ARGUMENT, 0.8)]}


ENGINE = "Its engine is thirty years old and the spare parts are gone"


@pytest.mark.requirement("S0-11", "S0-23")
@pytest.mark.parametrize(
    ("turns", "winner"),
    [
        pytest.param(
            [
                ("ada", "We should close the reading room, because it is empty in January."),
                ("ben", "The pupils need it, because there is no other warm place."),
                ("noa", "Ben's right, the reading room stays."),
                ("ada", "OK, it stays."),
            ],
            {"ben": [("The pupils need it, because there is no other warm place", 0.8)]},
            id="backed",
        ),
        pytest.param(
            [
                ("ada", "We should buy the old van, since it costs half."),
                ("ben", f"{ENGINE}."),
                ("noa", "I agree with Ben, a new van."),
            ],
            {},
            id="backed-and-open",
        ),
        pytest.param(
            [
                ("ada", "I propose a stock count every week."),
                ("ben", "I disagree. The scales are only lent to us once a month."),
                ("ada", "You're right, monthly then."),
            ],
            {"ben": [("The scales are only lent to us once a month", 0.8)]},
            id="right-then",
        ),
        pytest.param(
            [
                ("ada", "We should close the reading room, because it is empty in January."),
                ("ben", "I disagree, the pupils have no other warm place."),
                ("ada", "Fine, we keep it."),
            ],
            {"ben": [("the pupils have no other warm place", 0.8)]},
            id="short-objection",
        ),
        pytest.param(
            [
                ("ada", "We should store the nets upstairs."),
                ("ben", "The stairs are too narrow, because the rail was moved."),
                ("ada", "Oh, I didn't know that. OK, they stay down here."),
            ],
            {"ben": [("The stairs are too narrow, because the rail was moved", 0.8)]},
            id="did-not-know",
        ),
    ],
)
def test_the_argument_that_is_kept_is_that_of_the_winner(room, turns, winner):
    assert observed(room, *turns) == winner


@pytest.mark.requirement("S0-23")
@pytest.mark.parametrize(
    ("answer", "sure"),
    [
        ("Hmm, that is expensive.", 0.6),
        ("Hmm, I'm not sure.", 0.6),
        ("That sounds risky.", 0.6),
        ("I wonder about the price.", 0.6),
        ("The emulator was fixed in May, so the slot works.", 0.6),
        ("Sure, the depot has two spare ones.", 0.8),
        ("Yes, because the slot jams every day.", 0.8),
        ("What is for lunch?", 0.8),
        ("The menu is on the wall.", 0.8),
    ],
)
def test_an_argument_that_is_doubted_is_not_unchallenged(room, answer, sure):
    said = "We should test with real machines because the emulator ignores the coin slot"
    talk = (("ada", f"{said}."), ("ben", answer), ("noa", "Next topic: the new doors."))
    assert observed(room, *talk) == {"ada": [(said, sure)]}


@pytest.mark.requirement("S0-11")
@pytest.mark.parametrize(
    "later",
    [
        (("ada", "Shall we start the parade at nine?"), ("noa", "Yes, good idea.")),
        (("ada", "I propose coffee at ten."), ("noa", "Fine with me.")),
        (("noa", "We should paint the gate."), ("ada", "Sure.")),
    ],
)
def test_a_won_argument_stays_when_its_winner_agrees_on_another_matter(room, later):
    talk = (
        ("ada", "I propose that we put the tents in the meadow."),
        ("ben", "That won't work, the meadow is under water after every storm."),
        ("ada", "Okay, you've convinced me."),
    )
    won = observed(room, *talk, *later, ("ben", "Agreed."))
    assert won == {"ben": [("That won't work, the meadow is under water after every storm", 0.8)]}


@pytest.mark.requirement("S0-11")
@pytest.mark.parametrize(
    ("proposal", "answer", "way"),
    [
        (
            "We ought to plant the beans now.",
            "The soil still froze last Monday, they'd rot",
            "Hmm, you're right, let's wait until May.",
        ),
        (
            "Shall we put the oven by the pond?",
            "The bank there slides, we lost a bench last autumn",
            "Good point, then by the shed.",
        ),
        (
            "I propose we bake rye bread.",
            "Rye takes two days to rise",
            "Spelt then.",
        ),
    ],
)
def test_an_answer_wins_when_the_proposer_names_something_else(room, proposal, answer, way):
    won = observed(room, ("ada", proposal), ("ben", f"{answer}."), ("ada", way))
    assert won == {"ben": [(answer, 0.8)]}


@pytest.mark.requirement("S0-11")
@pytest.mark.parametrize(
    ("answer", "way"),
    [
        ("The oven has been cleaned twice this week.", "Good. And the tables?"),
        ("The oven has been cleaned twice this week.", "We bake in the hall then."),
        ("The oven has been cleaned twice this week.", "OK, but I still want the hall."),
        ("What does the hall cost?", "Ninety euros then."),
    ],
)
def test_an_answer_wins_nothing_when_the_proposer_keeps_to_the_proposal(room, answer, way):
    assert (
        observed(room, ("ada", "I propose we bake in the hall."), ("ben", answer), ("ada", way))
        == {}
    )


UPSTAIRS = "We should move the archive upstairs because the cellar is damp"


@pytest.mark.requirement("S0-23")
@pytest.mark.parametrize(
    ("said", "answer", "sure"),
    [
        (UPSTAIRS, "And who brings the coffee?", 0.8),
        (UPSTAIRS, "OK. Where is the raffle box?", 0.8),
        (UPSTAIRS, "What about the raffle?", 0.6),
        (UPSTAIRS, "And who carries it?", None),
        (UPSTAIRS, "What about the archive's weight?", None),
        (UPSTAIRS, "And what if it rains in?", None),
        (UPSTAIRS, "Isn't the attic full?", None),
        ("We should move the archive upstairs: the cellar flooded twice", "Noted.", 0.8),
        ("We should lock the shed: the saw was stolen in May", "Okay.", 0.8),
        ("We should buy three things: paint, rope and nails", "Okay.", None),
        ("We should ask two people: Ina and Kurt", "Okay.", None),
        ("We should do this: the baker is asked first", "Okay.", None),
    ],
)
def test_a_question_about_something_else_is_no_challenge_and_a_colon_gives_a_reason(
    room, said, answer, sure
):
    kept = observed(room, ("ada", f"{said}."), ("ben", answer))
    assert kept == ({} if sure is None else {"ada": [(said, sure)]})
