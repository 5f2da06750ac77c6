"""Where each agent stands, and what it gave."""

from __future__ import annotations

from typing import Any

import pytest

import varves
from tests.tables import each_row


def heard(*posts: tuple[str, ...]) -> Any:
    """Let a memory hear messages, each (agent, text), or so with what it answers and its type."""
    memory = varves.ConversationMemory()
    for number, (agent, text, *more) in enumerate(posts):
        reply, kind = (*more, None, None)[:2]
        memory.process_message(
            varves.Message(
                agent_id=agent,
                content=text,
                id=f"m{number}",
                reply_to=reply,
                type=kind or "message",
            )
        )
    return memory.state.agent_states


@pytest.mark.requirement("S4-57")
def test_the_stance_is_the_latest_proposal_agreement_disagreement_or_argument():
    says = (
        "I propose that we ship on Friday. It is a good day.",
        "Hello again.",
        "Slow, I disagree with the rush.",
        "Where is the coffee?",
        "Fine, I agree now.",
        "I prefer tea, because it is quiet.",
        "Good night.",
    )
    stands = [heard(*(("ada", text) for text in says[:n]))["ada"] for n in range(1, 8)]

    assert [one.last_position for one in stands] == [
        "I propose that we ship on Friday.",
        "I propose that we ship on Friday.",
        "Slow, I disagree with the rush.",
        "Slow, I disagree with the rush.",
        "Fine, I agree now.",
        "I prefer tea, because it is quiet.",
        "I prefer tea, because it is quiet.",
    ]
    assert [one.message_count for one in stands] == [1, 2, 3, 4, 5, 6, 7]
    assert stands[-1].key_contributions[0] == "we ship on Friday"


@pytest.mark.requirement("S4-57")
def test_each_agent_has_its_own_and_a_bare_word_names_what_it_is_about():
    agents = heard(
        ("ada", "I propose a smaller disk"),
        ("ben", "I agree", "m0"),
        ("eve", "[DECISION] We've agreed to ask Noa first."),
    )

    assert agents["ben"].last_position == 'I agree (on "a smaller disk" by ada)'
    assert agents["ben"].key_contributions == ()
    assert agents["eve"].key_contributions == ("We've agreed to ask Noa first.",)
    assert [one.message_count for one in agents.values()] == [1, 1, 1]


@pytest.mark.requirement("S4-57")
def test_a_system_message_is_nobodys_stance():
    agents = heard(
        ("ada", "Hello."),
        ("system", "I propose a break. [DECISION] We've agreed to stop.", None, "system"),
        ("ada", "I agree with the machine.", None, "system"),
    )

    assert list(agents) == ["ada"]
    assert agents["ada"].message_count == 1
    assert agents["ada"].last_position == ""


VIEWS = (
    ("No, I was wrong. Pine is the better wood for the deck.", "Pine is the better wood"),
    ("I was wrong about cedar.", "I was wrong about cedar."),
    ("I no longer think so. Pine beats cedar.", "Pine beats cedar."),
    ("I've changed my mind: pine it is.", "I've changed my mind"),
    ("Scratch that, pine.", "Scratch that, pine."),
    ("I take that back. Who has pine?", "I take that back."),
    ("Pine, definitely.", "Pine, definitely."),
    ("Definitely pine.", "Definitely pine."),
    ("Pine lasts longer, cedar rots.", "Pine lasts longer"),
    ("Pine is cheaper than cedar.", "Pine is cheaper"),
    ("I'm for pine now.", "I'm for pine now."),
    ("My vote goes to pine.", "My vote goes to pine."),
    ("Cedar is too soft for the deck.", "Cedar is too soft"),
)
NO_VIEWS = (
    "Is pine better than cedar?",
    "Bo says pine is better.",
    "If pine is better, tell me.",
    "The weather is better today.",
    "It is colder than yesterday.",
    "The build took 3 minutes longer today.",
    "The train is late, definitely.",
    "I was on the wrong train.",
)


@pytest.mark.requirement("S4-57")
@each_row(("text", "told"), VIEWS)
def test_a_later_view_is_the_position(text, told):
    assert heard(("ada", "I prefer cedar."), ("ada", text))["ada"].last_position.startswith(told)


@pytest.mark.requirement("S4-57")
@each_row("text", NO_VIEWS)
def test_a_statement_that_is_no_view_leaves_the_position(text):
    stands = heard(("ada", "I prefer cedar."), ("ada", text))["ada"]
    assert stands.last_position == "I prefer cedar."
