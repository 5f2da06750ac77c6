"""Session start: continue the session or start a new one, and load its documents.

A session continues if its last activity was less than four hours ago; otherwise it is archived.
Three global documents are always loaded, and the project's if there is a current project; see
protocols/projects.py.
"""

from __future__ import annotations

from varves.errors import Exposed, Refused
from varves.protocols.hivemind import open_tasks
from varves.protocols.hivemind.creators import is_agent
from varves.protocols.hivemind.entries import body_of, is_taken, owner
from varves.protocols.hivemind.injecting import block_of
from varves.protocols.hivemind.loaded import wishes_for
from varves.protocols.hivemind.parts import HivemindVerbs, worker_named
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


class SessionStart(HivemindVerbs):
    """The verbs that start the protocol and its sessions."""

    @writes
    def init(self, *, project: str | None = None) -> Initiated:
        """Create those of the four documents that are missing; idempotent."""
        name = owner(project_of(self.core, project).id, "project")
        lying = self.core.files()
        paths = [path_of(one) for one in self._documents(name)]
        return Initiated(created=tuple(path for path in paths if path not in lying), project=name)

    @writes
    def session_start(
        self, *, project: str | None = None, agent: str | None = None
    ) -> StartedSession:
        """Continue the session, or archive it and start another; load its documents."""
        agent = worker_named(self.core, agent)
        named = self.detected(project, agent=agent)
        before = current(self.core)
        archived = None
        if before is not None and self._is_over(before):
            self._archive(before)
            archived, before = before.name, None
        name = before.name if before else f"sess_{self.core.ids.word(12)}"
        act = self.core.act(actor=agent, session=name)
        documents = self._documents(named)
        kind = CONTINUED if before else STARTED
        loaded = [one.id for one in documents]
        self.note(act, kind, {"project": named, "agent": agent or act.actor, "loaded": loaded})
        self.core.told("hivemind.session-start", loaded, agent=agent)
        self.begun(act)
        place = f"project:{named}"
        tags = self.core.tags(place) if named else {}
        types = self.core.types(place) if named else {}
        return StartedSession(
            session=name,
            status="continued" if before else "started",
            archived=archived,
            project=named,
            loaded=tuple(loaded),
            empty=tuple(path_of(one) for one in documents if is_blank(body_of(one))),
            entries=sum(types.values()),
            index={"tags": dict(sorted(tags.items())), "types": dict(sorted(types.items()))},
            text=block_of(self.core, documents, self.options),
        )

    def ensured(self, *, project: str | None = None, agent: str | None = None) -> HivemindSession:
        """Return the running session; if none is running, or it is over, start one."""
        if self.begins():
            self.session_start(project=project, agent=agent)
        session = current(self.core)
        assert session is not None  # noqa: S101 - it was just started
        return session

    def begins(self) -> bool:
        """Return whether a verb must start a session, and so must check its arguments first."""
        session = current(self.core)
        return session is None or self._is_over(session)

    def at_hand(self, session: HivemindSession, agent: str | None = None) -> dict[str, Any]:
        """Return the open task that the caller works on; empty if there is none, or several."""
        found = open_tasks.of(session.open_tasks, agent or self.core.actor, self.client)
        return found[0] if len(found) == 1 else {}

    def finished(self, session: HivemindSession, agent: str | None = None) -> dict[str, Any]:
        """Return the open task that the caller finishes or hands over; empty if there is none.

        Raises:
            Refused: several agents' tasks are open, and none of them is the caller's.
        """
        caller = agent or self.core.actor
        found = open_tasks.of(session.open_tasks, caller, self.client)
        if len(found) > 1:
            listed = "; ".join(map(open_tasks.line_of, found))
            raise Refused(f"several tasks are open: {listed}", "choose one with --agent")
        others = [open_tasks.line_of(one) for one in session.open_tasks]
        if not found and others:
            self.core.notes.append(f"{caller} has no open task; open: {'; '.join(others)}")
        return found[0] if found else {}

    def worker(self, task: dict[str, Any]) -> str:
        """Return who works on a task, if no agent is named: an agent that calls, or its taker."""
        caller = self.core.actor
        return caller if is_agent(caller) else str(task.get("agent") or caller)

    def _is_over(self, session: HivemindSession) -> bool:
        return is_idle(session.last_activity, self.core.now, self.options.session_hours)

    def _archive(self, session: HivemindSession) -> None:
        act = self.core.act(session=session.name)
        why = {"reason": "no activity", "rule": f"idle {self.options.session_hours:g} h or more"}
        self.note(act, ARCHIVED, why)

    def detected(self, given: str | None = None, *, agent: str | None = None) -> str | None:
        """Return the current project of an agent, or None if there is none yet."""
        found = project_of(self.core, given, agent=agent, client=self.client)
        return owner(found.id, "project") if found.exists else None

    def held(self, wish: Wish) -> Memory | None:
        """Return the memory of a document, found by its fixed id or else by its file's name."""
        memory = self.core.memory(str(wish.id))
        if memory is not None and not is_blank(body_of(memory)):
            return memory
        if not self._is_elsewhere(wish, memory):
            return memory
        named = self.core.memories(scope=wish.scope)
        return next((one for one in named if one.extra.get("file") == wish.file), memory)

    def _is_elsewhere(self, wish: Wish, blank: Memory | None) -> bool:
        """Return whether a document's file may show another memory than the one with its id."""
        raw = self.core.read_paper(f"{self.core.root}/{folder_of(wish.scope)}/{wish.file}")
        if blank is None or raw is None:
            return raw is not None
        try:
            return read_object(raw).get("id") != blank.id
        except Unreadable:
            return True

    def _documents(self, project: str | None) -> list[Memory]:
        """Return the documents, and create those that never existed."""
        found: list[Memory] = []
        for wish in wishes_for(project):
            memory = self.held(wish)
            if memory is None and not is_taken(self.core, str(wish.id)):
                try:
                    memory = self.core.memory(self.enter(wish, self.core.act(actor="SYSTEM")))
                except (Exposed, Refused) as fault:  # the session continues without it
                    left = f"{fault.message}; {fault.hint}"
                    self.core.notes += [left] if left not in self.core.notes else []
                    continue
            if memory is not None and memory.status == "active":
                found.append(memory)
            else:
                self.core.notes.append(f"{wish.file} is not loaded: {wish.id} is no longer active")
        return found
