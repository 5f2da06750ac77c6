"""All memories, folded from all events.

Events are stored by the memories that they act on. A row is computed only when it is needed, from
all events of its family in order. So the order in which events arrive does not matter.
"""

from __future__ import annotations

from varves.events.kinds import precedence, touches
from varves.fold.family import fold_family
from varves.fold.rivals import apply_across
from varves.values.instants import first_held, iso
from varves.values.memory import is_over

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.events.event import Event
    from varves.fold.family import Row


class MemoryState:
    """All events by id, and the ids of events by the memories that they act on."""

    __slots__ = ("events", "of")

    def __init__(self) -> None:
        self.events: dict[str, Event] = {}
        self.of: dict[str, list[Event]] = {}


class Memories:
    """The projection of all memories."""

    name = "memories"
    version = 1

    def empty(self) -> MemoryState:
        """Return the state without any events."""
        return MemoryState()

    def apply(self, state: MemoryState, event: Event) -> None:
        """Add one event to the state; adding an event with the same id again has no effect."""
        name = event.id
        held = state.events.get(name)
        if held is not None:
            if precedence(held) <= precedence(event):
                return
            # another line of this event is known, for example a purged one; only one line is used
            for memory in touches(held):
                state.of[memory].remove(held)
        state.events[name] = event
        for memory in touches(event):
            state.of.setdefault(memory, []).append(event)

    def rows(self, state: MemoryState, now: int, *, hold_back: bool = True) -> dict[str, Row]:
        """Return the row of every memory at an instant."""
        limit = first_held(now if hold_back else None)
        families = [fold_family(events) for events in _families(state, limit)]
        lifted = {target for family in families for target, _ in family.lifts}
        live: dict[bytes, str] = {}
        for family in families:
            for event, key, _ in family.rejections:
                if event not in lifted:
                    live[key] = min(event, live.get(key, event))
        rows: dict[str, Row] = {}
        for family in families:
            rows.update(apply_across(family, live.get if live else None))
        return rows

    def dump(self, state: MemoryState, now: int, *, hold_back: bool = True) -> str:
        """Return all memories at an instant as canonical text."""
        return dump_rows(self.rows(state, now, hold_back=hold_back).values(), now)


def _families(state: MemoryState, limit: str) -> list[list[Event]]:
    """Group the events by family; events with a stamp above `limit` are left out."""
    found: list[list[Event]] = []
    visited: set[str] = set()
    for start, own in state.of.items():
        if start in visited:
            continue
        if len(own) == 1 and len(touches(own[0])) == 1:
            group = own
        else:
            members, waiting = {}, [start]
            while waiting:
                name = waiting.pop()
                if name not in visited:
                    visited.add(name)
                    for event in state.of.get(name, ()):
                        members[event.id] = event
                        waiting.extend(touches(event))
            group = list(members.values())
        visited.add(start)
        group = [event for event in group if event.hlc < limit]
        if group:
            found.append(group)
    return found


def dump_rows(rows: Iterable[Row], now: int) -> str:
    """Return rows as canonical lines, sorted by id; expired memories are marked."""
    from json import dumps

    moment = iso(now)
    lines = []
    for row in sorted(rows, key=lambda row: row["id"]):
        shown = dict(row)
        if row["status"] == "active" and is_over(row["expires_at"], moment):
            shown["status"] = "expired"
        lines.append(dumps(shown, sort_keys=True, separators=(",", ":")))
    return "".join(line + "\n" for line in lines)
