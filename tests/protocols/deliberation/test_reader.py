"""What the reader makes of a message: acts, not words."""

from __future__ import annotations

from typing import Any

import varves
from tests.tables import each_row

WAIT = ("zed", "What about waiting for one release?")
GOOD = ("ann", "Sounds good.")
GUIDE = ("zed", "Who can write the guide for the move?")
ASKED = ("zed", "Ben, could you review it?")
IDLE = ("ann", "The build took long today.")
CHECK = ("zed", "We should check the names on each build.")


def heard(*posts: tuple[str, ...], extractor: str = "reader") -> Any:
    """Let a memory hear messages, each (agent, text) or so with the message it answers."""
    memory = varves.ConversationMemory({"extractor": extractor})
    for number, (agent, text, *answered) in enumerate(posts):
        reply = answered[0] if answered else None
        memory.process_message(
            varves.Message(agent_id=agent, content=text, id=f"m{number}", reply_to=reply)
        )
    return memory.state


def by_ben(state: Any) -> tuple[bool, bool]:
    """Tell whether Ben decided, and whether he proposed."""
    decided = any("ben" in one.supporting_agents for one in state.decisions)
    return decided, any(one.proposer == "ben" for one in state.proposals)


DECISIONS = {
    "closing": (WAIT, "Ok, closing this, the other one covers it."),
    "starting": (WAIT, "I'm starting the vote now"),
    "going-to-close": (WAIT, "I'm going to close this issue."),
    "summed-up": (WAIT, "So we go with 30 days and look again in June."),
    "then": (WAIT, "Let's close it then."),
    "headed": (WAIT, "Decision: wait one release."),
    "agreed": (WAIT, "We agreed to wait one release."),
    "consensus": (WAIT, "So the consensus is that we wait."),
    "takes-on": (GUIDE, "I can do that!"),
    "takes-on-will": (GUIDE, "I'll write it this week."),
    "takes-on-yes": (ASKED, "yes"),
    "so-we": (WAIT, "So we should write a note for the users."),
    "takes-role": (
        ("zed", "We could have Ben as the liaison."),
        "Sure, I'd want to be the liaison",
    ),
    "tag": (IDLE, "[DECISION] we ship"),
    "go-with": (WAIT, "Then we go with one release and warn until then."),
    "so-we-do": (WAIT, "Great, so we order the disk on Monday."),
    "will-not": (WAIT, "We won't drop the parser for now, we look at it again in May."),
    "vote-for-and-against": (WAIT, "Let's vote. Six in favour, two against: the door is blue."),
    "vote-was": (WAIT, "The vote was five to two: the door stays white."),
    "body-voted": (WAIT, "The members voted 12 to 3 to keep the door white."),
    "body-approved": (IDLE, "The council has approved the money for the door."),
    "carried": (IDLE, "The motion is carried."),
}
NO_DECISIONS = {
    "past": (WAIT, "We closed that one last year."),
    "past-decided": (WAIT, "We decided it pre-1.0 but in an ad-hoc way."),
    "past-month": (WAIT, "We decided in May that it stays."),
    "already": (IDLE, "We had already decided that."),
    "question": (WAIT, "Have we agreed on anything?"),
    "not-yet": (WAIT, "We have not decided yet."),
    "others": (IDLE, "They decided to leave early."),
    "if": (IDLE, "If we've agreed on this, tell Eve."),
    "quoted": (IDLE, 'In bold: "we agreed to ship", in blue: the price.'),
    "quoted-line": (IDLE, "> We agreed to ship.\n\nWho wrote this?"),
    "code": (IDLE, "See:\n```\n# we decided to ship\n```\nThat is odd."),
    "plan": (IDLE, "I plan to review it."),
    "some-day": (IDLE, "If nobody minds I might look at it some day."),
    "unasked": (IDLE, "I can write a bit of German."),
    "sees": (IDLE, "We will see what happens."),
    "state": (IDLE, "The owner is Eve."),
    "bare": (WAIT, "Agreed."),
    "chore": (("zed", "Ben, did you order the chairs?"), "Not yet, I'll do that on Friday."),
    "chore-no": (("zed", "Ben, did you order the chairs?"), "No, I will call them tomorrow."),
    "assents": (WAIT, "Yes, let's do that."),
    "first-supporter": (WAIT, "Let's do it!"),
    "begins": (WAIT, "Then let's start with the first item."),
    "comes-back": (WAIT, "We will come back to that next month."),
    "break": (WAIT, "Good, then we take a break."),
    "not-approved": (IDLE, "The board has not approved the money yet."),
    "habit": (WAIT, "So we wait for the carrier every morning."),
    "will-not-know": (WAIT, "We won't know before Friday."),
    "promise": (ASKED, "Yep, will do."),
    "done": (ASKED, "Done."),
    "sure-done": (("zed", "Ben, can you post the notes?"), "Sure, posted."),
    "errand": (("zed", "Please send me the file."), "I'll do it."),
    "plain-plan": (WAIT, "Noted, the sea is rough. I will write down the tides this afternoon."),
    "promise-besides": (WAIT, "Agreed on my side, and I will bring the tape."),
    "after-another-point": (WAIT, "Tuesday, then. I will write the letter so that it is short."),
    "after-a-consent": (("zed", "Please do."), "I will write down the temperatures every hour."),
    "feeling": (WAIT, "I'll miss the old one."),
    "gerund-subject": (WAIT, "Shipping has outages at night, always when I am on call."),
    "gerund-noun": (WAIT, "Opening hours are nine to five."),
    "dinner": (WAIT, "Let's have dinner next week!"),
    "counts": (WAIT, "Four people are for it, two are undecided."),
}


@each_row(("before", "text"), DECISIONS.values())
def test_who_settles_something_here_and_now_decides(before, text):
    assert by_ben(heard(before, ("ben", text)))[0]


@each_row(("before", "text"), NO_DECISIONS.values())
def test_reports_questions_guesses_and_quotes_are_no_decision(before, text):
    assert not by_ben(heard(before, ("ben", text)))[0]


def test_a_let_us_closes_what_was_agreed_to_and_opens_what_was_not():
    text = "Let's wait one release and look again."

    assert by_ben(heard(WAIT, GOOD, ("ben", text))) == (True, False)
    assert by_ben(heard(IDLE, ("ben", "Let's ask the users."))) == (False, True)


PROPOSALS = {
    "should": "We should write a page on it.",
    "should-question": "Should I just open an issue?",
    "could": "Could we split it?",
    "could-wait": "Could wait until someone needs it.",
    "can": "We can also keep both.",
    "what-about": "What about keeping both?",
    "object": "Would anyone object to closing it?",
    "see-first": "I'd want to see an owner first.",
    "like": "I'd like a table in the report.",
    "person": "Ben, have you time to send a patch?",
    "instead": "Or a warning instead, right?",
    "wants-to": "It wants to live in the metadata.",
    "imagine": "I imagine the rules would depend on the setting.",
    "thinking": "I was thinking we should write it down.",
    "worth": "It might be worth asking the users.",
    "why-not": "Why don't we ask the users?",
    "task-for": "Eve should own it.",
    "short-question": "Design meeting?",
    "machine": "Let's get a coffee machine.",
    "start-small": "Shall we start with a small release?",
    "review": "Ben, could you review it?",
    "patch": "Could you send a patch?",
    "do": "Please do the dishes.",
    "think-can": "I think that we can wait.",
    "hold-off": "I just think we should hold off on the release.",
}
NO_PROPOSALS = {
    "information": "Is this in the report?",
    "where": "Where are the docs?",
    "report": "Carl proposed to drop it.",
    "suggested": "Carl suggested that we should drop it.",
    "wants": "Ann wants another keyword.",
    "latest": "The latest idea is a keyword.",
    "wish": "It'd be nice to have that.",
    "wish-if": "Would be lovely if builds were faster.",
    "behaviour": "That would be an error.",
    "expected": "The test should pass on Linux.",
    "workaround": "You could write it as a loop.",
    "seen": "We can see the logs in the console.",
    "what-about-you": "What about you?",
    "hear": "Can you hear me?",
    "whether": "He is looking into whether we can avoid it.",
    "short-doubt": "Probably yes?",
    "favour": "Can you send me the file?",
    "favour-please": "Please mute yourself.",
    "favour-anyone": "Could anybody tell me the password?",
    "lunch": "Let's grab lunch.",
    "coffee": "Coffee, anyone?",
    "start": "Shall we start?",
    "wait-for": "Should we wait for Tom?",
    "break": "Let's take a break.",
    "screen": "Shall I share my screen?",
    "consent": "Please do.",
    "consent-more": "Yes, please go ahead.",
    "consent-now": "Please do that now!",
    "the-most-we-can": "Half a day is the most that we can explain.",
    "owned": "Then we have an owner for everything.",
    "refill": "Btw can someone refill the paper?",
}


@each_row("text", PROPOSALS.values())
def test_who_puts_a_course_of_action_forward_proposes(text):
    assert by_ben(heard(IDLE, ("ben", text))) == (False, True)


@each_row("text", NO_PROPOSALS.values())
def test_who_asks_for_facts_reports_or_wishes_proposes_nothing(text):
    assert by_ben(heard(IDLE, ("ben", text))) == (False, False)


SIDES = {
    "agreed": ("Agreed.", "support"),
    "plus": ("+1", "support"),
    "short": ("sg", "support"),
    "like": ("I like this.", "support"),
    "lean": ("I lean towards it.", "support"),
    "no-objection": ("No objection to starting the vote.", "support"),
    "no-problem": ("I have no problem with waiting.", "support"),
    "not-disagree": ("I don't disagree.", "support"),
    "no-reason": ("I can't think of a reason not to.", "support"),
    "seems-right": ("Yes, waiting seems right to me.", "support"),
    "turned": ("I was skeptical but I'm on board now.", "support"),
    "disagree": ("I disagree", "oppose"),
    "not-agree": ("I don't really agree.", "oppose"),
    "not-sure": ("I'm not sure that waiting is good.", "oppose"),
    "not-convinced": ("I'm not convinced.", "oppose"),
    "lean-negative": ("I lean negative.", "oppose"),
    "breaks": ("That breaks everyone on 1.x.", "oppose"),
    "concern": ("My concern is the deadline.", "oppose"),
    "but": ("But the deadline is in May.", "oppose"),
    "yes-and": ("Yes, and it would save us a week.", "support"),
    "value": ("I do see value in waiting.", "support"),
    "against-a-thing": ("I posted it against the main repository.", None),
    "others-dislike": ("The parser does not like it.", None),
    "yes-but": ("Right, but then users lose a month.", "oppose"),
    "rather-not": ("I'd rather not wait.", "oppose"),
    "both": ("I like the idea, but I'm worried about the cost.", "oppose"),
    "agrees-that": ("I agree with the note that it would be a shame.", "support"),
    "fact": ("Yes, it compiles.", None),
    "sees": ("I see.", None),
    "asks": ("Agreed?", None),
    "asks-you": ("Do you agree?", None),
    "if": ("If you agree, say so.", None),
    "report": ("Carl dislikes it.", None),
    "quoted": ('"I agree", it reads on the door.', None),
    "reported": ("Carl said I agree too often.", None),
    "undecided": ("I don't know yet.", None),
    "understands": ("I understand the argument.", None),
}


@each_row(("text", "side"), SIDES.values())
def test_a_side_is_taken_of_the_open_proposal_without_a_quote(text, side):
    taken = heard(WAIT, ("ben", text)).proposals[0].reactions

    assert [(one.agent_id, one.reaction) for one in taken] == ([("ben", side)] if side else [])


def test_a_cost_is_an_objection_only_where_something_is_on_the_table():
    text = "Isn't that hard to check?"

    assert heard(CHECK, ("ben", text)).proposals[0].reactions[0].reaction == "oppose"
    assert heard(IDLE, ("ben", text)).agent_states["ben"].last_position == ""


def test_of_two_proposals_the_one_is_meant_that_fits_or_whose_proposer_is_named():
    open_ones = (
        ("zed", "We should paint the door green."),
        ("ann", "We should sell the old printer."),
    )
    fits = heard(*open_ones, ("ben", "I like the green door."))
    named = heard(*open_ones, ("ben", "I agree with zed."))
    nearest = heard(*open_ones, ("ben", "I agree."))
    answered = heard(*open_ones, ("ben", "I agree.", "m0"))

    counts = [[len(one.reactions) for one in s.proposals] for s in (fits, named, nearest, answered)]
    assert counts == [[1, 0], [1, 0], [0, 1], [1, 0]]


def test_a_proposal_that_lies_far_back_is_not_meant():
    talk = [("ann", f"The build took {number} minutes.") for number in range(7)]

    assert heard(WAIT, *talk, ("ben", "I agree.")).proposals[0].reactions == ()
    assert heard(WAIT, *talk[:3], ("ben", "I agree.")).proposals[0].reactions != ()


def test_nobody_takes_sides_of_an_own_proposal():
    assert heard(WAIT, ("zed", "I agree.")).proposals[0].reactions == ()


def test_agreeing_and_adding_a_step_does_both():
    state = heard(WAIT, ("ben", "Agreed, and Eve should own it."))

    first, second = state.proposals
    assert [one.reaction for one in first.reactions] == ["support"]
    assert (second.proposer, second.content) == ("ben", "Agreed, and Eve should own it")


def test_what_another_put_forward_is_preferred_not_proposed_again():
    state = heard(
        ("zed", "What if we keep the lock files in git?"), ("ben", "I'd prefer lock files in git.")
    )

    (only,) = state.proposals
    assert [(one.agent_id, one.reaction) for one in only.reactions] == [("ben", "support")]


def test_the_former_name_of_the_setting_is_still_accepted():
    posts = (WAIT, ("ben", "Let's close it then."))

    assert len(heard(*posts, extractor="careful").decisions) == 1
    assert len(heard(*posts, extractor="reader").decisions) == 1


def test_patterns_of_the_settings_count_too():
    memory = varves.ConversationMemory({"extractor": "reader", "decision_patterns": ["ratified"]})
    memory.process_message(
        varves.Message(agent_id="ada", content="Hello. The door is ratified: green.")
    )

    assert [one.outcome for one in memory.state.decisions] == ["green"]


def test_a_message_of_five_megabytes_is_read_at_both_ends():
    text = "We should ship.\n" + "word after word " * 320_000 + "\n[DECISION] we ship"
    state = heard(("ada", text))

    assert len(state.proposals) == 1
    assert [one.outcome for one in state.decisions] == ["we ship"]


def test_a_decision_against_a_proposal_in_a_plain_sentence_rejects_it():
    first = ("ada", "I propose we delete the nightly job.")
    state = heard(first, ("ben", "We won't delete the nightly job for now."))
    assert [one.status for one in state.proposals] == ["rejected"]


WRAPPED = (
    ("We decided to use Postgres as the\nprimary store.", "to use Postgres as the primary store"),
    (
        "I propose to keep the\nnightly copies in\nthe archive.",
        "to keep the nightly copies in the archive",
    ),
    ("- I propose to keep the\n  nightly copies\n- The rest is old.", "to keep the nightly copies"),
    ("Notes\n- I propose a flag\n- Ben is away", "a flag"),
)


@each_row(("text", "content"), WRAPPED)
def test_a_line_break_does_not_cut_what_is_decided_or_proposed(text, content):
    for extractor in ("reader", "published"):
        state = heard(("ada", text), extractor=extractor)
        found = [one.outcome for one in state.decisions] + [one.content for one in state.proposals]
        assert found == [content]


IDEA = ("ada", "I propose that we adopt trunk based development")


def test_who_says_let_us_do_it_settles_what_nobody_else_objects_to():
    agreed = heard(IDEA, ("ben", "I agree."), ("noa", "Let's do it!"))
    first = heard(IDEA, ("ben", "Let's do it!"))
    disputed = heard(
        IDEA, ("ben", "I'm against it."), ("noa", "Let's do it!"), ("eve", "ok, let's do that")
    )

    (made,) = agreed.decisions
    assert (made.topic, made.outcome) == ("trunk based development", agreed.proposals[0].content)
    assert agreed.proposals[0].status == "accepted"
    assert (first.decisions, first.proposals[0].status) == ((), "active")
    assert [one.reaction for one in first.proposals[0].reactions] == ["support"]
    assert disputed.decisions == ()
    assert disputed.proposals[0].status == "active"
    assert [one.reaction for one in disputed.proposals[0].reactions] == [
        "oppose",
        "support",
        "support",
    ]


def test_who_sums_up_settles_it_although_someone_objected():
    state = heard(
        IDEA, ("ben", "I'm against it."), ("noa", "We decided to adopt trunk based development.")
    )

    assert state.proposals[0].status == "accepted"


CLAUSES = {
    "contrast": "Last week we decided to keep MySQL, and today we decided to move to Postgres.",
    "now": "In March we chose Kafka; now we've decided to replace it with NATS.",
    "although": "Although we said in May that we would wait, we decided to ship the beta.",
    "but": "Two years ago we had agreed on Jenkins, but we decided to switch to Actions.",
    "because": "We decided to postpone it because we decided last year to rest in December.",
    "cites": "The decision from March still stands, but we've agreed to add a cache.",
    "following": "Following last month's outage, we decided to add a second node.",
    "as-proposed": "We decided to use Redis, as Ben proposed last week.",
}
NO_CLAUSES = {
    "adverbial": "Last week, we decided to keep MySQL.",
    "both": "We decided last week to keep it, and we agreed in May to drop it.",
    "when": "When we decided on Redis last year, we agreed to review it.",
    "told": "Yesterday the team met and we decided to ship.",
    "remember": "I remember that we decided on Redis.",
}


@each_row("text", CLAUSES.values())
def test_a_decision_beside_one_that_is_cited_counts(text):
    (made,) = heard(("ada", text)).decisions
    assert not any(word in made.outcome for word in ("MySQL", "Kafka", "Jenkins", "March"))


@each_row("text", NO_CLAUSES.values())
def test_what_was_settled_earlier_makes_none(text):
    assert heard(("ada", text)).decisions == ()


OFF_TOPIC = (
    "The coffee is too cold today.",
    "I love this song.",
    "The weather looks great.",
    "I'm worried about my cat.",
    "Good point about lunch.",
    "I'm happy with my new desk.",
    "The train was too late this morning.",
    "Sure, the demo starts at noon.",
)
ON_TOPIC = (
    ("The budget is too small.", "oppose"),
    ("I'm worried about the customers.", "oppose"),
    ("I like short development cycles.", None),
    ("I like the trunk model.", "support"),
    ("I'd love that.", "support"),
)


@each_row("text", OFF_TOPIC)
def test_words_about_another_thing_are_no_reaction(text):
    assert heard(IDEA, ("ben", text)).proposals[0].reactions == ()


@each_row(("text", "side"), ON_TOPIC)
def test_words_about_its_grounds_or_its_thing_are_a_reaction(text, side):
    taken = heard(IDEA, ("ben", text)).proposals[0].reactions
    assert [one.reaction for one in taken] == ([side] if side else [])


RESIGNED = (
    "ok, if we must",
    "fine, noted",
    "Fine.",
    "ok",
    "so be it",
    "As you wish.",
    "understood",
)


@each_row("text", RESIGNED)
def test_an_opponent_who_takes_a_decision_as_it_is_stays_one(text):
    against = ("ben", "I'm against it.")
    decided = ("ada", "We decided to adopt trunk based development.", "m0")
    for posts in ((against, decided), (against, decided, ("eve", "I agree.")), (against,)):
        state = heard(IDEA, *posts, ("ben", text))
        assert [one.reaction for one in state.proposals[0].reactions if one.agent_id == "ben"] == [
            "oppose"
        ]
        assert all("ben" not in one.supporting_agents for one in state.decisions)
        assert state.agent_states["ben"].last_position.startswith("I'm against it.")


def test_an_opponent_who_is_convinced_changes_sides():
    state = heard(IDEA, ("ben", "I'm against it."), ("ben", "Ok, I agree now."))
    assert [one.reaction for one in state.proposals[0].reactions] == ["support"]


STANCES = {
    "support": (
        "I'm in favour",
        "works for me",
        "no objection",
        "I'm all for it",
        "yes please",
        "I vote yes",
        "sure, why not",
        "hell yes",
        "I can live with that",
        "you have my vote",
    ),
    "oppose": (
        "not a fan",
        "I'd rather not",
        "absolutely not",
        "nope",
        "hell no",
        "count me out",
        "over my dead body",
        "bad idea",
        "definitely not",
        "I vote no",
        "no thanks",
        "not for me",
    ),
    "neutral": (
        "I'm neutral",
        "no strong opinion",
        "Either way is fine with me.",
        "I don't mind either way",
        "I abstain",
    ),
}


@each_row(("side", "text"), [(side, one) for side, texts in STANCES.items() for one in texts])
def test_a_plain_stance_is_a_reaction_and_a_position(side, text):
    state = heard(IDEA, ("ben", text))

    (only,) = state.proposals
    assert [(one.agent_id, one.reaction) for one in only.reactions] == [("ben", side)]
    assert state.agent_states["ben"].last_position.startswith(text)


def test_a_round_of_stances_is_about_the_proposal_that_began_it():
    round_of = [(f"a{n}", text) for n, text in enumerate([*STANCES["support"], "nope"])]
    state = heard(IDEA, *round_of)

    (only,) = state.proposals
    assert len(only.reactions) == len(round_of)


def test_who_agrees_right_after_a_decision_joins_it():
    state = heard(
        ("zed", "What if we keep the pictures on our own disk?"),
        ("ada", "Great, then it's settled: the minutes are public."),
        ("ben", "Agreed."),
    )

    (made,) = state.decisions
    assert made.supporting_agents == ("ada", "ben")
    assert state.proposals[0].reactions == ()


def test_a_decision_that_only_names_a_thing_settles_the_proposal_with_it():
    queue = ("zed", "Let's consider using NATS for events")
    friday = ("zed", "I propose no deploys on Fridays")

    assert heard(queue, ("ada", "The consensus is NATS.")).proposals[0].status == "accepted"
    assert heard(friday, ("ada", "We decided on Fridays.")).proposals[0].status == "active"
    assert heard(queue, ("ada", "We decided on Kafka.")).proposals[0].status == "active"


OPEN_QUESTIONS = (
    "Where should we hold the party?",
    "When can we meet the auditors?",
    "How often should we publish it?",
)


@each_row("text", OPEN_QUESTIONS)
def test_an_open_question_proposes_nothing(text):
    assert heard(("ada", text)).proposals == ()


def test_a_name_within_another_word_is_not_called():
    state = heard(("ada", "Could someone take notes?"), ("some", "I can do it."))
    assert state.decisions == ()


LATER_SETTLED = {
    "compromise": (
        ("di", "Would seven be a compromise?"),
        ("cy", "seven is ok"),
        ("al", "Let's go with seven then."),
    ),
    "it-is": (("di", "how about 10?"), ("cy", "10 works"), ("al", "Alright, 10 it is.")),
    "own": (
        ("al", "Could we get a bigger fridge for the kitchen?"),
        ("cy", "Absolutely, the old one leaks."),
        ("al", "Ok, let's go for it then"),
    ),
}


@each_row("posts", LATER_SETTLED.values())
def test_the_closing_words_of_a_short_exchange_accept_its_proposal(posts):
    state = heard(*posts)

    (made,) = state.decisions
    assert made.supporting_agents == ("al",)
    assert [one.reaction for one in state.proposals[0].reactions] == ["support"]
    assert state.proposals[0].status == "accepted"


OUTCOMES = {
    "heading": ("Good. Conclusion: we move the chat to Matrix.", "we move the chat to Matrix"),
    "then": ("Decided, then: a buddy for each new hire.", "a buddy for each new hire"),
    "body": ("After a long debate the committee decided to raise the fee.", "to raise the fee"),
    "have": ("We have agreed on English for all tickets.", "English for all tickets"),
}


@each_row(("text", "outcome"), OUTCOMES.values())
def test_an_outcome_is_what_follows_the_words_that_decide(text, outcome):
    assert [one.outcome for one in heard(("ada", text)).decisions] == [outcome]


def test_a_proposal_in_so_many_words_is_told_without_them():
    state = heard(("ann", "I'd like to propose that every new hire gets a buddy."))
    assert [one.content for one in state.proposals] == ["every new hire gets a buddy"]


def test_a_counter_proposal_is_no_decision():
    state = heard(("ada", "I suggest using UUIDs."), ("ben", "Let's use ULIDs instead, they sort."))
    assert state.decisions == ()
    assert len(state.proposals) == 2


def test_agreement_after_thanks_still_joins_the_decision():
    state = heard(
        ("ada", "How about we drop Python 3.9?"),
        ("ada", "We decided to keep Python 3.9 for a year."),
        ("ben", "Thanks."),
        ("eve", "+1"),
    )
    assert state.decisions[0].supporting_agents == ("ada", "eve")
