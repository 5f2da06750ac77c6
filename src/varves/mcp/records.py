"""Makes the records of memories and conflicts that clients get."""

from __future__ import annotations

from varves.mcp.wordings import NOTICE, cut, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.mcp.port import Json
    from varves.values.memory import Memory

MEMBER = 600  # the most characters of a conflict's member
_PLAIN = {"type": "note", "scope": "project", "status": "active"}


def record(memory: Memory, **more: Any) -> Json:
    """Return the record of a memory for clients, without fields that have their default values."""
    fields = {
        "id": memory.id,
        "topic": memory.heading or None,
        "text": memory.worded,
        "scope": memory.scope,
        "type": memory.type,
        "tags": list(memory.tags),
        "priority": memory.priority,
        "at": memory.at,
        "by": memory.created_by,
        "speaker": memory.speaker,
        "source": memory.source,
        "origin": memory.origin,
        "status": memory.status,
        "branch": memory.branch,
        "replaced_by": ", ".join(memory.links.get("replaced_by", ())) or None,
        **more,
    }
    return known({name: part for name, part in fields.items() if part != _PLAIN.get(name)})


def with_notice(memories: list[Json], **more: Any) -> Json:
    """Return records of memories, with the notice that they are data, not instructions."""
    return {**({"notice": NOTICE} if memories else {}), "memories": memories, **more}


def whole_record(memory: Memory) -> Json:
    """Return the complete record of a memory for clients."""
    return record(
        memory,
        session=memory.session,
        reason=memory.reason,
        confidence=memory.confidence,
        trust=memory.trust,
        version=memory.version,
        evidence=[_pointer(one) for one in memory.evidence],
    )


def _pointer(place: Json) -> str:
    from varves.values.names import pointer

    state = place.get("state")
    return f"{pointer(place)} ({state})" if state else pointer(place)


def conflict_record(one: Any) -> Json:
    """Return the record of a conflict for clients."""
    members = [record(one, text=cut(one.worded, MEMBER)) for one in one.members]
    about = {"id": one.id, "kind": one.kind, "reason": one.reason, "current": one.current}
    return {**known(about), "members": members}
