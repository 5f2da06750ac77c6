"""Settling a conflict: between what a caller chooses and the command that does it."""

from __future__ import annotations

from varves.commands.intake import statement
from varves.commands.resolve import Resolve
from varves.errors import NotFound, UsageError
from varves.ledger.replacing import KIND, settled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.ledger.engine import Engine
    from varves.ledger.recorder import Recorder
    from varves.projections.conflicts import Conflict
    from varves.values.memory import Memory


def intended(
    recorder: Recorder,
    conflict: str,
    waiting: Callable[[], tuple[Conflict, ...]],
    *,
    choice: dict[str, str | None],
) -> Resolve:
    """Return the intent to settle one of the conflicts that wait, a merged text's secrets masked.

    Args:
        recorder: masks secrets and has the ids.
        conflict: its id.
        waiting: returns the open ones.
        choice: keep, merge and delete, of which exactly one is given.
    """
    if sum(one is not None for one in choice.values()) != 1:
        raise UsageError("one of keep, merge, delete", "say how the conflict is settled")
    found = [one for one in waiting() if one.id == conflict]
    if not found:
        raise NotFound(f"no conflict {conflict}", "varves conflicts lists the open ones")
    if found[0].kind == KIND:
        found = [settled(found[0], choice)]
    merge = choice["merge"]
    redacted: tuple[str, ...] = ()
    evidence: tuple[dict[str, Any], ...] = ()
    if merge is not None:
        merge, redacted = recorder.clean(statement(merge), allow_secret=False)
        evidence = _evidence(recorder.engine, found[0].members)
    return Resolve(
        conflict=conflict,
        members=found[0].members,
        id=recorder.engine.ids.memory(),
        keep=choice["keep"],
        merge=merge,
        delete=choice["delete"],
        evidence=evidence,
        redacted=redacted,
    )


def _evidence(engine: Engine, members: tuple[Memory, ...]) -> tuple[dict[str, Any], ...]:
    """Return what some memories point to, each place once, noted as it stands now."""
    if not any(memory.evidence for memory in members):
        return ()
    from varves.ledger.evidence import Fates

    fates = Fates(engine)
    places = [place for memory in members for place in fates.renewed(memory)]
    return tuple(place for number, place in enumerate(places) if place not in places[:number])
