"""Runs the hivemind protocol from a client's hooks, without explicit calls.

    session starts      archive an ended session, start a session, and accept a handoff that waits
    prompt              receive the task and load its memories
    a tool fails        record the error, and its solution once the same command succeeds
    the agent is done   complete the task; learn from its text and from the user's messages
    before compaction   hand off to the same agent, which accepts when it continues
    session ends        set a mark; the next start ends the session, unless it is the same session

The client acts under a name of the published form, such as `CLAUDE-001` for claude-code, or under
its own name if `any_actor` is set; the user's statements are recorded as created by USER. Only the
kind of error is recorded from a tool's output, because that text is not trusted.
"""

from __future__ import annotations

import json
import os
import re

from varves.errors import NotFound
from varves.protocols.hivemind.sessions import current, project_of
from varves.protocols.hivemind.shortening import condensed
from varves.protocols.hivemind.verbs import Hivemind
from varves.protocols.hivemind.wording import one_line
from varves.protocols.moments import Moments, said_by_user
from varves.recall.fence import block, line_of, nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from varves.protocols.hivemind.handoffs import HandoffAccepted
    from varves.protocols.moments import ClientSession, SessionTurn
    from varves.values.signals import SessionMessage

_USER = "USER"
_ENDED, _FAILURES = "client ended", "client failures"
_TASK = 2000  # the maximum number of characters of a prompt that are read as a task
_CALL = 200
_SUMMARY = 400
_WAITING = 20  # failures that may still be solved
_MENDED = 5  # the maximum number of files and commands that a solution names
_RAISED = re.compile(r"\b([A-Z][A-Za-z]{2,40}(?:Error|Exception|Warning))\b")
_KINDS = (
    ("timeout", re.compile(r"\btime(?:d\s+|-)?out\b", re.IGNORECASE)),
    ("permission-denied", re.compile(r"\bpermission denied\b", re.IGNORECASE)),
    ("command-not-found", re.compile(r"\bcommand not found\b", re.IGNORECASE)),
    ("missing-file", re.compile(r"\bno such file or directory\b", re.IGNORECASE)),
)
_PARTS = {
    "decision": "decisions",
    "rule": "procedures",
    "preference": "facts",
    "statement": "facts",
    "correction": "facts",
}
"""The key of a report for a user's statement, by the kind of learning."""


class HivemindMoments(Moments):
    """The protocol in one client's session."""

    def __init__(self, session: ClientSession) -> None:
        self._session = session.session
        self._by_agent = Hivemind(session.core("agent"))
        self._by_user = Hivemind(session.core("direct"))
        self._by_agent.client = self._by_user.client = self._session
        self._by_agent.plain_facts = False  # an agent's answers describe their own results
        self._by_agent.names_task = False  # a prompt is conversation and stays in this clone
        self._core = self._by_agent.core
        free = self._by_agent.options.any_actor
        self._agent = session.client if free else agent_of(session.client)

    def start(self, source: str) -> str:
        """Start or continue the session; return its documents and the accepted handoff."""
        del source
        ended = self._core.noted(_ENDED)
        if ended:
            self._core.note_down(_ENDED, "")
        if ended not in ("", self._session):
            self._by_agent.session_end()
        begun = self._by_agent.session_start(project=self._project(), agent=self._agent)
        try:
            taken = self._by_agent.accept(self._agent)
        except NotFound:
            return str(begun.text)
        return self._joined(taken, begun.text)

    def _project(self) -> str:
        """Return the current project, or else the folder's name."""
        return project_of(self._core, agent=self._agent, client=self._session).id

    def _joined(self, taken: HandoffAccepted, told: str) -> str:
        """Return one block with the handoff, its memories, and the documents."""
        first = {
            "type": "handoff",
            "from": taken.source,
            "task": taken.task_summary,
            "pending": "; ".join(taken.pending),
        }
        lines = [line_of(first)]
        for text in (taken.text, told):
            lines += [line for line in text.split("\n")[2:-1] if line not in lines]
        return block(lines, nonce_for(lines, key=self._core.ids.salt(), place=self._core.actor))

    def prompt(self, text: str) -> str:
        """Receive the user's prompt as a task; return the memories relevant to it."""
        task = self._by_user.task(text[:_TASK], agent=self._agent, project=self._project())
        return str(task.text)

    # Tools

    def tool(self, message: SessionMessage) -> None:
        """Record a failure, and its solution when the same call succeeds."""
        waiting: list[dict[str, Any]] = self._waiting()
        call = one_line(message.call or "", _CALL)
        if message.ok is False:
            said = f"{call or f'the tool {message.tool}'} failed"
            where = {"agent": self._agent, "project": self._project()}
            doing = f"{message.tool}: {call}" if call else str(message.tool)
            self._by_agent.error(kind_of(message.text), said, context=doing, **where)
            waiting = [one for one in waiting if one["call"] != call]
            waiting += [{"call": call, "error": said, "did": []}] if call else []
        elif not waiting:
            return
        else:
            waiting = self._mended(waiting, call, message)
        self._core.note_down(self._failures, json.dumps(waiting[-_WAITING:]))

    @property
    def _failures(self) -> str:
        return f"{_FAILURES} {self._session}"

    def _waiting(self) -> list[Any]:
        noted = self._core.noted(self._failures)
        return list(json.loads(noted)) if noted else []

    def _mended(
        self, waiting: list[dict[str, Any]], call: str, message: SessionMessage
    ) -> list[dict[str, Any]]:
        """Record the solution of a call that now succeeds; note the call for other failures."""
        for one in waiting:
            if one["call"] == call and message.ok and one["did"]:
                solution = f"{', '.join(one['did'][-_MENDED:])}; then it worked"
                report = {"errors": [{"error": one["error"], "solution": solution}]}
                where = {"agent": self._agent, "project": self._project()}
                self._by_agent.hear(report, speaker=self._agent, **where)
        left = [one for one in waiting if one["call"] != call or not message.ok]
        done = [f"edited {self._relative(path)}" for path in message.files]
        done += [f"ran {call}"] if call and not done else []
        for one in left:
            one["did"] = [*(did for did in one["did"] if did not in done), *done][-_MENDED:]
        return left

    def _relative(self, path: str) -> str:
        inside = path.startswith(self._core.root + os.sep)
        return os.path.relpath(path, self._core.root) if inside else path

    # Messages

    def learned(self, turns: Sequence[SessionTurn]) -> bool:
        """Complete the task of each turn, and learn from its text and the user's messages."""
        taken = False
        where = {"agent": self._agent, "project": self._project()}
        for turn in turns:
            summary = condensed(turn.agent[-1].text, _SUMMARY) if turn.agent else ""
            if summary and self._is_known(summary):
                taken = True  # already read
                continue
            report = _reported(turn)
            if report and self._by_user.hear(report, speaker=_USER, **where):
                taken = True
            if not summary:
                continue
            done = self._by_agent.done(turn.answered, report={"summary": summary}, **where)
            taken = taken or any(one.kind != "summary" for one in done.learned)
        return taken

    def _is_known(self, summary: str) -> bool:
        """Return whether no task is open and the task history already contains this summary."""
        session = current(self._core)
        if session is None or self._by_agent.at_hand(session, self._agent):
            return False
        short = condensed(summary)
        return any(one.get("summary") == short for one in session.task_history)

    # Before compaction

    def compact(self) -> None:
        """Hand the work off to the same agent, which continues after the compaction."""
        session = current(self._core)
        if session is None:
            return
        task = self._by_agent.at_hand(session, self._agent)
        told = [str(one["summary"]) for one in session.task_history if one.get("summary")]
        said = str(task.get("task") or (told[-1] if told else "The session goes on"))
        waiting = session.handoff
        if waiting is not None:
            if (waiting.get("task_summary"), waiting.get("memories_loaded")) == (
                said,
                session.loaded,
            ):
                return  # some clients announce a compaction at every step, even if none follows
            self._by_agent.accept(self._agent)  # the waiting handoff is outdated
        self._by_agent.handoff(
            self._agent, summary=said, pending=session.pending, agent=self._agent
        )

    def end(self) -> None:
        """Mark the session as over; the next start ends it."""
        self._core.note_down(_ENDED, self._session)
        self._core.note_down(self._failures, "")


def agent_of(client: str) -> str:
    """Return a client's name in the published form: claude-code is CLAUDE-001."""
    word = re.split(r"[^A-Za-z]+", client.strip("-_. "))[0].upper()
    return f"{word or 'AGENT'}-001"


def kind_of(text: str) -> str:
    """Return the kind of error in a tool's output: an exception's name, or one of `_KINDS`."""
    raised = _RAISED.findall(text[-20_000:])
    if raised:
        return str(raised[-1])
    return next((kind for kind, said in _KINDS if said.search(text[-20_000:])), "failure")


def _reported(turn: SessionTurn) -> dict[str, Any]:
    """Return the user's memorable statements of a turn as a report."""
    report: dict[str, Any] = {}
    for one in said_by_user(turn):
        report.setdefault(_PARTS.get(one.kind, "facts"), []).append(one.text)
    return report
