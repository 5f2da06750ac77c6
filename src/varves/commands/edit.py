"""Edit: change a memory's fields, not its text."""

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
    """The request to change tags or other fields."""

    memory: str
    changes: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """The new values, by the name of the field."""
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    scope_log: str | None = None
    """The log that stores memories of the new scope; None if the scope does not change."""
    expect: str | None = None
    redacted: tuple[str, ...] = ()


def decide(rows: Rows, command: Edit, act: Act) -> Decision:
    """Record all changes of fields in one event."""
    memory = existing(rows, command.memory, command.expect)
    may_change(act, memory.trust)
    given = command.changes
    changes = {name: value for name, value in given.items() if value != getattr(memory, name)}
    if "ttl" in given:  # the duration starts again, even if its value is the same
        changes |= {"ttl": given["ttl"], "expires_at": expiry(given["ttl"], act.now)}
    if "scope" in changes:
        private = memory.kept == "private" and command.scope_log != "global"
        if memory.kept != command.scope_log and not private:
            raise Refused(
                (
                    f"{memory.id} is in the {memory.kept} log, which does not store scope"
                    f" {changes['scope']}"
                ),
                "record it again in that scope, or share a private memory",
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
