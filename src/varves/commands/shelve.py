"""Shelve: write or delete a version of a document, if the writer saw its current version.

A document is one memory whose id is derived from its shelf and key. The first version is recorded
as a memory, and later versions revise that memory. So no version rejects the text of another, and
an earlier text may be written again. A deletion forgets the document and does not reject its text
either.
"""

from __future__ import annotations

from varves.commands.port import Act, Decision, may_change
from varves.commands.remember import recorded_here, refusal
from varves.errors import Refused, Stale
from varves.events.kinds import FORGOTTEN, RECORDED, RESTORED, REVISED
from varves.fold.documents import DELETED, DOCUMENT, HEADS, OVER, part
from varves.values.answers import Shelved
from varves.values.instants import iso
from varves.values.memory import TRUSTWORTHY
from varves.values.text import quoted, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from varves.commands.port import Rows
    from varves.events.event import Event
    from varves.values.memory import Memory

    class ShelfRows(Protocol):
        """The queries that writing a document may use: a subset of `Rows`."""

        def memory(self, name: str) -> Memory | None:
            """Return a memory by id."""
            ...

        def free(self, name: str) -> bool:
            """Return whether a memory is not in quarantine."""
            ...

        def history(self, memory: str) -> list[Event]:
            """Return every event that acts on a memory, in order."""
            ...


ABSENT = "absent"  # given instead of a version: the document must not exist
TYPE = "document"


class Shelve(Value):
    """The request to write a version of a document or, without a text, to delete the document."""

    memory: str
    shelf: str
    key: str
    log: str
    scope: str
    source: str
    text: str | None
    form: str | None = None
    expect: str | None = None
    operation: dict[str, str] = {}  # noqa: RUF012 - values are frozen
    receipt: str | None = None
    again: bool = False
    redacted: tuple[str, ...] = ()


def decide(rows: Rows, command: Shelve, act: Act) -> tuple[Decision, Shelved]:
    """Decide on a write or deletion.

    If the operation was already done, return its result. If the document has changed, raise an
    error.
    """
    before = done(rows, command) if command.receipt else None
    if before is not None:
        return Decision(log=command.log, drafts=(), memory=command.memory), before
    held = standing_for(rows, command.memory)
    shown = held is not None and stands(rows, held, act)
    version = version_of(held) if held is not None and shown else ABSENT
    if command.expect not in (None, version):
        says = "does not exist" if version == ABSENT else f"is now at version {version}"
        raise Stale(f"{quoted(command.key)} {says}", "read it again, then retry")
    name = command.memory if held is None else held.id
    answer = Shelved(key=command.key, id=name, existed=shown, redacted=command.redacted)
    if held is not None:
        may_change(act, held.trust)
    about = _about(command, held, existed=shown)
    cause = [held.version] if held is not None else []
    log = command.log if held is None else held.kept
    if command.text is None:
        if not shown and not command.operation:
            return Decision(log=log, drafts=(), memory=name), answer
        content = {"memory": name, "reason": DELETED, DOCUMENT: about}
        kind = FORGOTTEN
    else:
        kind, content, lifts = _version(rows, command, act, held=held, shown=shown)
        _place(kind, content, about)
        cause += lifts
    if command.receipt:
        content["memories"] = [command.receipt]
    draft = act.draft(kind, content, *cause)
    return Decision(log=log, drafts=(draft,), memory=name), answer


def _version(
    rows: Rows, command: Shelve, act: Act, *, held: Memory | None, shown: bool
) -> tuple[str, dict[str, Any], list[str]]:
    """Return kind and content of the event that writes a version, and the rejections it lifts."""
    text = str(command.text)
    scope, log = (command.scope, command.log) if held is None else (held.scope, held.kept)
    rejecting = rows.rejecting(value_key(log, scope, text))
    if rejecting and not command.again:
        raise refusal(rejecting)
    more = {"lifts": rejecting, "redacted": list(command.redacted)}
    if held is None or _begins(rows, held, act):
        content = {"memory": command.memory if held is None else held.id, "text": text}
        content |= {"scope": scope, "type": TYPE, "source": command.source}
        return RECORDED, {**content, "summary": command.key, **more}, rejecting
    if not shown and held.status == "active" and not rows.free(held.id):
        raise Refused(f"{held.id} is quarantined", f"varves trust {held.id} releases it")
    changes: dict[str, Any] = {"text": text}
    if shown:
        return REVISED, {"memory": held.id, "set": changes, **more}, rejecting
    changes |= {"created_at": iso(act.now), "created_by": act.actor}
    if held.expires_at is not None:
        changes |= {"ttl": None, "expires_at": None}
    return RESTORED, {"memory": held.id, "set": changes, **more}, rejecting


def _begins(rows: Rows, held: Memory, act: Act) -> bool:
    """Return whether a document has no record in this checkout, or only an untrusted one."""
    if held.trust < TRUSTWORTHY <= act.trust:
        return True
    return held.branch is not None and not recorded_here(rows, held.id)


def _place(kind: str, content: dict[str, Any], about: dict[str, Any]) -> None:
    (content if kind == RECORDED else content["set"])[DOCUMENT] = about


def _about(command: Shelve, held: Memory | None, *, existed: bool) -> dict[str, Any]:
    """Return the part of the event's content that describes the document's version."""
    over = (held.extra.get(HEADS) or [held.version]) if held is not None else []
    operation = {**command.operation, "existed": existed} if command.operation else {}
    about = {"shelf": command.shelf, "key": command.key, "form": command.form}
    parts = {**about, OVER: over, "operation": operation}
    return {key: value for key, value in parts.items() if value}


def standing_for(rows: ShelfRows, name: str) -> Memory | None:
    """Return the memory that now contains a document: the memory `name`, or its replacement."""
    found: dict[str, Memory] = {}
    waiting = [name]
    while waiting:
        memory = rows.memory(waiting.pop())
        if memory is None or memory.id in found or not _same_place(memory, found.get(name)):
            continue
        found[memory.id] = memory
        if memory.status == "active":
            return memory
        waiting += memory.links.get("superseded_by", ())
    ends = (one for one in found.values() if one.status != "superseded")
    return next(ends, found.get(name))


def _same_place(memory: Memory, first: Memory | None) -> bool:
    """Return whether a memory has the shelf and key of `first`; True if `first` is None."""
    if first is None:
        return True
    here, there = memory.extra.get(DOCUMENT, {}), first.extra.get(DOCUMENT, {})
    return all(here.get(part) == there.get(part) is not None for part in ("shelf", "key"))


def stands(rows: ShelfRows, memory: Memory, act: Act) -> bool:
    """Return whether a document is current, and this actor may use the document's memory."""
    may_see = act.trust < TRUSTWORTHY or rows.free(memory.id)
    return memory.is_current(iso(act.now)) and may_see


def version_of(memory: Memory) -> str:
    """Return a document's version: the id of the event that wrote it.

    If several versions are current, their ids are joined by "+".
    """
    return "+".join(memory.extra.get(HEADS) or [memory.version])


def done(rows: ShelfRows, command: Shelve) -> Shelved | None:
    """Return the result of the command's operation if it was already done, otherwise None."""
    for event in rows.history(command.receipt or ""):
        about = part(event) or {}
        operation = about.get("operation")
        if not isinstance(operation, dict) or operation.get("id") != command.operation["id"]:
            continue
        mark = command.operation.get("mark")
        same = about.get("key") == command.key and (event.kind == FORGOTTEN) == (
            command.text is None
        )
        if operation.get("mark") != mark or not (same or mark or not command.key):
            reason = f"operation {quoted(operation['id'])} was used for another change"
            raise Refused(reason, "give every operation its own id")
        return answer_of(event, about)
    return None


def answer_of(event: Event, about: dict[str, Any]) -> Shelved:
    """Return the result that the call which appended an event had returned."""
    return Shelved(
        key=str(about.get("key")),
        id=str(event.data.get("memory")),
        version=None if event.kind == FORGOTTEN else event.id,
        event=event.id,
        existed=bool(about["operation"].get("existed")),
        replayed=True,
    )
