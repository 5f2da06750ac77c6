"""One discussion: what was decided and what that replaced, what is proposed, and who is for it."""

from __future__ import annotations

from varves.values.ids import is_memory_id
from varves.values.value import Value
from varves.web.pictures import DEEDS, deed, talk
from varves.web.words import PROPOSALS
from varves.web.words import discussion as called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from varves import Message
    from varves.web.visit import Visit

_READ = 200  # the most messages that are written out
_FOLLOWED = 60  # the most proposals whose answers are placed in time
_SIDES = {"support": "for", "oppose": "against", "neutral": "neither"}
_DEEDS = {"support": "agrees", "oppose": "disagrees", "neutral": "says"}


class DecidedThen(Value):
    """A decision that holds, and the one that it replaced."""

    id: str
    at: str
    topic: str
    outcome: str
    by: str
    supporters: tuple[str, ...]
    before: str | None
    """The outcome that it replaced."""
    before_by: str
    before_at: str | None


class ProposedThen(Value):
    """A proposal, and what each participant says to it."""

    id: str
    text: str
    by: str
    sides: Mapping[str, str]
    """for, against or neither, by participant."""
    state: str
    open: bool


def discussion(visit: Visit) -> dict[str, Any]:
    """Return what the page of a discussion needs."""
    name, protocol = visit.path["id"], visit.ledger.deliberation
    whole: Any = protocol.show(conversation=name, as_of=visit.as_of)
    messages = protocol.messages(conversation=name, as_of=visit.as_of)
    said_by = {one.id: one for one in messages if one.id}
    agents = list(dict.fromkeys([*whole.agents, *whole.agent_states]))
    decisions, replaced = _decisions(whole, said_by)
    deeds = _deeds(visit, whole, messages)
    return {
        "title": whole.topic or called(name),
        "name": name,
        "talk": whole,
        "agents": agents,
        "decisions": decisions,
        "replaced": replaced,
        "proposals": _proposals(whole),
        "positions": {
            agent: state.last_position
            for agent, state in whole.agent_states.items()
            if state.last_position
        },
        "messages": messages[-_READ:],
        "earlier": max(0, len(messages) - _READ),
        "total": len(messages),
        "drawing": talk(visit, deeds),
        "deeds": [
            one for one in DEEDS if any(one == did for some in deeds.values() for _, did, _ in some)
        ],
        "deed": deed,
        "others": [one for one in protocol.list(as_of=visit.as_of) if one.conversation != name],
        "twins": [("deliberation show", {"conversation": name})],
    }


def _decisions(whole: Any, said_by: Mapping[str, Message]) -> tuple[list[DecidedThen], int]:
    """Return the decisions that hold, newest first, and how many were replaced."""
    known = {one.id: one for one in whole.decisions}
    over = {one.replaces for one in whole.decisions if one.replaces}

    def author(one: Any) -> str:
        message = said_by.get(one.message)
        return message.agent_id if message is not None else ""

    found = []
    for one in reversed(whole.decisions):
        if one.id in over:
            continue
        before = known.get(one.replaces or "")
        found.append(
            DecidedThen(
                id=one.id,
                at=one.timestamp,
                topic=one.topic,
                outcome=one.outcome,
                by=author(one),
                supporters=one.supporting_agents,
                before=None if before is None else before.outcome,
                before_by="" if before is None else author(before),
                before_at=None if before is None else before.timestamp,
            )
        )
    return found, len(over & known.keys())


def _proposals(whole: Any) -> list[ProposedThen]:
    return [
        ProposedThen(
            id=one.id,
            text=one.content,
            by=one.proposer,
            sides={each.agent_id: _SIDES.get(each.reaction, "neither") for each in one.reactions},
            state=PROPOSALS.get(one.status, one.status),
            open=one.status == "active",
        )
        for one in whole.proposals
    ]


def _deeds(
    visit: Visit, whole: Any, messages: Sequence[Message]
) -> dict[str, list[tuple[str, str, str]]]:
    """Return, by participant, what they did: (instant, deed, text), one deed for each message."""
    proposed = {one.message: one.content for one in whole.proposals if one.message}
    decided = {one.message: one.outcome for one in whole.decisions if one.message}
    answered = dict(_answers(visit, whole))
    found: dict[str, list[tuple[str, str, str]]] = {}
    for one in messages:
        text = one.content[:120]
        if one.id in decided:
            did = "decides"
        elif one.id in proposed:
            did = "proposes"
        else:
            did = answered.get((one.agent_id, one.timestamp[:19]), "says")
        found.setdefault(one.agent_id, []).append((one.timestamp, did, text))
    return found


def _answers(visit: Visit, whole: Any) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what an agent said to a proposal, by the agent and the second."""
    for one in whole.proposals[:_FOLLOWED]:
        if not is_memory_id(one.id) or not one.reactions:
            continue
        for event in visit.ledger.history(one.id, as_of=visit.as_of):
            if "reaction" in event.data:
                agent, side = (str(event.data.get(name)) for name in ("agent", "reaction"))
                yield (agent, event.time[:19]), _DEEDS.get(side, "says")
