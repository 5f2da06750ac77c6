"""Hides an entry, or brings a hidden one back; it keeps its number either way."""

from __future__ import annotations

from varves.commands.forget import Forget, Restore, decide_forget, decide_restore
from varves.commands.intake import word
from varves.errors import Refused, UsageError
from varves.protocols.hand_edit import is_repeated
from varves.protocols.scoped.answers import Forgotten
from varves.protocols.scoped.holdings import Holdings
from varves.protocols.scoped.places import PROJECT, TEAM, split
from varves.protocols.scoped.wish import fixes
from varves.values.ids import is_memory_id
from varves.values.instants import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.scoped.desk import Desk
    from varves.values.memory import Memory


def forget(desk: Desk, name: str, *, scope: str, reason: str, project: str | None) -> Forgotten:
    """Hide an entry."""
    why, redacted = desk.core.clean(word(reason, "reason"))
    if why is None:
        raise UsageError("the reason is missing", "give one with --reason")
    held = Holdings(desk.core)
    memory = _found(desk, held, name, scope=scope, project=project)
    if memory.status == "forgotten":
        hint = f"varves history {memory.id} shows why"
        raise Refused(f"{held.label(memory)} of {memory.scope} is already forgotten", hint)
    alone = not is_repeated(memory, held.records(memory.scope))
    command = Forget(memory=memory.id, reason=why, redacted=redacted, rejects=alone)
    return _moved(desk, held, memory, (decide_forget, command), reason=why)


def restore(desk: Desk, name: str, *, scope: str, project: str | None) -> Forgotten:
    """Restore a forgotten entry, and return the reason it was forgotten."""
    held = Holdings(desk.core)
    memory = _found(desk, held, name, scope=scope, project=project)
    if memory.status == "active" and not memory.has_expired(iso(desk.core.now)):
        message = f"{held.label(memory)} of {memory.scope} is not forgotten"
        raise Refused(message, "there is nothing to restore")
    decision = (decide_restore, Restore(memory=memory.id))
    return _moved(desk, held, memory, decision, reason=memory.reason or "")


def _moved(
    desk: Desk, held: Holdings, memory: Memory, decision: tuple[Any, Any], *, reason: str
) -> Forgotten:
    """Run the core's forget or restore, and record counters and numbers not recorded yet."""
    core, act = desk.core, desk.act()
    decide, command = decision
    decided = decide(core.rows(), command, act)
    core.flush(memory.scope)  # first, so that the file shows current counters
    core.append(decided.log, decided.drafts)
    core.append(memory.kept, fixes(held.numbers(memory.scope), act))
    return Forgotten(
        id=held.label(memory),
        memory=memory.id,
        scope=memory.scope,
        status="forgotten" if isinstance(command, Forget) else "active",
        reason=reason,
        content=memory.text,
    )


def _found(desk: Desk, held: Holdings, name: str, *, scope: str, project: str | None) -> Memory:
    """Return the record that a number or an id names.

    A number that only another project uses is refused, not resolved silently.
    """
    memory = held.find(name, _meant(desk, held, scope, project))
    if scope == PROJECT and project is None and not is_memory_id(name):
        own = f"{PROJECT}:{desk.project()}"
        if memory.scope != own:
            message = f"{name} belongs to {memory.scope}, but the current project is {own}"
            raise Refused(message, "choose one with --project ID")
    return memory


def _meant(desk: Desk, held: Holdings, scope: str, project: str | None) -> Sequence[str]:
    """Return the scopes in which to look for a number; several if none is named."""
    level, name = split(scope, None)
    if level == PROJECT and name is None:
        if project is not None or desk.core.project[1]:
            return [f"{PROJECT}:{desk.project(project)}"]
        return held.scopes(PROJECT)
    if level == TEAM and name is None:
        return held.scopes(TEAM)
    return [desk.own_scope(scope, None)]
