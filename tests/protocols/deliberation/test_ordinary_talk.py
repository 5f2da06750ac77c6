"""Ordinary sentences of a discussion: what they are, and what they only look like."""

from __future__ import annotations

import pytest

import varves as package
from tests.tables import each_row

PLAN = ("ann", "I propose that we store the invoices in the archive bucket")


def heard(*posts, extractor="reader"):
    """Let a memory hear (agent, text) or (agent, text, the message it answers, by its number)."""
    memory = package.ConversationMemory({"extractor": extractor})
    for number, (agent, text, *answers) in enumerate(posts):
        reply = f"m{answers[0]}" if answers else None
        memory.process_message(
            package.Message(agent_id=agent, content=text, id=f"m{number}", reply_to=reply)
        )
    return memory.state


def sides(state, place=0):
    return [(one.agent_id, one.reaction) for one in state.proposals[place].reactions]


# What puts nothing forward

NO_PROPOSALS = """
I disagree that we need a bigger shelf at all.
I disagree that we should rewrite the menu in French.
I agree that we need two cashiers.
I don't agree that we should open on Sundays.
Let's not do that, the last outage took a day.
Let's not use it.
Who can take a look at the invoices?
Who will be at the review on Monday?
It should be merged by the time you are back.
It should be resolved in the next deploy.
They should be done within the hour.
That should take a day or so.
The import should take twenty minutes.
This should cost around 400 euros.
The parcel should arrive on Thursday.
The site should be back up in a minute.
That should help a bit.
That should do it.
Prices should fall in spring.
The mail should have reached them by now.
We have to wait until the bank answers.
We need to leave at five anyway.
We have to be in Berlin on Monday.
Let's take a ten minute break.
Let's have a short coffee break.
Let's take five.
Let's have dinner next week!
Can we see the dashboard?
Could we hear from support first?
Can we look at the last slide again?
Let's give them two more minutes.
How about you, Ben?
What about you and the designers?
What if the server crashes?
What if nobody answers?
What if the vendor goes bankrupt?
What if it rains?
What if we run out of paper?
What if we lose the connection?
The trouble with the form: it has a broken date picker.
We might be late.
We may lose power tonight.
Could be the router.
I'd like to thank the ops team.
It has a long history.
It needs a lot of memory.
The parser should be done soon.
They should have asked the neighbours.
That should be fun.
We need more time.
We could have bought it in May.
We usually have to call them twice.
Have a nice evening, everyone!
Let's pick that up again tomorrow.
Let's vote.
I disagree that we need a bigger disk at all.
I disagree that we should rewrite it in Rust.
I strongly disagree with Ben that we should hire two people.
I agree that we need two reviewers.
I agree we should have a smaller team.
Let's not do that, stale prices got us fined.
We should not accept this.
""".strip().splitlines()
PROPOSALS = """
I agree, but we should ask the printers first.
I disagree with the date and we should take the first of May.
Let's not deploy on Fridays.
Should we also pause the newsletter?
Should we break the interface in v3?
What if we used a queue instead?
What if the cache lived in memory?
What if the default were off?
How about you write the guide and I review it?
Let's walk through the design on Friday.
Let's take the coffee budget from marketing.
The page should load in under a second.
The timeout should be two hours.
It should be fixed before the release.
We have to rotate the keys every month.
This needs a better name.
Can we check the signature before we parse?
Can we see to it that the logs are kept?
We might be stricter.
""".strip().splitlines()


@each_row(("text",), [(text,) for text in NO_PROPOSALS])
def test_what_is_expected_feared_or_asked_as_a_favour_is_no_proposal(text):
    state = heard(("ben", "The archive is full since Monday."), ("eve", text))
    assert (state.proposals, state.decisions) == ((), ())


@each_row(("text",), [(text,) for text in PROPOSALS])
def test_what_should_be_done_is_a_proposal(text):
    state = heard(("ben", "The archive is full since Monday."), ("eve", text))
    assert [one.proposer for one in state.proposals] == ["eve"]


@pytest.mark.requirement("S4-01")
@pytest.mark.parametrize("extractor", ["reader", "published"])
@each_row(
    ("phrase", "idea"),
    [
        ("What if we {}?", "rename the weekly report"),
        ("What if we {}?", "give every team its own key"),
        ("Let's consider: we {}", "close the office on Fridays"),
        ("My suggestion is that we {}", "buy a second printer"),
    ],
)
def test_an_idea_in_the_words_of_an_earlier_one_is_linked_to_it(phrase, idea, extractor):
    state = heard(
        ("ann", f"I propose we {idea}"), ("ben", phrase.format(idea)), extractor=extractor
    )
    first, second = state.proposals
    assert (second.proposer, second.repeats) == ("ben", first.id)


@each_row(
    ("text",),
    [
        ("Should we rename the weekly report?",),
        ("Could we rename the weekly report?",),
        ("Why don't we rename the weekly report?",),
    ],
)
def test_the_reader_links_an_idea_that_is_asked_as_a_question(text):
    state = heard(("ann", "I propose we rename the weekly report"), ("ben", text))
    assert [one.repeats for one in state.proposals] == [None, state.proposals[0].id]


@each_row(
    ("text",),
    [
        ("Great idea: we rename the weekly report.",),
        ('I agree that we rename the weekly report, "weekly" is wrong anyway.',),
    ],
)
def test_who_quotes_an_idea_and_agrees_does_not_propose_it_again(text):
    state = heard(("ann", "I propose we rename the weekly report"), ("ben", text))
    assert len(state.proposals) == 1
    assert sides(state) == [("ben", "support")]


@each_row(
    ("text",),
    [
        ("There's a problem with the bucket: it has a quota of 5 GB",),
        ("I see an issue with the archive: it has no search",),
        ("The bucket is risky, it has a public address",),
    ],
)
def test_an_objection_is_no_proposal(text):
    state = heard(PLAN, ("ben", text))
    assert [one.proposer for one in state.proposals] == ["ann"]
    assert sides(state) == [("ben", "oppose")]


def test_an_objection_may_propose_something_else():
    state = heard(
        PLAN, ("ben", "I disagree with that. I propose a folder for each customer on the disk.")
    )
    assert [one.proposer for one in state.proposals] == ["ann", "ben"]
    assert state.proposals[1].repeats is None


# Offers

OFFERS = """
I'm going to fetch the parcel.
I'm going to take a nap.
I'm going to grab a sandwich.
I'll update the calendar.
I'll send the photos later.
I'll move the invoices on Monday.
I'll ask about the invoices.
I'll look into it.
""".strip().splitlines()
PROMISES = """
I'll phone the bank about the fees.
I'm going to compare two other buckets.
I will read the contract tonight.
I'll note down how many invoices there are.
I'll fetch the price list from the office.
I'll draw up a list of the folders first.
I'm happy to drive there.
I'm going to schedule a visit.
I'm going to cancel the other booking.
I'll write it up tomorrow.
""".strip().splitlines()
TAKEN_UP = """
I'll write it up tomorrow.
I'll write a script.
I am happy to take the action item.
""".strip().splitlines()


@each_row(("text",), [(text,) for text in OFFERS])
def test_who_offers_what_nobody_spoke_of_decides_nothing(text):
    assert heard(PLAN, ("ben", text)).decisions == ()


@each_row(("text",), [(text,) for text in TAKEN_UP])
def test_who_takes_on_what_was_proposed_decides(text):
    assert len(heard(PLAN, ("ben", text)).decisions) == 1


@each_row(("text",), [(text,) for text in PROMISES])
def test_a_promise_in_answer_to_a_proposal_decides_nothing(text):
    state = heard(PLAN, ("ben", "I disagree, the bucket is full."), ("eve", text, 0))
    assert state.decisions == ()
    assert state.proposals[0].status == "active"


def test_a_promise_after_a_decision_leaves_the_decision():
    state = heard(PLAN, ("eve", "Let's go with that. I'll write to the bank tonight.", 0))
    assert [one.outcome for one in state.decisions] == [PLAN[1].removeprefix("I propose that ")]
    assert state.proposals[0].status == "accepted"


def test_the_topic_of_a_task_taken_on_is_what_was_proposed():
    state = heard(PLAN, ("ben", "I'll write it up tomorrow, with a table of the costs."))
    assert [one.topic for one in state.decisions] == ["invoices"]


@each_row(
    ("text",),
    [
        ("I wish we decided things earlier.",),
        ("The final decision is up to the board.",),
        ("We've agreed to disagree.",),
    ],
)
def test_what_is_wished_or_left_open_is_no_decision(text):
    assert heard(("ben", text)).decisions == ()


# Sides

SIDES = {
    "could-not-more": ("I couldn't agree more.", "support"),
    "could-not-more-with": ("I could not agree more with Ann.", "support"),
    "cannot-enough": ("I can't agree enough with that.", "support"),
    "said-better": ("Couldn't have said it better.", "support"),
    "could-not-disagree-more": ("I couldn't disagree more.", "oppose"),
    "more-opposed": ("I couldn't be more opposed.", "oppose"),
    "could-not": ("I couldn't agree to that.", "oppose"),
    "cannot": ("I can't agree with it.", "oppose"),
    "not-disagree": ("I don't disagree.", "support"),
}


@each_row(("text", "side"), SIDES.values())
def test_a_negation_that_strengthens_does_not_reverse(text, side):
    assert sides(heard(PLAN, ("ben", text))) == [("ben", side)]


PIANO = ("ann", "I propose we buy a second-hand piano for the rehearsal room")
OF_ANOTHER_THING = """
I disagree with the author of that book.
I agree the soup was too salty yesterday.
I agree that the concert was lovely.
I agree that Tom should get some rest.
I disagree with my brother about football.
I disagree that the summer was hot.
I agree with the newspaper on the election.
I agree that Nina sings beautifully.
I don't agree with the mayor about the bridge.
I agree with what you said about the holidays.
""".strip().splitlines()
OF_IT = """
I agree.
I totally agree.
I agree with you.
I agree with Ann.
I agree with Ann's point about the noise.
I agree with what Ann said.
I agree with the whole idea.
I agree that the piano would help.
I agree, the room is big enough.
I agree that we should do it this spring.
I agree on the budget.
I agree, it's about time.
""".strip().splitlines()


@each_row(("text",), [(text,) for text in OF_ANOTHER_THING])
def test_who_agrees_about_another_thing_does_not_react(text):
    assert sides(heard(PIANO, ("ben", text))) == []
    assert len(sides(heard(PIANO, ("ben", text, 0)))) == 1  # an answer is a reaction


@each_row(("text",), [(text,) for text in OF_IT])
def test_who_agrees_with_the_proposal_reacts_without_a_reference(text):
    assert sides(heard(PIANO, ("ben", text))) == [("ben", "support")]


def test_the_published_extractor_takes_no_side_from_could_not_agree_more():
    told = "I couldn't agree more: we store the invoices in the archive bucket"
    assert sides(heard(PLAN, ("ben", told), extractor="published")) == [("ben", "neutral")]


QUESTIONS = """
What does it cost?
What would it cost us?
How long will it take?
Who pays for the bucket until then?
Where does it break today?
What happens to the old invoices?
Which invoices do we mean?
""".strip().splitlines()
DOUBTS = """
Isn't that too expensive?
Where would we keep them, it breaks every link.
Why would we do that, it costs too much.
""".strip().splitlines()


@each_row(
    ("text", "side"), [*((q, "neutral") for q in QUESTIONS), *((d, "oppose") for d in DOUBTS)]
)
def test_a_question_that_only_asks_takes_no_side(text, side):
    quoting = f'On "{PLAN[1].removeprefix("I propose that ")}": {text[0].lower()}{text[1:]}'
    assert sides(heard(PLAN, ("ben", text))) in ([("ben", side)], [])
    assert sides(heard(PLAN, ("ben", quoting))) == [("ben", side)]


# Answers to messages about other things

FACT = ("eve", "The coffee machine leaks since Tuesday.")


@each_row(
    ("text",),
    [("I agree, I saw that too.",), ("Great idea to mention it.",), ("+1",), ("I disagree.",)],
)
def test_an_answer_to_something_else_is_no_reaction(text):
    decided = ("cat", "Final decision on the party: Friday at six")
    assert sides(heard(PLAN, FACT, ("ben", text, 1))) == []
    [only] = heard(FACT, decided, ("ben", text, 0)).decisions
    assert only.supporting_agents == ("cat",)


def test_an_answer_to_a_comment_on_a_proposal_is_a_reaction_to_it():
    comment = ("eve", "The bucket would also be cheaper.")
    assert sides(heard(PLAN, comment, ("ben", "I agree.", 1))) == [("ben", "support")]
    chained = heard(PLAN, ("eve", "Why there?", 0), ("ben", "I agree.", 1))
    assert sides(chained) == [("eve", "neutral"), ("ben", "support")]


def test_who_withdraws_a_suggestion_makes_none():
    state = heard(PLAN, ("eve", "What if we used the disk?"), ("eve", "I withdraw my suggestion."))
    assert [one.proposer for one in state.proposals] == ["ann", "eve"]


def test_a_decision_for_another_thing_on_the_same_matter_does_not_accept_a_proposal():
    plan = ("ann", "I propose that each new shop gets a guard")
    state = heard(plan, ("ben", "Final decision on guards: a camera for each new shop."))
    assert [one.status for one in state.proposals] == ["active"]


def test_an_answer_to_one_proposal_is_no_reaction_to_the_next():
    other = ("eve", "I propose that we repair the coffee machine")
    state = heard(PLAN, other, ("ben", "I agree, the disk is full.", 0))
    assert (sides(state, 0), sides(state, 1)) == ([("ben", "support")], [])


# Topics, and what a decision settles

TOPICS = {
    "duration": ("We decided to keep the old printer on for a month", "old printer"),
    "weeks": ("We've agreed to watch the disk for another two weeks", "disk"),
    "while": ("We decided to delay the launch for a while", "launch"),
    "hyphen": ("We've agreed to use feature-based billing.", "feature-based billing"),
    "last-word": ("We decided to raise the speed limit", "speed limit"),
    "particle": ("We decided to roll back the driver", "driver"),
    "quarter": ("We agreed on a hiring freeze for the rest of the year", "a hiring freeze"),
}


@each_row(("text", "topic"), TOPICS.values())
def test_a_topic_names_a_thing_and_not_a_time(text, topic):
    assert [one.topic for one in heard(("ann", text)).decisions] == [topic]


def test_a_decision_has_the_topic_that_its_sentence_names_and_not_that_of_the_proposal():
    plan = ("ann", "I propose that we compress the log files asynchronously and move them weekly")
    state = heard(plan, ("ben", "Great, we've decided on async log compression then."))
    assert [one.topic for one in state.decisions] == ["async log compression"]


SETTLED = (
    (
        "put the parcels of the north into their own van and drive weekly",
        "Let's go with the weekly van for the parcels",
    ),
    (
        "move the login check to the gateway rather than every service",
        "Final decision: the login check goes to the gateway",
    ),
    ("render the charts asynchronously and cache them", "We decided on async charts"),
)
NOT_SETTLED = (
    (
        "move the login check to the gateway",
        "We decided to keep the login check out of the gateway",
    ),
    ("move the login check to the gateway", "We decided to measure the login check first"),
    ("drop v1 in May, raise the prices and close the old forum", "We decided to raise the prices"),
)


@each_row(("plan", "text"), SETTLED)
def test_a_decision_in_the_words_of_a_proposal_accepts_it(plan, text):
    state = heard(("ann", f"I propose that we {plan}"), ("ben", text))
    assert [one.status for one in state.proposals] == ["accepted"]


@each_row(("plan", "text"), NOT_SETTLED)
def test_a_decision_for_something_else_or_a_small_part_does_not_accept_it(plan, text):
    state = heard(("ann", f"I propose that we {plan}"), ("ben", text))
    assert "accepted" not in [one.status for one in state.proposals]


def test_a_topic_that_is_given_later_names_the_decision():
    posts = (
        ("ann", "We've agreed to use diesel vans."),
        ("ben", "Final decision on the fleet: diesel vans."),
    )
    [only] = heard(*posts).decisions
    assert (only.topic, only.supporting_agents) == ("the fleet", ("ann", "ben"))
    first, second = heard(*posts, ("eve", "Final decision on the fleet: electric vans.")).decisions
    assert second.replaces == first.id


def test_the_same_outcome_for_two_matters_is_two_decisions():
    state = heard(
        ("ann", "Final decision on lunch: soup from Mario"),
        ("ben", "Final decision on dinner: soup from Mario"),
    )
    assert [one.topic for one in state.decisions] == ["lunch", "dinner"]


# Summaries


def summary(*posts):
    memory = package.ConversationMemory()
    for number, (agent, text, *answers) in enumerate(posts):
        reply = f"m{answers[0]}" if answers else None
        memory.process_message(
            package.Message(agent_id=agent, content=text, id=f"m{number}", reply_to=reply)
        )
    [made] = memory.summarise(rest=True)
    return made.content


@each_row(("answers",), [((0, 2, 2),), ((None, None, None),)])
def test_an_objection_is_listed_under_the_proposal_it_was_made_to(answers):
    """Also if its speaker came round later."""
    replies = [() if one is None else (one,) for one in answers]
    told = summary(
        ("ann", "I propose that we move the stock list to the tablet"),
        ("ben", "I disagree, the tablet breaks twice a year.", *replies[0]),
        ("eve", "I propose that the night shift counts the crates"),
        ("ben", "I disagree, the night shift has two people.", *replies[1]),
        ("eve", "Counting the crates takes ten minutes."),
        ("ben", "I agree, then the night shift can do it.", *replies[2]),
    )
    lines = [line for line in told.splitlines() if line.startswith("- ben: I disagree")]
    assert [line.rpartition('" by ')[2] for line in lines] == ["ann)", "eve)"]
    assert '(on "night shift" by eve)' in lines[1]


def test_a_single_word_long_after_an_objection_is_no_agreement_in_a_summary():
    told = summary(
        ("ann", "I propose that we move the stock list to the tablet"),
        ("ben", "I disagree, the tablet breaks twice a year.", 0),
        ("eve", "The crates from Oslo arrived this morning at six."),
        ("ben", "Good", 2),
    )
    assert "ben: Good" not in told
    assert "- ben: I disagree" in told


@each_row(
    ("question",),
    [
        ("Should we also pause the newsletter?",),
        ("Who owns crate 77 in the north hall?",),
        ("When does the crate from Oslo arrive?",),
    ],
)
def test_a_question_that_nobody_answered_is_open(question):
    told = summary(
        ("ann", "I propose that the night shift counts the crates"),
        ("eve", question),
        ("ben", "Another crate in the north hall is broken, and the newsletter has a typo."),
        ("ben", "The crate from Oslo is blue."),
    )
    assert f"[eve] {question}" in told.partition("Open questions:")[2]


@each_row(
    ("question", "answer"),
    [
        ("Who owns crate 77 in the north hall?", "Crate 77 belongs to me."),
        ("When does the crate from Oslo arrive?", "The Oslo crate comes on Monday."),
        ("How many crates are broken?", "Three crates are broken."),
    ],
)
def test_a_question_that_was_answered_is_not_open(question, answer):
    told = summary(("eve", question), ("ann", "The hall was painted in spring."), ("ben", answer))
    assert question not in told.partition("Open questions:")[2]


@each_row(
    ("plan", "words"),
    [
        ("we roll back the driver to 3.1", "we roll back the driver to 3.1"),
        ("we free space on the north wall", "we free space on the north wall"),
    ],
)
def test_a_proposal_is_named_by_words_that_keep_its_meaning(plan, words):
    told = summary(("ann", f"I propose that {plan}"), ("ben", "I agree, it is the only way."))
    assert f'(on "{words}" by ann)' in told
