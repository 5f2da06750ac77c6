"""Share: publish the current state of a private memory, without its history."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing, may_change
from varves.commands.remember import refusal
from varves.errors import Refused
from varves.events.kinds import SHARED
from varves.events.redact import scrub_tree
from varves.values.instants import iso
from varves.values.memory import SHARE
from varves.values.scope import level_of
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Rows
    from varves.values.memory import Memory


class Share(Value):
    """The request to share a private memory."""

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
    content = {**_record(memory), "scope": scope}
    # a secret that was allowed in the private log must not be published
    content, redacted = scrub_tree(content)
    rejecting = rows.rejecting(value_key("project", scope, content["text"]))
    if rejecting:
        raise refusal(rejecting)
    as_original = act.replace(origin=memory.origin, trust=memory.trust)
    draft = as_original.draft(SHARED, content | {"redacted": list(redacted)}, memory.version)
    return Decision(log="project", drafts=(draft,), memory=memory.id)


def _record(memory: Memory) -> dict[str, Any]:
    extra = {key: part for key, part in memory.extra.items() if key != "heads"}
    return extra | memory.taken(SHARE)
