"""What makes a message a proposal, who takes which side of it, and what settles it."""

from __future__ import annotations

from typing import Any

import pytest

import varves
from tests.tables import assert_each, each_row
from varves.protocols.deliberation import published

LONG = "we keep every reading of the sensors in one file a day"

EXTRACTORS = ("reader", "published")


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


def reactions(*posts: tuple[str, ...], extractor: str = "reader") -> list[tuple[str, str]]:
    """Return who took which side of a proposal that is made first."""
    state = heard(("ada", f"I propose that {LONG}."), *posts, extractor=extractor)
    return [(one.agent_id, one.reaction) for one in state.proposals[0].reactions]


FITS = {
    "propose": ("I  propose that we ship", "we ship"),
    "what-if": ("WHAT IF WE ship on Friday?", "ship on Friday"),
    "consider": ("Let's consider a smaller one.", "a smaller one"),
    "consider-curly": ("Let\u2019s consider a smaller one. Or not.", "a smaller one"),
    "suggestion": ("My suggestion is a smaller one", "a smaller one"),
    "tag": ("[proposal] A smaller one", "A smaller one"),
}
FITS_NOT = {
    "purpose": "I purposely wait.",
    "what-if-they": "What if they ship?",
    "considers": "He lets consider whom he likes.",
    "your": "Your suggestion is fine.",
    "bare-tag": "A proposal is a tag.",
}


@pytest.mark.requirement("S4-26")
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_each_published_pattern_makes_a_proposal(extractor):
    def proposes(row: tuple[str, str]) -> None:
        found = heard(("ada", row[0]), extractor=extractor).proposals
        assert [one.content for one in found] == [row[1]]

    assert_each(FITS.values(), proposes)


@pytest.mark.requirement("S4-26")
def test_a_guard_vetoes_a_published_proposal_in_the_reader_only():
    """Our own choice: a report or a quotation of a proposal proposes nothing."""
    posts = (
        ("ada", "Carl said I propose too much."),
        ("ben", 'The sign reads "I propose a rest".'),
    )

    assert heard(*posts).proposals == ()
    assert len(heard(*posts, extractor="published").proposals) == 2


DENIED = (
    "Let's not consider selling the boat.",
    "Let's not even discuss a new boat.",
    "I'm not proposing a new boat.",
    "I am certainly not suggesting that we sell it.",
    "I'm not saying we should sell the boat.",
    "Nobody is proposing a new boat.",
    "By no means do I propose a new boat.",
    "Never let's go with the red rope.",
    "Don't let's go there.",
    "It is not my suggestion to sell.",
    "My suggestion isn't a new boat.",
    "I propose nothing.",
)
NOT_DENIED = (
    ("I propose not to sell the boat.", "not to sell the boat"),
    ("My suggestion is not to sell.", "not to sell"),
    ("What if we don't sell the boat?", "don't sell the boat"),
    ("I'm not a sailor, so I propose a smaller boat.", "a smaller boat"),
    ("I'm not proposing a new boat, but I propose a new motor.", "a new motor"),
    ("I'm not saying no, but I propose to wait.", "to wait"),
    ("I propose nothing but a small boat.", "nothing but a small boat"),
    ("Let's not sell the boat.", "Let's not sell the boat"),
)


@each_row("text", DENIED)
def test_who_denies_a_proposal_makes_none(text):
    state = heard(("ada", text))
    assert (state.proposals, state.decisions) == ((), ())


@each_row(("text", "content"), NOT_DENIED)
def test_a_proposal_may_say_not(text, content):
    assert [one.content for one in heard(("ada", text)).proposals] == [content]


@pytest.mark.requirement("S4-26")
@pytest.mark.parametrize("extractor", EXTRACTORS)
@each_row("text", FITS_NOT.values())
def test_words_that_only_come_near_make_none(text, extractor):
    assert heard(("ada", text), extractor=extractor).proposals == ()


@pytest.mark.requirement("S4-27")
def test_a_message_makes_one_proposal_that_is_active_and_without_reactions():
    state = heard(("ben", "Hi."), ("ada", "[PROPOSAL] What if we ship? I propose a date: Friday."))

    (made,) = state.proposals
    assert (made.proposer, made.content) == ("ada", "What if we ship")
    assert (made.status, made.reactions) == ("active", ())
    assert (made.timestamp, made.message) == ("2026-05-04T10:01:00.000Z", "m1")


@pytest.mark.requirement("S4-28")
@pytest.mark.parametrize(
    "text",
    ["Yes, I AGREE.", "A great  idea!", "let\u2019s do it", "Let's do it"],
    ids=["agree", "idea", "do-it-curly", "do-it"],
)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_each_published_pattern_supports(text, extractor):
    assert reactions(("ben", text, "m0"), extractor=extractor) == [("ben", "support")]


@pytest.mark.requirement("S4-28")
@pytest.mark.parametrize("text", ["Do you say I agree?", "Carl thinks I agree too often."])
def test_a_guard_vetoes_a_published_support_in_the_reader_only(text):
    """Our own choice: who asks or reports an agreement does not agree."""
    assert reactions(("ben", text, "m0")) == [("ben", "neutral")]
    assert reactions(("ben", text, "m0"), extractor="published") == [("ben", "support")]


@pytest.mark.requirement("S4-29")
@pytest.mark.parametrize(
    "text",
    ["No, I DISAGREE.", "That won't  work.", "That won\u2019t work", "I see a problem with that"],
    ids=["disagree", "work", "work-curly", "problem"],
)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_each_published_pattern_opposes(text, extractor):
    assert reactions(("ben", text, "m0"), extractor=extractor) == [("ben", "oppose")]


BOTH = {
    "neither": ("I read it.", "neutral"),
    "but-problem": ("I agree, but there is a problem with cost", "oppose"),
    "but-agree": ("There is a problem with cost, but I agree", "support"),
    "however": ("It won't work for all of us. However, great idea!", "support"),
    "no-turn": ("A problem with cost. I agree with Ann there.", "oppose"),
    "not-elsewhere": ("I did not sleep, I agree", "support"),
}
NEGATED = {
    "dont-agree": ("I don't agree", "oppose"),
    "dont-agree-curly": ("I don\u2019t really agree", "oppose"),
    "cannot-agree": ("I cannot agree to this", "oppose"),
    "not-great": ("That is not a great idea", "oppose"),
    "dont-disagree": ("I would never say I disagree", "neutral"),
    "no-comma": ("No problem with that, I agree", "support"),
}


@pytest.mark.requirement("S4-30")
@each_row(("text", "side"), [*BOTH.values(), *NEGATED.values()])
def test_the_reader_takes_the_last_word_after_a_turn_and_negations_turn_it_round(text, side):
    assert reactions(("ben", text, "m0")) == [("ben", side)]


LITERAL = (
    ("I don't agree", "neutral"),
    ("I cannot agree to this", "neutral"),
    ("That is not a great idea", "support"),
    ("I would never say I disagree", "oppose"),
    ("no problem with that", "oppose"),
    ("No problem with that, I agree", "oppose"),
)


@pytest.mark.requirement("S4-30")
@each_row(("text", "side"), [*BOTH.values(), *LITERAL])
def test_the_published_patterns_are_taken_literally(text, side):
    assert reactions(("ben", text, "m0"), extractor="published") == [("ben", side)]
    assert published.detectReaction(text) == side


@pytest.mark.requirement("S4-30")
def test_no_problem_is_opposition_by_the_letter_and_support_to_the_reader():
    said = ("ben", "I have no problem with that", "m0")

    assert reactions(said) == [("ben", "support")]
    assert reactions(said, extractor="published") == [("ben", "oppose")]


@pytest.mark.requirement("S4-31")
def test_a_quote_of_the_first_fifty_characters_makes_a_message_a_reaction():
    """The reader takes the nearest open proposal where a message names none (test_reader)."""

    def by_letter(text: str) -> list[tuple[str, str]]:
        return reactions(("ben", text), extractor="published")

    assert by_letter(f'I agree with "{LONG[:50]}"') == [("ben", "support")]
    assert by_letter(f'I agree with "{LONG[:49]}"') == []
    assert by_letter("I agree") == []
    assert reactions(("ben", f'I agree with "{LONG[:50]}"')) == [("ben", "support")]


@pytest.mark.requirement("S4-31")
def test_the_words_of_the_quote_take_no_side():
    state = heard(
        ("ada", "I propose that we look into the problem with the slow morning builds."),
        ("ben", "> we look into the problem with the slow morning builds\n\nGreat idea!"),
        ("eve", "we look into the problem with the slow morning builds: great idea!"),
    )

    taken = [(one.agent_id, one.reaction) for one in state.proposals[0].reactions]
    assert taken == [("ben", "support"), ("eve", "support")]


@pytest.mark.requirement("S4-32")
def test_a_proposal_that_was_accepted_takes_no_more_reactions():
    taken = reactions(
        ("ben", "I agree", "m0"),
        ("noa", "[DECISION] accepted", "m0"),
        ("eve", "I disagree", "m0"),
        ("ben", "I disagree", "m0"),
    )

    assert taken == [("ben", "support")]


@pytest.mark.requirement("S4-33")
def test_neither_the_proposal_nor_its_proposer_is_a_reaction():
    text = f"[PROPOSAL] {LONG}, great idea! I agree with {LONG}"
    state = heard(("ada", text), ("ada", f"I agree: {LONG}"), ("ada", "I agree", "m0"))

    assert state.proposals[0].reactions == ()


@pytest.mark.requirement("S4-33")
def test_an_agent_has_one_reaction_which_is_the_latest():
    taken = reactions(
        ("ben", "I agree", "m0"), ("eve", "I agree", "m0"), ("ben", "I disagree", "m0")
    )

    assert taken == [("ben", "oppose"), ("eve", "support")]


@pytest.mark.requirement("S4-33")
def test_a_reply_counts_like_a_quote():
    other = (("eve", "Hello."), ("ben", "I agree", "m1"))

    assert reactions(("ben", "I agree", "m0")) == [("ben", "support")]
    assert reactions(*other, extractor="published") == []


VERDICTS = {
    "accepted": ("We've decided to do it.", "accepted"),
    "no-more-talk": ("We've decided to do it, and there is no need to talk on.", "accepted"),
    "rejected": ("[DECISION] Rejected, it costs too much.", "rejected"),
    "not": ("We've decided not to do it.", "rejected"),
    "against": ("We decided against it.", "rejected"),
    "modified": ("We agreed to take it with some changes.", "modified"),
}


@pytest.mark.requirement("S4-34")
@each_row(("text", "status"), VERDICTS.values())
def test_a_decision_that_answers_a_proposal_settles_it(text, status):
    state = heard(("ada", f"I propose that {LONG}."), ("ben", text, "m0"))

    assert state.proposals[0].status == status
    assert [one.topic for one in state.decisions] == ["reading of the sensors"]


@pytest.mark.requirement("S4-34")
def test_a_decision_that_quotes_or_cites_a_proposal_settles_it_and_no_other():
    memory = varves.ConversationMemory()
    for text in (f"I propose that {LONG}.", "I propose a party", "I propose a rest"):
        memory.process_message(varves.Message(agent_id="ada", content=text))
    quoted, cited, _ = memory.state.proposals

    memory.process_message(varves.Message(agent_id="ben", content=f"We decided: {quoted.content}"))
    memory.process_message(
        varves.Message(agent_id="ben", content=f"[DECISION] {cited.id} is rejected")
    )

    assert [one.status for one in memory.state.proposals] == ["accepted", "rejected", "active"]


@pytest.mark.requirement("S4-34")
def test_what_was_settled_is_not_settled_again_in_passing():
    state = heard(
        ("ada", f"I propose that {LONG}."),
        ("ben", "[DECISION] rejected", "m0"),
        ("eve", f"We agreed on the way home: {LONG}"),
    )

    assert state.proposals[0].status == "rejected"


@pytest.mark.requirement("S4-34")
def test_no_number_of_supporters_settles_a_proposal():
    posts = [(f"agent-{number}", "I agree, let's do it", "m0") for number in range(20)]
    state = heard(("ada", f"I propose that {LONG}."), *posts)

    assert len(state.proposals[0].reactions) == 20
    assert state.proposals[0].status == "active"
    assert state.decisions == ()
