"""The input and the result of every command.

A command reads a few memories by id or value, never the whole state, and decides what to record.
The actor and the time are passed in. A command returns drafts for one log and never writes.
"""

from __future__ import annotations

from varves.errors import NotFound, Refused, Stale
from varves.events.event import Draft
from varves.events.kinds import is_barred
from varves.values.memory import TRUSTWORTHY
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from varves.events.event import Event
    from varves.values.memory import Memory

    class Rows(Protocol):
        """The queries that commands may use."""

        def memory(self, name: str) -> Memory | None:
            """Return a memory by id."""
            ...

        def standing(
            self, key: bytes, text: str, trust: int, *, protocol: str | None = None
        ) -> tuple[str | None, list[str]]:
            """Return the current memory with a value, and the events that reject the value.

            For a trusted caller, quarantined memories are left out. For a protocol, the memories of
            other protocols are left out.
            """
            ...

        def free(self, name: str) -> bool:
            """Return whether a memory is not in quarantine, so that default recall includes it."""
            ...

        def rejecting(self, key: bytes) -> list[str]:
            """Return the ids of the events whose rejection of a value is still in force."""
            ...

        def event(self, name: str) -> Event | None:
            """Return an event by id."""
            ...

        def history(self, memory: str) -> list[Event]:
            """Return every event that acts on a memory, in order."""
            ...


class Act(Value):
    """The actor, the entry point and the time of an act."""

    actor: str
    session: str | None
    now: int
    origin: str = "direct"
    trust: int = 3
    protocol: str = "core"

    def draft(self, kind: str, content: dict[str, Any], *cause: str) -> Draft:
        """Return a draft of an event by this actor; content fields without a value are left out."""
        return Draft(
            kind=kind,
            data={key: part for key, part in content.items() if part not in (None, [], (), {})},
            cause=cause,
            protocol=self.protocol,
            actor=self.actor,
            session=self.session,
            origin=self.origin,
            trust=self.trust,
        )


class Decision(Value):
    """The decision of a command: drafts of events for one log, and the memory they are about."""

    log: str
    drafts: tuple[Draft, ...]
    memory: str
    status: str = ""
    value: bytes = b""


def existing(rows: Rows, name: str, expect: str | None = None) -> Memory:
    """Return a memory; raise an error if it does not exist or has another version than `expect`."""
    memory = rows.memory(name)
    if memory is None:
        if is_barred(rows.history(name)):
            raise NotFound(f"{name} was purged", f"varves why {name} shows who purged it")
        raise NotFound(f"no memory {name}", "varves list shows all memories")
    if expect is not None and memory.version != expect:
        raise Stale(
            f"{name} is now at version {memory.version}",
            f"run varves show {name}, then decide again",
        )
    return memory


def worth(rows: Rows, memory: Memory) -> int:
    """Return the trust of a record derived from a memory: low if the memory is quarantined."""
    return memory.trust if rows.free(memory.id) else min(memory.trust, TRUSTWORTHY - 1)


def may_change(act: Act, *trusts: int) -> None:
    """Raise an error if an untrusted entry point would change a trusted memory."""
    if act.trust < TRUSTWORTHY <= max(trusts, default=0):
        raise Refused(
            "input from a tool or an import cannot change a trusted memory",
            "ask a person or the agent to do it",
        )
