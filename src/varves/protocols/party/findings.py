"""The rules that find memories in a party's talk; pure and deterministic.

Each sentence of a turn is read separately, first for relations. A sentence that states a relation
is not used for anything else. Decisions belong to all agents; everything else belongs to the
speaker. The levels of confidence are published: a decision or a stated fact is highest, then a
strong argument without an answer, then an observation, then an inference.
"""

from __future__ import annotations

from varves.language.acts import RESOLVES, RESTATES
from varves.language.names import Names
from varves.protocols.party.changes import is_withdrawn
from varves.protocols.party.debates import debates_in, won
from varves.protocols.party.objections import is_disputed, unchallenged
from varves.protocols.party.options import PartyOptions
from varves.protocols.party.phrases import (
    KEPT,
    KeptSentence,
    cleaned,
    covers,
    decided,
    is_choice,
    worth,
)
from varves.protocols.party.proposals import accepted
from varves.protocols.party.relations import TYPED
from varves.protocols.party.relevance import significant
from varves.protocols.party.talk import SAID, TalkFinding
from varves.protocols.party.turns import heard_turns
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from varves.protocols.party.debate import Won
    from varves.protocols.party.talk import Bond, DecisionRecorded, PartyTalk, Turn
    from varves.protocols.party.turns import Heard

PUBLISHED = PartyOptions()
_DECISION = "decision"
WON = "won-argument"
"""The rule of a finding that is an argument which won, or to which nobody objected."""
_OUTCOMES = {"accepted": "", "rejected": "Rejected: ", "compromise": "Compromise: "}


def detect(talk: PartyTalk, options: PartyOptions = PUBLISHED) -> list[TalkFinding | Bond]:
    """Return, in order, the findings worth remembering in a talk, and who agreed with whom.

    Findings of one agent with the same text are merged: the most confident remains, or the last.
    """
    names = Names(talk.agents)
    heard = heard_turns((turn for turn in talk.turns if turn.agent in talk.agents), names)
    found: list[tuple[int, TalkFinding]] = []
    for record in talk.decisions:
        found += [(record.number, one) for one in _recorded(record, talk.agents, options)]
    for number, events, text in _spoken(heard, talk):
        spoken = _for_all(text, talk.agents, turns=events, rule=SAID, options=options)
        found += [(number, each) for each in spoken]
    for one in heard:
        found += [(one.turn.number, each) for each in _kept(one, options)]
    places = {turn.event: turn.number for turn in talk.turns}
    debates = debates_in(heard, talk.decisions)
    for argument in won(debates):
        best = _won(argument, [one for _, one in found], options)
        found.append((places[argument.turns[0]], best))
    won_by = {event for _, one in found if one.rule == WON for event in one.turns}
    for argument in unchallenged(heard, debates):
        if argument.turns[0] not in won_by:
            best = _won(argument, [one for _, one in found], options)
            found.append((places[argument.turns[0]], best))
    found.sort(key=lambda pair: pair[0])
    return [*once(each for _, each in found), *(bond for one in heard for bond in one.bonds)]


def _spoken(heard: Sequence[Heard], talk: PartyTalk) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """Yield the decisions that were only said: the turn's number, the events, and the text.

    A choice to which somebody objects is not a decision, nor is one that is dropped or replaced in
    the same talk, and a decision that is recorded in the same words is not repeated. Of several
    decisions that say the same thing, the one with the most words is kept.
    """
    recorded = [record.text for record in talk.decisions]
    found: list[tuple[int, tuple[str, ...], str, bool]] = []
    for place, one in enumerate(heard):
        if one.turn.type != "statement":
            continue
        withdrawn = is_withdrawn(place, heard)
        dropped = withdrawn or is_disputed(place, heard)
        for sentence in one.spoken:
            text = decided(sentence)
            if sentence.act(RESTATES) is not None:
                continue
            if sentence not in one.statements and sentence.act(RESOLVES) is None:
                continue
            if text is not None and not (dropped if is_choice(sentence) else withdrawn):
                found.append((one.turn.number, (one.turn.event,), text, is_choice(sentence)))
    found += [(*each, True) for each in accepted(heard, talk.agents, talk.decisions)]
    found.sort(key=lambda each: each[0])
    on_record = {significant(text) for text in recorded}
    for place, (number, events, text, chosen) in enumerate(found):
        words = significant(text)
        others = [*recorded, *(each[2] for each in found[:place])]
        others += [each[2] for each in found[place + 1 :] if significant(each[2]) != words]
        if words in on_record or (chosen and any(covers(each, text) for each in others)):
            continue
        yield number, events, text


def _won(argument: Won, found: Iterable[TalkFinding], options: PartyOptions) -> TalkFinding:
    """Return a winning argument as an observation, with the confidence of equal findings."""
    rung = options.observed if argument.challenged else options.unchallenged
    same = (argument.agent, fold(argument.text))
    others = (one for one in found if one.type != _DECISION)
    stated = [one.confidence for one in others if (one.agent, fold(one.text)) == same]
    return TalkFinding(
        agent=argument.agent,
        type="observation",
        text=argument.text,
        confidence=max([rung, *stated]),
        turns=argument.turns,
        rule=WON,
    )


def once(findings: Iterable[TalkFinding]) -> list[TalkFinding]:
    """Keep one of an agent's findings with equal text: a decision, the most confident, the last."""
    best: dict[tuple[str, str], TalkFinding] = {}
    for one in findings:
        key = (one.agent, fold(one.text))
        if key not in best or _rank(one) >= _rank(best[key]):
            best.pop(key, None)
            best[key] = one
    return list(best.values())


def _rank(one: TalkFinding) -> tuple[bool, float]:
    """Return a sort key: a decision is one although its words are also an argument."""
    return one.type == _DECISION, one.confidence


def recorded(talk: PartyTalk, options: PartyOptions = PUBLISHED) -> list[TalkFinding]:
    """Return the findings of the decision records alone: one memory for each agent."""
    return [one for each in talk.decisions for one in _recorded(each, talk.agents, options)]


def _recorded(
    record: DecisionRecorded, agents: Iterable[str], options: PartyOptions
) -> Iterator[TalkFinding]:
    text = _OUTCOMES.get(record.outcome, "") + cleaned(record.text)
    yield from _for_all(text, agents, turns=(record.event,), rule="decision", options=options)


def _for_all(
    text: str, agents: Iterable[str], *, turns: tuple[str, ...], rule: str, options: PartyOptions
) -> Iterator[TalkFinding]:
    for agent in agents:
        yield TalkFinding(
            agent=agent,
            type=_DECISION,
            text=text,
            confidence=options.stated,
            turns=turns,
            rule=rule,
        )


def _kept(one: Heard, options: PartyOptions) -> Iterator[TalkFinding]:
    """Yield the memories that the sentences of a turn state."""
    turn = one.turn
    if turn.type in KEPT:
        whole = KeptSentence(rule=turn.type, text=cleaned(turn.text))
        if whole.text:
            yield _finding(turn, whole, options)
        return
    if turn.type == "question" or turn.type in TYPED:
        return
    for sentence in one.statements:
        found = worth(sentence)
        if found is not None and decided(sentence) is None:
            yield _finding(turn, found, options)


def _finding(turn: Turn, found: KeptSentence, options: PartyOptions) -> TalkFinding:
    rung = {"observation": options.observed, "inference": options.inferred}
    confidence = options.inferred if found.unsure else rung.get(found.rule, options.stated)
    return TalkFinding(
        agent=turn.agent,
        type=KEPT[found.rule],
        text=found.text,
        confidence=confidence,
        turns=(turn.event,),
        rule=found.rule,
    )
