"""The rules that find memories in a party's talk; pure and deterministic.

Each sentence of a turn is read separately, first for relations. A sentence that states a relation
is not used for anything else. Decisions belong to all agents; everything else belongs to the
speaker. The levels of confidence are published: a decision or a stated fact is highest, then a
strong argument without an answer, then an observation, then an inference.
"""

from __future__ import annotations

from varves.language.names import Names
from varves.protocols.party.debates import Heard, won
from varves.protocols.party.options import PartyOptions
from varves.protocols.party.phrases import KEPT, KeptSentence, cleaned, decided, worth
from varves.protocols.party.relations import TYPED, bonds, named, said
from varves.protocols.party.relevance import significant
from varves.protocols.party.sentences import sentences
from varves.protocols.party.talk import SAID, TalkFinding
from varves.values.text import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from varves.protocols.party.debates import Won
    from varves.protocols.party.sentences import TurnSentence
    from varves.protocols.party.talk import Bond, DecisionRecorded, PartyTalk, Turn


PUBLISHED = PartyOptions()
_OUTCOMES = {"accepted": "", "rejected": "Rejected: ", "compromise": "Compromise: "}


def detect(talk: PartyTalk, options: PartyOptions = PUBLISHED) -> list[TalkFinding | Bond]:
    """Return, in order, the findings worth remembering in a talk, and who agreed with whom.

    Findings of one agent with the same text are merged: the most confident remains, or the last.
    """
    names = Names(talk.agents)
    heard = [_heard(turn, names) for turn in talk.turns if turn.agent in talk.agents]
    found: list[tuple[int, TalkFinding]] = []
    for record in talk.decisions:
        found += [(record.number, one) for one in _recorded(record, talk.agents, options)]
    on_record = {significant(record.text) for record in talk.decisions}
    for one in heard:
        kept = _kept(one, talk.agents, names, options)
        found += [(one.turn.number, each) for each in kept if not _is_recorded(each, on_record)]
    places = {turn.event: turn.number for turn in talk.turns}
    for argument in won(heard, talk.decisions):
        best = _won(argument, [one for _, one in found], options)
        found.append((places[argument.turns[0]], best))
    found.sort(key=lambda pair: pair[0])
    return [*once(each for _, each in found), *(bond for one in heard for bond in one.bonds)]


def _is_recorded(one: TalkFinding, on_record: set[frozenset[str]]) -> bool:
    """Return whether a spoken decision is also in a decision record, in other words."""
    return one.rule == SAID and significant(one.text) in on_record


def _won(argument: Won, found: Iterable[TalkFinding], options: PartyOptions) -> TalkFinding:
    """Return a winning argument as an observation, with the confidence of equal findings."""
    rung = options.observed if argument.challenged else options.unchallenged
    same = (argument.agent, fold(argument.text))
    stated = [one.confidence for one in found if (one.agent, fold(one.text)) == same]
    return TalkFinding(
        agent=argument.agent,
        type="observation",
        text=argument.text,
        confidence=max([rung, *stated]),
        turns=argument.turns,
        rule="won-argument",
    )


def once(findings: Iterable[TalkFinding]) -> list[TalkFinding]:
    """Keep one of an agent's findings with equal text: the most confident, else the last."""
    best: dict[tuple[str, str], TalkFinding] = {}
    for one in findings:
        key = (one.agent, fold(one.text))
        if key not in best or one.confidence >= best[key].confidence:
            best.pop(key, None)
            best[key] = one
    return list(best.values())


def recorded(talk: PartyTalk, options: PartyOptions = PUBLISHED) -> list[TalkFinding]:
    """Return the findings of the decision records alone: one memory for each agent."""
    return [one for each in talk.decisions for one in _recorded(each, talk.agents, options)]


def _recorded(
    record: DecisionRecorded, agents: Iterable[str], options: PartyOptions
) -> Iterator[TalkFinding]:
    text = _OUTCOMES.get(record.outcome, "") + cleaned(record.text)
    yield from _for_all(text, agents, event=record.event, rule="decision", options=options)


def _for_all(
    text: str, agents: Iterable[str], *, event: str, rule: str, options: PartyOptions
) -> Iterator[TalkFinding]:
    for agent in agents:
        yield TalkFinding(
            agent=agent,
            type="decision",
            text=text,
            confidence=options.stated,
            turns=(event,),
            rule=rule,
        )


def _heard(turn: Turn, names: Names) -> Heard:
    spoken = sentences(turn.text, names, turn.agent)
    met = {*named(spoken, names), *([turn.to] if turn.to is not None else [])}
    return Heard(
        turn=turn,
        spoken=tuple(spoken),
        bonds=tuple(bonds(turn, spoken, names)),
        named=frozenset(met - {turn.agent}),
    )


def _kept(
    one: Heard, agents: Iterable[str], names: Names, options: PartyOptions
) -> Iterator[TalkFinding]:
    """Yield the memories that the sentences of a turn state."""
    turn = one.turn
    if turn.type in KEPT:
        whole = KeptSentence(rule=turn.type, text=cleaned(turn.text))
        if whole.text:
            yield _finding(turn, whole, options)
        return
    if turn.type == "question" or turn.type in TYPED:
        return
    for sentence in one.spoken:
        if _only_relates(sentence, turn, names):
            continue
        text = decided(sentence) if turn.type == "statement" else None
        if text is not None:
            yield from _for_all(text, agents, event=turn.event, rule=SAID, options=options)
            continue
        found = worth(sentence)
        if found is not None:
            yield _finding(turn, found, options)


def _only_relates(sentence: TurnSentence, turn: Turn, names: Names) -> bool:
    return any(other != turn.agent for _, other in said(sentence, turn, names))


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
