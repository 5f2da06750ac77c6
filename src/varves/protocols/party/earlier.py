"""Finds which memories of an agent are repeated, cited or reversed in a party."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain

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
    from collections.abc import Iterable, Iterator

    from varves.language.judge import Statement
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import PartyTalk, Turn

_NOTED = re.compile(
    r"^(prefer|like|dislike|favou?r|want|hate|love|value|avoid|trust|distrust|enjoy)s\b",
    re.IGNORECASE,
)
_REMINDS = re.compile(  # a reminder is for everybody
    r"^(?:(?:ok|okay|and|but|so|well|also|please|just|everyone|folks|all)[,:]? )*"
    r"(?:remember|recall|do not forget|let us (?:not forget|remember|recall))\b"
)
_OPENS = r"^(?:(?:and|but|so|well|also|ok|okay|yes|right|true|exactly|no)[,:]? )*"
_AS_SAID = re.compile(  # "as Ada said last time, …", "Ada noted in May that …"
    _OPENS + r"(?:(?:as|like) (?P<whose>@\d+)(?: (?:has|had|have|already|once|just|rightly|also))*"
    r" (?:said|told us|mentioned|noted|wrote|recorded|remembers|remembered|pointed out|explained"
    r"|observed|found|reminded us)[^,:]*[,:]) ?(?P<cited>.+)"
)
_HOLDS = re.compile(  # "my note about … still holds"
    _OPENS + r"(?!.*\b(?:not|no longer|never|hardly)\b)(?:my|our|the|(?P<whose>@\d+)'s)(?: \w+)? "
    r"(?:note|memory|remark|observation|finding|point|warning|lesson|entry)"
    r"(?: from [^,]+?)? (?:about|on|that|regarding|concerning) (?P<cited>.+?) "
    r"(?:(?:still|also|certainly|very much) )*"
    r"(?:holds|stands|applies|is (?:still )?(?:true|valid|right|correct|accurate))\b"
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
        Citation(agent=agent, text=text, turn=turn.event)
        for turn in talk.turns
        for one in sentences(turn.text, names, turn.agent)
        for agent, text in _cites(one, turn, names)
        if agent in talk.agents
    ]


def _cites(one: TurnSentence, turn: Turn, names: Names) -> Iterator[tuple[str, str]]:
    """Yield the agents whose memories a sentence cites, each with the text that it cites."""
    meant = one.said.guards
    if meant.asks or meant.supposes:
        return
    if one.is_own and one.act(RESTATES) is not None:
        whose = names.people if _REMINDS.match(one.plain) else (turn.agent,)
        yield from ((agent, one.text) for agent in whose)
        return
    for pattern in (_AS_SAID, _HOLDS):
        found = pattern.match(one.plain)
        if found is not None:
            start, end = one.said.sentence.place(*found.span("cited"), done=False)
            whose = tuple(names.read([found["whose"]])) if found["whose"] else (turn.agent,)
            yield from ((agent, turn.text[start:end]) for agent in whose)
            return


def cited(text: str, memories: Iterable[str]) -> int | None:
    """Return the position of the memory that a text cites, None if it cites none.

    A text cites a memory if it shares most of the significant words of the shorter one, and denies
    something if the memory does. In another order its words must say the same: "the cache sits in
    front of the gateway" cites no "the gateway sits in front of the cache". Of several memories,
    the one that shares the most words is cited; among equals, the first.
    """
    wanted, denies = significant(text), _denies(text)
    shares = []
    for place, memory in enumerate(memories):
        held = significant(memory)
        shared = len(wanted & held)
        if shared >= _LEAST and _denies(memory) == denies:
            share = shared / min(len(wanted), len(held))
            moved = wanted == held and _order(text) != _order(memory)
            if share >= _MOST and not (moved and not repeats(memory, text)):
                shares.append((shared / len(wanted | held), -place))
    return -max(shares)[1] if shares else None


def _order(text: str) -> list[str]:
    """Return the significant words of a text in their order."""
    return list(chain.from_iterable(significant(word) for word in text.split()))


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
