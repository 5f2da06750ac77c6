"""A conversation folded from its events: its state without the texts of its records.

The text of a decision or a proposal is read from its row, so that corrections and undone events
apply automatically. A digest can be deleted at any time and is then folded again from the events.
"""

from __future__ import annotations

from varves.events.kinds import PROPOSAL_RESOLVED, RAISED, REACTED, RECORDED, REVISED, SUMMARISED
from varves.protocols.deliberation.conversations import DECISION, POSTED, STANCE
from varves.protocols.deliberation.findings import Stance
from varves.protocols.deliberation.state import (
    ACTIVE,
    SYSTEM,
    AgentState,
    ConversationDecision,
    Message,
    Proposal,
    State,
    Summary,
)
from varves.protocols.deliberation.transitions import bounded, covered, heard, resolved, stood
from varves.protocols.records import object_of, texts
from varves.protocols.sessions import CONTINUED
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.deliberation.options import DeliberationOptions

KINDS = (
    *(POSTED, STANCE, CONTINUED),
    *(SUMMARISED, RECORDED, REVISED, RAISED, REACTED, PROPOSAL_RESOLVED),
)
_MOST = 2**53  # the maximum number of messages that a conversation can count


class WaitingMessage(Message):
    """A message that no summary covers, without its text; its id is that of its event."""

    place: int = 0
    """Its number among the messages of the log."""


class Digest(Value):
    """A conversation up to an event."""

    state: State = State()
    """Its records have only ids, and its proposals a status."""
    order: tuple[str, str, str] | None = None
    """The position of the last folded event."""
    count: int = 0
    """The number of folded events."""
    passed: int = 0
    """The number of events skipped because they are not trusted."""
    seal: str = ""
    posted: int = 0
    """The number of messages in the ledger; `state.total` also counts those before a restore."""
    owed: tuple[str, int] = ("", 0)
    """The last message, and how many of the events that should follow it are missing."""


def folded(digest: Digest, events: Iterable[Event], options: DeliberationOptions) -> Digest:
    """Return a digest after more events, in order."""
    for event in events:
        digest = _after(digest, event, options).replace(order=event.order, count=digest.count + 1)
    return digest


def _after(digest: Digest, event: Event, options: DeliberationOptions) -> Digest:
    kind, said = event.kind, event.data
    if kind == POSTED:
        return _posted(digest, event, options)
    message, owed = digest.owed
    if owed and kind != SUMMARISED and message in event.cause:
        digest = digest.replace(owed=(message, owed - 1))
    if kind == CONTINUED:
        return _continued(digest, said)
    state = digest.state
    if kind == STANCE:
        state = _stood(state, said, options)
    elif kind == PROPOSAL_RESOLVED:
        state = resolved(state, str(said.get("memory")), str(said.get("status")))
    elif kind == SUMMARISED:
        if _is_covered_in_part(state, event):
            return digest
        state = _covered(state, event)
    return digest.replace(state=_born(state, event))


def _posted(digest: Digest, event: Event, options: DeliberationOptions) -> Digest:
    said, state = event.data, bounded(digest.state, options)
    speaker = said.get("agent")
    message = WaitingMessage(
        agent_id=speaker if isinstance(speaker, str) else "",
        content="",
        id=event.id,
        type=said.get("type", "message") if isinstance(speaker, str) else SYSTEM,
        index=max(state.total, count_of(said.get("index"), 0)),
        place=digest.posted,
    )
    return digest.replace(
        state=heard(state, message),
        posted=digest.posted + 1,
        owed=(event.id, count_of(said.get("finds"), 0)),
    )


def _born(state: State, event: Event) -> State:
    """Add the record that an event created, if any."""
    kind, said = event.kind, event.data
    name = said.get("memory")
    if not isinstance(name, str):
        return state
    if kind == SUMMARISED and all(name != one.id for one in state.summaries):
        return state.replace(summaries=(*state.summaries, _summary(name)))
    if kind == RECORDED and said.get("type") == DECISION and state.decision(name) is None:
        return state.replace(decisions=(*state.decisions, _decision(name)))
    if kind == RAISED and state.proposal(name) is None:
        made = _proposal(name, said.get("resolution", ACTIVE))
        return state.replace(proposals=(*state.proposals, made))
    return state


def _summary(name: str) -> Summary:
    return Summary(id=name, timestamp="", message_range=(0, -1), content="")


def _decision(name: str) -> ConversationDecision:
    return ConversationDecision(id=name, timestamp="", topic="", outcome="", supporting_agents=())


def _proposal(name: str, status: str) -> Proposal:
    return Proposal(id=name, timestamp="", proposer="", content="", status=status)


def _stood(state: State, said: dict[str, Any], options: DeliberationOptions) -> State:
    agent, position = said.get("agent"), said.get("position", "")
    gave = said.get("contribution")
    if not isinstance(agent, str) or not isinstance(position, str):
        return state
    contribution = gave if isinstance(gave, str) else None
    return stood(
        state, Stance(agent_id=agent, position=position, contribution=contribution), options
    )


def _continued(digest: Digest, said: dict[str, Any]) -> Digest:
    """Set the counters, positions and unknown keys that an event contains."""
    state = digest.state
    agents = dict(state.agent_states)
    given = said.get("agents")
    for name, part in given.items() if isinstance(given, dict) else ():
        if isinstance(part, dict):
            agents[name] = agent_from(part)
    for name in texts(said.get("gone")):
        agents.pop(name, None)
    unknown = {**state.unknown, **object_of(said.get("unknown"))}
    removed = texts(said.get("removed"))
    mended = said.get("mended") == digest.owed[0]
    return digest.replace(
        state=state.replace(
            total=count_of(said.get("total"), state.total),
            agent_states=agents,
            unknown={key: part for key, part in unknown.items() if key not in removed},
        ),
        owed=("", 0) if mended else digest.owed,
    )


def _is_covered_in_part(state: State, event: Event) -> bool:
    """Return whether an earlier summary, of another clone, covers messages of a summary.

    Such a summary does not count. Its other messages wait for the next one, so that no message is
    summarised twice and none is left out.
    """
    waiting = {one.id for one in state.pending}
    return not waiting.issuperset(texts(event.data.get("covers")))


def _covered(state: State, event: Event) -> State:
    """Remove the messages of a summary, even a purged one, from those that wait for one."""
    said = event.data
    events, span = texts(said.get("covers")) or event.cause, said.get("range")
    if events:
        return covered(state, events=events)
    if isinstance(span, list) and span and isinstance(span[-1], int):
        return covered(state, end=span[-1])
    return state


def agent_from(part: dict[str, Any]) -> AgentState:
    """Read an agent's state in the form used in events and notes."""
    given = part.get("contributions")
    return AgentState(
        last_position=str(part.get("position", "")),
        key_contributions=tuple(map(str, given)) if isinstance(given, list) else (),
        message_count=count_of(part.get("count"), 0),
        unknown=object_of(part.get("unknown")),
    )


def count_of(value: Any, default: int) -> int:
    """Return a number of messages from an event; it is checked, as any tool may have written it."""
    return value if type(value) is int and 0 <= value <= _MOST else default


def agent_part(one: AgentState) -> dict[str, Any]:
    """Return an agent's state in the form used in events and notes."""
    part = {
        "position": one.last_position,
        "contributions": list(one.key_contributions),
        "count": one.message_count,
        "unknown": one.unknown,
    }
    return {key: value for key, value in part.items() if value}


def to_note(digest: Digest) -> dict[str, Any]:
    """Return a digest in the form in which it is saved."""
    state = digest.state
    return {
        **{name: getattr(digest, name) for name in Digest._fields if name != "state"},
        "summaries": [one.id for one in state.summaries],
        "decisions": [one.id for one in state.decisions],
        "proposals": [[one.id, one.status] for one in state.proposals],
        "agents": {name: agent_part(one) for name, one in state.agent_states.items()},
        "total": state.total,
        "pending": [[one.id, one.index, _place(one)] for one in state.pending],
        "unknown": state.unknown,
    }


def from_note(plain: dict[str, Any]) -> Digest:
    """Read a saved digest."""
    given = {name: plain[name] for name in Digest._fields if name != "state"}
    state = State(
        summaries=tuple(map(_summary, plain["summaries"])),
        decisions=tuple(map(_decision, plain["decisions"])),
        proposals=tuple(_proposal(*one) for one in plain["proposals"]),
        agent_states={name: agent_from(one) for name, one in plain["agents"].items()},
        total=plain["total"],
        pending=tuple(
            WaitingMessage(agent_id="", content="", id=event, index=index, place=place)
            for event, index, place in plain["pending"]
        ),
        unknown=plain["unknown"],
    )
    given["order"] = tuple(given["order"]) if given["order"] else None
    given["owed"] = tuple(given["owed"])
    return Digest(state=state, **given)


def messages_waiting(digest: Digest) -> int:
    """Return how many of the last messages must be read to have all that no summary covers."""
    first = next(iter(digest.state.pending), None)
    return 0 if first is None else digest.posted - _place(first)


def _place(message: Message) -> int:
    return message.place if isinstance(message, WaitingMessage) else 0
