"""Rollback: make a superseded memory current again, and supersede the newer one."""

from __future__ import annotations

from varves.commands.undo import Undo, decide
from varves.errors import NotFound, Refused
from varves.events.kinds import ARCHIVED, MERGED, RESTORED, SUPERSEDED
from varves.protocols.hivemind.contradictions import replaced
from varves.protocols.port import writes
from varves.values.text import value_key
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.events.event import Event
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.values.memory import Memory

ROLLBACK = "rollback"
_RETIRES = (SUPERSEDED, MERGED, ARCHIVED)


class RolledBack(Value):
    """The result of a rollback."""

    id: str
    """The memory that is current again."""
    superseded: tuple[str, ...]
    """The memories that it replaced."""
    events: tuple[str, ...]


@writes
def rollback(hive: HivemindWork, id: str) -> RolledBack:
    """Make a superseded memory current again.

    Args:
        hive: the protocol.
        id: the superseded memory, or the current one that superseded it.
    """
    memory = _named(hive, id)
    if memory.status == "active":
        before = [hive.core.memory(name) for name in memory.links.get("supersedes", ())]
        gone = [one for one in before if one is not None and one.status != "active"]
        if not gone:
            raise Refused(f"{id} supersedes nothing", "give the id of a memory that was superseded")
        memory = gone[-1]
        if _rolled_back(hive, memory):
            raise Refused(
                f"{id} is current already; {memory.id} was rolled back to it",
                f"varves hivemind rollback {memory.id} makes the other one current",
            )
    if memory.status == "forgotten":
        raise Refused(f"{memory.id} was forgotten", f"restore it: varves restore {memory.id}")
    act, _ = hive.acting()
    merged = _merging(hive, memory)
    if merged is not None:
        _, events = hive.core.apply(decide, Undo(event=merged.id), act=act)
        names = tuple(event.id for event in events)
        return RolledBack(id=memory.id, superseded=(), events=names)
    instead = _instead(hive, memory)
    rejecting = hive.core.rows().rejecting(value_key(memory.kept, memory.scope, memory.text))
    with hive.core.deciding(memory.kept):
        content = {"memory": memory.id, "lifts": rejecting, "rule": ROLLBACK}
        drafts = [act.draft(RESTORED, content, memory.version, *rejecting)]
        events = hive.core.append(memory.kept, drafts)
    why = {"reason": f"rolled back to {memory.id}", "rule": ROLLBACK}
    for newer in instead:
        events += replaced(hive.core, newer, memory, why=why, act=act)
    return RolledBack(
        id=memory.id,
        superseded=tuple(one.id for one in instead),
        events=tuple(event.id for event in events),
    )


def _rolled_back(hive: HivemindWork, memory: Memory) -> bool:
    """Return whether a rollback to an older memory retired this one."""
    past = [one for one in hive.core.rows().history(memory.id) if one.kind in _RETIRES]
    mine = [one for one in past if one.data.get("memory") == memory.id]
    return bool(mine) and mine[-1].data.get("rule") == ROLLBACK


def _named(hive: HivemindWork, name: str) -> Memory:
    memory = hive.core.memory(name)
    if memory is None or memory.protocol != "hivemind":
        raise NotFound(f"no entry {name}", "find ids with `varves hivemind search`")
    return memory


def _merging(hive: HivemindWork, memory: Memory) -> Event | None:
    """Return the event that merged a memory into another; undoing the event restores both."""
    past = hive.core.rows().history(memory.id)
    replaced = [
        event
        for event in past
        if event.kind in (MERGED, SUPERSEDED) and event.data.get("memory") == memory.id
    ]
    last = replaced[-1] if replaced and memory.status == "superseded" else None
    return last if last is not None and last.kind == MERGED else None


def _instead(hive: HivemindWork, memory: Memory) -> list[Memory]:
    """Return the current memories that replaced a memory, directly or indirectly."""
    found: dict[str, Memory] = {}
    waiting, visited = list(memory.links.get("superseded_by", ())), {memory.id}
    while waiting:
        name = waiting.pop()
        newer = hive.core.memory(name)
        if newer is None or name in visited:
            continue
        visited.add(name)
        if newer.status in ("active", "flagged"):
            found[name] = newer
        else:
            waiting += newer.links.get("superseded_by", ())
    return list(found.values())
