"""Forget and restore: take a memory out of use, with a reason, and bring it back."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing, may_change
from varves.errors import Refused
from varves.events.kinds import FORGOTTEN, RESTORED
from varves.values.instants import iso
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Rows


class Forget(Value):
    """The request to take a memory out of use."""

    memory: str
    reason: str
    expect: str | None = None
    redacted: tuple[str, ...] = ()
    rejects: bool = True


class Restore(Value):
    """The request to make a memory current again."""

    memory: str
    expect: str | None = None


def decide_forget(rows: Rows, command: Forget, act: Act) -> Decision:
    """Take a memory out of use and, unless the command says not to, reject its text."""
    memory = existing(rows, command.memory, command.expect)
    may_change(act, memory.trust)
    if memory.status == "forgotten":
        raise Refused(f"{memory.id} is already forgotten", f"varves history {memory.id} shows why")
    content: dict[str, Any] = {
        "memory": memory.id,
        **({"text": memory.text, "scope": memory.scope} if command.rejects else {}),
        "reason": command.reason,
        "redacted": list(command.redacted),
    }
    if "document" in memory.extra:
        about = {key: memory.extra["document"].get(key) for key in ("shelf", "key")}
        content["document"] = {**about, "over": memory.extra.get("heads", [])}
    draft = act.draft(FORGOTTEN, content, memory.version)
    return Decision(log=memory.kept, drafts=(draft,), memory=memory.id)


def decide_restore(rows: Rows, command: Restore, act: Act) -> Decision:
    """Make a memory current again, and lift every rejection of its value."""
    memory = existing(rows, command.memory, command.expect)
    may_change(act, memory.trust)
    expired = memory.has_expired(iso(act.now))
    if memory.status == "active" and not expired:
        raise Refused(f"{memory.id} is current", "there is nothing to restore")
    rejecting = rows.rejecting(value_key(memory.kept, memory.scope, memory.text))
    content = {
        "memory": memory.id,
        "lifts": rejecting,
        "set": {"ttl": None, "expires_at": None} if expired else {},
    }
    draft = act.draft(RESTORED, content, memory.version, *rejecting)
    return Decision(log=memory.kept, drafts=(draft,), memory=memory.id)
