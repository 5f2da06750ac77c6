"""Finds who agrees with, disagrees with or complements whom, in the speaker's own words.

Agreement and disagreement are taken only from an agent's own statements; that two agents complement
each other may be stated by anyone. The reader of `language` finds them and ignores doubtful ones:
partial agreement, agreement under a condition, and agreement of others. The type of a turn, if
given, is trusted.
"""

from __future__ import annotations

import re

from varves.language import acts
from varves.protocols.party.talk import Bond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.language.names import Names
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import Turn

AGREES, DISAGREES, COMPLEMENTS = "agrees_with", "disagrees_with", "complements"
TYPED = {"agreement": AGREES, "disagreement": DISAGREES, "complement": COMPLEMENTS}
_ACTS = {acts.AGREES: AGREES, acts.DISAGREES: DISAGREES, acts.COMPLEMENTS: COMPLEMENTS}
_MARK = re.compile(r"@\d+")


def bonds(
    turn: Turn, spoken: Sequence[TurnSentence], names: Names, before: str | None = None
) -> list[Bond]:
    """Return the relations that a turn states, each once; `before` made the last statement."""
    if turn.type in TYPED:
        told = _addressed(turn, spoken, names)
        found = [one for other in told for one in _paired(TYPED[turn.type], turn.agent, [other])]
    elif turn.type == "question":
        found = []
    else:
        met = addressees(turn, spoken, names, before)
        found = [
            one
            for sentence, you in zip(spoken, met, strict=True)
            for one in said(sentence, turn.agent, names, you)
        ]
    return [
        Bond(agent=agent, other=other, relation=relation, turns=(turn.event,), rule=relation)
        for relation, agent, other in dict.fromkeys(found)
        if other != agent and {agent, other} <= {*names.people}
    ]


def addressees(
    turn: Turn, spoken: Sequence[TurnSentence], names: Names, before: str | None = None
) -> list[str | None]:
    """Return for each sentence of a turn the agent that it answers if it names none.

    It is the first of these: the agent that the turn addresses; the only agent that the turn has
    named so far; the agent who made the last statement.
    """
    found: list[str | None] = []
    for place in range(len(spoken)):
        others = [name for name in named(spoken[:place], names) if name != turn.agent]
        one = others[0] if len(others) == 1 else None
        found.append(turn.to or (one if others else before))
    return found


def named(spoken: Iterable[TurnSentence], names: Names) -> list[str]:
    """Return the agents that sentences name, each once, in order."""
    return names.read(mark for one in spoken for mark in _MARK.findall(one.plain))


def _addressed(turn: Turn, spoken: Iterable[TurnSentence], names: Names) -> list[str]:
    """Return the agent a typed turn is about: the one it addresses, otherwise the one it names."""
    if turn.to is not None:
        return [turn.to]
    others = [name for name in named(spoken, names) if name != turn.agent]
    return others if len(others) == 1 else []


def said(
    sentence: TurnSentence, speaker: str, names: Names, you: str | None
) -> list[tuple[str, str, str]]:
    """Return the relations that one sentence states: the relation, whose it is, and to whom."""
    found = []
    for act in sentence.said.acts:
        if act.kind in _ACTS:
            people = [] if you is None or acts.YOU not in act.whom else [you]
            people += names.read(one for one in act.whom if one != acts.YOU)
            found += _paired(_ACTS[act.kind], speaker, people, own=act.own)
    return found


def _paired(
    relation: str, speaker: str, people: Sequence[str], *, own: bool = True
) -> list[tuple[str, str, str]]:
    """Return a relation of the speaker to each of the people; agents complement each other."""
    if relation != COMPLEMENTS:
        return [(relation, speaker, other) for other in people]
    among = [speaker] if own else people
    pairs = [(one, other) for one in among for other in people if one != other]
    return [(relation, *pair) for one, other in pairs for pair in ((one, other), (other, one))]
