"""Patterns that settings add to the published ones."""

from __future__ import annotations

import logging

import pytest

import varves
from varves.errors import UsageError

ENDLESS = r"(a+)+(b+)+$"


def state_after(memory: varves.ConversationMemory, *posts: tuple[str, ...]):
    for number, (agent, text, *answered) in enumerate(posts):
        reply = answered[0] if answered else None
        memory.process_message(
            varves.Message(agent_id=agent, content=text, id=f"m{number}", reply_to=reply)
        )
    return memory.state


@pytest.mark.requirement("S4-61")
def test_a_pattern_of_each_kind_is_found_beside_the_published_ones():
    memory = varves.ConversationMemory(
        {
            "decision_patterns": [r"\bratified\b"],
            "proposal_patterns": [r"motion\s+to"],
            "support_patterns": [r"\bhear, hear"],
            "oppose_patterns": [r"\bveto\b"],
        }
    )
    state = state_after(
        memory,
        ("ada", "MOTION to paint the door green."),
        ("ben", "Hear, hear!", "m0"),
        ("eve", "I veto that.", "m0"),
        ("noa", "Ratified: the door stays brown."),
        ("noa", "We've agreed to meet on Monday."),
    )

    assert [one.content for one in state.proposals] == ["paint the door green"]
    taken = [(one.agent_id, one.reaction) for one in state.proposals[0].reactions]
    assert taken == [("ben", "support"), ("eve", "oppose")]
    assert [one.outcome for one in state.decisions] == [
        "the door stays brown",
        "to meet on Monday",
    ]


@pytest.mark.requirement("S4-61")
@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("(open", "is not a regular expression"),
        ("x*", "matches every message"),
        ("", "matches every"),
    ],
    ids=["unclosed", "everything", "empty"],
)
def test_a_pattern_that_cannot_be_is_refused_with_its_name_and_place(pattern, told):
    with pytest.raises(UsageError) as refused:
        varves.ConversationMemory({"oppose_patterns": ["veto", pattern]})

    assert "oppose_patterns, number 2" in refused.value.message
    assert told in refused.value.message
    assert "\n" not in refused.value.message


@pytest.mark.requirement("S4-61")
def test_a_pattern_that_would_never_end_is_passed_over_and_the_rest_is_found(caplog):
    memory = varves.ConversationMemory({"decision_patterns": [ENDLESS, "ratified"]})
    with caplog.at_level(logging.WARNING, logger="varves.deliberation"):
        state = state_after(memory, ("ada", "a" * 5000 + " ratified: we ship. I propose a rest"))

    assert len(state.decisions) == 1
    assert len(state.proposals) == 1
    assert state.total == 1
    assert "decision_patterns, number 1" in caplog.text


def test_a_pattern_is_found_at_the_end_of_a_long_message():
    memory = varves.ConversationMemory({"decision_patterns": [r"ratified\s+today"]})
    state = state_after(memory, ("ada", "word after word " * 60_000 + "ratified today: we ship"))

    assert [one.outcome for one in state.decisions] == ["we ship"]
