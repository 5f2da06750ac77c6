"""What was read once is read again as soon as anything changed, here or in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import varves

if TYPE_CHECKING:
    from pathlib import Path

DECIDED = "We decided on 'the cache': keep it in memory."


def state(ledger: Any) -> Any:
    return ledger.deliberation.state(conversation="talk")


def test_a_conversation_is_seen_as_others_left_it(project: Path):
    with (
        varves.open(str(project), actor="ada") as one,
        varves.open(str(project), actor="ben") as other,
    ):
        one.deliberation.begin("talk")
        one.deliberation.say("ada", DECIDED, conversation="talk")
        [first] = state(one).decisions
        assert state(one) == state(one) == state(other)
        other.deliberation.say("ben", "I propose a file beside it.", conversation="talk")
        assert [held.proposer for held in state(one).proposals] == ["ben"]
        other.correct(first.id, "Keep the cache in a file.")
        assert [held.outcome for held in state(one).decisions] == ["Keep the cache in a file."]
        other.forget(state(other).proposals[0].id, reason="taken back")
        assert state(one).proposals == ()
        other.undo()
        assert [held.proposer for held in state(one).proposals] == ["ben"]
        one.deliberation.say("ada", "Let's see.", conversation="talk")
        assert state(other).total == state(one).total == 3


def test_a_look_at_the_past_changes_nothing_of_the_present(project: Path):
    with varves.open(str(project), actor="ada") as one:
        talk = one.deliberation
        talk.begin("talk")
        talk.say("ada", DECIDED)
        talk.say("ben", "I propose a file beside it.")
        assert talk.state(message=0).total == 1
        assert (talk.state().total, len(talk.state().proposals)) == (2, 1)
        assert talk.say("ada", "Fine.").index == 2
