"""The debates of a talk: each turn is assigned to the side that it takes.

A debate is an exchange of two or more opposing turns on one proposal: at least one for it and one
against it; the proposal itself counts as a turn for it. A turn that only answers, and does not say
on which side it is, counts as soon as somebody gives in to it. A debate is won when an agent of one
side concedes and that side says nothing more, or when a decision adopts one side's proposal. A
later decision for the other side cancels a concession.
"""

from __future__ import annotations

import re

from varves.language import acts
from varves.language.acts import PREFERS
from varves.language.english.tongue import ENGLISH
from varves.protocols.party.changes import named, replacement
from varves.protocols.party.concessions import agrees_wholly, concedes, insists, settles
from varves.protocols.party.debate import CONTRA, OTHER, PRO, Debate, Move, Won
from varves.protocols.party.objections import opposes
from varves.protocols.party.phrases import (
    AGAINST,
    ASIDE,
    BECAUSE,
    GROUND,
    INSTEAD,
    REASON,
    SIDED,
    VERDICT,
    cleaned,
    decided,
)
from varves.protocols.party.relations import AGREES, DISAGREES
from varves.protocols.party.relevance import significant
from varves.protocols.party.turns import Heard, proposes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from varves.protocols.party.talk import DecisionRecorded, Turn

_TOLD = 2  # the fewest significant words of an argument to which somebody gives in
_SUBSTANCE = 4  # the fewest significant words of an argument without a word such as "because"
_ARGUES = ("argument", "rebuttal")


def debates_in(heard: Sequence[Heard], decisions: Sequence[DecisionRecorded]) -> list[Debate]:
    """Return the debates of a talk, in order of their proposals."""
    debates: list[Debate] = []
    latest: dict[str, int] = {}
    steps: list[tuple[int, Heard | DecisionRecorded]] = [(one.turn.number, one) for one in heard]
    steps += [(one.number, one) for one in decisions]
    for _, step in sorted(steps, key=lambda pair: pair[0]):
        if isinstance(step, Heard):
            _hear(step, debates, latest)
            if step.states:
                latest[step.turn.agent] = step.turn.number
        else:
            _settle(debates, step)
    return debates


def won(debates: Iterable[Debate]) -> list[Won]:
    """Return the winning arguments, at most one per debate, in order of the debates."""
    found = []
    for debate in debates:
        ended = debate.settled
        if ended is None and debate.conceded is not None:
            number, loser, cause, among = debate.conceded
            side = OTHER[debate.sides[loser]]
            ended = debate.won_by(side, until=number, cause=cause, among=among)
        if ended is not None and ended.text:
            found.append(ended)
    return found


def _hear(one: Heard, debates: list[Debate], latest: Mapping[str, int]) -> None:
    """Assign a turn to a debate, or open a new one.

    `latest` has the number of each agent's last statement.
    """
    turn, own = one.turn, [sentence for sentence in one.spoken if sentence.is_own]
    asks = not own and turn.type == "statement" and not any(map(proposes, one.spoken))
    if turn.type == "question" or asks:
        _answer_all(one, debates)
        return
    texts = [decided(sentence) for sentence in own if turn.type == "statement"]
    settled = [
        _take(debates, text, number=turn.number, cause=turn.event, side_of={})
        for text in texts
        if text
    ]
    if any(settled):
        return
    plain = " ".join(sentence.plain for sentence in own)
    if _backs(one, debates, plain):
        return
    meets = any(_meets(debate, turn) for debate in debates)
    _join(one, debates, latest)
    before = [(debate, len(debate.moves)) for debate in debates]
    if turn.type == "concession" or (
        turn.type not in _ARGUES and (concedes(one, own) or _changes_sides(one, debates, latest))
    ):
        _concede(one, debates)
    elif _gives_way(one, debates):
        return
    elif turn.type == "proposal" or (turn.type == "statement" and any(map(proposes, one.spoken))):
        _propose(one, debates, plain)
    elif turn.type in {"rebuttal", "disagreement"} or (
        turn.type == "statement"
        and (
            any(bond.relation == DISAGREES for bond in one.bonds)
            or any(opposes(each, meets=meets) for each in own)
        )
    ):
        _oppose(one, debates)
    elif turn.type == "argument" or (turn.type in {"statement", "agreement"} and _is_strong(plain)):
        _argue(one, debates)
    unmoved = (debate for debate, moves in before if len(debate.moves) == moves)
    _answer_all(one, (debate for debate in unmoved if debate.conceded is None))


def _answer_all(one: Heard, debates: Iterable[Debate]) -> None:
    """Note a turn that answers debates without saying on which side it is; questions do not."""
    if one.turn.type == "statement" and not any(each.asks for each in one.spoken):
        for debate in debates:
            _answer(one, debate)


def _answer(one: Heard, debate: Debate) -> None:
    """Note a turn that directly answers one of a debate."""
    last, turn = debate.last, one.turn
    if debate.closed or last.agent == turn.agent or last.number != turn.number - 1:
        return
    if turn.to not in (None, last.agent) or any(bond.relation == AGREES for bond in one.bonds):
        return
    if debate.is_exchange and turn.agent not in debate.sides:
        return
    if one.bonds and last.agent not in {bond.other for bond in one.bonds}:
        return
    side = debate.side_of(turn.agent) or OTHER[last.side]
    if side == last.side:
        return
    text = argument_of(one)
    grounded = GROUND.search(" ".join(each.plain for each in one.spoken)) is not None
    strong = grounded or len(significant(text)) >= _TOLD
    told = " ".join(_offered(each.text) for each in one.spoken if proposes(each))
    debate.unsure.append(_move(one, side, text if strong else "").replace(proposal=told))


def _gives_way(one: Heard, debates: Iterable[Debate]) -> bool:
    """Note that an agent admits what was just said and settles for it; return whether it does."""
    agent = one.turn.agent
    for debate in reversed([*debates]):
        side, last = debate.side_of(agent), debate.last
        if debate.closed or side is None or last.side == side:
            continue
        if last.number != one.turn.number - 1 or not (
            settles(one, debate.words_against(agent))
            or _names_another(one, debate)
            or (debate.moves[0].agent == last.agent and agrees_wholly(one, last.agent))
        ):
            continue
        if debate.moves[0].agent == agent and insists(one, debate.words_of(agent)):
            continue
        debate.become_sure()
        debate.conceded = (one.turn.number, agent, one.turn.event, frozenset())
        return True
    return False


def _names_another(one: Heard, debate: Debate) -> bool:
    """Return whether a proposer, just answered, names something else: "Oh. Then half past ten."."""
    other, mine = debate.last.agent, debate.words_of(one.turn.agent)
    if debate.moves[0].agent != one.turn.agent or not debate.last.argument:
        return False
    instead = replacement(one, mine, answered=True)
    if instead is None or instead.asks:
        return False
    meant = named(instead, answered=False) is not None
    return (meant and not one.bonds) or (agrees_wholly(one, other) and (meant or proposes(instead)))


def _is_strong(plain: str) -> bool:
    """Return whether a text gives a reason, or has enough significant words to be an argument."""
    return GROUND.search(plain) is not None or len(significant(plain)) >= _SUBSTANCE


def _meets(debate: Debate, turn: Turn) -> bool:
    """Return whether a turn addresses, or follows, an agent with a side in an open debate."""
    if debate.closed or debate.sides.get(turn.agent) == PRO:
        return False
    if turn.to is not None:
        return turn.to in debate.sides
    last = debate.moves[-1]
    return last.number == turn.number - 1 and last.agent != turn.agent


def _agreed(one: Heard, debate: Debate, latest: Mapping[str, int]) -> frozenset[str]:
    """Return the agents with whom a turn agrees without reservation, if it is about a debate.

    If it does not say about what, it is about what they stated last.
    """
    if debate.closed or not debate.is_exchange:
        return frozenset()
    if any(bond.relation == DISAGREES for bond in one.bonds):
        return frozenset()
    words = frozenset[str]()
    for each in one.spoken:
        if re.search(ENGLISH.turn, each.plain):
            return frozenset()
        for act in each.said.acts:
            if act.kind == acts.AGREES:  # what it agrees with, if it says more than "exactly"
                if ENGLISH.acts["keeps"].search(each.plain):
                    return frozenset()
                rest = each.said.sentence.own[act.end - each.said.sentence.start :]
                words |= significant(rest)
    if words and not words & debate.words:
        return frozenset()
    others = frozenset(bond.other for bond in one.bonds if bond.relation == AGREES)
    return others if words else frozenset(filter(lambda who: debate.has(latest.get(who)), others))


def _changes_sides(one: Heard, debates: Iterable[Debate], latest: Mapping[str, int]) -> bool:
    """Return whether an agent of one side agrees with the other side, about the debate."""
    agent = one.turn.agent
    return any(debate.opposes(agent, _agreed(one, debate, latest)) for debate in debates)


def _join(one: Heard, debates: Iterable[Debate], latest: Mapping[str, int]) -> None:
    """Put an agent that takes no side yet on the side with which it agrees."""
    for debate in debates:
        if one.turn.agent not in debate.sides:
            sides = {
                debate.sides[other]
                for other in _agreed(one, debate, latest)
                if other in debate.sides
            }
            if len(sides) == 1:
                debate.sides[one.turn.agent] = sides.pop()


def _backs(one: Heard, debates: Iterable[Debate], plain: str) -> bool:
    """Note that a third agent agrees with a turn that only answers; return whether one does.

    The agreement shows the side of that turn. It is an argument itself only if it gives a reason.
    """
    for debate in debates:
        last = debate.last
        if debate.closed or last not in debate.unsure or last.side != CONTRA:
            continue
        if last.number != one.turn.number - 1 or debate.side_of(one.turn.agent) is not None:
            continue
        if last.agent not in debate.sides and agrees_wholly(one, last.agent):
            debate.become_sure()
            debate.add(_move(one, CONTRA, argument_of(one) if REASON.search(plain) else ""))
            return True
    return False


def _concede(one: Heard, debates: list[Debate]) -> None:
    agent = one.turn.agent
    for debate in reversed(debates):
        if debate.side_of(agent) is None or debate.closed:
            continue
        if debate.unsure and debate.last.number == one.turn.number - 1:
            debate.become_sure()
        if agent not in debate.sides or not debate.is_exchange:
            continue
        against = frozenset(
            name
            for name in one.named
            if name in debate.sides and debate.sides[name] != debate.sides[agent]
        )
        if one.named and not against:
            continue
        debate.conceded = (one.turn.number, agent, one.turn.event, against)
        return


def _propose(one: Heard, debates: list[Debate], plain: str) -> None:
    """Open a debate, or add a counter-proposal to the last one."""
    argument = argument_of(one) if GROUND.search(plain) else ""
    told = [each for each in one.spoken if not each.asks or proposes(each)]
    proposal = " ".join(_offered(sentence.text) for sentence in told)
    last = next((each for each in reversed(debates) if not each.closed), None)
    counters = (
        last is not None
        and last.sides.get(one.turn.agent) != PRO
        and (
            INSTEAD.search(plain) is not None
            or one.turn.to == last.moves[0].agent
            or (_meets(last, one.turn) and any(each.act(PREFERS) for each in one.spoken))
            or any(bond.relation == DISAGREES and bond.other in last.sides for bond in one.bonds)
        )
    )
    move = _move(one, CONTRA if counters else PRO, argument)
    if last is not None and counters:
        last.add(move.replace(proposal=proposal))
    else:
        debates.append(Debate(move.replace(proposal=proposal)))


def _offered(text: str) -> str:
    """Return the proposed text, without its reason and without the alternative it replaces."""
    return ASIDE.split(cleaned(text), maxsplit=1)[0]


def _oppose(one: Heard, debates: list[Debate]) -> None:
    agent = one.turn.agent
    at = frozenset(bond.other for bond in one.bonds if bond.relation == DISAGREES)
    at = at or (frozenset((one.turn.to,)) if one.turn.to is not None else one.named)
    for debate in reversed(debates):
        if debate.closed:
            continue
        side = debate.sides.get(agent)
        if side is None:
            met = [debate.sides[name] for name in sorted(at) if name in debate.sides]
            if at and not met:
                continue
            side = OTHER[met[0]] if met else CONTRA
        elif at and not debate.opposes(agent, at):
            continue
        if side == PRO and CONTRA not in debate.sides.values():
            continue
        plain = " ".join(sentence.plain for sentence in one.spoken)
        text = argument_of(one)
        grounded = one.turn.type == "rebuttal" or GROUND.search(plain) is not None
        strong = grounded or len(significant(text)) >= _TOLD
        debate.add(_move(one, side, text if strong else ""))
        return


def _argue(one: Heard, debates: list[Debate]) -> None:
    """Add an argument to its speaker's side, or to the side that the speaker joins by agreeing."""
    agent = one.turn.agent
    text = argument_of(one)
    joined = [bond.other for bond in one.bonds if bond.relation == AGREES]
    for debate in reversed(debates):
        side = debate.sides.get(agent)
        if side is None:
            side = next((debate.sides[name] for name in joined if name in debate.sides), None)
        if side is None or debate.closed:
            continue
        is_about = bool(significant(text) & debate.words) or debate.is_answered_by(
            one.turn.number, side
        )
        if one.named and not is_about and not debate.opposes(agent, one.named):
            continue
        if one.turn.type != "argument" and not (is_about or debate.opposes(agent, one.named)):
            continue
        debate.add(_move(one, side, text))
        return


def _move(one: Heard, side: str, argument: str) -> Move:
    return Move(
        number=one.turn.number,
        event=one.turn.event,
        agent=one.turn.agent,
        side=side,
        argument=argument,
        said=one.turn.text,
    )


def argument_of(one: Heard) -> str:
    """Return a turn's argument: its statements, except those that only take a side."""
    own = [sentence for sentence in one.spoken if not sentence.asks]
    plain = [
        cleaned(each.text) for each in own if not (opposes(each) or VERDICT.search(each.plain))
    ]
    if plain:
        return ". ".join(plain)
    told = (BECAUSE.split(_unsided(sentence.text), maxsplit=1) for sentence in own)
    return ". ".join(cleaned(parts[1]) for parts in told if len(parts) > 1)


def _unsided(text: str) -> str:
    """Return the part of a sentence after the word that takes a side."""
    taken = SIDED.search(text)
    return text[taken.end() :] if taken else text


def _settle(debates: list[Debate], record: DecisionRecorded) -> None:
    """Settle the debate that a decision record is about; a compromise settles none."""
    if record.outcome == "compromise":
        for debate in debates:
            if not debate.closed and _matches(debate, record.text) is not None:
                debate.closed, debate.conceded = True, None
        return
    side_of = {
        agent: (PRO if (role == "proponent") == (record.outcome == "accepted") else CONTRA)
        for agent, role in record.roles.items()
        if role in {"proponent", "opponent"}
    }  # for and against the decision
    text = record.text
    _take(
        debates,
        text,
        number=record.number,
        cause=record.event,
        side_of=side_of,
        rejected=record.outcome == "rejected",
    )


def _take(
    debates: list[Debate],
    text: str,
    *,
    number: int,
    cause: str,
    side_of: dict[str, str],
    rejected: bool = False,
) -> bool:
    """Settle the last debate that a decision is about, in favour of the side it adopts.

    Return whether there is one.
    """
    for debate in reversed(debates):
        if debate.closed or not debate.is_exchange:
            continue
        side = _matches(debate, text)
        if side is not None and rejected:
            side = OTHER[side]
        if side is None:
            side = _by_roles(debate, side_of)
        if side is None:
            continue
        lost = frozenset(agent for agent, taken in side_of.items() if taken == CONTRA)
        mine = {agent for agent, own in debate.sides.items() if own == side}
        taken = frozenset(agent for agent, one in side_of.items() if one == PRO and agent in mine)
        among = taken or frozenset(mine - lost)
        debate.closed, debate.conceded = True, None
        if among:
            debate.settled = debate.won_by(side, until=number, cause=cause, among=among)
        return True
    return False


def _matches(debate: Debate, text: str) -> str | None:
    """Return the side whose proposal a decision adopts: one text contains the other's words."""
    text = _offered(text)
    wanted = significant(text)
    denied = bool(AGAINST.search(text.casefold()))
    found = set()
    for move in debate.moves:
        offered = significant(move.proposal)
        if move.proposal and wanted and offered and (wanted <= offered or offered <= wanted):
            flips = denied != bool(AGAINST.search(move.proposal.casefold()))
            found.add(OTHER[move.side] if flips else move.side)
    return found.pop() if len(found) == 1 else None


def _by_roles(debate: Debate, side_of: dict[str, str]) -> str | None:
    """Return the side that a decision adopts, according to who is for and against the decision."""
    sides = {
        debate.sides[agent] if taken == PRO else OTHER[debate.sides[agent]]
        for agent, taken in side_of.items()
        if agent in debate.sides
    }
    both = {debate.sides[agent] for agent in side_of if agent in debate.sides}
    return sides.pop() if len(sides) == 1 and len(both) > 1 else None
