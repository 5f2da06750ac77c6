"""Finds who agrees with, disagrees with or complements whom, in the speaker's own words.

An agent's relations come only from that agent's statements. The reader of `language` finds them and
ignores doubtful ones: partial agreement, agreement under a condition, and agreement of others. The
type of a turn, if given, is trusted.
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


def bonds(turn: Turn, spoken: Sequence[TurnSentence], names: Names) -> list[Bond]:
    """Return the relations of the speaker that a turn states, each once."""
    if turn.type in TYPED:
        found = [(TYPED[turn.type], other) for other in _addressed(turn, spoken, names)]
    elif turn.type == "question":
        found = []
    else:
        found = [one for sentence in spoken for one in said(sentence, turn, names)]
    return [
        Bond(agent=turn.agent, other=other, relation=relation, turns=(turn.event,), rule=relation)
        for relation, other in dict.fromkeys(found)
        if other != turn.agent and other in names.people
    ]


def named(spoken: Iterable[TurnSentence], names: Names) -> list[str]:
    """Return the agents that sentences name, each once, in order."""
    return names.read(mark for one in spoken for mark in _MARK.findall(one.plain))


def _addressed(turn: Turn, spoken: Iterable[TurnSentence], names: Names) -> list[str]:
    """Return the agent a typed turn is about: the one it addresses, otherwise the one it names."""
    if turn.to is not None:
        return [turn.to]
    others = [name for name in named(spoken, names) if name != turn.agent]
    return others if len(others) == 1 else []


def said(sentence: TurnSentence, turn: Turn, names: Names) -> list[tuple[str, str]]:
    """Return the relations that one sentence states, as pairs of a relation and an agent."""
    told = [turn.to] if turn.to is not None else []
    return [
        (_ACTS[act.kind], other)
        for act in sentence.said.acts
        if act.kind in _ACTS
        for other in (told if act.whom == (acts.YOU,) else names.read(act.whom))
    ]
