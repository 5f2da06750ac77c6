"""Sorts what was said in a chunk: who agreed or disagreed with what, and which questions are open.

A side counts if the state contains it as a reaction to a proposal, or if the sentence names the act
("I disagree that …"). A question is answered by the next message of another speaker if that looks
like an answer, or by a later one with a word of the question.
"""

from __future__ import annotations

import re

from varves.language.acts import OPPOSES, PROPOSES, SUPPORTS, Situation
from varves.language.english.tongue import ENGLISH
from varves.language.reader import read
from varves.protocols.deliberation.state import OPPOSE, SUPPORT
from varves.protocols.deliberation.subjects import gist
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from varves.language.reader import Said
    from varves.protocols.deliberation.state import Message, Proposal, State

_READ = 4000  # the characters of a message that are read
_SIDES = {OPPOSES: OPPOSE, SUPPORTS: SUPPORT}
_KINDS = (PROPOSES, *_SIDES)
_NAMED = 8  # the maximum number of words by which a proposal is named
_SHORT = 3  # so few words name no thing; after a question they answer it


class StatedSide(Value):
    """A sentence in which a speaker agrees or disagrees."""

    message: Message
    text: str
    side: str
    proposal: Proposal | None = None

    @property
    def line(self) -> str:
        """The sentence, and the proposal that it is about."""
        said = f"- {self.message.agent_id}: {self.text}"
        if self.proposal is None or self.proposal.content[:20] in self.text:
            return said
        return f'{said} (on "{gist(self.proposal.content, _NAMED)}" by {self.proposal.proposer})'


def views(messages: Sequence[Message], state: State) -> Iterator[StatedSide]:
    """Yield at most one view of each side for each message."""
    for at, message in enumerate(messages):
        found: dict[str, StatedSide] = {}
        for one in read(message.content, _situation(messages[:at], message), most=_READ):
            side = _side(one)
            if side is None or side in found:
                continue
            proposal = _reacted_to(message.agent_id, side, state, messages[at:])
            text = " ".join(message.content[one.sentence.start : one.sentence.end].split())
            argues = len(text.split()) > _SHORT and ENGLISH.acts["takes_part"].search(text.lower())
            if proposal is not None or argues:
                found[side] = StatedSide(message=message, text=text, side=side, proposal=proposal)
        yield from found.values()


def _situation(before: Sequence[Message], message: Message) -> Situation:
    others = [one for one in before if one.agent_id != message.agent_id]
    return Situation(tabled=bool(others), answers=bool(others), told=bool(others))


def _side(one: Said) -> str | None:
    return next((side for kind, side in _SIDES.items() if one.act(kind) is not None), None)


def _reacted_to(agent: str, side: str, state: State, later: Sequence[Message]) -> Proposal | None:
    """Return the last proposal before some messages to which an agent reacted in this way."""
    after = {one.id for one in later if one.id}
    for one in reversed(state.proposals):
        reacted = any(it.agent_id == agent and it.reaction == side for it in one.reactions)
        if reacted and one.message not in after:
            return one
    return None


def is_answered(
    question: Collection[str], asker: Message, later: Sequence[tuple[Message, Collection[str]]]
) -> bool:
    """Return whether one of the later messages answers a question.

    Args:
        question: the significant words of the question.
        asker: the message that asks it.
        later: the messages after it, each with its significant words.
    """
    others = [(one, words) for one, words in later if one.agent_id != asker.agent_id]
    for place, (one, words) in enumerate(others):
        told = one.content.strip()
        if asker.id and one.reply_to == asker.id:
            return True
        if told.endswith("?") or _UNKNOWING.search(told):
            continue
        if set(question) & set(words):
            return True
        if not place and (len(told.split()) <= _SHORT or _ANSWERS.match(told)):
            return True
    return False


_UNKNOWING = re.compile(r"\b(?:no idea|not sure|(?:do not|don['\u2019]t) know)\b", re.IGNORECASE)
_ANSWERS = re.compile(
    r"(?:yes|yeah|yep|no|nope|sure|because|about|around|at|in|on|by|from|until|since|it|they|he|she|"
    r"probably|maybe|i think|i guess|i (?:will|can|would|did|do)|i['\u2019](?:ll|d)|\d)\b",
    re.IGNORECASE,
)
