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
    (
        "We replace the rope in spring",
        *(("A", "I'd say we replace the rope in spring."), ("B", "Works for me.")),
        ("A", "Then it's done: the rope."),
        ("C", "Yes."),
    ),
    (
        "Paint the fence green",
        *(("A", "Could we paint the fence green?"), ("B", "Green is fine with me.")),
        *(("C", "Same here."), ("A", "Done, the fence will be green.")),
    ),
    ("Close on Mondays", ("A", "Shall we close on Mondays?"), ("B", "Yes."), ("C", "Right.")),
    (
        "We're agreed on the brick oven",
        *(("A", "So we're agreed on the brick oven, yes?"), ("B", "Yes."), ("C", "Yes, agreed.")),
    ),
    (
        "Everybody agrees on Thursday for the delivery",
        ("A", "Everybody agrees on Thursday for the delivery, yes?"),
        *(("B", "Yep."), ("C", "Yes, Thursday.")),
    ),
    (
        "closing at six is settled",
        *(("A", "I'd suggest we close at six."), ("B", "Six works for me.")),
        ("A", "Good, so closing at six is settled."),
    ),
    (
        "option 2 it is: the trailer",
        *(("A", "Option 1 is a van, option 2 is a trailer."), ("B", "Option 2."), ("C", "2.")),
        ("A", "Then option 2 it is: the trailer."),
    ),
    (
        "Two to one, the wooden floor wins",
        *(("A", "Who is in favour of the wooden floor?"), ("B", "Me."), ("C", "Not me.")),
        ("A", "Two to one, the wooden floor wins."),
    ),
    (
        "Unanimous, the fair moves to May",
        *(("A", "All for moving the fair to May?"), ("B", "Aye."), ("C", "Aye.")),
        ("A", "Unanimous, the fair moves to May."),
    ),
    ("We settle on metric units", ("A", "We settle on metric units.")),
    ("the choice is made: glass bottles", ("A", "Then the choice is made: glass bottles.")),
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
    (("A", "So we're agreed on the oven, right?"), ("B", "No, I still want gas."), ("C", "Yes.")),
    (("A", "So we're agreed on the oven, right?"), ("B", "Yes."), ("C", "I'm not, gas is cheap.")),
    (("A", "So we're agreed that it is a mess, right?"), ("B", "Yes."), ("C", "Yes.")),
    (("A", "We all agree to meet again, right?"), ("B", "Yes."), ("C", "Yes.")),
    (("A", "I'd say we lost a day."), ("B", "Yes."), ("C", "Agreed.")),
    (("A", "Shall we close on Mondays?"), ("B", "Yes."), ("C", "Never.")),
    (("A", "Is shipping on Friday decided?"), ("B", "I think so.")),
    (("A", "So shipping on Friday is not decided."), ("B", "Right.")),
    (("A", "So the date of the fair is decided."), ("B", "When is it?")),
    (("A", "Two to one, the visitors won yesterday."), ("B", "Great match.")),
    (("A", "The cheapest bid always wins."), ("B", "True.")),
    (("A", "We settle on the sofa every evening."), ("B", "Nice.")),
    (("A", "Option 1 is a van, option 2 is a trailer."), ("B", "Option 2."), ("C", "Option 1.")),
)
REPLACED = (
    (
        "Friday then (first proposal: We hold the rehearsal on Wednesday)",
        *(("A", "I suggest we hold the rehearsal on Wednesday."), ("B", "Hmm, Wednesday again?")),
        *(("A", "OK, Friday then."), ("B", "Deal."), ("C", "Agreed.")),
    ),
    (
        "The train (first proposal: Let's take the bus to Graz)",
        *(("A", "Let's take the bus to Graz."), ("B", "That takes ages.")),
        *(("A", "Okay, the train."), ("B", "Great, let's do it.")),
    ),
    (
        "Huber (first proposal: We should rent the tent from Lang)",
        *(("A", "We should rent the tent from Lang."), ("B", "Lang raised their prices again.")),
        *(("A", "Then Huber."), ("B", "Yes, agreed."), ("C", "Agreed.")),
    ),
    (
        "A used one (first proposal: Buy a new projector)",
        *(("A", "How about we buy a new projector?"), ("B", "Isn't that a lot of money?")),
        *(("A", "Then a used one."), ("B", "Sounds good."), ("C", "Fine with me.")),
    ),
    (
        "Let's do pasta then (first proposal: Pizza for the volunteers)",
        *(("A", "I propose pizza for the volunteers."), ("B", "We had pizza last year.")),
        *(("A", "Let's do pasta then."), ("B", "Good idea."), ("C", "Good idea.")),
    ),
    (
        "Linen for the cushions",
        *(("A", "I suggest wool for the cushions."), ("B", "Wool itches.")),
        *(("A", "I suggest linen for the cushions."), ("B", "Yes."), ("C", "Agreed.")),
    ),
)
"""What somebody names instead of a plan that was answered, and not accepted, is decided."""
STANDING = (
    (
        "We replace the rope in spring",
        *(("A", "I propose we replace the rope in spring."), ("B", "How much is it?")),
        *(("A", "Forty euros."), ("B", "OK, agreed."), ("C", "Agreed.")),
    ),
    (
        "Let's repaint the boat",
        *(("A", "Let's repaint the boat."), ("B", "Which colour?")),
        *(("A", "White, then."), ("B", "Agreed."), ("C", "Agreed.")),
    ),
    (
        "We plant apples",
        *(("A", "I suggest we plant apples."), ("B", "Not pears?")),
        *(("A", "No, apples, they keep longer."), ("B", "OK, agreed."), ("C", "Agreed.")),
    ),
    (
        "the fee stays at 20 euros",
        *(("A", "Decision: the fee stays at 20 euros. Any questions?"), ("B", "No, thanks.")),
        *(("A", "Next point: the roof. Wait, where is my list?"), ("C", "Here.")),
    ),
    (
        "We hire the big tent",
        *(("A", "I propose we hire the big tent."), ("B", "Good. And the chairs?")),
        *(("A", "The chairs from the church."), ("B", "Agreed."), ("C", "Agreed.")),
    ),
    (
        "We feed the goats at six",
        *(("A", "I propose we feed the goats at six."), ("B", "Agreed."), ("C", "Agreed.")),
        *(("A", "Never mind the rain."), ("B", "Ha.")),
    ),
)
"""Plans that stand although somebody asks about them or goes on to something else."""
DROPPED = (
    (
        *(("A", "Decision: we cancel the raffle."), ("B", "No, wait, the prizes are bought.")),
        ("A", "Oh, then forget it."),
    ),
    (
        *(("A", "Let's drop the newsletter."), ("B", "Agreed."), ("C", "Agreed.")),
        *(("A", "Actually, no, let's keep it."), ("B", "Fine, we keep it.")),
    ),
    (
        *(("A", "Let's paint the gate red."), ("B", "Agreed."), ("C", "Agreed.")),
        *(("A", "Hm, on second thought let's paint it blue."), ("B", "Fine with me.")),
    ),
    (
        *(("A", "We decided to meet at the station."), ("B", "No, at the library.")),
        ("A", "Right, at the library."),
    ),
    (
        *(("A", "I propose we hire a clown."), ("B", "Good idea."), ("C", "Good idea.")),
        ("A", "Hmm, scrap that, kids are afraid of clowns."),
    ),
    (
        *(("A", "We should sell the van."), ("B", "Agreed."), ("C", "Agreed.")),
        ("A", "On reflection, we still need it for the harvest."),
    ),
    (
        *(("A", "Let's move the concert to May."), ("B", "Sure."), ("C", "Sure.")),
        ("B", "Sorry, I take that back. The church is taken in May."),
    ),
    (
        *(("A", "I suggest eight."), ("B", "Eight is too early for me."), ("A", "Nine?")),
        ("B", "Nine is perfect."),
    ),
    (("A", "We should decide that next week."), ("B", "Yes."), ("C", "Yes.")),
)
"""Plans that somebody calls off in the same talk."""


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


@pytest.mark.requirement("S0-14")
def test_what_is_named_instead_of_a_plan_is_the_decision(room):
    def check(row):
        number, (text, *turns) = row
        assert decided(room, turns, number) == [[text]] * 3

    assert_each(enumerate(REPLACED), check)


@pytest.mark.requirement("S0-14")
def test_a_question_about_a_plan_does_not_replace_it(room):
    def check(row):
        number, (text, *turns) = row
        assert decided(room, turns, number) == [[text]] * 3

    assert_each(enumerate(STANDING), check)


@pytest.mark.requirement("S0-14")
def test_a_plan_that_is_called_off_is_no_decision(room):
    def check(row):
        number, turns = row
        assert decided(room, turns, number) == [[], [], []]

    assert_each(enumerate(DROPPED), check)


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
