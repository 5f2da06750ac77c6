"""A stand-in for the rows commands ask for: dicts, and nothing that reads a disk."""

from __future__ import annotations

from typing import Any

from varves.commands.port import Act
from varves.events.event import Event
from varves.values.instants import instant
from varves.values.memory import Memory
from varves.values.text import value_key

NOW = "2026-11-15T06:20:00.000Z"
ACT = Act(actor="alice", session="s-1", now=instant(NOW))


def memory(name: str = "mem_aaaaaaaaaaaa", text: str = "Use Zod", **fields: Any) -> Memory:
    """Make a memory with what a test wants to be special about it."""
    given = {
        "created_at": NOW,
        "created_by": "alice",
        "updated_at": NOW,
        "updated_by": "alice",
        "at": NOW,
        "version": "evt_1",
    }
    return Memory(id=name, text=text, **(given | fields))


def event(name: str, kind: str, log: str = "project", **content: Any) -> Event:
    """Make an event; its order is its name's."""
    fields = {
        "id": name,
        "kind": kind,
        "data": content,
        "hlc": name,
        "writer": "w",
        "time": NOW,
        "protocol": "core",
        "actor": "alice",
        "session": None,
        "trust": 3,
    }
    return Event(fields, log)


class Rows:
    """What is held, rejected and recorded, as a test lays it ready."""

    def __init__(self, *memories: Memory, events: tuple[Event, ...] = ()) -> None:
        self.memories = {one.id: one for one in memories}
        self.events = {one.id: one for one in events}
        self.rejected: dict[bytes, list[str]] = {}

    def reject(self, text: str, by: str, *, scope: str = "project", log: str = "project") -> Rows:
        """Have a value rejected by an event."""
        self.rejected.setdefault(value_key(log, scope, text), []).append(by)
        return self

    def memory(self, name: str) -> Memory | None:
        """Return a memory by id."""
        return self.memories.get(name)

    def free(self, name: str) -> bool:
        """Tell whether a memory is trusted."""
        return self.memories[name].trust >= 2

    def standing(
        self, key: bytes, text: str = "", trust: int = 3, *, protocol: str | None = None
    ) -> tuple[str | None, list[str]]:
        """Return the active memory that holds a value, and the events that reject it."""
        held = [
            one.id
            for one in self.memories.values()
            if one.status == "active"
            and one.trust >= min(trust, 2)
            and value_key(one.kept, one.scope, one.text) == key
        ]
        return next(iter(held), None), self.rejecting(key)

    def rejecting(self, key: bytes) -> list[str]:
        """Return the standing events that reject a value."""
        return self.rejected.get(key, [])

    def event(self, name: str) -> Event | None:
        """Return an event by id."""
        return self.events.get(name)

    def history(self, name: str) -> list[Event]:
        """Return every event that touched a memory, in order."""
        return sorted(self.events.values(), key=lambda one: one.order)
