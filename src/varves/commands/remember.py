"""Remember: record a statement as a memory, or find the existing memory of the statement."""

from __future__ import annotations

from varves.commands.port import Act, Decision, existing, worth
from varves.errors import Refused, Rejected
from varves.events.kinds import RECORDED, REINFORCED, birth, is_barred
from varves.values.instants import PERMANENT, duration, iso
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Rows


class Remember(Value):
    """The request to record a statement."""

    text: str
    log: str
    scope: str
    id: str
    given_id: bool = False
    about: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """Other content of the record: fields by name, and the keys that a protocol adds."""
    links: dict[str, list[str]] = {}  # noqa: RUF012 - values are frozen
    again: bool = False
    redacted: tuple[str, ...] = ()


def decide(rows: Rows, command: Remember, act: Act) -> Decision:
    """Record the statement, unless it is already known or was rejected."""
    if command.given_id:
        before = rows.memory(command.id)
        if before is not None:
            if before.text != command.text or before.scope != command.scope:
                raise Refused(f"{command.id} already belongs to another text", "leave --id out")
            if before.branch is None or recorded_here(rows, command.id):
                return Decision(log=command.log, drafts=(), memory=command.id, status="known")
        if is_barred(rows.history(command.id)):
            raise Refused(f"{command.id} was purged", "its id cannot be used again; leave --id out")
    if "derived_from" in command.links:
        sources = [existing(rows, name) for name in command.links["derived_from"]]
        act = act.replace(trust=min(act.trust, *(worth(rows, one) for one in sources)))
    key = value_key(command.log, command.scope, command.text)
    protocol = None if act.protocol == "core" else act.protocol
    held, rejecting = rows.standing(key, command.text, act.trust, protocol=protocol)
    if rejecting and not command.again:
        raise refusal(rejecting)
    if held is not None and not command.given_id:
        again = act.draft(REINFORCED, {"memory": held})
        return Decision(log=command.log, drafts=(again,), memory=held, status="known")
    content = record(command, act) | {"lifts": rejecting}
    draft = act.draft(RECORDED, content, *rejecting)
    return Decision(
        log=command.log, drafts=(draft,), memory=command.id, status="recorded", value=key
    )


def recorded_here(rows: Rows, name: str) -> bool:
    """Return whether a log of this checkout, and not only of another worktree, created a memory."""
    births = [event for event in rows.history(name) if (birth(event) or {}).get("memory") == name]
    return any(event.branch is None for event in births)


def refusal(rejecting: list[str]) -> Rejected:
    """Return the error for a rejected value, with the way to record it anyway."""
    return Rejected(f"this value was rejected by {rejecting[0]}", "use --again to record it anyway")


def record(command: Remember, act: Act) -> dict[str, Any]:
    """Return the content of the record that a command asks for, with only the fields given."""
    content: dict[str, Any] = {
        "memory": command.id,
        "text": command.text,
        "scope": command.scope,
        "links": command.links,
        "redacted": list(command.redacted),
    }
    if command.about.get("ttl") is not None:
        content["expires_at"] = expiry(command.about["ttl"], act.now)
    for name, value in command.about.items():
        content[name] = list(value) if isinstance(value, tuple) else value
    return content


def expiry(ttl: str | None, now: int) -> str | None:
    """Return the instant at which a record made now expires."""
    return None if ttl in (None, PERMANENT) else iso(now + duration(ttl))
