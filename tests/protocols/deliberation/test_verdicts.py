"""What a decision that answers a proposal does to it: it must say what the proposal says."""

from __future__ import annotations

import varves
from tests.tables import each_row
from varves.protocols.deliberation.verdicts import verdict

GYM = "I propose that we hold the seed swap in the gym"
ROOM = "What if we paint the club room light green?"
MOWER = "I propose we lend the lawnmower to neighbours for ten euros a day"
SECOND = "Let's consider a second rehearsal on Thursdays"
SOUP = "My suggestion is to freeze the leftover soup"

ELSE = [
    (GYM, "We decided to postpone it."),
    (GYM, "Let's go with the church hall."),
    (GYM, "We've decided to use the library."),
    (GYM, "We've decided to hold it in the library instead."),
    (GYM, "Consensus reached: we do it in the library instead."),
    (GYM, "We concluded the gym is too small for it."),
    (GYM, "Let's go with something cheaper."),
    (ROOM, "We decided to put that off until the roof is fixed."),
    (ROOM, "Let's go with white."),
    (ROOM, "We've agreed to paint it blue instead."),
    (ROOM, "We concluded the room is too dark for green."),
    (MOWER, "Final decision: five euros a day."),
    (MOWER, "We've decided to sell the lawnmower."),
    (MOWER, "We agreed to ask the insurance first."),
    (SECOND, "Let's go with one long rehearsal."),
    (SECOND, "We decided to leave things as they are."),
    (SOUP, "Consensus reached: the leftover soup goes to the shelter."),
]
SAME = [
    (GYM, "Final decision: yes."),
    (GYM, "[DECISION] Approved."),
    (GYM, "We agreed."),
    (GYM, "We agreed on this."),
    (GYM, "Let's go with that."),
    (GYM, "We've decided to try it."),
    (GYM, "Let's go with the gym."),
    (ROOM, "We decided to paint the room light green."),
    (ROOM, "Let's go with light green."),
    (ROOM, "We've decided to do it."),
    (MOWER, "We agreed to lend it for ten euros."),
    (SECOND, "Consensus reached, a second rehearsal on Thursdays it is."),
    (SECOND, "Let's go with that from next week on."),
    (SOUP, "Final decision: we freeze it."),
    (SOUP, "We've agreed to freeze the soup in small boxes."),
]
AGAINST = [
    (GYM, "We decided to drop the idea."),
    (GYM, "Final decision: no."),
    (GYM, "We decided against it."),
    (GYM, "We decided on the library, not the gym."),
]


def status(proposal: str, reply: str, extractor: str) -> str:
    """Return what becomes of a proposal when somebody answers it."""
    memory = varves.ConversationMemory({"extractor": extractor})
    for number, (agent, text) in enumerate((("ada", proposal), ("ben", reply))):
        answers = "m0" if number else None
        memory.process_message(
            varves.Message(agent_id=agent, content=text, id=f"m{number}", reply_to=answers)
        )
    assert len(memory.state.decisions) == 1
    return memory.state.proposals[0].status


@each_row(("proposal", "reply"), ELSE)
def test_a_decision_for_something_else_does_not_accept(proposal, reply):
    assert status(proposal, reply, "reader") in ("active", "rejected")
    assert status(proposal, reply, "published") in ("active", "rejected")


@each_row(("proposal", "reply"), SAME)
def test_a_decision_that_says_the_same_or_points_to_it_accepts(proposal, reply):
    assert status(proposal, reply, "reader") == "accepted"
    assert status(proposal, reply, "published") == "accepted"


@each_row(("proposal", "reply"), AGAINST)
def test_a_decision_against_it_rejects(proposal, reply):
    assert status(proposal, reply, "reader") == "rejected"
    assert status(proposal, reply, "published") == "rejected"


def test_a_proposal_to_drop_something_is_accepted_by_dropping_it():
    assert verdict("to drop the old parser", "we drop the parser") == "accepted"
    assert verdict("we postpone the fair", "we postpone the fair until May") == "accepted"


def test_dropping_another_thing_leaves_the_proposal():
    assert verdict("to drop the lottery", "we hold the seed swap in the gym") == ""
