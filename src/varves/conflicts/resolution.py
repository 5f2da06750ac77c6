"""Turns a caller's choice into the command that settles a conflict."""

from __future__ import annotations

from varves.commands.intake import statement
from varves.commands.resolve import ALL, Resolve
from varves.conflicts.pending import DETECTED_KIND
from varves.conflicts.replacements import KIND, resolvable
from varves.errors import NotFound, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from varves.context.context import Context
    from varves.fold.conflicts import Conflict
    from varves.values.memory import Memory

    Pointer = dict[str, Any]


def intended(
    context: Context,
    conflict: str,
    waiting: Callable[[], tuple[Conflict, ...]],
    *,
    choice: dict[str, str | None],
    renewed: Callable[[Memory], Sequence[Pointer]],
    label_of: Callable[[Memory], str | None],
) -> Resolve:
    """Return the command that settles an open conflict, with secrets in a merged text masked.

    Args:
        context: masks secrets and makes ids.
        conflict: the conflict's id, or the name of a memory that is in no other open conflict.
        waiting: returns the open conflicts.
        choice: the options keep, merge and delete, of which exactly one is given.
        renewed: returns a memory's evidence in its current state, as it would be recorded now.
        label_of: returns the name that a protocol's files give a memory, such as `mem-003`.
    """
    if sum(one is not None for one in choice.values()) != 1:
        raise UsageError(
            "give exactly one of keep, merge and delete", "choose how to settle the conflict"
        )
    meant = _meant(conflict, waiting(), label_of)
    choice = _by_id(choice, meant.members, label_of)
    stays = choice["keep"] if meant.kind == KIND else None
    if meant.kind == KIND:
        meant = resolvable(meant, choice)
    merge = choice["merge"]
    redacted: tuple[str, ...] = ()
    evidence: tuple[Pointer, ...] = ()
    if merge is not None:
        merge, redacted = context.clean(statement(merge))
        places = [place for memory in meant.members for place in renewed(memory)]
        evidence = tuple(one for at, one in enumerate(places) if one not in places[:at])
    return Resolve(
        conflict=meant.id,
        members=meant.members,
        id=context.ids.memory(),
        keep=choice["keep"],
        merge=merge,
        delete=choice["delete"],
        evidence=evidence,
        redacted=redacted,
        set_aside=meant.kind == DETECTED_KIND,
        stays=stays,
    )


def _meant(
    name: str, waiting: Sequence[Conflict], label_of: Callable[[Memory], str | None]
) -> Conflict:
    """Return the open conflict with this id, or the only one that has a memory of this name."""
    found = [one for one in waiting if one.id == name] or [
        one
        for one in waiting
        if any(name in (memory.id, label_of(memory)) for memory in one.members)
    ]
    if not found:
        raise NotFound(f"no conflict {name}", "varves conflicts lists the open ones")
    if len(found) > 1:
        names = ", ".join(one.id for one in found)
        raise UsageError(f"{name} is in {len(found)} conflicts: {names}", "name one of them")
    return found[0]


def _by_id(
    choice: dict[str, str | None],
    members: Sequence[Memory],
    label_of: Callable[[Memory], str | None],
) -> dict[str, str | None]:
    """Return a choice in which a name such as `mem-003` is replaced by the memory's id."""
    ids = {one.id for one in members}
    given = {choice["keep"], choice["delete"]} - {None, ALL, *ids}
    if not given:
        return choice
    called = {label_of(one): one.id for one in members}
    named = {key: called.get(choice[key], choice[key]) for key in ("keep", "delete")}
    return {**choice, **named}
