"""One message about several proposals: its reaction to each of them."""

from __future__ import annotations

import pytest

import varves
from tests.tables import each_row
from varves.protocols.deliberation.published import trackReaction

BOTH = ("reader", "published")
LAMP, BENCH = "a second lantern on the pier", "a third bench by the gate"
TABLED = (("ana", f"I propose {LAMP}."), ("bo", f"My suggestion: {BENCH}."))


def reactions(text, extractor="reader"):
    memory = varves.ConversationMemory({"extractor": extractor})
    for number, (agent, content) in enumerate((*TABLED, ("cy", text))):
        message = varves.Message(agent_id=agent, content=content, id=f"m{number}")
        memory.process_message(message)
    one, other = memory.state.proposals[:2]
    return [next((each.reaction for each in it.reactions), "") for it in (one, other)]


QUOTED = (
    (f"I agree with {LAMP}. I disagree with {BENCH}.", "support", "oppose"),
    (f"I disagree with {BENCH}, but {LAMP}: great idea.", "support", "oppose"),
    (f"{LAMP}: I agree. {BENCH}: I disagree.", "support", "oppose"),
    (f"{LAMP} - great idea; {BENCH} - won't work", "support", "oppose"),
    (f"- {LAMP}: great idea\n- {BENCH}: won't work", "support", "oppose"),
    (f"{LAMP}? Great idea! {BENCH}? I disagree.", "support", "oppose"),
    (f"There is a problem with {LAMP}. {BENCH} is a great idea.", "oppose", "support"),
    (f"I agree with {LAMP}, but not with {BENCH}.", "support", "oppose"),
    (f"I agree with {LAMP} and disagree with {BENCH}.", "support", "oppose"),
    (f"I agree with {LAMP} and {BENCH}.", "support", "support"),
    (f"Neither {LAMP} nor {BENCH}: I disagree.", "oppose", "oppose"),
    (f"{LAMP} and {BENCH}: great idea!", "support", "support"),
    (f"I agree with {LAMP}. What about {BENCH}?", "support", "neutral"),
    (f"{LAMP} or {BENCH}?", "neutral", "neutral"),
    (f"{LAMP}: great idea, but a problem with cost. {BENCH}: I agree.", "oppose", "support"),
    (f"I agree with {LAMP}. I see a problem with {LAMP}. {BENCH}: great idea", "oppose", "support"),
)


@pytest.mark.requirement("S4-28", "S4-29", "S4-31")
@pytest.mark.parametrize("extractor", BOTH)
@each_row(("text", "lamp", "bench"), QUOTED)
def test_each_quoted_proposal_takes_the_reaction_to_it(text, lamp, bench, extractor):
    assert reactions(text, extractor) == [lamp, bench]


@pytest.mark.parametrize(("extractor", "lamp"), [("reader", "oppose"), ("published", "neutral")])
def test_a_negation_counts_for_the_reader_and_not_for_the_published_patterns(extractor, lamp):
    text = f"I don't agree with {LAMP}, but {BENCH} is a great idea."
    assert reactions(text, extractor) == [lamp, "support"]


@each_row(
    ("text", "lamp", "bench"),
    (
        ("I agree with the lantern, but the bench won't work.", "support", "oppose"),
        ("The lantern is a great idea. I disagree with the bench.", "support", "oppose"),
        ("I like the lantern but I'm against the bench.", "support", "oppose"),
        ("I agree with bo, but I disagree with ana.", "oppose", "support"),
        ("I agree with both.", "support", "support"),
        ("I disagree with both ideas.", "oppose", "oppose"),
        ("I disagree, we have no money.", "", "oppose"),
        ("I agree with ana about the lantern. The bench is old.", "support", ""),
    ),
)
def test_the_reader_tells_proposals_apart_by_their_words(text, lamp, bench):
    assert reactions(text) == [lamp, bench]


def test_the_published_function_gives_each_proposal_its_reaction():
    state = {"status": "active", "reactions": [], "timestamp": ""}
    proposals = [
        {"id": "p", "proposer": "ana", "content": LAMP, **state, "reactions": []},
        {"id": "q", "proposer": "bo", "content": BENCH, **state, "reactions": []},
    ]
    trackReaction({"agentId": "cy", "content": QUOTED[0][0]}, proposals)

    assert [one["reactions"][0]["reaction"] for one in proposals] == ["support", "oppose"]
