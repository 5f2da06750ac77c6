"""Handoff: one agent packs its work for another agent, which starts from that package."""

from __future__ import annotations

from varves.commands import intake
from varves.errors import NotFound, UsageError
from varves.events.kinds import ARCHIVED, FORGOTTEN
from varves.protocols import handoff
from varves.protocols.hivemind import open_tasks
from varves.protocols.hivemind.consolidation import EXPIRED, SENSITIVE
from varves.protocols.hivemind.context_block import block_of
from varves.protocols.hivemind.creators import is_agent
from varves.protocols.hivemind.documents import entry
from varves.protocols.hivemind.end import EPHEMERAL, SIGNIFICANT, session_of
from varves.protocols.hivemind.parts import worker_named
from varves.protocols.hivemind.sessions import SNAPSHOT
from varves.protocols.hivemind.tasks import may_load
from varves.protocols.hivemind.tree import LIVE
from varves.protocols.port import writes
from varves.values.instants import instant, iso
from varves.values.memory import PRIORITIES
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from varves.events.event import Event
    from varves.protocols.hivemind.parts import HivemindWork
    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.values.memory import Memory

_ENDING = (ARCHIVED, FORGOTTEN)


class HandedOver(Value):
    """A package that waits for the agent it is for."""

    event: str
    source: str
    to: str
    session: str
    handoff_memory: dict[str, Any]
    """As published: working_memory_snapshot (the entries of the current working memories),
    memories_loaded, memories_created, task_summary, pending_items, recommended_context."""


class HandoffAccepted(Value):
    """The package that a receiver starts from."""

    agent: str
    source: str
    session: str
    task_summary: str
    pending: tuple[str, ...]
    working_memory: dict[str, Any]
    """The state of the session: its task, its history, what is pending."""
    working_memory_snapshot: tuple[dict[str, Any], ...]
    """The working memories that were handed over, as in their files; part of `memories`."""
    memories: tuple[dict[str, Any], ...]
    """Entries as in their files: the working memories, those loaded before, those recommended,
    the agent's own."""
    text: str
    """The contents of the entries as a fenced block for the context."""
    notes: tuple[str, ...]


@writes
def hand_over(
    hive: HivemindWork,
    to: str,
    *,
    summary: str,
    pending: Sequence[str] = (),
    recommended: Sequence[str] = (),
    agent: str | None = None,
) -> HandedOver:
    """Pack the current work for another agent.

    Args:
        hive: the protocol.
        to: the agent that continues.
        summary: what was done.
        pending: what remains.
        recommended: ids of memories that the other agent should load.
        agent: the agent that hands over, if it is not the actor; its open task is handed over.
    """
    receiver = str(worker_named(hive.core, to))
    if isinstance(pending, str) or isinstance(recommended, str):
        raise UsageError("pending and recommended are lists", "give several texts, or ids")
    clean = hive.core.clean([intake.statement(summary), *map(intake.statement, pending)])[0]
    for name in recommended:
        if hive.core.memory(name) is None:
            raise NotFound(f"no memory {name}", "find ids with `varves hivemind search`")
    source = worker_named(hive.core, agent)
    session = hive.ensured(agent=source)
    task = hive.finished(session, agent)
    act = hive.core.act(actor=source or hive.worker(task), session=session.name)
    working = _current_work(hive, session)
    package = {
        SNAPSHOT: [one.id for one in working],
        "memories_loaded": _passed_on(hive, session.loaded),
        "memories_created": _passed_on(hive, _created(hive, session, task, act.actor)),
        "task_summary": clean[0],
        "pending_items": clean[1:],
        "recommended_context": _passed_on(hive, recommended),
    }
    told = {
        "checkout": hive.core.checkout,
        "handoff_memory": package,
        "working_memory": {**session.document["working_memory"], "current_task": task or None},
        "from": act.actor,
        "to": receiver,
        "task": task.get("id"),
        "text": task.get("task"),
        "summary": clean[0],
    }
    if pending:
        told["pending"] = clean[1:]
    event = handoff.leave(hive.core, act, told)
    return HandedOver(
        event=event.id,
        source=act.actor,
        to=receiver,
        session=session.name,
        handoff_memory={**package, SNAPSHOT: _shown(hive, working)},
    )


def _current_work(hive: HivemindWork, session: HivemindSession) -> list[Memory]:
    """Return the working memories of a session that may be shown to another agent."""
    found = hive.core.memories(statuses=LIVE, only={"type": "working"})
    mine = [one for one in found if session_of(one) == session.name]
    return [one for one in mine if may_load(one, iso(hive.core.now))]


def _shown(hive: HivemindWork, memories: Iterable[Memory]) -> list[dict[str, Any]]:
    counts = hive.core.counts()
    return [entry(one, counts, hive.options, find=hive.core.memory) for one in memories]


def _created(
    hive: HivemindWork, session: HivemindSession, task: dict[str, Any], source: str
) -> list[str]:
    """Return the memories created in the session since a task began, or all of them.

    Those of other agents belong to the tasks on which these work at the same time.
    """
    began = instant(str(task.get("started_at") or session.started_at))
    return [
        one.id
        for one in hive.core.memories(only={"session": session.name}, lean=True)
        if instant(one.created_at) >= began
        and not (is_agent(source) and is_agent(one.created_by) and one.created_by != source)
    ]


def _passed_on(hive: HivemindWork, names: Iterable[str]) -> list[str]:
    """Return the ids of memories that exist and are not tagged sensitive."""
    found = []
    for name in dict.fromkeys(names):
        memory = hive.core.memory(name)
        if memory is not None and may_load(memory, iso(hive.core.now)):
            found.append(name)
    return found


@writes
def accept(hive: HivemindWork, agent: str) -> HandoffAccepted:
    """Accept the newest package that waits for an agent, and load the memories it names."""
    receiver = str(worker_named(hive.core, agent))
    waiting = _waiting(hive, receiver)
    if waiting is None:
        raise NotFound(f"no handoff to {receiver}", "make one: varves hivemind handoff AGENT")
    package = waiting.data.get("handoff_memory") or {}
    state = dict(waiting.data.get("working_memory") or {})
    handed = package.get(SNAPSHOT) or ()
    if isinstance(handed, dict):  # packed by an earlier version
        state, handed = dict(handed), ()
    if isinstance(state.get("current_task"), dict):
        state["current_task"] = _taken_over(hive, state["current_task"], receiver)
    if package.get("pending_items"):
        state["pending_items"] = package["pending_items"]
    session = hive.ensured(agent=receiver)
    act = hive.core.act(actor=receiver, session=session.name)
    working, lost = _handed_on(hive, handed)
    others, notes = _loads(hive, package, receiver)
    known = {one.id for one in working}
    memories = [*working, *(one for one in others if one.id not in known)]
    loaded = [one.id for one in memories]
    told = {
        "checkout": hive.core.checkout,
        "agent": receiver,
        "from": waiting.data.get("from"),
        "to": receiver,
        "task": waiting.data.get("task"),
        "text": waiting.data.get("text"),
        "loaded": loaded,
        # what the other session did is in its own history, and in the answer
        "working_memory": state | {"task_history": session.task_history},
    }
    if package.get("pending_items"):
        told["pending"] = package["pending_items"]
    handoff.take(hive.core, act, waiting, told)
    hive.core.told("hivemind.accept", loaded, agent=receiver)
    return HandoffAccepted(
        agent=receiver,
        source=str(waiting.data.get("from") or waiting.actor),
        session=session.name,
        task_summary=str(package.get("task_summary", "")),
        pending=tuple(package.get("pending_items", ())),
        working_memory=state,
        working_memory_snapshot=tuple(_shown(hive, working)),
        memories=tuple(_shown(hive, memories)),
        text=block_of(hive.core, memories, hive.options),
        notes=(*lost, *notes),
    )


def _taken_over(hive: HivemindWork, task: dict[str, Any], receiver: str) -> dict[str, Any]:
    """Return a task as the task of the agent that accepts it, in the client that calls."""
    own = {"agent": receiver} | ({open_tasks.CLIENT: hive.client} if hive.client else {})
    return {key: part for key, part in task.items() if key != open_tasks.CLIENT} | own


def _handed_on(hive: HivemindWork, names: Iterable[Any]) -> tuple[list[Memory], list[str]]:
    """Return the working memories of a package; the end of their session does not drop them."""
    found, lost = [], []
    for name in names:
        memory = hive.core.memory(str(name))
        if memory is None or not (memory.status in LIVE or _outlived(hive, memory)):
            lost.append(f"{name} is no longer in use")
        elif SENSITIVE not in memory.tags:
            found.append(memory)
    return found, lost


def _outlived(hive: HivemindWork, memory: Memory) -> bool:
    """Return whether a working memory was taken out of use by a rule alone."""
    ended = [one for one in hive.core.rows().history(memory.id) if one.kind in _ENDING]
    return bool(ended) and ended[-1].data.get("rule") in (SIGNIFICANT, EPHEMERAL, EXPIRED)


def _waiting(hive: HivemindWork, agent: str) -> Event | None:
    """Return the newest handoff to an agent in this checkout that was not accepted yet."""
    here = handoff.waiting(hive.core, checkout=hive.core.checkout)
    mine = [one for one in here if one.data.get("to") == agent]
    return mine[-1] if mine else None


def _loads(
    hive: HivemindWork, package: dict[str, Any], agent: str
) -> tuple[list[Memory], tuple[str, ...]]:
    """Return the memories a receiver loads: previously loaded, recommended, and its own."""
    now, notes = iso(hive.core.now), []
    found: dict[str, Memory] = {}
    for name in (*package.get("memories_loaded", ()), *package.get("recommended_context", ())):
        memory = hive.core.memory(name)
        if memory is None or memory.status not in ("active", "flagged"):
            notes.append(f"{name} is no longer in use")
        elif may_load(memory, now):
            found[name] = memory
    own = [one for one in hive.core.memories(scope=f"agent:{agent}") if may_load(one, now)]
    own.sort(key=_importance)
    most = hive.options.handoff_own
    if len(own) > most:
        notes.append(f"{len(own) - most} more of {agent}'s own memories were not loaded")
    for memory in own[:most]:
        found.setdefault(memory.id, memory)
    return list(found.values()), tuple(notes)


def _importance(memory: Memory) -> tuple[int, int, str]:
    """Return the sort key of an agent's own memories: priority, then newest first."""
    rank = PRIORITIES.index(memory.priority) if memory.priority in PRIORITIES else 2
    return rank, -instant(memory.updated_at), memory.id
