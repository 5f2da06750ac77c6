"""A turn as it is understood: its sentences, the relations it states, and whom it answers."""

from __future__ import annotations

from varves.language.acts import PROPOSES, RESOLVES
from varves.protocols.party.phrases import ABOUT_TALK, SHOULD
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import Bond, Turn


class Heard(Value):
    """A parsed turn: its sentences, and the relations it states."""

    turn: Turn
    marked: str
    """Its text, with marks for the agents."""
    spoken: tuple[TurnSentence, ...]
    bonds: tuple[Bond, ...]
    named: frozenset[str]
    """The agents that it addresses or names."""
    answers: str | None = None
    """The agent who made the last statement before it."""
    statements: tuple[TurnSentence, ...] = ()
    """Its sentences that do more than state a relation of the speaker."""

    @property
    def states(self) -> bool:
        """Whether the turn says something with which others can agree, and does not only ask."""
        told = any(each.is_own or proposes(each) for each in self.spoken)
        return self.turn.type == "proposal" or (self.turn.type != "question" and told)


def proposes(sentence: TurnSentence) -> bool:
    """Return whether a sentence proposes something, perhaps as a question: "how about Redis?"."""
    if not sentence.asks:
        return sentence.is_own and (
            sentence.act(PROPOSES) is not None
            or sentence.act(RESOLVES) is not None
            or (SHOULD.search(sentence.plain) is not None and not ABOUT_TALK.search(sentence.plain))
        )
    meant = sentence.said.guards
    return not (meant.supposes or meant.tells) and sentence.act(PROPOSES) is not None
