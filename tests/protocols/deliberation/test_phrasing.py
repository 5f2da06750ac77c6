"""Decisions below headings, two acts in one sentence, and marks of emphasis."""

from __future__ import annotations

import time

import pytest

import varves
from tests.tables import each_row

BOTH = ("reader", "published")


def heard(text, extractor="reader"):
    memory = varves.ConversationMemory({"extractor": extractor})
    memory.process_message(varves.Message(agent_id="ada", content=text))
    return memory.state


BELOW = (
    ("## Final decision\n\nUse marine paint on the hull.", "Use marine paint on the hull"),
    ("### Our final answer\n\n40 seats", "40 seats"),
    ("**Consensus reached**\n\nThe ferry runs hourly.", "The ferry runs hourly"),
    ("__Final decision__\nThe ferry runs hourly.", "The ferry runs hourly"),
    ("Final decision\n==============\n\nUse marine paint.", "Use marine paint"),
    ("Final decision\n---\nUse marine paint.", "Use marine paint"),
    ("1. Final decision\n\nUse marine paint.", "Use marine paint"),
    ("Final decision \u2705\n\nUse marine paint.", "Use marine paint"),
    ("Final decision! Nets are mended on Monday.", "Nets are mended on Monday"),
    ("Final decision\nNets on Monday.", "Nets on Monday"),
    ("We've decided.\n\nNets on Monday.", "Nets on Monday"),
    ("We've agreed!\r\nNets on Monday.", "Nets on Monday"),
    ("After a long talk, consensus reached.\n\nNets on Monday.", "Nets on Monday"),
    (
        "The talk was long.\n\n## Final decision\n\n- Paint: blue\n- Nets: new",
        "Paint: blue; Nets: new",
    ),
    ("## Final decision\n- Paint: blue\n- Nets: new", "Paint: blue; Nets: new"),
)
NOT_BELOW = (
    ("That's our final decision.\n\nSee you tomorrow.", "That's our final decision"),
    ("Ten seats is our final answer. Bye now.", "Ten seats is our final answer"),
    ("We agreed to ship.\n\nNets on Monday.", "to ship"),
)


NO_OUTCOME = (
    "We've decided.\n\nThanks everybody!",
    "We've decided.\n\nAny questions?",
    "## Final decision\n\n## Nets\n\nThey are old.",
    "We've decided. The next item is the slipway.",
    "Consensus reached. On to the budget.",
    "So, we have agreed! Moving on to the nets.",
    "OK, consensus reached. What is next?",
)


@each_row(("text",), [(text,) for text in NO_OUTCOME])
def test_the_reader_makes_no_decision_of_words_that_name_no_outcome(text):
    assert heard(text).decisions == ()


def test_words_that_name_no_outcome_settle_what_is_on_the_table():
    memory = varves.ConversationMemory()
    for agent, text in (
        ("ada", "I propose that the ferry runs hourly"),
        ("ben", "We've decided. The next item is the slipway."),
    ):
        memory.process_message(varves.Message(agent_id=agent, content=text))
    assert [one.outcome for one in memory.decisions] == ["the ferry runs hourly"]
    assert [one.status for one in memory.proposals] == ["accepted"]


@pytest.mark.requirement("S4-24")
@pytest.mark.parametrize("extractor", BOTH)
@each_row(("text", "outcome"), (*BELOW, *NOT_BELOW))
def test_the_outcome_is_the_text_below_a_heading_that_decides(text, outcome, extractor):
    assert [one.outcome for one in heard(text, extractor).decisions] == [outcome]


@each_row(
    ("text", "outcomes"),
    (
        ("## Decision\n\nUse marine paint.", ["Use marine paint"]),
        ("**Verdict**\n\nWe paint it blue.", ["We paint it blue"]),
        ("# The resolution\nUse marine paint.", ["Use marine paint"]),
        ("## Decision log\n\nUse marine paint.", []),
        ("## Decision?\n\nThe paint was blue.", []),
        ("Decision\n\nThe paint was blue.", []),
    ),
)
def test_the_reader_takes_a_heading_of_one_word_too(text, outcomes):
    assert [one.outcome for one in heard(text).decisions] == outcomes


@pytest.mark.requirement("S4-25")
@pytest.mark.parametrize("extractor", BOTH)
def test_two_decisions_below_equal_headings_are_two(extractor):
    memory = varves.ConversationMemory({"extractor": extractor})
    for agent, text in (("ada", "Use marine paint."), ("ben", "Nets are mended on Monday.")):
        content = f"## Final decision\n\n{text}"
        memory.process_message(varves.Message(agent_id=agent, content=content))

    assert [one.supporting_agents for one in memory.state.decisions] == [("ada",), ("ben",)]


JOINED = (
    ("We agreed on a bench and I propose a lamp next to it.", "a bench", "a lamp next to it"),
    ("We agreed on a bench, but what if we buy a lamp?", "a bench", "buy a lamp"),
    ("I propose a lamp, and we've agreed on a bench.", "a bench", "a lamp"),
    ("We decided on cedar; my suggestion is oak for the door.", "cedar", "oak for the door"),
    ("We decided on cedar \u2013 let's consider oak too.", "cedar", "oak too"),
    ("[DECISION] cedar posts [PROPOSAL] a steel gate", "cedar posts", "a steel gate"),
    ("Consensus reached: cedar, and now I propose oil", "cedar", "oil"),
)
NOT_JOINED = (
    ("We agreed that Bo and I propose the budget.", "Bo and I propose the budget", "the budget"),
    ("We agreed that I propose the budget.", "I propose the budget", "the budget"),
)


@pytest.mark.requirement("S4-24", "S4-27")
@pytest.mark.parametrize("extractor", BOTH)
@each_row(("text", "outcome", "content"), (*JOINED, *NOT_JOINED))
def test_a_decision_and_a_proposal_in_one_sentence_are_separated(text, outcome, content, extractor):
    state = heard(text, extractor)

    assert [one.outcome for one in state.decisions] == [outcome]
    assert [one.content for one in state.proposals] == [content]


@each_row(
    ("text", "outcome"),
    (
        ("We decided on cedar and I'd suggest oak for the door.", "cedar"),
        ("We decided to ask Bo, and how about a lamp?", "to ask Bo"),
        ("We decided on cedar but I disagree with the price.", "cedar"),
        ("We decided on cedar and oak.", "cedar and oak"),
        ("We decided to paint it, so Bo buys paint.", "to paint it, so Bo buys paint"),
    ),
)
def test_the_reader_separates_acts_in_other_words(text, outcome):
    assert [one.outcome for one in heard(text).decisions] == [outcome]


@pytest.mark.parametrize("extractor", BOTH)
@each_row(
    ("text", "told"),
    (
        ("**Fence**: cedar posts every 2 m", "Fence: cedar posts every 2 m"),
        ("_Fence_: cedar posts", "Fence: cedar posts"),
        ("Use **marine paint**.", "Use **marine paint**"),
        ("Use **marine** paint", "Use **marine** paint"),
        ("Pass **kwargs and snake_case_ names on", "Pass **kwargs and snake_case_ names on"),
        ("Keep `__init__` as it is", "Keep `__init__` as it is"),
        ("2 * 3 posts", "2 * 3 posts"),
    ),
)
def test_marks_of_emphasis_have_partners(text, told, extractor):
    assert [one.outcome for one in heard(f"[DECISION] {text}", extractor).decisions] == [told]
    assert [one.content for one in heard(f"[PROPOSAL] {text}", extractor).proposals] == [told]


@each_row(
    "text",
    (
        "we've decided.\n" + "\n" * 9_000,
        "we agreed" + "!" * 9_000,
        "we've decided and " * 3_000,
        "i propose it, " * 3_000 + "\n" * 3_000,
        "**" * 9_000 + "final decision" + "**" * 9_000,
    ),
)
def test_a_hostile_layout_is_read_in_good_time(text):
    began = time.process_time()
    heard(text)
    assert time.process_time() - began < 5
