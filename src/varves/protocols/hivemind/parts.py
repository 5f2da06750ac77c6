"""What the verbs of the protocol have in common: who acts, and recording an entry."""

from __future__ import annotations

from varves.errors import UsageError
from varves.events.kinds import LINKED
from varves.protocols import sessions
from varves.protocols.bridged import Bridged
from varves.protocols.hivemind.creators import creator
from varves.protocols.hivemind.entries import checked, content_of, draft, owner
from varves.protocols.hivemind.options import options
from varves.protocols.hivemind.sessions import HivemindSession, current
from varves.protocols.protocol import PublishedProtocol
from varves.protocols.sessions import PRIVATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from varves.commands.port import Act
    from varves.protocols.hivemind.entries import Wish
    from varves.protocols.hivemind.extraction import Report
    from varves.protocols.hivemind.options import HivemindOptions
    from varves.protocols.hivemind.task_words import Parsed
    from varves.protocols.port import Core
    from varves.protocols.similar import Measure
    from varves.values.memory import Memory


class HivemindWork(Bridged, PublishedProtocol):
    """The protocol on one open ledger: its state, and the steps that its modules offer each other.

    `verbs.Hivemind` names the function of each verb and of each step.
    """

    client: str | None = None
    """The session of the client whose hooks call the verbs."""
    names_task = True
    """Whether a summary repeats the text of its task."""
    plain_facts = True
    """Whether plain statements of how things are count as learned."""
    parse: Callable[[str], Parsed]
    """Parses a task; see task_words.py."""
    extract: Callable[[str], Report]
    """Extracts learnings from free text; see extraction.py."""
    similarity: Measure
    """Measures how alike two texts are; see protocols/similar.py."""
    contradiction: Callable[[Memory, Memory], Any]
    """Compares two memories; see contradictions.py."""
    changes: list[Any]
    """The changes that rules made in all verbs so far, for display."""
    seen: set[str]
    """The versions of new entries that the verbs of this object compared."""
    named: set[str]
    """The new entries that were compared and are not noted as compared yet."""

    acting: Callable[..., tuple[Act, HivemindSession | None]]
    note: Callable[..., None]
    enter: Callable[..., str]
    with_errors: Callable[..., Wish]
    link_back: Callable[..., None]
    ensured: Callable[..., HivemindSession]
    begins: Callable[..., bool]
    at_hand: Callable[..., dict[str, Any]]
    finished: Callable[..., dict[str, Any]]
    worker: Callable[..., str]
    detected: Callable[..., str | None]
    held: Callable[..., Memory | None]
    subject_of: Callable[..., Any]
    mended: Callable[..., list[str]]
    fixed: Callable[..., None]
    doubted: Callable[..., Any]
    candidates: Callable[..., list[Memory]]
    parted: Callable[..., bool]
    compared: Callable[..., list[Any]]
    begun: Callable[..., None]
    look_after: Callable[..., None]
    entered: Callable[..., None]
    reconciled: Callable[..., None]
    consolidated: Callable[..., Any]
    arrived: Callable[..., list[Any]]
    note_own: Callable[..., None]

    @property
    def options(self) -> HivemindOptions:
        """The current settings."""
        return options(self.core.table)


def acting(hive: HivemindWork, *, actor: str | None = None) -> tuple[Act, HivemindSession | None]:
    """Return the acting context, with this checkout's running session if there is one."""
    session = current(hive.core)
    return hive.core.act(actor=actor, session=session.name if session else None), session


def note(hive: HivemindWork, act: Act, kind: str, content: dict[str, Any], *cause: str) -> None:
    """Record a session event in the private log."""
    hive.core.append(PRIVATE, [sessions.draft(hive.core, act, kind, content, *cause)])


def enter(hive: HivemindWork, wish: Wish, act: Act) -> str:
    """Record one entry, and return its id."""
    whole = wish.replace(content=content_of(wish.content))
    # first, because taking a lock would create the ledger's folder
    checked(hive.core, whole, act)
    hive.core.flush(wish.scope)  # first, so that the files show current counters
    with hive.core.deciding(hive.core.log_of(wish.scope)):
        log, made, name = draft(hive.core, wish, act)
        hive.core.append(log, [made])
    return name


def with_errors(hive: HivemindWork, wish: Wish) -> Wish:
    """Return a request with links to the recorded errors that the procedure fixes."""
    errors = hive.mended(wish)
    return wish.replace(links={**wish.links, "related_to": errors}) if errors else wish


def link_back(hive: HivemindWork, name: str, act: Act) -> None:
    """Link the memories that an entry is related to back to the entry, if in the same log."""
    memory = hive.core.memory(name)
    if memory is None:
        return
    for other in map(hive.core.memory, memory.links.get("related_to", ())):
        known = other.links.get("related_to", ()) if other is not None else ()
        if other is None or other.kept != memory.kept or name in known:
            continue
        hive.fixed(other, memory, act)
        if len(known) < hive.options.error_links:
            content = {"memory": other.id, "links": {"related_to": [name]}, "rule": "fix"}
            hive.core.append(other.kept, [act.draft(LINKED, content, other.version)])


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
