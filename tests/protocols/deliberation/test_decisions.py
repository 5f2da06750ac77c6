"""What makes a message a decision, and what the decision says."""

from __future__ import annotations

import re
from typing import Any

import pytest

import varves
from tests.tables import each_row

BOTH = ("reader", "published")


def heard(*posts: tuple[str, ...], extractor: str = "reader") -> Any:
    """Let a memory hear messages, each (agent, text) or so with the message it answers."""
    memory = varves.ConversationMemory({"extractor": extractor})
    for number, (agent, text, *answered) in enumerate(posts):
        memory.process_message(
            varves.Message(
                agent_id=agent,
                content=text,
                id=f"m{number}",
                timestamp=f"2026-05-04T10:{number:02}:00.000Z",
                reply_to=answered[0] if answered else None,
            )
        )
    return memory.state


def decided(text: str, extractor: str = "reader") -> tuple[str, str]:
    """Return topic and outcome of the one decision in a message."""
    (found,) = heard(("ada", text), extractor=extractor).decisions
    return found.topic, found.outcome


FITS = {
    "agreed": "We agreed to ship.",
    "decided": "today WE  DECIDED to ship",
    "concluded": "so we\nconcluded that it ships",
    "have-agreed": "we've agreed to ship",
    "have-decided": "We've decided to ship",
    "curly": "we\u2019ve concluded that it ships",
    "consensus-is": "The consensus is to ship.",
    "consensus-reached": "Consensus reached: ship.",
    "go-with": "Let's go with the small one.",
    "go-with-curly": "let\u2019s go  with the small one",
    "final-decision": "My final decision: ship",
    "final-answer": "FINAL ANSWER is forty-two",
    "tag-consensus": "[consensus] ship it",
    "tag-decision": "We talked long. [DECISION] ship it",
}
FITS_NOT = {
    "they": "They agreed to ship.",
    "agree": "We agree on little.",
    "are-decided": "We are decided folk.",
    "consensus-alone": "There is no consensus yet.",
    "go": "Let's go home.",
    "lets": "It lets go with a bang.",
    "final": "The final word is not spoken.",
    "answer": "My answer is no.",
    "bare-tag": "CONSENSUS and DECISION are tags.",
    "empty-tag": "[DECISIONS] is another tag",
}


@pytest.mark.requirement("S4-22")
@pytest.mark.parametrize("extractor", BOTH)
@each_row("text", FITS.values())
def test_each_published_pattern_makes_a_decision(text, extractor):
    assert len(heard(("ada", text), extractor=extractor).decisions) == 1


VETOED = {
    "past": "yesterday WE  DECIDED to ship",
    "cited": "As we decided earlier, it ships.",
    "asked": "Have we decided? Or have we agreed on nothing?",
    "supposed": "If we've agreed on this, tell Eve.",
    "denied": "Nobody says we decided to ship.",
    "quoted": 'In bold: "we agreed to ship", in blue: the price.',
    "reported": "Carl said we agreed to ship.",
}


@pytest.mark.requirement("S4-22")
@each_row("text", VETOED.values())
def test_a_guard_vetoes_a_published_pattern_in_the_reader_only(text):
    """Our own choice: the letter of the document has no guards, and makes a decision of each."""
    assert heard(("ada", text)).decisions == ()
    assert len(heard(("ada", text), extractor="published").decisions) == 1


WEIGHED = {
    "dated": "Let's consider a smaller hall next spring.",
    "for-now": "Good point. Let's consider a shared runner for now.",
    "after-agreeing": "I agree. Let's think about renting the second room.",
    "okay": "Okay, let's explore a second supplier this month.",
    "will": "We will look into the older battery type.",
}


@pytest.mark.requirement("S4-22", "S4-26")
@each_row("text", WEIGHED.values())
def test_what_is_only_to_be_considered_is_no_decision(text):
    assert heard(("ben", "The hall is cold in winter."), ("ada", text)).decisions == ()


@pytest.mark.requirement("S4-26")
def test_what_is_to_be_considered_is_a_proposal_if_it_is_named():
    state = heard(
        ("ada", "Let's consider a smaller hall next spring."),
        ("ben", "Let's consider that later."),
        ("ben", "Then let's consider it for now."),
    )
    assert [one.content for one in state.proposals] == ["a smaller hall next spring"]
    assert state.decisions == ()


INQUIRIES = {
    "why-not": "Why not a greenhouse?",
    "should-not": "Shouldn't we ask the neighbours first?",
    "could-not": "Couldn't we wait until May?",
    "better": "Wouldn't it be better to wait until May?",
    "need-not": "Don't we need a permit first?",
    "problem": "Is there any problem with the permit?",
    "which": "What's the problem with the permit?",
    "any": "Any objections to that?",
    "why": "Why would the old one be too slow?",
    "anyone": "Does anyone object?",
}
DOUBTS = {
    "is-not": "Isn't that too expensive?",
    "will-not": "Won't that break the fence?",
    "after": "I disagree, shouldn't we ask the neighbours first?",
    "but": "But shouldn't we ask the neighbours first?",
    "pointless": "What is the point of a second shed?",
}


@pytest.mark.requirement("S4-29")
@each_row(
    ("text", "expected"),
    [
        *((text, []) for text in INQUIRIES.values()),
        *((text, ["oppose"]) for text in DOUBTS.values()),
    ],
)
def test_a_question_that_suggests_or_inquires_is_no_opposition(text, expected):
    state = heard(("ada", "I propose that we build a second shed."), ("ben", text))
    assert [one.reaction for one in state.proposals[0].reactions] == expected


REVERSED = ("We decided against Redis.", "We decided not to use Redis.", "We agreed not to ship.")


@pytest.mark.requirement("S0-14", "S4-22")
@pytest.mark.parametrize("extractor", BOTH)
@each_row("text", REVERSED)
def test_a_decision_against_something_is_a_decision(text, extractor):
    assert len(heard(("ada", text), extractor=extractor).decisions) == 1


@pytest.mark.requirement("S4-22")
@pytest.mark.parametrize("extractor", BOTH)
@each_row("text", FITS_NOT.values())
def test_words_that_only_come_near_make_none(text, extractor):
    assert heard(("ada", text), extractor=extractor).decisions == ()


@pytest.mark.requirement("S4-23")
@pytest.mark.parametrize("extractor", BOTH)
def test_two_patterns_in_one_message_make_one_decision(extractor):
    state = heard(
        ("ben", "hello"),
        ("ada", "[DECISION] We've agreed: let's go with the small one."),
        extractor=extractor,
    )

    (made,) = state.decisions
    assert made.timestamp == "2026-05-04T10:01:00.000Z"
    assert made.supporting_agents == ("ada",)
    assert made.message == "m1"


TOPICS = {
    "quotes": ("Let's go with 'plan B', it's fine", "plan B"),
    "double": ('We agreed that "cold start" comes first', "cold start"),
    "curly-quotes": ("We agreed that \u201ccold start\u201d comes first", "cold start"),
    "backticks": ("We decided to drop `--fast` for good", "--fast"),
    "about": ("We agreed about the cache that it stays", "the cache"),
    "regarding": ("we've decided, regarding retries: three", "retries"),
    "on": ("We agreed on the cache size: 5 MB", "the cache size"),
    "for": ("We decided to use SQLite for storage.", "storage"),
    "quotes-first": ("For storage we agreed on 'plan B'", "plan B"),
    "tag": ("[DECISION] ship it", "ship it"),
    "tag-alone": ("[DECISION]", "[DECISION]"),
}
SUBJECTS = {
    "whole-words": ("We decided upon a form and information", "form and information"),
    "on-demand": ("Let's go with on-demand pricing", "on-demand pricing"),
    "for-now": ("Let's go with SQLite for now", "SQLite"),
    "object": ("We decided to move the deploy to Fridays", "deploy"),
    "goal": ("We decided to switch to Actions", "Actions"),
    "subject": ("Decision: the annual picnic is cancelled", "picnic"),
    "unknown-verb": ("We've agreed to adopt trunk based development", "trunk based development"),
    "several-words": ("We agreed to raise the ticket price by ten percent", "ticket price"),
    "of": ("We agreed that we take a copy of the sessions", "copy of the sessions"),
    "against": ("We decided against Redis", "Redis"),
    "on-a-day": ("We decided to pay the invoices on Friday", "invoices"),
    "for-a-time": ("We decided to keep the logs for ninety days", "logs"),
    "at-the-start": ("For sessions we decided to use Redis", "sessions"),
    "earlier-clause": ("In May we agreed on Jenkins, but we decided to drop SVN", "SVN"),
    "nothing": ("We decided to ship on Friday", "ship on Friday"),
}


@pytest.mark.requirement("S4-24")
@pytest.mark.parametrize("extractor", BOTH)
@each_row(("text", "topic"), TOPICS.values())
def test_the_topic_is_what_is_quoted_or_named(text, topic, extractor):
    assert decided(text, extractor)[0] == topic


@pytest.mark.requirement("S4-24")
@each_row(("text", "topic"), SUBJECTS.values())
def test_else_the_topic_is_the_subject(text, topic):
    assert decided(text)[0] == topic
    if re.match("we|let's", text, re.IGNORECASE):  # a published phrase begins it
        assert decided(text, "published")[0] == topic


@pytest.mark.requirement("S4-24")
@pytest.mark.parametrize("extractor", BOTH)
@each_row(
    ("text", "topic", "outcome"),
    [
        ("We agreed on Terraform.", "Terraform", "Terraform"),
        (
            "We've decided on quarterly audits unless the staff grows.",
            "quarterly audits",
            "quarterly audits unless the staff grows",
        ),
        (
            "We decided, after two hours of talk, to archive the tickets.",
            "tickets",
            "to archive the tickets",
        ),
        ("We concluded, in the end, that tabs are fine.", "tabs", "tabs are fine"),
        (
            "Final decision: thumbnails are made on upload.",
            "thumbnails",
            "thumbnails are made on upload",
        ),
        (
            "We agreed: nightly snapshots to Backblaze",
            "nightly snapshots",
            "nightly snapshots to Backblaze",
        ),
        ("[DECISION] Upload size: 50 MB.", "Upload size", "Upload size: 50 MB"),
        ("We agreed that Omar owns the runbook.", "runbook", "Omar owns the runbook"),
        ("We agreed on a stop except for fixes.", "a stop", "a stop except for fixes"),
        ("We decided on Friday to pay them.", "pay them", "on Friday to pay them"),
    ],
)
def test_a_decision_names_the_matter_and_what_was_decided(text, topic, outcome, extractor):
    assert decided(text, extractor) == (topic, outcome)


@pytest.mark.requirement("S4-25")
def test_a_label_names_the_question_that_a_later_decision_answers_again():
    state = heard(
        ("ada", "[DECISION] Upload size: 50 MB per file"),
        ("ben", "[DECISION] Chunk size: 5 MB"),
        ("noa", "[DECISION] Upload size: 80 MB per file"),
    )
    first, _, third = state.decisions
    assert third.replaces == first.id


def test_what_takes_the_place_of_another_replaces_it():
    state = heard(
        ("ada", "We decided to use tabs."),
        ("noa", "We decided to hire a tester."),
        ("ben", "Let's go with spaces instead of tabs."),
    )

    first, _, third = state.decisions
    assert third.replaces == first.id


def test_two_decisions_may_share_a_subject_that_neither_names():
    state = heard(
        ("ada", "We decided to move the release to May."),
        ("ben", "We decided to announce the release by mail."),
        ("noa", "We decided to move the release to June."),
    )

    first, second, third = state.decisions
    assert (first.topic, second.topic, third.topic) == ("release", "release", "release")
    assert (second.replaces, third.replaces) == (None, first.id)


ANNOUNCED = {
    "is": ("The decision is a smaller harbour.", "smaller harbour", "a smaller harbour"),
    "call": ("Final call: the harbour stays shut.", "harbour", "the harbour stays shut"),
    "dash": ("Decision \u2014 the harbour stays shut.", "harbour", "the harbour stays shut"),
    "on": ("Decision on the hall: we rent it.", "the hall", "we rent it"),
    "team": ("Our team decided to use Flutter.", "Flutter", "to use Flutter"),
}


@pytest.mark.requirement("S4-24")
@each_row(("text", "topic", "outcome"), ANNOUNCED.values())
def test_a_decision_in_other_announcing_words_has_a_topic_and_an_outcome(text, topic, outcome):
    assert decided(text) == (topic, outcome)


@pytest.mark.requirement("S4-22")
@each_row(
    "text",
    [
        "The Mobile team decided to use Flutter.",
        "On the Mobile team we decided to use Flutter.",
        "At my last job we agreed to use Flutter.",
        "I heard we decided to use Flutter.",
    ],
)
def test_what_others_decided_elsewhere_is_no_decision(text):
    assert heard(("ada", text)).decisions == ()


OUTCOMES = {
    "to-the-end": (
        "Hi all. We decided to use SQLite for storage. Thanks!",
        "to use SQLite for storage",
    ),
    "point-inside": ("We decided to use Python 3.11 for tests.", "to use Python 3.11 for tests"),
    "shortened": ("We agreed to try e.g. Redis first. Then we look.", "to try e.g. Redis first"),
    "colon": ("Consensus reached: ship on Friday!", "ship on Friday"),
    "is": ("The final answer is forty-two.", "forty-two"),
    "quotes": ("Let's go with 'plan B', it's fine", "'plan B', it's fine"),
    "named-topic": ("We agreed on caching: use Redis.", "use Redis"),
    "tag": ("[DECISION] Ship it. Then rest.", "Ship it"),
    "tag-and-words": ("[CONSENSUS] We agreed to ship on Friday", "to ship on Friday"),
    "tag-above": ("[DECISION]\nShip it", "Ship it"),
    "tag-alone": ("[DECISION] ...", "[DECISION] ..."),
    "nothing-after": ("Postgres is our final answer.", "Postgres is our final answer"),
}


@pytest.mark.requirement("S4-24")
@each_row(("text", "outcome"), OUTCOMES.values())
def test_the_outcome_is_what_follows_the_verb_to_the_end_of_its_sentence(text, outcome):
    assert decided(text)[1] == outcome


@pytest.mark.requirement("S4-25")
def test_who_decides_the_same_later_joins_and_who_agrees_in_a_reply_does():
    state = heard(
        ("ada", "We decided to use SQLite for storage."),
        ("ben", "Yes: we've decided to use SQLite for the storage!"),
        ("noa", "I agree", "m0"),
        ("ada", "We decided to use SQLite for storage."),
        ("eve", "I disagree", "m0"),
        ("kim", "I agree"),
        ("lea", "I agree", "m4"),
    )

    (made,) = state.decisions
    assert made.supporting_agents == ("ada", "ben", "noa")


@pytest.mark.requirement("S4-25")
def test_another_outcome_on_the_same_topic_is_linked_as_replacing_the_first():
    state = heard(
        ("ada", "We decided to use SQLite for storage."),
        ("ben", "We decided to use Postgres for storage."),
        ("ben", "We decided to use Redis for the queue."),
        ("noa", "We decided to use files for storage."),
    )

    first, second, other, third = state.decisions
    assert (first.replaces, second.replaces) == (None, first.id)
    assert other.replaces is None
    assert third.replaces == second.id


APART = {
    "same-place": (
        "[DECISION] Use Postgres for the billing service",
        "[DECISION] Use fakes in tests for the billing service",
    ),
    "at-the-start": (
        "For the shop we decided to use Stripe.",
        "For the shop we decided to write a style guide.",
    ),
    "on": (
        "We decided to paint the door on the north side.",
        "We decided to plant a hedge on the north side.",
    ),
    "about": (
        "We decided to send a letter about the outage.",
        "We decided to publish a report about the outage.",
    ),
    "quoted": (
        "We agreed to rename 'Team' to 'Crew'.",
        "We agreed to hide 'Team' from guests.",
    ),
    "purpose": (
        "We decided to use Zod for input validation.",
        "We decided to use one shared schema in tests for input validation.",
    ),
}
REPLACED = {
    "value": (
        "We decided that guests pay 5 euros for the summer party.",
        "We decided that guests pay 7 euros for the summer party.",
    ),
    "tool": (
        "[DECISION] Use Postgres for the billing service",
        "[DECISION] Use MySQL for the billing service",
    ),
    "question": ("Final decision on hosting: Hetzner.", "Final decision on hosting: our own rack."),
    "about": ("We agreed about the cache that it stays.", "We agreed about the cache: it goes."),
    "purpose": ("Let's go with Helsinki for offsites.", "Let's go with Porto for offsites."),
}


@pytest.mark.requirement("S4-25")
@pytest.mark.parametrize("extractor", BOTH)
@each_row(("earlier", "later"), APART.values())
def test_two_decisions_about_one_thing_that_answer_two_questions_both_stand(
    earlier, later, extractor
):
    first, second = heard(("ada", earlier), ("ben", later), extractor=extractor).decisions
    assert (first.replaces, second.replaces) == (None, None)


@pytest.mark.requirement("S4-25")
@each_row(("earlier", "later"), REPLACED.values())
def test_a_decision_replaces_the_one_that_answers_its_question(earlier, later):
    first, second = heard(("ada", earlier), ("ben", later)).decisions
    assert second.replaces == first.id


OAK = "I propose oak for the long table."
ASH = "I propose ash for the long table."
POINTS = {
    "that": ([OAK], "Let's go with that.", "oak for the long table"),
    "then": ([OAK], "OK, let\u2019s go with this then!", "oak for the long table"),
    "tag": ([OAK, "Great idea!"], "[CONSENSUS]", "oak for the long table"),
    "tag-and-word": ([OAK], "[CONSENSUS] reached.", "oak for the long table"),
    "yes": ([OAK], "Final answer: yes.", "oak for the long table"),
    "in-spite": ([OAK, "I disagree."], "Let's go with that anyway.", "oak for the long table"),
    "latest": ([OAK, ASH], "Let's go with that.", "ash for the long table"),
    "first": ([OAK, ASH], "Let's go with the first option.", "oak for the long table"),
    "invited": (["How about a picnic in June?"], "Let's go with that.", "a picnic in June"),
    "question": (["Shouldn't we ask the cooks?"], "[DECISION] Let's do that.", "ask the cooks"),
}


@pytest.mark.requirement("S4-24", "S4-34")
@each_row(("before", "text", "outcome"), POINTS.values())
def test_a_decision_that_only_points_back_is_the_proposal_that_it_points_to(before, text, outcome):
    state = heard(*zip(("ada", "ben"), before, strict=False), ("eve", text))
    (made,) = state.decisions
    assert (made.outcome, made.supporting_agents) == (outcome, ("eve",))
    accepted = [one for one in state.proposals if one.status == "accepted"]
    assert [outcome in one.content for one in accepted] == [True]


@pytest.mark.requirement("S4-24")
def test_a_decision_may_point_to_a_statement_or_to_its_proposer():
    (stated,) = heard(
        ("ada", "Postgres would give us transactions."), ("ben", "Let's go with that.")
    ).decisions
    assert stated.outcome == "Postgres would give us transactions"
    (owned,) = heard(("ada", OAK), ("ben", ASH), ("eve", "Let's go with ada's idea.")).decisions
    assert owned.outcome == "oak for the long table"


@pytest.mark.requirement("S4-25")
def test_a_tag_after_a_decision_supports_it():
    (made,) = heard(("ada", OAK), ("ben", "Let's go with that."), ("eve", "[CONSENSUS]")).decisions
    assert made.supporting_agents == ("ben", "eve")


@pytest.mark.requirement("S4-34")
@each_row("text", ["We decided against it.", "[DECISION] rejected", "Final decision: no."])
def test_a_decision_against_what_is_on_the_table_rejects_it(text):
    state = heard(("ada", OAK), ("ben", text))
    assert [one.status for one in state.proposals] == ["rejected"]
    assert [one.topic for one in state.decisions] == ["the long table"]


def test_what_is_said_of_the_next_topic_is_not_about_the_last_one():
    state = heard(
        ("ada", "I propose that we open on Tuesdays."),
        ("ben", "Next topic: the boiler. That is too loud."),
        ("eve", "I agree."),
    )
    assert state.proposals[0].reactions == ()


@pytest.mark.requirement("S4-60")
def test_another_idea_instead_of_ones_own_modifies_it():
    state = heard(
        ("ada", "I propose that we open late on Thursdays."),
        ("ben", "I have a problem with Thursdays."),
        ("ada", "Then what if we open late on Tuesdays instead?"),
    )
    first, second = state.proposals
    assert (first.status, first.successor, second.status) == ("modified", second.id, "active")


@pytest.mark.requirement("S4-34")
def test_a_proposal_that_its_proposer_withdraws_is_rejected():
    state = heard(
        ("ada", "I propose that we move the boiler."),
        ("ben", "What if we repair it?"),
        ("ada", "OK, I withdraw my proposal."),
    )
    assert [one.status for one in state.proposals] == ["rejected", "active"]


@pytest.mark.requirement("S4-02", "S4-34")
def test_a_decision_accepts_the_earlier_proposal_that_the_accepted_one_repeats():
    state = heard(
        ("ada", "I propose that we lease a coffee machine."),
        ("ben", "My suggestion: a lease of the coffee machine for three months."),
        ("eve", "We've decided: a lease of the coffee machine for three months."),
    )
    assert [one.status for one in state.proposals] == ["accepted", "accepted"]


@pytest.mark.requirement("S4-31", "S4-34")
def test_agreement_follows_the_message_that_names_whose_idea_it_is():
    state = heard(
        ("rita", "What if we rent two vans?"),
        ("ada", "I propose the bus company from last year."),
        ("ben", "Rita's idea saves us 200 euros."),
        ("eve", "I agree."),
        ("ben", "[DECISION] Two vans, Rita and Ben drive."),
    )
    vans, bus = state.proposals
    assert [one.agent_id for one in vans.reactions] == ["eve"]
    assert (vans.status, bus.status, bus.reactions) == ("accepted", "active", ())


NOT_PROPOSED = {
    "agenda": "We need to choose a caterer for the fair.",
    "vote": "Let's vote: who wants the tent?",
    "open": "What should we do about the tent?",
    "both": "Let's consider both and vote.",
    "it": "Drop it.",
}


@pytest.mark.requirement("S4-26")
@each_row("text", NOT_PROPOSED.values())
def test_what_only_opens_or_moves_a_discussion_proposes_nothing(text):
    assert heard(("ada", text)).proposals == ()


def test_yes_to_an_offer_is_no_support_of_a_proposal():
    state = heard(
        ("ada", "I suggest we call the same roofer again."),
        ("eve", "Should I look up his number?"),
        ("ben", "Yes, please."),
    )
    assert state.proposals[0].reactions == ()


def test_a_name_that_is_chosen_twice_is_decided_once():
    (made,) = heard(("ada", "Let's go with oak."), ("ben", "Fine, oak it is then.")).decisions
    assert (made.outcome, made.supporting_agents) == ("oak", ("ada", "ben"))


def test_lines_that_quote_another_decide_nothing():
    text = "> We decided to use SQLite for storage.\n\nWhen was that?"

    assert heard(("ada", text)).decisions == ()


def test_a_message_of_five_megabytes_is_read_to_its_end():
    text = "we say let's and what i agree " * 170_000 + "\n[DECISION] ship it"

    assert [one.outcome for one in heard(("ada", text)).decisions] == ["ship it"]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Consensus reached!\n- ship it\n- tell ops", "ship it; tell ops"),
        (
            "We agreed on the rules:\n1. no force push\n2) two reviews\n\nBye.",
            "no force push; two reviews",
        ),
        ("[DECISION]\n* Use Redis.\n* Drop the file.", "Use Redis; Drop the file"),
        ("We've decided:\n\nuse Redis\nNext: tea", "use Redis"),
    ],
    ids=["bullets", "numbers", "marker", "no-list"],
)
def test_a_list_below_the_words_that_decide_is_the_outcome(text, outcome):
    memory = varves.ConversationMemory()
    memory.process_message(varves.Message(agent_id="ada", content=text))
    [made] = memory.state.decisions
    assert made.outcome == outcome


CLOCK = {
    "then": ("Let's take the 9:40 train then.", "Let's take the 9:40 train then", "train"),
    "sharp": (
        "We'll start at 9:15 sharp then.",
        "We'll start at 9:15 sharp then",
        "start at 9:15 sharp",
    ),
    "it-is": ("Great, the 9:40 train it is.", "the 9:40 train", "train"),
    "bus": ("Right, the 12:50 bus it is then.", "the 12:50 bus", "the 12:50 bus"),
    "alarm": (
        "Let's set the alarm for 4:55 then.",
        "Let's set the alarm for 4:55 then",
        "alarm",
    ),
    "ratio": (
        "Agreed, we use a ratio of 2:1 then.",
        "Agreed, we use a ratio of 2:1 then",
        "ratio of 2:1",
    ),
    "show": (
        "Okay, let's go for the 20:15 show.",
        "Okay, let's go for the 20:15 show",
        "the 20:15 show",
    ),
    "question": (
        'We\'ve decided to ask "Who pays?" at the next meeting.',
        'to ask "Who pays?" at the next meeting',
        "Who pays?",
    ),
}


@pytest.mark.requirement("S4-24")
@each_row(("text", "outcome", "topic"), CLOCK.values())
def test_a_time_a_ratio_and_a_quoted_question_do_not_cut_an_outcome(text, outcome, topic):
    (made,) = heard(("ada", text)).decisions
    assert (made.outcome, made.topic) == (outcome, topic)
