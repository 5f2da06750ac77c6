"""Resolve: a person settles a conflict: keep one value, merge several, or delete one."""

from __future__ import annotations

from varves.commands.correct import covering, derived, replacing
from varves.commands.port import Act, Decision, may_change, worth
from varves.commands.remember import refusal
from varves.errors import NotFound, Refused
from varves.events.kinds import RESOLVED
from varves.values.text import fold, value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.commands.port import Rows
    from varves.values.memory import Memory


ALL = "all"  # given instead of an id: the memories are only similar, and all stay current


class Resolve(Value):
    """The request to settle a conflict; exactly one of keep, merge and delete is given."""

    conflict: str
    members: tuple[Memory, ...]
    id: str
    keep: str | None = None
    merge: str | None = None
    delete: str | None = None
    evidence: tuple[dict[str, Any], ...] = ()
    redacted: tuple[str, ...] = ()
    set_aside: bool = False
    """Whether flagged members were set aside when the conflict was found, and not by the fold."""
    stays: str | None = None
    """The memory to keep, if it is not a member: only another memory is dropped."""


def decide(rows: Rows, command: Resolve, act: Act) -> Decision:
    """Settle the conflict in one event, which lists the memories kept and dropped."""
    members = {memory.id: memory for memory in command.members}
    chosen = command.delete if command.keep == ALL else command.keep or command.delete
    if chosen is not None and chosen not in members:
        raise NotFound(
            f"{chosen} is not a member of {command.conflict}", "varves conflicts lists its members"
        )
    trusts = [memory.trust for memory in command.members]
    may_change(act, *trusts)
    first = command.members[0]
    content: dict[str, Any] = {"conflict": command.conflict, "memories": list(members)}
    if command.keep == ALL:
        content["left"] = _all_standing(command)
        about = first.id
    elif command.delete:
        left = [memory for memory in command.members if memory.id != command.delete]
        about = command.delete
        if command.set_aside and len(left) == 1 and left[0].status == "flagged":
            content |= _keeping(rows, left[0], [members[about]])
        else:
            texts = (memory.text for memory in left)
            content["drop"] = [_dropped(rows, members[about], *texts)]
            content["left"] = [memory.id for memory in left]
    elif command.keep:
        about = command.keep
        others = [memory for memory in command.members if memory.id != about]
        content |= _keeping(rows, members[about], others)
    else:
        text, about = str(command.merge), command.id
        act = derived(act, *(worth(rows, memory) for memory in command.members))
        rejecting = rows.rejecting(value_key(first.kept, first.scope, text))
        said = {fold(memory.text) for memory in command.members}
        if rejecting and fold(text) not in said:
            raise refusal(rejecting)
        content |= {
            "keep": about,
            "record": replacing(first, about, text, now=act.now, evidence=command.evidence),
            "drop": [_dropped(rows, memory, text) for memory in command.members],
            "lifts": rejecting,
            "redacted": list(command.redacted),
        }
    gone = [members[one["memory"]] for one in content.get("drop", ())]
    # the conflict is about one document: its newest version is kept
    if len(members) == 1 and not gone:
        gone = [_older(first)]
    content |= covering(*gone)
    draft = act.draft(RESOLVED, content, *(memory.version for memory in command.members))
    return Decision(log=first.kept, drafts=(draft,), memory=about)


def _older(memory: Memory) -> Memory:
    """Return a copy of a document without the newest of its current versions."""
    return memory.replace(extra={"heads": memory.extra.get("heads", [])[:-1]})


def _all_standing(command: Resolve) -> list[str]:
    """Return the ids of all members; raise an error if one of them is not current."""
    if any(memory.status != "active" for memory in command.members):
        raise Refused(
            f"not all members of {command.conflict} are current, so they cannot all be kept",
            "keep one of them, or merge them",
        )
    return [memory.id for memory in command.members]


def _keeping(rows: Rows, kept: Memory, others: list[Memory]) -> dict[str, Any]:
    return {
        "keep": kept.id,
        "drop": [_dropped(rows, memory, kept.text) for memory in others],
        "lifts": rows.rejecting(value_key(kept.kept, kept.scope, kept.text)),
    }


def _dropped(rows: Rows, memory: Memory, *kept: str) -> dict[str, Any]:
    """Return the part of a resolution's content about a memory that is not kept.

    The part rejects the memory's text, unless that is one of the texts kept or already rejected.
    """
    known = rows.rejecting(value_key(memory.kept, memory.scope, memory.text))
    if known or fold(memory.text) in map(fold, kept):
        return {"memory": memory.id}
    return {"memory": memory.id, "text": memory.text, "scope": memory.scope}
