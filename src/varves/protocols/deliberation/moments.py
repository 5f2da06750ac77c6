"""Deliberation by hooks: a session is a private conversation of the user and the agent.

Both turns are said in it as they were; decisions, proposals and summaries come of themselves. What
it came to is told again where the client forgets it: after a compaction, and when it resumes.
"""

from __future__ import annotations

from varves.errors import NotFound, Refused
from varves.protocols.deliberation.talks import POSTED
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
_SUMMARIES = 3  # as in the protocol's own context


class DeliberationMoments(Moments):
    """The protocol in one client's session.

    A prompt returns nothing: the agent still sees the conversation. What tools print is not said
    by anybody, and a conversation has no end.
    """

    logs = True

    def __init__(self, session: ClientSession) -> None:
        self._client, self._session = session.client, session.session
        self._talk = Deliberation(session.core("direct"))
        self._talk.people = frozenset([USER])

    def start(self, source: str) -> str:
        """Begin the conversation, or tell what it came to so far."""
        self._ensure()
        return self._told() if source in _AGAIN else ""

    def _ensure(self) -> None:
        """Begin the conversation where there is none of this name."""
        name = self._session
        try:
            self._talk.named(name)
        except NotFound:
            self._talk.begin(name)

    def _told(self) -> str:
        """Return decisions, active proposals and the last summaries, one fenced block."""
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
        """Say what was said, each message once."""
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
