"""The state of a memory as JSON with the published names, from which it can be restored exactly.

Reading is tolerant: missing keys get defaults, unknown keys are kept, and only a document that is
not a state is refused. `faults` finds the values that a record cannot have.
"""

from __future__ import annotations

import json
from functools import lru_cache

from varves.errors import UsageError, VarvesError
from varves.protocols.deliberation.state import (
    ACTIVE,
    NEUTRAL,
    REACTIONS,
    STATUSES,
    AgentState,
    ConversationDecision,
    Message,
    Proposal,
    Reaction,
    State,
    Summary,
    written,
)
from varves.protocols.jsonfile import read_object
from varves.protocols.records import is_count, text_of, texts
from varves.protocols.unreadable import Unreadable
from varves.values.instants import instant, iso
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from varves.values.value import Value

    Made = TypeVar("Made", bound=Value)
    from collections.abc import Iterator


SUMMARIES, DECISIONS, PROPOSALS, AGENTS = "summaries", "decisions", "proposals", "agentStates"
TOTAL, PENDING = "processedMessageCount", "pendingMessages"
KEYS = (SUMMARIES, DECISIONS, PROPOSALS, AGENTS, TOTAL, PENDING)
_OPTIONAL = ("replaces", "successor", "repeats", "message", "reason", "by", "replyTo")
_RANGE = 2
_LONG = 10_000  # characters; the JSON of a longer record is not cached
_MANY = 1024  # the number of cached records; more than most states contain
_LATEST_MS = 253_402_300_799_999  # the last moment with a four-digit year


def to_json(state: State) -> dict[str, Any]:
    """Return a state with the published names."""
    return {
        **state.unknown,
        SUMMARIES: [summary_json(one) for one in state.summaries],
        DECISIONS: [decision_json(one) for one in state.decisions],
        PROPOSALS: [proposal_json(one) for one in state.proposals],
        AGENTS: {name: agent_json(one) for name, one in state.agent_states.items()},
        TOTAL: state.total,
        PENDING: [message_json(one) for one in state.pending],
    }


def _said(content: dict[str, Any], unknown: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record's fields without empty optional ones, and with its unknown ones."""
    kept = {key: part for key, part in content.items() if part or key not in _OPTIONAL}
    return {**kept, **unknown}


def summary_json(one: Summary) -> dict[str, Any]:
    """Return a summary with the published names."""
    content = {
        "id": one.id,
        "timestamp": one.timestamp,
        "messageRange": list(one.message_range),
        "content": one.content,
        "by": one.by,
    }
    return _said(content, one.unknown)


def decision_json(one: ConversationDecision) -> dict[str, Any]:
    """Return a decision with the published names."""
    content = {
        "id": one.id,
        "timestamp": one.timestamp,
        "topic": one.topic,
        "outcome": one.outcome,
        "supportingAgents": list(one.supporting_agents),
        "replaces": one.replaces,
        "message": one.message,
    }
    return _said(content, one.unknown)


def proposal_json(one: Proposal) -> dict[str, Any]:
    """Return a proposal with the published names."""
    content: dict[str, Any] = {
        "id": one.id,
        "timestamp": one.timestamp,
        "proposer": one.proposer,
        "content": one.content,
        "status": one.status,
        "reactions": [{"agentId": r.agent_id, "reaction": r.reaction} for r in one.reactions],
        "successor": one.successor,
        "repeats": one.repeats,
        "message": one.message,
        "reason": one.reason,
    }
    if one.index >= 0:
        content["index"] = one.index
    return _said(content, one.unknown)


def agent_json(one: AgentState) -> dict[str, Any]:
    """Return an agent's state with the published names."""
    content = {
        "lastPosition": one.last_position,
        "keyContributions": list(one.key_contributions),
        "messageCount": one.message_count,
    }
    return _said(content, one.unknown)


def message_json(one: Message) -> dict[str, Any]:
    """Return a message with the published names."""
    content = {
        "id": one.id,
        "timestamp": one.timestamp,
        "agentId": one.agent_id,
        "content": one.content,
        "type": one.type,
        "index": one.index,
        "replyTo": one.reply_to,
    }
    return _said(content, {})


def from_json(document: Any) -> State:
    """Read a state, including an older or partial one.

    Raises:
        UsageError: the document is not a state.
    """
    if not isinstance(document, dict):
        raise UsageError("not the state of a conversation", "a state is a JSON object")
    for key in (SUMMARIES, DECISIONS, PROPOSALS, PENDING, AGENTS):
        kind = dict if key == AGENTS else list
        if not isinstance(document.get(key) or kind(), kind):
            raise UsageError(f"{key} is not {'a list' if kind is list else 'an object'}", "fix it")
    summaries = _listed(document.get(SUMMARIES), summary_of)
    agents = document.get(AGENTS) or {}
    states = {str(name): agent_of(one) for name, one in agents.items() if isinstance(one, dict)}
    pending = _pending(document.get(PENDING))
    least = max((one.message_range[1] + 1 for one in summaries), default=0)
    least = max([least, *(one.index + 1 for one in pending)])
    counted = sum(one.message_count for one in states.values())
    return State(
        summaries=summaries,
        decisions=_listed(document.get(DECISIONS), decision_of),
        proposals=_listed(document.get(PROPOSALS), proposal_of),
        agent_states=states,
        total=_count(document.get(TOTAL), max(least, counted)),
        pending=pending,
        unknown={key: part for key, part in document.items() if key not in KEYS},
    )


def _listed(found: Any, read: Callable[[dict[str, Any]], Made]) -> tuple[Made, ...]:
    return tuple(read(one) for one in found or () if isinstance(one, dict))


def summary_of(found: dict[str, Any]) -> Summary:
    """Read one summary."""
    span = found.get("messageRange")
    fits = isinstance(span, list) and len(span) == _RANGE and all(map(is_count, span))
    keys = ("id", "timestamp", "messageRange", "content", "by")
    return Summary(
        id=text_of(found.get("id")),
        timestamp=moment(found.get("timestamp")),
        message_range=(span[0], span[1]) if fits and span else (0, -1),
        content=text_of(found.get("content")),
        by=text_of(found.get("by")),
        unknown=_rest(found, keys),
    )


def decision_of(found: dict[str, Any]) -> ConversationDecision:
    """Read one decision."""
    keys = ("id", "timestamp", "topic", "outcome", "supportingAgents", "replaces", "message")
    return ConversationDecision(
        id=text_of(found.get("id")),
        timestamp=moment(found.get("timestamp")),
        topic=text_of(found.get("topic")),
        outcome=text_of(found.get("outcome")),
        supporting_agents=texts(found.get("supportingAgents")),
        replaces=text_of(found.get("replaces")) or None,
        message=text_of(found.get("message")),
        unknown=_rest(found, keys),
    )


def proposal_of(found: dict[str, Any]) -> Proposal:
    """Read one proposal; an unknown status counts as active, an unknown reaction as neutral."""
    keys = ("id", "timestamp", "proposer", "content", "status", "reactions")
    more = ("successor", "repeats", "message", "reason", "index")
    status = found.get("status")
    reactions: Any = found.get("reactions")
    said = [one for one in reactions if isinstance(one, dict)] if _is_list(reactions) else []
    return Proposal(
        id=text_of(found.get("id")),
        timestamp=moment(found.get("timestamp")),
        proposer=text_of(found.get("proposer")),
        content=text_of(found.get("content")),
        status=status if status in STATUSES else ACTIVE,
        reactions=tuple(_reaction_of(one) for one in said),
        successor=text_of(found.get("successor")) or None,
        repeats=text_of(found.get("repeats")) or None,
        message=text_of(found.get("message")),
        reason=text_of(found.get("reason")),
        index=_count(found.get("index"), -1),
        unknown=_rest(found, (*keys, *more)),
    )


def _reaction_of(found: dict[str, Any]) -> Reaction:
    reaction = found.get("reaction")
    return Reaction(
        agent_id=text_of(found.get("agentId")),
        reaction=reaction if reaction in REACTIONS else NEUTRAL,
    )


def agent_of(found: dict[str, Any]) -> AgentState:
    """Read the state of one agent."""
    return AgentState(
        last_position=text_of(found.get("lastPosition")),
        key_contributions=texts(found.get("keyContributions")),
        message_count=_count(found.get("messageCount"), 0),
        unknown=_rest(found, ("lastPosition", "keyContributions", "messageCount")),
    )


def _pending(found: Any) -> tuple[Message, ...]:
    messages = [one for one in found if isinstance(one, dict)] if _is_list(found) else []
    read = [
        Message(
            agent_id=text_of(one.get("agentId")),
            content=text_of(one.get("content")),
            id=text_of(one.get("id")),
            timestamp=moment(one.get("timestamp")),
            reply_to=text_of(one.get("replyTo")) or None,
            type=text_of(one.get("type")) or "message",
            index=_count(one.get("index"), -1),
        )
        for one in messages
    ]
    return tuple(one for one in read if one.index >= 0)


def moment(value: Any) -> str:
    """Return a time as ISO text, from a text or from milliseconds; empty if it is not valid."""
    value = written(value)
    if isinstance(value, str) and value:
        try:
            return iso(instant(value))
        except (UsageError, OverflowError, ValueError, OSError):
            return ""
    if _is_number(value) and 0 <= value <= _LATEST_MS:
        return iso(int(value))
    return ""


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _count(value: Any, default: int) -> int:
    return int(value) if is_count(value) else default


def _rest(found: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    return {key: part for key, part in found.items() if key not in known}


def encoded(document: Mapping[str, Any]) -> bytes:
    """Return the bytes of a state file."""
    parts = ",\n".join(f"  {_compact(key)}: {_laid_out(document[key])}" for key in document)
    text = f"{{\n{parts}\n}}" if parts else "{}"
    return f"{text}\n".encode("utf-8", "surrogatepass")


def _laid_out(part: Any) -> str:
    """Return a part of the state as indented JSON; the records of a list are mostly cached."""
    if not isinstance(part, list) or not part:
        return json.dumps(part, ensure_ascii=False, indent=2).replace("\n", "\n  ")
    texts = map(_compact, part)
    records = ",\n    ".join(_known(text) if len(text) < _LONG else _record(text) for text in texts)
    return f"[\n    {records}\n  ]"


def _record(text: str) -> str:
    """Format one record of a list."""
    return json.dumps(json.loads(text), ensure_ascii=False, indent=2).replace("\n", "\n    ")


_known = lru_cache(maxsize=_MANY)(_record)  # formatting is slow, and a message changes few records


def _compact(part: Any) -> str:
    return json.dumps(part, ensure_ascii=False)


def parsed(content: bytes) -> dict[str, Any]:
    """Parse the bytes of a state file.

    Raises:
        Unreadable: the bytes are not a state file.
    """
    document = read_object(content)
    try:
        from_json(document)
    except VarvesError as fault:
        raise Unreadable(fault.message) from None
    return document


RULES = {SUMMARIES: "S4-05", DECISIONS: "S4-07", PROPOSALS: "S4-08", AGENTS: "S4-11"}
_TEXTS = {
    SUMMARIES: ("content",),
    DECISIONS: ("topic", "outcome"),
    PROPOSALS: ("proposer", "content"),
    AGENTS: ("lastPosition",),
}
_LISTS = {DECISIONS: ("supportingAgents",), AGENTS: ("keyContributions",)}
_SAYS = {DECISIONS: ("topic", "outcome"), PROPOSALS: ("content",)}
_NONE = [0, -1]  # the range of a summary that had none


def checked(document: Any) -> State:
    """Read a state, and refuse one with values that it cannot have.

    Raises:
        UsageError: the document is not a state, or a record of it has such a value.
    """
    state = from_json(document)
    for key in RULES:
        part = document.get(key) or {}
        for name, one in part.items() if isinstance(part, dict) else enumerate(part):
            for _, message in faults(key, one):
                raise UsageError(f"{key}[{name}]: {message}", "correct the saved state")
    return state


def faults(key: str, one: Any) -> Iterator[tuple[str, str]]:
    """Yield (rule, message) for each value that a record cannot have; it may lack any key.

    Args:
        key: the part of the state that contains the record.
        one: the record.
    """
    rule = RULES[key]
    if not isinstance(one, dict):
        yield rule, "not an object"
        return
    for name in _TEXTS[key]:
        if not isinstance(one.get(name) or "", str):
            yield rule, f"{name} is not a text"
    for name in _LISTS.get(key, ()):
        if not _is_texts(one.get(name)):
            yield rule, f"{name} is not a list of texts"
    if key in _SAYS and not any(one.get(name) for name in _SAYS[key]):
        yield rule, f"without {' and '.join(_SAYS[key])}"
    if key != AGENTS and one.get("timestamp") and not moment(one["timestamp"]):
        yield "S4-54", "the timestamp is not a valid time"
    if key == SUMMARIES and not _is_range(one.get("messageRange")):
        yield "S4-06", f"messageRange {quoted(str(one['messageRange']))} is not [start, end]"
    if key == AGENTS and not _may_count(one.get("messageCount")):
        yield rule, "messageCount is not a number of messages"
    if key == PROPOSALS:
        yield from _of_proposal(one)


def _of_proposal(one: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if one.get("status") is not None and one["status"] not in STATUSES:
        yield "S4-09", f"the status is not one of {', '.join(STATUSES)}"
    reactions = one.get("reactions") or []
    for said in reactions if isinstance(reactions, list) else [None]:
        if not isinstance(said, dict) or said.get("reaction") not in REACTIONS:
            yield "S4-10", f"a reaction is not one of {', '.join(REACTIONS)}"
        elif not isinstance(said.get("agentId"), str):
            yield "S4-10", "a reaction has no agentId"


def _is_texts(value: Any) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))


def _may_count(value: Any) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _is_range(value: Any) -> bool:
    if value in (None, _NONE):
        return True
    whole = isinstance(value, list) and all(type(one) is int for one in value)
    return whole and len(value) == len(_NONE) and 0 <= value[0] <= value[1]
