"""Share: a private memory enters the project's log, as it stands now and without its history."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing, may_change
from varves.commands.remember import refusal
from varves.errors import Refused
from varves.events.kinds import SHARED
from varves.events.redact import scrub_tree
from varves.values.instants import iso
from varves.values.scope import level_of
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Rows
    from varves.values.memory import Memory


class Share(Value):
    """The intent to publish a private memory."""

    memory: str


def decide(rows: Rows, command: Share, act: Act) -> Decision:
    """Publish the memory under its own id, with the origin and trust of the original."""
    memory = existing(rows, command.memory)
    may_change(act, memory.trust)
    if memory.kept != "private":
        raise Refused(f"{memory.id} is not private", "only private memories are shared")
    if memory.status != "active":
        raise Refused(f"{memory.id} is {memory.status}", "only current memories are shared")
    if memory.has_expired(iso(act.now)):
        raise Refused(f"{memory.id} is expired", f"varves restore {memory.id} first")
    scope = "project" if level_of(memory.scope) == "session" else memory.scope
    content, redacted = scrub_tree(_record(memory, scope))  # what was allowed here goes no further
    rejecting = rows.rejecting(value_key("project", scope, content["text"]))
    if rejecting:
        raise refusal(rejecting)
    as_original = act.replace(origin=memory.origin, trust=memory.trust)
    draft = as_original.draft(SHARED, content | {"redacted": list(redacted)}, memory.version)
    return Decision(log="project", drafts=(draft,), memory=memory.id)


def _record(memory: Memory, scope: str) -> dict[str, Any]:
    return {
        **{key: part for key, part in memory.extra.items() if key != "heads"},
        "memory": memory.id,
        "text": memory.text,
        "scope": scope,
        "summary": memory.summary,
        "type": memory.type,
        "protocol": memory.protocol,
        "tags": list(memory.tags),
        "priority": memory.priority,
        "confidence": memory.confidence,
        "ttl": memory.ttl,
        "expires_at": memory.expires_at,
        "evidence": list(memory.evidence),
        "source": memory.source,
        "speaker": memory.speaker,
        "session": memory.session,
        "turn": memory.turn,
        "at": memory.at,
        "created_at": memory.created_at,
        "created_by": memory.created_by,
    }
