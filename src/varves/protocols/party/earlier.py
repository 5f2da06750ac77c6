"""Finds which memories of an agent are repeated, cited or reversed in a party."""

from __future__ import annotations

import re
from functools import lru_cache

from varves.language.acts import RESTATES
from varves.language.judge import CONTRADICTION, SAME, UPDATE, judge, statement
from varves.language.names import Names
from varves.language.outcomes import outcome, turns_back, without_announcement
from varves.language.sentences import plain
from varves.protocols.party.phrases import AGAINST
from varves.protocols.party.relevance import significant
from varves.protocols.party.sentences import sentences
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.language.judge import Statement
    from varves.protocols.party.talk import PartyTalk

_NOTED = re.compile(
    r"^(prefer|like|dislike|favou?r|want|hate|love|value|avoid|trust|distrust|enjoy)s\b",
    re.IGNORECASE,
)
_LEAST = 2  # significant words of a text that cites another
_MOST = 0.6  # of the words of the shorter text


class Citation(Value):
    """A statement that an agent says again, and the turn in which it does so."""

    agent: str
    text: str
    turn: str


def citations(talk: PartyTalk) -> list[Citation]:
    """Return the sentences with which agents of a talk cite what was said or decided before."""
    names = Names(talk.agents)
    return [
        Citation(agent=turn.agent, text=one.text, turn=turn.event)
        for turn in talk.turns
        for one in sentences(turn.text, names, turn.agent)
        if one.is_own and one.act(RESTATES) is not None
    ]


def cited(text: str, memories: Iterable[str]) -> int | None:
    """Return the position of the memory that a text cites, None if it cites none.

    A text cites a memory if it shares most of the significant words of the shorter one, and denies
    something if the memory does. Of several memories, the one that shares the most words is cited;
    among equals, the first.
    """
    wanted, denies = significant(text), _denies(text)
    shares = []
    for place, memory in enumerate(memories):
        held = significant(memory)
        shared = len(wanted & held)
        if shared >= _LEAST and _denies(memory) == denies:
            share = shared / min(len(wanted), len(held))
            if share >= _MOST:
                shares.append((shared / len(wanted | held), -place))
    return -max(shares)[1] if shares else None


def _denies(text: str) -> bool:
    return AGAINST.search(plain(text)) is not None


def repeats(older: str, newer: str) -> bool:
    """Return whether a text says the same as an earlier one."""
    verdict = judge(_stated(older), _stated(newer))
    return verdict is not None and verdict.kind == SAME


def reverses(older: str, newer: str) -> bool:
    """Return whether a decision replaces an earlier one on the same subject."""
    verdict = judge(_stated(older), _stated(newer))
    if verdict is not None and verdict.kind in (UPDATE, CONTRADICTION):
        return True
    if turns_back(older, newer):
        return True
    if verdict is not None:
        return False
    (_, was_against), (gone, is_against) = outcome(older), outcome(newer)
    lost, held = significant(gone), significant(older)
    return is_against and not was_against and bool(lost) and lost <= held and len(held - lost) <= 1


@lru_cache(maxsize=256)
def _stated(text: str) -> Statement:
    """Return a text as the judge compares it.

    The words that announce a decision are left out, and an agent's note about itself ("Prefers
    tabs") is read as what the agent says ("I prefer tabs").
    """
    return statement(without_announcement(_NOTED.sub(lambda found: f"I {found[1].lower()}", text)))
