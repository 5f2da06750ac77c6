"""Deliberation driven by a client's hooks: a session is a private conversation of user and agent.

The messages of both are posted unchanged, and decisions, proposals and summaries are extracted from
them. The result is shown again when the client has lost it: after a compaction or a resume.
"""

from __future__ import annotations

from varves.errors import NotFound, Refused
from varves.protocols.deliberation.conversations import POSTED
from varves.protocols.deliberation.verbs import Deliberation
from varves.protocols.moments import Moments
from varves.recall.fence import block, line_of, nonce_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.moments import ClientSession, SessionTurn
    from varves.values.signals import SessionMessage

USER = "user"
_AGAIN = ("compact", "resume")
_SUMMARIES = 3  # the number of summaries, as in the protocol's own context


class DeliberationMoments(Moments):
    """The protocol in one client's session.

    A prompt returns nothing, because the agent still sees the conversation. Tool output is not
    posted, and a conversation does not end.
    """

    logs = True

    def __init__(self, session: ClientSession) -> None:
        self._client, self._session = session.client, session.session
        self._talk = Deliberation(session.core("direct"))
        self._talk.desk.people = frozenset([USER])

    def start(self, source: str) -> str:
        """Start the conversation, or return its results so far."""
        self._ensure()
        return self._told() if source in _AGAIN else ""

    def _ensure(self) -> None:
        """Start the conversation if it does not exist."""
        name = self._session
        try:
            self._talk.named(name)
        except NotFound:
            self._talk.begin(name)

    def _told(self) -> str:
        """Return decisions, active proposals and the last summaries, as one fenced block."""
        session = self._session
        state = self._talk.state(conversation=session)
        found = [("decision", one.id, f"{one.topic}: {one.outcome}") for one in state.decisions]
        found += [
            ("proposal", one.id, f"{one.proposer}: {one.content}")
            for one in state.proposals
            if one.status == "active"
        ]
        found += [("summary", one.id, one.content) for one in state.summaries[-_SUMMARIES:]]
        lines = [line_of({"id": name, "type": kind, "content": text}) for kind, name, text in found]
        if not lines:
            return ""
        self._talk.core.told("deliberation context", [name for _, name, _ in found])
        return block(lines, nonce_for(lines, key=self._talk.core.ids.salt(), place=session))

    def learned(self, turns: Sequence[SessionTurn]) -> bool:
        """Post the messages of the turns, each once."""
        name = self._session
        self._ensure()
        known = {
            str(event.data.get("id"))
            for event in self._talk.core.events(POSTED, session=name)
            if event.data.get("id")
        }
        for turn in turns:
            for speaker, said in ((USER, turn.user), (self._client, turn.agent)):
                for one in said:
                    if one.key is None or one.key not in known:
                        self._say(speaker, one)
        return False

    def _say(self, speaker: str, message: SessionMessage) -> None:
        try:
            self._talk.say(
                speaker,
                message.text,
                conversation=self._session,
                at=message.at,
                id=message.key,
            )
        except Refused as fault:
            self._talk.core.notes.append(fault.message)
