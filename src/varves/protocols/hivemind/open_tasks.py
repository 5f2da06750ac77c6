"""The open tasks of a session: several agents, or several clients, may work in one checkout.

Each agent has at most one open task in each client, and a new one replaces it. The session's file
shows the newest as `current_task`. A verb works on the task of its caller:

1. in hooks, the task that was received in the same client's session;
2. the newest task of the agent that calls;
3. for an agent without one, the newest that no agent took; for a person or the coordinator, the
   only one that is open.
"""

from __future__ import annotations

from varves.events.kinds import CONSUMED, TASK_COMPLETED, TASK_FAILED, TASK_RECEIVED
from varves.protocols.hivemind.creators import ACTORS, is_agent
from varves.protocols.hivemind.lifetimes import shown
from varves.protocols.hivemind.wording import in_order, one_line
from varves.values.text import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.events.event import Event

    Task = dict[str, Any]

_SHOWN = 60
CLIENT = "client"
"""The key of a task that names the session of the client whose hooks received it."""


def of(opened: Sequence[Task], agent: str, client: str | None = None) -> list[Task]:
    """Return the open tasks that a caller may mean; more than one if that is not clear.

    Args:
        opened: the open tasks, in order of receipt.
        agent: who calls.
        client: the session of the client whose hooks call, if hooks call.
    """
    if client is not None:
        own = [one for one in opened if one.get(CLIENT) == client]
        if own:
            return own[-1:]
        opened = [one for one in opened if one.get(CLIENT) is None]
    own = [one for one in opened if one.get("agent") == agent]
    if own:
        return own[-1:]
    return [one for one in opened if not _taken(one)][-1:] if is_agent(agent) else list(opened)


def line_of(task: Task) -> str:
    """Return who works on a task, and its first words."""
    return f"{task.get('agent') or 'USER'}: {quoted(one_line(str(task.get('task') or ''), _SHOWN))}"


def _taken(task: Task) -> bool:
    return task.get("agent") not in (None, *ACTORS)


def concerns(agent: Any, task: Task) -> bool:
    """Return whether what somebody says of their work holds for an open task."""
    return agent in (None, *ACTORS, task.get("agent")) or not _taken(task)


def after(opened: Sequence[Task], event: Event) -> list[Task] | None:
    """Return the open tasks after an event; None if it leaves them as they are."""
    content, kind = event.data, event.kind
    if kind in (TASK_COMPLETED, TASK_FAILED):
        return [one for one in opened if one.get("id") != content.get("task")]
    if kind == TASK_RECEIVED:
        return _begun(opened, _received(event))
    if kind != CONSUMED or not isinstance(content.get("working_memory"), dict):
        return None
    handed = content["working_memory"].get("current_task")
    return _begun(opened, in_order(handed)) if isinstance(handed, dict) else list(opened)


def _begun(opened: Sequence[Task], task: Task) -> list[Task]:
    """Return the open tasks with one more, which replaces the earlier one of its agent."""
    return [*(one for one in opened if not _replaces(task, one)), task]


def _replaces(task: Task, other: Task) -> bool:
    same = (task.get("agent"), task.get(CLIENT)) == (other.get("agent"), other.get(CLIENT))
    return same or (task.get("id") is not None and task.get("id") == other.get("id"))


def _received(event: Event) -> Task:
    content = event.data
    told = {
        "id": content.get("task"),
        "task": content.get("text", ""),
        "intent": content.get("intent"),
        "keywords": list(content.get("keywords", ())),
        "entities": list(content.get("entities", ())),
        "agent": content.get("agent"),
        "team": content.get("team"),
        "project": content.get("project"),
        "started_at": shown(event.time),
    }
    return told | ({CLIENT: content[CLIENT]} if content.get(CLIENT) else {})
