"""The moments of a client's session at which hooks call a protocol.

A protocol that hooks may drive has a subclass of `Moments` and overrides the moments at which it
acts.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from varves.capture.learning import Learning
    from varves.protocols.port import Core
    from varves.values.signals import SessionMessage

    class ClientSession(Protocol):
        """One client's session, as seen by a protocol."""

        client: str
        """The client's name, which is also the actor."""
        session: str
        """The client's name for its session, safe in a path."""

        def core(self, origin: str) -> Core:
            """Return a core of the protocol that records events with this origin."""
            ...


class SessionTurn:
    """The messages from one message of the user up to the next."""

    def __init__(self) -> None:
        self.user: list[SessionMessage] = []
        self.agent: list[SessionMessage] = []

    @property
    def asked(self) -> str:
        """The user's messages, joined."""
        return "\n\n".join(one.text for one in self.user)

    @property
    def answered(self) -> str:
        """The agent's messages, joined."""
        return "\n\n".join(one.text for one in self.agent)


class Moments:
    """One protocol in one client's session; by default it does nothing at any moment."""

    chooses_from: frozenset[str] = frozenset()
    """Levels of scopes of whose records its blocks show a choice; no other block shows them."""
    logs = False
    """Whether it uses Python's `logging`, which would print on stderr."""

    def start(self, source: str) -> str:  # noqa: ARG002 - for those that override it
        """Begin or continue the session; return a fenced block for the agent."""
        return ""

    def prompt(self, text: str) -> str:  # noqa: ARG002
        """Process the user's prompt; return a fenced block of relevant memories."""
        return ""

    def tool(self, message: SessionMessage) -> None:
        """Process a tool call."""

    def learned(self, turns: Sequence[SessionTurn]) -> bool:  # noqa: ARG002
        """Process messages; return whether this replaces the general capture of learnings."""
        return False

    def compact(self) -> None:
        """Store the information that the agent's context is about to lose."""

    def end(self) -> None:
        """Process the end of the client's session; this must be fast."""


def said_by_user(turn: SessionTurn) -> list[Learning]:
    """Return the user's statements, decisions, preferences and corrections in a turn."""
    from varves.capture.learnings import learnings

    return [one for one in learnings((*turn.user, *turn.agent)) if one.by == "user"]
