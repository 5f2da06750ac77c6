"""Runs scoped memory from hooks: at session start, before and after a task, at session end.

The learnings of a turn are only proposed; they are stored when the user approves them. The
session's file lists the tools used and the files edited, and is removed when the session ends.
"""

from __future__ import annotations

import json
import os

from varves.errors import Refused
from varves.protocols.moments import Moments
from varves.protocols.scoped.options import HOOK_CALL, HOOK_TASK, HOOK_TOKENS
from varves.protocols.scoped.places import GLOBAL, PROJECT, TEAM
from varves.protocols.scoped.verbs import Scoped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from varves.protocols.moments import ClientSession, SessionTurn
    from varves.values.signals import SessionMessage


class ScopedMoments(Moments):
    """The protocol in one client's session."""

    chooses_from = frozenset((PROJECT, TEAM, GLOBAL))

    def __init__(self, session: ClientSession) -> None:
        self._client, self._session = session.client, session.session
        self._by_agent = Scoped(session.core("agent"))
        self._by_user = Scoped(session.core("direct"))

    def start(self, source: str) -> str:
        """Begin or continue the session; return the best entries."""
        del source
        begun = self._by_agent.session_start(
            id=self._session, budget=HOOK_TOKENS, agent=self._client
        )
        return begun.block

    def prompt(self, text: str) -> str:
        """Return what is known about the task in the user's prompt."""
        return self._by_user.task(text[:HOOK_TASK], budget=HOOK_TOKENS, agent=self._client).block

    def tool(self, message: SessionMessage) -> None:
        """Record a tool that was used, or the files it edited, in the session's file."""
        root = self._by_agent.core.root
        if message.files:
            for path in message.files:
                inside = path.startswith(root + os.sep)
                self._by_agent.note(os.path.relpath(path, root) if inside else path, kind="edit")
        elif message.tool:
            call = " ".join((message.call or "").split())[:HOOK_CALL]
            self._by_agent.note(f"{message.tool}: {call}" if call else message.tool, kind="tool")

    def learned(self, turns: Sequence[SessionTurn]) -> bool:
        """Propose the learnings of the turns; nothing is stored, so hooks still capture them."""
        for turn in turns:
            for protocol, role, said in (
                (self._by_user, "user", (one.text for one in turn.user)),
                (self._by_agent, "assistant", (one.text for one in turn.agent)),
            ):
                transcript = _lines(role, said)
                if transcript:
                    protocol.done(transcript=transcript)
        return False

    def end(self) -> None:
        """End the session: its file is removed, its proposals remain."""
        try:
            self._by_agent.session_end()
        except Refused:  # no session was running
            return


def _lines(role: str, said: Iterable[str]) -> str:
    """Format someone's messages as a transcript."""
    return "\n".join(json.dumps({"role": role, "content": text}) for text in said)
