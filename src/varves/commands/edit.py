"""Edit: change what is about a memory, not what it says."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing, may_change
from varves.commands.remember import expiry, refusal
from varves.errors import Refused, UsageError
from varves.events.kinds import REVISED
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Rows


class Edit(Value):
    """The intent to change tags, priority, time to live, scope or confidence."""

    memory: str
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    priority: str | None = None
    ttl: str | None = None
    scope: str | None = None
    scope_log: str | None = None
    confidence: float | None = None
    expect: str | None = None
    redacted: tuple[str, ...] = ()


def decide(rows: Rows, command: Edit, act: Act) -> Decision:
    """Record the changes as one revision."""
    memory = existing(rows, command.memory, command.expect)
    may_change(act, memory.trust)
    changes: dict[str, Any] = {}
    for name in ("priority", "confidence", "scope"):
        value = getattr(command, name)
        if value is not None and value != getattr(memory, name):
            changes[name] = value
    if command.ttl is not None:
        changes |= {"ttl": command.ttl, "expires_at": expiry(command.ttl, act.now)}
    if "scope" in changes:
        private = memory.kept == "private" and command.scope_log != "global"
        if memory.kept != command.scope_log and not private:
            raise Refused(
                f"{memory.id} is kept in the {memory.kept} log, {command.scope} is not",
                "remember it there, or share a private one",
            )
        rejecting = rows.rejecting(value_key(memory.kept, changes["scope"], memory.text))
        if rejecting:
            raise refusal(rejecting)
    add = [tag for tag in command.add_tags if tag not in memory.tags]
    remove = [tag for tag in command.remove_tags if tag in memory.tags]
    if not (changes or add or remove):
        raise UsageError(
            "nothing to change", "give --tag, --priority, --ttl, --scope or --confidence"
        )
    content = {"memory": memory.id, "set": changes, "add_tags": add, "remove_tags": remove}
    content["redacted"] = list(command.redacted)
    draft = act.draft(REVISED, content, memory.version)
    return Decision(log=memory.kept, drafts=(draft,), memory=memory.id)
