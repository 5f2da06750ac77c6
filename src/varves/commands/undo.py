"""Undo: reverse an event's effect with a new event."""

from __future__ import annotations

from varves.commands.port import Act, Decision, may_change
from varves.errors import NotFound, Refused
from varves.events.kinds import BARRING, SHARED, UNDONE, UNSHARED, birth, touches
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.commands.port import Rows
    from varves.events.event import Event


STAYS = "its text stays in the project's log until it is purged: varves purge {0} --reason R"


class Undo(Value):
    """The request to cancel the effect of one event."""

    event: str


def decide(rows: Rows, command: Undo, act: Act) -> Decision:
    """Record that an event is undone; sharing a memory is undone by `memory.unshared`."""
    event = rows.event(command.event)
    if event is None:
        raise NotFound(f"no event {command.event}", "varves log shows all events")
    memories = touches(event)
    if not memories or event.kind in BARRING:
        raise Refused(f"{event.kind} cannot be undone", "choose another event from varves log")
    may_change(act, event.trust)
    history = [other for memory in memories for other in rows.history(memory)]
    if event.id in taken_back(history):
        raise Refused(f"{event.id} is already undone", "to redo it, undo the event that undid it")
    born = (birth(event) or {}).get("memory")
    replacement = rows.memory(born) if born else None
    if replacement is not None and replacement.status == "superseded":
        raise Refused(
            f"{born} has been replaced since", f"varves history {born} shows what replaced it"
        )
    if event.kind == SHARED:
        draft = act.draft(UNSHARED, {"memory": memories[0], "event": event.id}, event.id)
    else:
        content = {"event": event.id, "kind": event.kind, "memories": list(memories)}
        draft = act.draft(UNDONE, content, event.id)
    return Decision(log=event.log, drafts=(draft,), memory=memories[0])


def taken_back(events: Iterable[Event]) -> set[str]:
    """Return the ids of those events which other events in the list have undone."""
    from varves.events.remnants import purged_by
    from varves.fold.family import standing
    from varves.fold.stand_ins import in_place, names_of

    found = list({event.id: event for event in events if touches(event)}.values())
    _, undone = standing(in_place(found, purged_by(found)))
    return {name for event in undone for name in names_of(event)}
