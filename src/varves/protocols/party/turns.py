"""The turns of a talk as they are understood.

Each turn has its sentences, the relations that it states, and the agent whom it answers.
"""

from __future__ import annotations

import re

from varves.language import acts
from varves.language.acts import PROPOSES, RESOLVES
from varves.language.english.tongue import ENGLISH
from varves.protocols.party.dashes import completed
from varves.protocols.party.phrases import ABOUT_TALK, SHOULD, decided, worth
from varves.protocols.party.relations import AGREES, DISAGREES, addressees, bonds, named, said
from varves.protocols.party.relevance import significant
from varves.protocols.party.sentences import sentences
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.language.names import Names
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import Bond, Turn

# A comment on what somebody agrees or disagrees with: "it saves us time".
_COMMENTS = re.compile(r"(?:and |but |because |since |as |so )*(?:it|that|this|those|they)\b")
_LEADS = re.compile(ENGLISH.lead)  # "hm", "great"
_SIDES = (acts.AGREES, acts.DISAGREES)


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
    if meant.supposes or meant.tells:
        return False
    return sentence.act(PROPOSES) is not None or confirmed(sentence) is not None


def confirmed(sentence: TurnSentence) -> re.Match[str] | None:
    """Return what a sentence wants to hear confirmed: "we are agreed on the green logo, right?"."""
    return ENGLISH.acts["confirms"].match(sentence.plain) if sentence.asks else None


def heard_turns(turns: Iterable[Turn], names: Names) -> list[Heard]:
    """Return the turns as they are understood, each in answer to the last statement of another."""
    heard: list[Heard] = []
    for turn in turns:
        others = [one for one in heard if one.turn.agent != turn.agent]
        while len(others) > 1 and _only_acknowledges(others[-1], others[-2]):
            others.pop()
        heard.append(_heard(turn, names, others[-1] if others else None))
    return heard


def _only_acknowledges(one: Heard, before: Heard) -> bool:
    """Return whether a turn says no more than "OK" or "hm" to a statement."""
    asked = any(each.asks and not proposes(each) for each in before.spoken)
    if one.bonds or one.turn.type != "statement" or asked:
        return False
    return not any(
        each.asks or each.said.acts or (significant(each.text) and not _LEADS.fullmatch(each.plain))
        for each in one.spoken
    )


def _stating(last: Heard, speaker: str) -> str | None:
    """Return the agent whose statement an answer to a turn means; None if the turn only asks.

    If an answer is to an agent who only agreed, it refers to the agent with whom that one agreed.
    """
    if not last.states:
        return None
    agreed = _only(last, AGREES)
    return last.turn.agent if agreed in (None, speaker) else agreed


def _only(one: Heard, relation: str) -> str | None:
    """Return the agent with whom a turn only agrees, or disagrees; None if it does more."""
    others = {bond.other for bond in one.bonds if bond.relation == relation}
    comments = all(_COMMENTS.match(each.plain) for each in one.statements)
    if len(others) != 1 or len(one.bonds) != 1 or not comments or any(map(_adds, one.spoken)):
        return None
    return others.pop()


def _disagrees(spoken: Sequence[TurnSentence]) -> bool:
    """Return whether the first act of a turn that takes a side disagrees with somebody unnamed."""
    found = [one for each in spoken for one in each.said.acts if one.kind in _SIDES]
    return bool(found) and found[0].kind == acts.DISAGREES and found[0].whom == (acts.YOU,)


def _adds(sentence: TurnSentence) -> bool:
    """Return whether a sentence asks, proposes or states something of its own."""
    if sentence.asks or proposes(sentence):
        return True
    return worth(sentence) is not None or decided(sentence) is not None


def _heard(turn: Turn, names: Names, last: Heard | None) -> Heard:
    marked = names.mark(turn.text)
    spoken = completed(turn.text, marked, sentences(turn.text, names, turn.agent))
    before = None if last is None else _stating(last, turn.agent)
    if last is not None and before == last.turn.agent and _disagrees(spoken):
        also = _only(last, DISAGREES)  # "I disagree." and "I disagree." are against one statement
        before = before if also in (None, turn.agent) else also
    answered = addressees(turn, spoken, names, before)
    related = [
        said(each, turn.agent, names, you) for each, you in zip(spoken, answered, strict=True)
    ]
    met = {*named(spoken, names), *([turn.to] if turn.to is not None else [])}
    return Heard(
        turn=turn,
        marked=marked,
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
