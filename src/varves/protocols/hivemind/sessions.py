"""Sessions: the working memory of one period of work, folded from this checkout's events.

The state of the fold is the published document (`sessions/current.json`), so that verbs, the file
and hand edits all use the same data. The `session` field of an event names its session:

    session.started    {checkout, project, agent, loaded, handoff}
    session.continued  {checkout, project, agent, loaded}
    session.noted      {checkout, decisions, pending, entities, loaded, created, updated}
    session.revised    {checkout, set: {dotted key: value}, drop: [dotted key]}    a hand edit
    session.archived   {checkout, reason, rule}         idle for too long
    session.ended      {checkout}
    task.received      {checkout, task, text, intent, keywords, entities, agent, team, project,
                        client, loaded}
    task.completed     {checkout, task, text, summary, agent, created, updated, decisions, pending}
    task.failed        {checkout, task, text, error, agent, created}
    handoff.created    {checkout, handoff_memory, working_memory, from, to, task}
    handoff.consumed   {checkout, agent, loaded, working_memory}
"""

from __future__ import annotations

from varves.events import kinds
from varves.protocols import sessions
from varves.protocols.hivemind import open_tasks
from varves.protocols.hivemind.lifetimes import shown
from varves.protocols.hivemind.wording import in_order
from varves.protocols.projects import current_project
from varves.protocols.records import object_of
from varves.protocols.sessions import (
    ARCHIVED,
    CONTINUED,
    ENDED,
    PRIVATE,
    RECOVERED,
    STARTED,
    Session,
)
from varves.values.instants import instant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

    from varves.events.event import Event
    from varves.protocols.port import Core
    from varves.protocols.projects import CurrentProject

NOTED = kinds.SESSION_NOTED
REVISED = kinds.SESSION_REVISED
RECEIVED = kinds.TASK_RECEIVED
COMPLETED = kinds.TASK_COMPLETED
FAILED = kinds.TASK_FAILED
HANDED = kinds.HANDED
CONSUMED = kinds.CONSUMED
KINDS = (
    *(STARTED, CONTINUED, NOTED, REVISED, ARCHIVED, ENDED, RECOVERED),
    *(RECEIVED, COMPLETED, FAILED, HANDED, CONSUMED),
)
CLOSING = (ARCHIVED, ENDED)
DOCUMENTS = ("user-profile", "system-config", "terminology")
SNAPSHOT = "working_memory_snapshot"
"""The key of a handoff under which the working memories are listed, as published."""


class HivemindSession(Session):
    """The current state of one session."""

    document: dict[str, Any] = {}  # noqa: RUF012 - values are frozen
    """The content of its file."""
    aside: tuple[dict[str, Any], ...] = ()
    """The open tasks beside the current one: another agent, or another client, works on each."""

    _ends = CLOSING

    @classmethod
    def key(cls, event: Event) -> str | None:
        """Return the name: sessions belong to this clone and never come from a branch."""
        return event.session if event.kind in KINDS and event.log == PRIVATE else None

    @classmethod
    def blank(cls, event: Event) -> Self | None:
        """Return a session that starts with an event."""
        begun = super().blank(event)
        return begun and begun.replace(document=_blank(begun.name, event))

    def changes(self, event: Event) -> dict[str, Any]:
        """Return the document and the open tasks after an event."""
        document = dict(self.document)
        _step(document, event)
        opened = open_tasks.after(self.open_tasks, event)
        if opened is None:
            return {"document": document}
        _put(document, "working_memory.current_task", opened[-1] if opened else None)
        return {"document": document, "aside": tuple(opened[:-1])}

    @property
    def started_at(self) -> str:
        """The time at which the session started."""
        return str(self.document["started_at"])

    @property
    def last_activity(self) -> str:
        """The time of its last activity."""
        return str(self.document["last_activity"])

    @property
    def project(self) -> str | None:
        """The project of the current task, or else of the session; None if neither has one."""
        return self.project_of(self.current_task)

    def project_of(self, task: dict[str, Any] | None) -> str | None:
        """Return the project of an open task, or else of the session."""
        own = (task or {}).get("project")
        return own if isinstance(own, str) and own else self._text("user_context", "active_project")

    @property
    def agent(self) -> str | None:
        """The agent that acted last."""
        return self._text("agent_context", "last_agent")

    @property
    def open_tasks(self) -> list[dict[str, Any]]:
        """The tasks that nobody has finished, in order of receipt; the current one is the last."""
        return [*self.aside, *([self.current_task] if self.current_task else ())]

    @property
    def current_task(self) -> dict[str, Any] | None:
        """The newest open task: id, task, intent, keywords, entities, agent, team, started_at."""
        task = _part_at(self.document, "working_memory").get("current_task")
        return task if isinstance(task, dict) else None

    @property
    def task_history(self) -> list[dict[str, Any]]:
        """The tasks received, completed, failed and handed off, in order."""
        return self._list("working_memory", "task_history")

    @property
    def entities(self) -> list[str]:
        """The files, functions and interfaces that tasks named."""
        return self._texts("working_memory", "entities_mentioned")

    @property
    def decisions(self) -> list[str]:
        """The decisions made in the session."""
        return self._texts("working_memory", "decisions_made")

    @property
    def pending(self) -> list[str]:
        """The items that remain to be done."""
        return self._texts("working_memory", "pending_items")

    @property
    def loaded(self) -> list[str]:
        """The ids of the memories put into the context."""
        return self._texts("memory_operations", "memories_loaded")

    @property
    def created(self) -> list[str]:
        """The ids of the memories that the session's events name as created."""
        return self._texts("memory_operations", "memories_created")

    @property
    def handoff(self) -> dict[str, Any] | None:
        """The package that waits for its receiver; its snapshot consists of ids."""
        return self.document.get("handoff_memory")

    @property
    def minutes(self) -> float:
        """The time from its start to its last activity, in minutes."""
        return max(0, instant(self.last_activity) - instant(self.started_at)) / 60_000

    @property
    def tasks_completed(self) -> int:
        """The number of tasks completed in the session."""
        lines: list[Any] = self.task_history
        done = [one for one in lines if isinstance(one, dict) and one.get("status") == "completed"]
        return len(done)

    # A hand edit stays in the document, but values of a wrong type are not used.

    def _text(self, name: str, key: str) -> str | None:
        part = _part_at(self.document, name).get(key)
        return part if isinstance(part, str) and part else None

    def _texts(self, name: str, key: str) -> list[str]:
        return [one for one in self._list(name, key) if isinstance(one, str)]

    def _list(self, name: str, key: str) -> list[Any]:
        part = _part_at(self.document, name).get(key)
        return list(part) if isinstance(part, list) else []


def fold(events: Iterable[Event]) -> list[HivemindSession]:
    """Return the sessions of the given events, in order of their start."""
    return sessions.fold(HivemindSession, events)


def current(core: Core) -> HivemindSession | None:
    """Return this checkout's running session, or None."""
    found = sessions.current(fold(core.events(STARTED, *CLOSING)), core.checkout)
    return None if found is None else fold(core.events(*KINDS, session=found.name))[0]


def project_of(
    core: Core, given: str | None = None, *, agent: str | None = None, client: str | None = None
) -> CurrentProject:
    """Return the current project; a session that was idle for too long still names it."""

    def own() -> str | None:
        session = current(core)
        if session is None:
            return None
        tasks = open_tasks.of(session.open_tasks, agent or core.actor, client)
        return session.project_of(tasks[-1] if tasks else None)

    return current_project(core, given, session=own, scopes=core.sizes)


def _blank(name: str, event: Event) -> dict[str, Any]:
    """Return the document of a new session."""
    time = shown(event.time)
    return {
        "session_id": name,
        "started_at": time,
        "last_activity": time,
        "user_context": {
            "loaded_profile": False,
            "active_project": None,
            "preferences_applied": [],
        },
        "working_memory": {
            "current_task": None,
            "task_history": [],
            "entities_mentioned": [],
            "decisions_made": [],
            "pending_items": [],
        },
        "memory_operations": {
            "memories_loaded": [],
            "memories_created": [],
            "memories_updated": [],
            "memories_accessed": [],
        },
        "agent_context": {
            "last_agent": None,
            "agent_history": [],
            "active_workflow": None,
            "workflow_phase": None,
        },
    }


def _step(document: dict[str, Any], event: Event) -> None:
    """Apply one event to a session's document."""
    content, kind = event.data, event.kind
    if kind == REVISED:
        revise(document, content.get("set", {}), content.get("drop", ()))
        return
    if kind in CLOSING:
        return  # a closed session's document does not change
    document["last_activity"] = shown(event.time)
    if kind in (STARTED, CONTINUED):
        _begin(document, content)
    for key, names in (
        ("working_memory.entities_mentioned", content.get("entities")),
        ("working_memory.decisions_made", content.get("decisions")),
        ("memory_operations.memories_loaded", content.get("loaded")),
        ("memory_operations.memories_created", content.get("created")),
        ("memory_operations.memories_updated", content.get("updated")),
    ):
        _join(document, key, names)
    if kind in (RECEIVED, CONSUMED):
        _join(document, "memory_operations.memories_accessed", content.get("loaded"))
    if "pending" in content:
        _put(document, "working_memory.pending_items", list(content["pending"]))
    if isinstance(content.get("agent"), str):
        _put(document, "agent_context.last_agent", content["agent"])
        _join(document, "agent_context.agent_history", [content["agent"]])
    if kind in _TASKS:
        _history(document, event, status=_TASKS[kind])
    elif kind == HANDED:
        document["handoff_memory"] = in_order(content.get("handoff_memory"))
        _history(document, event, status="handoff")
    elif kind == CONSUMED:
        document.pop("handoff_memory", None)
        snapshot = content.get("working_memory")
        if isinstance(snapshot, dict):
            document["working_memory"] = in_order(snapshot)
        _history(document, event, status="accepted")


def _begin(document: dict[str, Any], content: dict[str, Any]) -> None:
    _put(document, "user_context.loaded_profile", value=True)
    if content.get("project"):
        _put(document, "user_context.active_project", content["project"])
        task = _part_at(document, "working_memory").get("current_task")
        if isinstance(task, dict) and open_tasks.concerns(content.get("agent"), task):
            _put(document, "working_memory.current_task", task | {"project": content["project"]})
    _join(document, "user_context.preferences_applied", DOCUMENTS)
    if isinstance(content.get("handoff"), dict):
        document["handoff_memory"] = in_order(content["handoff"])


_TASKS = {RECEIVED: "received", COMPLETED: "completed", FAILED: "failed"}


def _history(document: dict[str, Any], event: Event, *, status: str) -> None:
    content = event.data
    line = {"id": content.get("task"), "task": content.get("text", ""), "status": status}
    for name in ("summary", "error", "agent", "from", "to"):
        if content.get(name):
            line[name] = content[name]
    line["timestamp"] = shown(event.time)
    listed = _list_at(document, "working_memory.task_history")
    _put(document, "working_memory.task_history", [*listed, line])


def revise(document: dict[str, Any], changes: Any, dropped: Any = ()) -> None:
    """Apply a hand edit, given by keys or dotted pairs of keys, to a document."""
    for key, value in changes.items() if isinstance(changes, dict) else ():
        _put(document, key, value)
    for key in dropped:
        outer, _, inner = key.partition(".")
        part = document.get(outer)
        if inner and isinstance(part, dict):
            part.pop(inner, None)
        elif not inner:
            document.pop(outer, None)


def _put(document: dict[str, Any], key: str, value: Any) -> None:
    outer, _, inner = key.partition(".")
    if not inner:
        document[outer] = value
        return
    document[outer] = {**_part_at(document, outer), inner: value}


def _part_at(document: dict[str, Any], name: str) -> dict[str, Any]:
    return object_of(document.get(name))


def _list_at(document: dict[str, Any], key: str) -> list[Any]:
    outer, _, inner = key.partition(".")
    found = _part_at(document, outer).get(inner)
    return found if isinstance(found, list) else []


def _join(document: dict[str, Any], key: str, names: Any) -> None:
    """Append the names that are not in a list of the document yet."""
    if names:
        listed = _list_at(document, key)
        _put(document, key, [*listed, *(one for one in names if one not in listed)])
