"""The input and the result of every command.

A command reads a few memories by id or value, never the whole state, and decides from them. The
actor and the time are passed in. It returns drafts for one log and never writes.
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
        """The read port of commands."""

        def memory(self, name: str) -> Memory | None:
            """Return a memory by id."""
            ...

        def standing(
            self, key: bytes, text: str, trust: int, *, protocol: str | None = None
        ) -> tuple[str | None, list[str]]:
            """Return the current memory with a value, and the events that reject the value.

            A quarantined memory does not count for a trusted caller, and for a protocol only its
            own memories count.
            """
            ...

        def free(self, name: str) -> bool:
            """Return whether a memory is part of default recall, that is, not in quarantine."""
            ...

        def rejecting(self, key: bytes) -> list[str]:
            """Return the events whose rejection of a value is still in force."""
            ...

        def event(self, name: str) -> Event | None:
            """Return an event by id."""
            ...

        def history(self, memory: str) -> list[Event]:
            """Return every event that touched a memory, in order."""
            ...


class Act(Value):
    """Who acts, through which entry point, and when."""

    actor: str
    session: str | None
    now: int
    origin: str = "direct"
    trust: int = 3
    protocol: str = "core"

    def draft(self, kind: str, content: dict[str, Any], *cause: str) -> Draft:
        """Return a draft by this actor; empty content fields are left out."""
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
    """The result of a command: drafts for one log, and the memory they are about."""

    log: str
    drafts: tuple[Draft, ...]
    memory: str
    status: str = ""
    value: bytes = b""


def existing(rows: Rows, name: str, expect: str | None = None) -> Memory:
    """Return a memory, or refuse if it is missing or its version is not the one the caller saw."""
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
    """Return the trust of what is derived from a memory: untrusted if the memory is quarantined."""
    return memory.trust if rows.free(memory.id) else min(memory.trust, TRUSTWORTHY - 1)


def may_change(act: Act, *trusts: int) -> None:
    """Refuse to change a trusted memory on behalf of an untrusted entry point."""
    if act.trust < TRUSTWORTHY <= max(trusts, default=0):
        raise Refused(
            "input from a tool or an import cannot change a trusted memory",
            "ask a person or the agent to do it",
        )
