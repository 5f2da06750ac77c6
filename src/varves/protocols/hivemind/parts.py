"""The base class of all groups of the protocol's verbs."""

from __future__ import annotations

from varves.errors import UsageError
from varves.events.kinds import LINKED
from varves.protocols import sessions
from varves.protocols.hivemind.creators import creator
from varves.protocols.hivemind.entries import checked, content_of, draft, owner
from varves.protocols.hivemind.options import HivemindOptions, options
from varves.protocols.hivemind.sessions import HivemindSession, current
from varves.protocols.protocol import PublishedProtocol
from varves.protocols.sessions import PRIVATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.hivemind.codec import HivemindCodec
    from varves.protocols.hivemind.entries import Wish
    from varves.protocols.hivemind.parsing import Parsed
    from varves.protocols.port import Core
    from varves.values.memory import Memory


class HivemindVerbs(PublishedProtocol):
    """One group of verbs; `verbs.Hivemind` combines all groups."""

    core: Core
    codec: HivemindCodec
    parse: Callable[[str], Parsed]
    """Parses a task; see parsing.py."""
    client: str | None = None
    """The session of the client whose hooks call the verbs."""

    @property
    def options(self) -> HivemindOptions:
        """The current settings."""
        return options(self.core.table)

    def acting(self, *, actor: str | None = None) -> tuple[Act, HivemindSession | None]:
        """Return the acting context, with this checkout's running session if there is one."""
        session = current(self.core)
        return self.core.act(actor=actor, session=session.name if session else None), session

    def note(self, act: Act, kind: str, content: dict[str, Any], *cause: str) -> None:
        """Record a session event in the private log."""
        self.core.append(PRIVATE, [sessions.draft(self.core, act, kind, content, *cause)])

    def enter(self, wish: Wish, act: Act) -> str:
        """Record one entry, and return its id."""
        whole = wish.replace(content=content_of(wish.content))
        # first, because taking a lock would create the ledger's folder
        checked(self.core, whole, act)
        self.core.flush(wish.scope)  # first, so that the files show current counters
        with self.core.deciding(self.core.log_of(wish.scope)):
            log, made, name = draft(self.core, wish, act)
            self.core.append(log, [made])
        return name

    def with_errors(self, wish: Wish) -> Wish:
        """Return a request with links to the recorded errors that the procedure fixes."""
        errors = self.mended(wish)
        return wish.replace(links={**wish.links, "related_to": errors}) if errors else wish

    def link_back(self, name: str, act: Act) -> None:
        """Link the memories that an entry is related to back to the entry, if in the same log."""
        memory = self.core.memory(name)
        if memory is None:
            return
        for other in map(self.core.memory, memory.links.get("related_to", ())):
            known = other.links.get("related_to", ()) if other is not None else ()
            if other is None or other.kept != memory.kept or name in known:
                continue
            self.fixed(other, memory, act)
            if len(known) < self.options.error_links:
                content = {"memory": other.id, "links": {"related_to": [name]}, "rule": "fix"}
                self.core.append(other.kept, [act.draft(LINKED, content, other.version)])

    # Hooks that other groups override; they run within the calling verb.

    def entered(self, scopes: Iterable[str], act: Act, *, made: Sequence[str] = ()) -> None:
        """Run the steps that follow new entries in the given scopes.

        Args:
            scopes: where they are.
            act: who acts.
            made: the entries, if they were not compared with the current memories yet.
        """

    def mended(self, wish: Wish) -> list[str]:  # noqa: ARG002
        """Return the recorded errors that a requested procedure fixes."""
        return []

    def fixed(self, error: Memory, fix: Memory, act: Act) -> None:
        """Run the steps that follow a new procedure that fixes a recorded error."""

    def begun(self, act: Act) -> None:
        """Run the steps that follow the start or continuation of a session."""


def agent_named(agent: Any) -> str | None:
    """Return an agent's id if it is safe in a path."""
    if agent is None:
        return None
    if not isinstance(agent, str) or not agent:
        raise UsageError("the agent is missing", "give an id such as DEV-001")
    return owner(agent, "agent", "agent id")


def worker_named(core: Core, agent: Any) -> str | None:
    """Return an agent's id if it may create entries, because its work will be recorded."""
    name = agent_named(agent)
    return None if name is None else creator(name, any_actor=options(core.table).any_actor)
