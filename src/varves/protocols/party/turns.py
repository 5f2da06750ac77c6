"""The turns of a talk as they are understood.

Each turn has its sentences, the relations that it states, and the agent whom it answers.
"""

from __future__ import annotations

from varves.language.acts import PROPOSES, RESOLVES
from varves.protocols.party.phrases import ABOUT_TALK, SHOULD
from varves.protocols.party.relations import AGREES, addressees, bonds, named, said
from varves.protocols.party.sentences import sentences
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.language.names import Names
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


def heard_turns(turns: Iterable[Turn], names: Names) -> list[Heard]:
    """Return the turns as they are understood, each in answer to the last statement of another."""
    heard: list[Heard] = []
    for turn in turns:
        last = next((one for one in reversed(heard) if one.turn.agent != turn.agent), None)
        heard.append(_heard(turn, names, None if last is None else _stating(last, turn.agent)))
    return heard


def _stating(last: Heard, speaker: str) -> str | None:
    """Return the agent whose statement an answer to a turn means; None if the turn only asks.

    If an answer is to an agent who only agreed, it refers to the agent with whom that one agreed.
    """
    if not last.states:
        return None
    agreed = {bond.other for bond in last.bonds if bond.relation == AGREES} - {speaker}
    if not last.statements and len(agreed) == len({bond.relation for bond in last.bonds}) == 1:
        return agreed.pop()
    return last.turn.agent


def _heard(turn: Turn, names: Names, before: str | None) -> Heard:
    spoken = sentences(turn.text, names, turn.agent)
    answered = addressees(turn, spoken, names, before)
    related = [
        said(each, turn.agent, names, you) for each, you in zip(spoken, answered, strict=True)
    ]
    met = {*named(spoken, names), *([turn.to] if turn.to is not None else [])}
    return Heard(
        turn=turn,
        marked=names.mark(turn.text),
        spoken=tuple(spoken),
        bonds=tuple(bonds(turn, spoken, names, before)),
        named=frozenset(met - {turn.agent}),
        answers=before,
        statements=tuple(
            each
            for each, bonds_of in zip(spoken, related, strict=True)
            if not any(whose == turn.agent != other for _, whose, other in bonds_of)
        ),
    )
