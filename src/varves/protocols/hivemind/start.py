"""Session start: continue the session or start a new one, and load its documents.

A session continues if its last activity was less than four hours ago; otherwise it is archived.
Three global documents are always loaded, and the project's if there is a current project; see
protocols/projects.py.
"""

from __future__ import annotations

from varves.errors import Exposed, Refused, UnsafeName, UsageError
from varves.protocols.hivemind import open_tasks
from varves.protocols.hivemind.context_block import block_of
from varves.protocols.hivemind.creators import is_agent
from varves.protocols.hivemind.entries import body_of, is_taken, owner
from varves.protocols.hivemind.loaded import wishes_for
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.sessions import HivemindSession, current, project_of
from varves.protocols.hivemind.tree import folder_of, path_of
from varves.protocols.hivemind.wording import is_blank
from varves.protocols.jsonfile import read_object
from varves.protocols.port import writes
from varves.protocols.sessions import ARCHIVED, CONTINUED, STARTED, is_idle
from varves.protocols.unreadable import Unreadable
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.hivemind.entries import Wish
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.values.memory import Memory


class StartedSession(Value):
    """The result of a session start."""

    session: str
    status: str
    """`started` or `continued`."""
    archived: str | None
    """The session that was archived because it was idle for too long."""
    project: str | None
    loaded: tuple[str, ...]
    """The ids of the documents."""
    empty: tuple[str, ...]
    """The files of documents that say nothing yet; `text` omits them."""
    entries: int
    """The number of entries in the project's index."""
    index: dict[str, dict[str, int]]
    """The number of entries in the project's index, by tag and by type."""
    text: str
    """The documents as a fenced block for the context."""


class Initiated(Value):
    """The result of `init`."""

    created: tuple[str, ...]
    """The files of documents that did not exist before."""
    project: str | None


@writes
def init(hive: HivemindWork, *, project: str | None = None) -> Initiated:
    """Create those of the four documents that are missing; idempotent.

    This sets the protocol up in this checkout, so that hooks may drive it.
    """
    name = owner(project_of(hive.core, project).id, "project")
    lying = hive.core.files()
    paths = [path_of(one) for one in _documents(hive, name)]
    hive.core.make_folders((), ())
    return Initiated(created=tuple(path for path in paths if path not in lying), project=name)


@writes
def session_start(
    hive: HivemindWork, *, project: str | None = None, agent: str | None = None
) -> StartedSession:
    """Continue the session, or archive it and start another; load its documents."""
    agent = worker_named(hive.core, agent)
    named = detected(hive, project, agent=agent)
    before = current(hive.core)
    archived = None
    if before is not None and _is_over(hive, before):
        _archive(hive, before)
        archived, before = before.name, None
    name = before.name if before else f"sess_{hive.core.ids.word(12)}"
    act = hive.core.act(actor=agent, session=name)
    documents = _documents(hive, named)
    kind = CONTINUED if before else STARTED
    loaded = [one.id for one in documents]
    hive.note(act, kind, {"project": named, "agent": agent or act.actor, "loaded": loaded})
    hive.core.told("hivemind.session-start", loaded, agent=agent)
    hive.begun(act)
    place = f"project:{named}"
    tags = hive.core.tags(place) if named else {}
    types = hive.core.types(place) if named else {}
    return StartedSession(
        session=name,
        status="continued" if before else "started",
        archived=archived,
        project=named,
        loaded=tuple(loaded),
        empty=tuple(path_of(one) for one in documents if is_blank(body_of(one))),
        entries=sum(types.values()),
        index={"tags": dict(sorted(tags.items())), "types": dict(sorted(types.items()))},
        text=block_of(hive.core, documents, hive.options),
    )


def ensured(
    hive: HivemindWork, *, project: str | None = None, agent: str | None = None
) -> HivemindSession:
    """Return the running session; if none is running, or it is over, start one."""
    if begins(hive):
        session_start(hive, project=project, agent=agent)
    session = current(hive.core)
    assert session is not None  # noqa: S101 - it was just started
    return session


def begins(hive: HivemindWork) -> bool:
    """Return whether a verb must start a session, and so must check its arguments first."""
    session = current(hive.core)
    return session is None or _is_over(hive, session)


def at_hand(
    hive: HivemindWork, session: HivemindSession, agent: str | None = None
) -> dict[str, Any]:
    """Return the open task that the caller works on; empty if there is none, or several."""
    found = open_tasks.of(session.open_tasks, agent or hive.core.actor, hive.client)
    return found[0] if len(found) == 1 else {}


def finished(
    hive: HivemindWork, session: HivemindSession, agent: str | None = None
) -> dict[str, Any]:
    """Return the open task that the caller finishes or hands over; empty if there is none.

    Raises:
        Refused: several agents' tasks are open, and none of them is the caller's.
    """
    caller = agent or hive.core.actor
    found = open_tasks.of(session.open_tasks, caller, hive.client)
    if len(found) > 1:
        listed = "; ".join(map(open_tasks.line_of, found))
        raise Refused(f"several tasks are open: {listed}", "choose one with --agent")
    others = [open_tasks.line_of(one) for one in session.open_tasks]
    if not found and others:
        hive.core.notes.append(f"{caller} has no open task; open: {'; '.join(others)}")
    return found[0] if found else {}


def worker(hive: HivemindWork, task: dict[str, Any]) -> str:
    """Return who works on a task, if no agent is named: an agent that calls, or its taker."""
    caller = hive.core.actor
    return caller if is_agent(caller) else str(task.get("agent") or caller)


def _is_over(hive: HivemindWork, session: HivemindSession) -> bool:
    return is_idle(session.last_activity, hive.core.now, hive.options.session_hours)


def _archive(hive: HivemindWork, session: HivemindSession) -> None:
    act = hive.core.act(session=session.name)
    why = {"reason": "no activity", "rule": f"idle {hive.options.session_hours:g} h or more"}
    hive.note(act, ARCHIVED, why)


def detected(
    hive: HivemindWork, given: str | None = None, *, agent: str | None = None
) -> str | None:
    """Return the current project of an agent; None if only a folder names it, by an unsafe name."""
    found = project_of(hive.core, given, agent=agent, client=hive.client)
    try:
        return owner(found.id, "project")
    except (UnsafeName, UsageError):
        if found.exists:
            raise
        return None


def held(hive: HivemindWork, wish: Wish) -> Memory | None:
    """Return the memory of a document, found by its fixed id or else by its file's name."""
    memory = hive.core.memory(str(wish.id))
    if memory is not None and not is_blank(body_of(memory)):
        return memory
    if not _is_elsewhere(hive, wish, memory):
        return memory
    named = hive.core.memories(scope=wish.scope)
    return next((one for one in named if one.extra.get("file") == wish.file), memory)


def _is_elsewhere(hive: HivemindWork, wish: Wish, blank: Memory | None) -> bool:
    """Return whether a document's file may show another memory than the one with its id."""
    raw = hive.core.read_paper(f"{hive.core.root}/{folder_of(wish.scope)}/{wish.file}")
    if blank is None or raw is None:
        return raw is not None
    try:
        return read_object(raw).get("id") != blank.id
    except Unreadable:
        return True


def _documents(hive: HivemindWork, project: str | None) -> list[Memory]:
    """Return the documents, and create those that never existed."""
    found: list[Memory] = []
    for wish in wishes_for(project):
        memory = held(hive, wish)
        if memory is None and not is_taken(hive.core, str(wish.id)):
            try:
                memory = hive.core.memory(hive.enter(wish, hive.core.act(actor="SYSTEM")))
            except (Exposed, Refused) as fault:  # the session continues without it
                left = f"{fault.message}; {fault.hint}"
                hive.core.notes += [left] if left not in hive.core.notes else []
                continue
        if memory is not None and memory.status == "active":
            found.append(memory)
        else:
            hive.core.notes.append(f"{wish.file} is not loaded: {wish.id} is no longer active")
    return found
