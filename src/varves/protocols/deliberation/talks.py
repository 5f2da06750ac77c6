"""Conversations, folded from their events: their speakers, counters and current records.

A digest contains ids and counters, but no texts: the text of a decision or a proposal is read from
its row, so that corrections and undone events apply automatically. A digest can be deleted at any
time and is then folded again from the events.
"""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events import kinds
from varves.events.kinds import PROPOSAL_RESOLVED, RAISED, REACTED, RECORDED, REVISED, SUMMARISED
from varves.protocols.deliberation.findings import Stance
from varves.protocols.deliberation.folding import last, learned
from varves.protocols.deliberation.state import ACTIVE, SYSTEM, AgentState, Message, State
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeGuard

    from varves.events.event import Event
    from varves.protocols.deliberation.options import DeliberationOptions
    from varves.protocols.port import Core

    Pending = tuple[str, int, int]  # the event, the message's index, its position in the log

STARTED = kinds.SESSION_STARTED
CONTINUED = kinds.SESSION_CONTINUED
POSTED = kinds.POSTED
STANCE = kinds.STANCE
KINDS = (
    POSTED,
    STANCE,
    CONTINUED,
    SUMMARISED,
    RECORDED,
    REVISED,
    RAISED,
    REACTED,
    PROPOSAL_RESOLVED,
)
PLAIN = (STARTED, CONTINUED, POSTED, STANCE)
DECISION, PROPOSAL, SUMMARY = "decision", "proposal", "summary"
PRIVATE, PROJECT = "private", "project"
_MOST = 2**53  # the maximum number of messages that a conversation can count


class Conversation(Value):
    """One conversation, as it was started."""

    name: str
    event: str
    log: str
    checkout: str
    agents: tuple[str, ...]
    """The agents that may speak; empty if anyone may."""
    topic: str | None
    extractor: str | None
    began: str

    @property
    def scope(self) -> str:
        """The scope of its records."""
        return scope_of(self.name)

    @property
    def shared(self) -> bool:
        """Whether it is in the project's log."""
        return self.log == PROJECT


def scope_of(name: str) -> str:
    """Return the scope of a conversation's records."""
    return f"session:{name}"


def is_name(name: Any) -> TypeGuard[str]:
    """Return whether this is a valid name for a conversation and its folder."""
    try:
        return isinstance(name, str) and safe_name(name, "conversation") == name
    except VarvesError:
        return False


def conversations(core: Core) -> dict[str, Conversation]:
    """Return all conversations known here, in order of their start.

    Conversations started in two clones under the same name are one: the agents of both may speak.
    If one of the two is private, messages posted here stay private.
    """
    found: dict[str, Conversation] = {}
    for event in core.events(STARTED):
        name = event.session
        if not is_name(name) or event.log not in (PRIVATE, PROJECT):
            continue
        made = _begun(event, name)
        held = found.get(name)
        if held is None:
            found[name] = made
            continue
        both = held.agents and made.agents
        agents = tuple(dict.fromkeys((*held.agents, *made.agents))) if both else ()
        if held.shared and not made.shared:
            del found[name]  # it is listed at the start of the private one
            held = made
        found[name] = held.replace(agents=agents)
    return found


def _begun(event: Event, name: str) -> Conversation:
    said = event.data
    agents, topic, extractor = said.get("agents"), said.get("topic"), said.get("extractor")
    return Conversation(
        name=name,
        event=event.id,
        log=event.log,
        checkout=str(said.get("checkout", "")),
        agents=tuple(map(str, agents)) if isinstance(agents, list) else (),
        topic=topic if isinstance(topic, str) else None,
        extractor=extractor if isinstance(extractor, str) else None,
        began=event.time,
    )


class Digest(Value):
    """The state folded from a conversation's events, without the texts of its records."""

    order: tuple[str, str, str] | None = None
    """The position of the last folded event."""
    count: int = 0
    """The number of folded events."""
    passed: int = 0
    """The number of events skipped because they are not trusted."""
    seal: str = ""
    posted: int = 0
    """The number of messages in the ledger."""
    total: int = 0
    """The number of messages processed; higher if the conversation continues a saved state."""
    agents: dict[str, AgentState] = {}  # noqa: RUF012 - values are frozen
    summaries: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    proposals: tuple[tuple[str, bool], ...] = ()
    """Proposals, each with a flag for active."""
    pending: tuple[Pending, ...] = ()
    """The messages that no summary covers."""
    owed: tuple[str, int] = ("", 0)
    """The last message, and how many of the events that should follow it are missing."""
    unknown: dict[str, Any] = {}  # noqa: RUF012 - values are frozen


def folded(digest: Digest, events: Iterable[Event], options: DeliberationOptions) -> Digest:
    """Return a digest after more events, in order."""
    for event in events:
        digest = _after(digest, event, options).replace(order=event.order, count=digest.count + 1)
    return digest


def _after(digest: Digest, event: Event, options: DeliberationOptions) -> Digest:
    kind, said = event.kind, event.data
    if kind == POSTED:
        return _posted(bounded(digest, options), event)
    message, owed = digest.owed
    if owed and kind != SUMMARISED and message in event.cause:
        digest = digest.replace(owed=(message, owed - 1))
    name = said.get("memory")
    if kind == STANCE:
        return _stood(digest, said, options)
    if kind == CONTINUED:
        return _continued(digest, said)
    if kind == PROPOSAL_RESOLVED:
        active = said.get("status") == ACTIVE
        kept = tuple((one, active if one == name else held) for one, held in digest.proposals)
        return digest.replace(proposals=kept)
    if kind == SUMMARISED:
        digest = _covered(digest, event)
    return _born(digest, event, name) if isinstance(name, str) else digest


def _born(digest: Digest, event: Event, name: str) -> Digest:
    """Add the record that an event created, if any."""
    kind, said = event.kind, event.data
    if kind == SUMMARISED and name not in digest.summaries:
        return digest.replace(summaries=(*digest.summaries, name))
    if kind == RECORDED and said.get("type") == DECISION and name not in digest.decisions:
        return digest.replace(decisions=(*digest.decisions, name))
    if kind == RAISED and all(name != one for one, _ in digest.proposals):
        active = said.get("resolution", ACTIVE) == ACTIVE
        return digest.replace(proposals=(*digest.proposals, (name, active)))
    return digest


def _posted(digest: Digest, event: Event) -> Digest:
    said = event.data
    index = max(digest.total, count_of(said.get("index"), 0))
    agents = digest.agents
    speaker = said.get("agent")
    if said.get("type") != SYSTEM and isinstance(speaker, str):
        known = agents.get(speaker, AgentState())
        agents = {**agents, speaker: known.replace(message_count=known.message_count + 1)}
    return digest.replace(
        posted=digest.posted + 1,
        total=index + 1,
        agents=agents,
        pending=(*digest.pending, (event.id, index, digest.posted)),
        owed=(event.id, count_of(said.get("finds"), 0)),
    )


def _stood(digest: Digest, said: dict[str, Any], options: DeliberationOptions) -> Digest:
    agent, position = said.get("agent"), said.get("position", "")
    gave = said.get("contribution")
    if not isinstance(agent, str) or not isinstance(position, str):
        return digest
    stance = Stance(
        agent_id=agent, position=position, contribution=gave if isinstance(gave, str) else None
    )
    held = State(agent_states=digest.agents)
    nobody = Message(agent_id=agent, content="")
    after = learned(held, nobody, stance, make_id=str, options=options)
    return digest.replace(agents=after.agent_states)


def _continued(digest: Digest, said: dict[str, Any]) -> Digest:
    """Set the counters, positions and unknown keys that an event contains."""
    agents = dict(digest.agents)
    given = said.get("agents")
    for name, part in given.items() if isinstance(given, dict) else ():
        if isinstance(part, dict):
            agents[name] = agent_from(part)
    for name in _texts(said.get("gone")):
        agents.pop(name, None)
    unknown = {**digest.unknown, **_object(said.get("unknown"))}
    removed = _texts(said.get("removed"))
    mended = said.get("mended") == digest.owed[0]
    return digest.replace(
        total=count_of(said.get("total"), digest.total),
        agents=agents,
        unknown={key: part for key, part in unknown.items() if key not in removed},
        owed=("", 0) if mended else digest.owed,
    )


def _covered(digest: Digest, event: Event) -> Digest:
    """Remove the messages of a summary, even a purged one, from those that wait for one."""
    said = event.data
    covers, span = _texts(said.get("covers")) or event.cause, said.get("range")
    if covers:
        left = tuple(one for one in digest.pending if one[0] not in covers)
    elif isinstance(span, list) and span and isinstance(span[-1], int):
        left = tuple(one for one in digest.pending if one[1] > span[-1])
    else:
        left = digest.pending
    return digest.replace(pending=left)


def bounded(digest: Digest, options: DeliberationOptions) -> Digest:
    """Drop the oldest records, as a conversation without a ledger does after each message."""
    proposals = digest.proposals
    over = len(proposals) - options.keep_proposals
    if over > 0:
        leaving = [name for name, active in proposals if not active]
        leaving += [name for name, active in proposals if active]
        gone = set(leaving[:over])
        proposals = tuple(pair for pair in proposals if pair[0] not in gone)
    return digest.replace(
        summaries=last(digest.summaries, options.keep_summaries),
        decisions=last(digest.decisions, options.keep_decisions),
        proposals=proposals,
    )


def agent_from(part: dict[str, Any]) -> AgentState:
    """Read an agent's state in the form used in events and notes."""
    given = part.get("contributions")
    return AgentState(
        last_position=str(part.get("position", "")),
        key_contributions=tuple(map(str, given)) if isinstance(given, list) else (),
        message_count=count_of(part.get("count"), 0),
        unknown=_object(part.get("unknown")),
    )


def count_of(value: Any, default: int) -> int:
    """Return a number of messages from an event; it is checked, as any tool may have written it."""
    return value if type(value) is int and 0 <= value <= _MOST else default


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


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
    plain = digest.as_dict()
    plain["agents"] = {name: agent_part(one) for name, one in digest.agents.items()}
    return plain


def from_note(plain: dict[str, Any]) -> Digest:
    """Read a saved digest."""
    given = {key: part for key, part in plain.items() if key in Digest._fields}
    given["order"] = tuple(given["order"]) if given.get("order") else None
    given["agents"] = {name: agent_from(one) for name, one in given["agents"].items()}
    given["owed"] = tuple(given["owed"])
    for key in ("summaries", "decisions"):
        given[key] = tuple(given[key])
    for key in ("proposals", "pending"):
        given[key] = tuple(tuple(one) for one in given[key])
    return Digest(**given)
