"""A proposal that the party accepts is a decision, although nobody records or announces one."""

from __future__ import annotations

import pytest

from tests.tables import assert_each

TUESDAYS = ("A", "I propose we roast the beans on Tuesdays.")
BOTH = ("A", "I propose we roast the beans on Tuesdays and drop the summer blend.")
LABELS = ("A", "Let's move the labels to ZPL.")
ACCEPTED = (
    ("We roast the beans on Tuesdays", TUESDAYS, ("B", "Agreed."), ("C", "+1")),
    ("We roast the beans on Tuesdays", TUESDAYS, ("B", "Deal.")),
    ("We roast the beans on Tuesdays", TUESDAYS, ("B", "Agreed."), ("C", "So that's settled.")),
    (
        "We roast the beans on Tuesdays",
        (*TUESDAYS, {"type": "proposal"}),
        ("B", "Agreed.", {"type": "agreement"}),
        ("A", "Great, then that is decided."),
    ),
    ("Let's move the labels to ZPL", LABELS, ("B", "Sounds good, let's do it.")),
    (
        "Let's move the labels to ZPL",
        *(LABELS, ("B", "Why?"), ("A", "The drivers are free."), ("B", "OK, go for it.")),
    ),
    (
        "Let's move the labels to ZPL",
        *(LABELS, ("B", "I disagree, it is slow."), ("A", "Only at first.")),
        *(("B", "OK, I agree then."), ("C", "Works for me.")),
    ),
    (
        "Close on Mondays",
        *(("A", "Shall we close on Mondays?"), ("B", "Yes, agreed."), ("C", "I agree.")),
    ),
    (
        "We should paint the door green",
        *(("A", "We should paint the door green."), ("B", "Good idea."), ("C", "I'm in favour.")),
    ),
    (
        "We roast the beans on Tuesdays and drop the summer blend",
        *(BOTH, ("B", "I agree with you on both."), ("C", "Yes, because they are fresher then.")),
    ),
    (
        "We should pack the beans in paper because plastic splits",
        ("A", "We should pack the beans in paper because plastic splits."),
        *(("B", "Makes sense."), ("C", "Sure, go ahead.")),
    ),
    ("Compromise: every two weeks", ("A", "OK, compromise: every two weeks. Decided.")),
    (
        "It's been decided that receipts are e-mailed by default",
        ("A", "It's been decided that receipts are e-mailed by default."),
    ),
    (
        "Agreed by everyone: no dark mode in version one",
        ("A", "Agreed by everyone: no dark mode in version one."),
    ),
)
EXCHANGED = (  # a choice, what it meets, and the choice that takes its place
    (
        *(["let's go with oak"], ("A", "Let's go with pine shelves.")),
        *(("B", "Pine bends under the jars."), ("A", "True, let's go with oak.")),
    ),
    (
        *(["Let's go with SQLite"], ("A", "Let's go with MySQL for the tills.")),
        ("B", "No, wait, MySQL needs a server in every shop. Let's go with SQLite."),
        *(("A", "Right, SQLite then."), ("C", "Works for me.")),
    ),
    (
        *(["we'll go with the Polish one"], ("A", "We'll go with the Greek bakery.")),
        ("B", "They closed in spring."),
        *(("A", "Oh. Then we'll go with the Polish one."), ("C", "Fine.")),
    ),
    ([], ("A", "Let's go with glass."), ("B", "Wait, what about hail?"), ("A", "Right. Tin then.")),
    (
        *(["Pine it is"], ("A", "Let's go with oak shelves."), ("B", "Oak takes twelve weeks.")),
        *(("C", "We open in four."), ("A", "Good point. Pine it is.")),
    ),
    (
        *(["Let's go with Redis", "let's go with Vue for the till"], ("A", "Let's go with Redis.")),
        *(("B", "Redis is fast."), ("A", "Right, then let's go with Vue for the till.")),
    ),
    (
        *(["Let's go with Redis"], ("A", "Let's go with Redis."), ("B", "It is fast.")),
        ("A", "Right, Redis then."),
    ),
)
NOT_ACCEPTED = (
    (TUESDAYS,),
    (TUESDAYS, ("B", "Agreed.")),
    (TUESDAYS, ("A", "Then that is decided.")),
    (TUESDAYS, ("B", "Agreed."), ("C", "I disagree.")),
    (TUESDAYS, ("B", "No, that won't work."), ("A", "Great, then that is decided.")),
    (TUESDAYS, ("B", "Agreed."), ("C", "Not a fan of this."), ("A", "That's decided then.")),
    (TUESDAYS, ("A", "OK, let's do it if it rains."), ("B", "Let's think about it.")),
    (("A", "Let's take a break."), ("B", "Agreed."), ("C", "Agreed.")),
    (("A", "We should discuss the oven."), ("B", "Agreed."), ("C", "Agreed.")),
    (("A", "If it rains, we should close."), ("B", "Agreed."), ("C", "Agreed.")),
    (("A", "The oven is cold."), ("B", "Agreed."), ("C", "OK, let's do it.")),
    (
        *(TUESDAYS, ("B", "Agreed."), ("C", "I was ill."), ("A", "The oven is cold today.")),
        ("C", "Agreed."),
    ),
    (("A", "It's been decided by the court that he pays."),),
    (BOTH, ("B", "You are right about the beans, but the blend has to stay."), ("C", "Agreed.")),
    (BOTH, ("B", "Agreed."), ("C", "I think you are right about the beans.")),
    (BOTH, ("B", "Agreed, except for the blend."), ("A", "Great, then that is decided.")),
    (BOTH, ("B", "The Tuesday part makes sense."), ("C", "The Tuesday part makes sense.")),
    (TUESDAYS, ("B", "I agree that the oven is old."), ("C", "I agree that the oven is old.")),
)


def decided(room, turns, number):
    """Hold a party of three in a project; return what each keeps as a decision."""
    names = {one: f"{one.lower()}{number}" for one in "ABC"}
    posts = [(names[agent], *said) for agent, *said in turns]
    room.hold(*posts, agents=tuple(names.values()))
    return [
        [text for kind, text, _ in room.kept(one) if kind == "decision"] for one in names.values()
    ]


@pytest.mark.requirement("S0-14", "S0-36")
def test_a_proposal_that_the_party_accepts_is_a_decision_of_all(room):
    def check(row):
        number, (text, *turns) = row
        assert decided(room, turns, number) == [[text]] * 3
        assert len(room.sidecar(f"c{number}")["decision_history"]) == 1

    assert_each(enumerate(ACCEPTED), check)


@pytest.mark.requirement("S0-14")
def test_a_proposal_that_not_all_accept_is_no_decision(room):
    def check(row):
        number, turns = row
        assert decided(room, turns, number) == [[], [], []]

    assert_each(enumerate(NOT_ACCEPTED), check)


@pytest.mark.requirement("S0-14")
def test_a_choice_that_is_exchanged_for_another_is_no_decision(room):
    def check(row):
        number, (texts, *turns) = row
        assert decided(room, turns, number) == [texts] * 3

    assert_each(enumerate(EXCHANGED), check)


@pytest.mark.requirement("S0-14", "S0-36")
def test_a_decision_record_takes_the_place_of_the_proposal_it_adopts(room):
    room.hold(
        ("ada", "I propose we roast the beans on Tuesdays."),
        ("ben", "Agreed."),
        ("noa", "Agreed."),
        {"text": "Beans are roasted on Tuesdays", "pro": ["ada"]},
    )
    assert room.kept("ben") == [("decision", "Beans are roasted on Tuesdays", 1.0)]
    [entry] = room.sidecar("ben")["decision_history"]
    assert entry["dr_id"] == "DR-001"


@pytest.mark.requirement("S0-14", "S0-22")
def test_a_proposal_with_its_reason_that_is_accepted_is_a_decision_of_its_proposer_too(room):
    said = "We should pack the beans in paper because plastic splits"
    room.hold(("ada", f"{said}."), ("ben", "Fine with me."), agents=("ada", "ben"))
    for agent in ("ada", "ben"):
        assert room.kept(agent) == [("decision", said, 1.0)]
