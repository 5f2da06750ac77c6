"""Memories that a caller gives for an agent, and the memories that an agent refers to."""

from __future__ import annotations

from varves.commands.intake import memory_id, statement
from varves.errors import NotFound, Refused, Rejected
from varves.events.kinds import PROPOSED
from varves.protocols.party.answers import Referred, WaitingMemory
from varves.protocols.party.fold import PROJECT
from varves.protocols.party.sessions import REFERENCE, member, post, running_here
from varves.protocols.party.sidecars import scope_of, shown
from varves.protocols.party.talk import TYPES
from varves.protocols.sessions import PRIVATE
from varves.values.ids import is_memory_id
from varves.values.text import fold, quoted, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.party.options import PartyOptions
    from varves.protocols.port import Core
    from varves.values.memory import Memory


class GivenMemory(Value):
    """A memory as a caller gives it."""

    agent: str
    type: str
    content: str
    confidence: float
    again: bool = False
    """Whether a text that was rejected before is accepted."""


def propose(core: Core, options: PartyOptions, given: GivenMemory) -> WaitingMemory:
    """Store one memory of an agent until the end of the party.

    Raises:
        Refused: it breaks a published rule, or was rejected before.
    """
    text, rules = _content(core, given.content, options.content_chars)
    if given.type not in TYPES:
        raise Refused(f"not a type of memory: {quoted(given.type)}", f"use {', '.join(TYPES)}")
    sure = _confidence(given.confidence, options.least_confidence)
    meeting = running_here(core)
    name = member(core, meeting, given.agent)
    scope = scope_of(name)
    rejecting = core.rows().rejecting(value_key(PROJECT, scope, text))
    if rejecting and not given.again:
        message = f"this was rejected by {rejecting[0]}"
        raise Rejected(message, "repeat it with again=True (--again)")
    record: dict[str, Any] = {
        "memory": core.ids.memory(),
        "text": text,
        "scope": scope,
        "type": given.type,
        "confidence": sure,
        "speaker": name,
        "start": meeting.start,
        "checkout": meeting.checkout,
        "again": given.again or None,
    }
    act = core.act(session=meeting.name)
    [event] = core.append(PRIVATE, [act.draft(PROPOSED, record, meeting.start)])
    return WaitingMemory(
        id=record["memory"],
        session=meeting.name,
        event=event.id,
        agent=name,
        type=given.type,
        content=text,
        confidence=sure,
        redacted=rules,
    )


def _content(core: Core, content: Any, most: int) -> tuple[str, tuple[str, ...]]:
    """Return a memory's content if it is valid."""
    if not isinstance(content, str) or not content.strip():
        raise Refused("the content is blank", "give a text")
    text, rules = core.clean(" ".join(statement(content).split()))
    if len(text) > most:
        raise Refused(f"the content has {len(text)} characters", f"shorten it to {most}")
    return text, rules


def _confidence(value: Any, least: float) -> float:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not least <= value <= 1:
        raise Refused(f"not a confidence: {quoted(value)}", f"give a number from {least} to 1")
    return float(value)


def refer(core: Core, agent: str, memory: str) -> Referred:
    """Record that an agent refers to one of its memories, by id or by content."""
    meeting = running_here(core)
    name = member(core, meeting, agent)
    held = _own(core, name, memory)
    event, _ = post(core, meeting, {"type": REFERENCE, "agent": name, "memory": held.id})
    return Referred(
        session=meeting.name, event=event, agent=name, memory=held.id, content=shown(held)
    )


def _own(core: Core, agent: str, given: Any) -> Memory:
    """Return one of an agent's memories, named by its id or by its content."""
    found = [one for one in core.memories(scope=scope_of(agent)) if one.kept == PROJECT]
    if isinstance(given, str) and is_memory_id(given):
        name = memory_id(given)
        own = [one for one in found if one.id == name]
    else:
        same = fold(statement(given))
        own = [one for one in found if same in (fold(shown(one)), fold(one.text))]
    if not own:
        raise NotFound(
            f"{agent} has no memory {quoted(given)}", f"varves party show {agent} lists them"
        )
    return own[-1]
