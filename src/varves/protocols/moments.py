"""The moments of a client's session at which hooks call a protocol.

A protocol that hooks may drive has a subclass of `Moments` and overrides the moments it acts at.
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
        """One client's session, as a protocol sees it."""

        client: str
        """What the client is called; it is who acts."""
        session: str
        """The client's name for its session, safe in a path."""

        def core(self, origin: str) -> Core:
            """Return a core of the protocol that stamps what it records with an origin."""
            ...


class SessionTurn:
    """What was said from one message of the user to the next."""

    def __init__(self) -> None:
        self.user: list[SessionMessage] = []
        self.agent: list[SessionMessage] = []

    @property
    def asked(self) -> str:
        """All that the user said."""
        return "\n\n".join(one.text for one in self.user)

    @property
    def answered(self) -> str:
        """All that the agent said."""
        return "\n\n".join(one.text for one in self.agent)


class Moments:
    """One protocol in one client's session; by default it does nothing at any moment."""

    logs = False
    """Whether it reports through Python's `logging`, which would print on stderr."""

    def start(self, source: str) -> str:  # noqa: ARG002 - for those that override it
        """Begin the session or continue it; return a fenced block for the agent."""
        return ""

    def prompt(self, text: str) -> str:  # noqa: ARG002
        """Take the user's prompt; return a fenced block of what bears on it."""
        return ""

    def tool(self, message: SessionMessage) -> None:
        """Take what a tool did."""

    def learned(self, turns: Sequence[SessionTurn]) -> bool:  # noqa: ARG002
        """Take what was said; return whether something was recorded in place of a capture."""
        return False

    def compact(self) -> None:
        """Store what the agent is about to forget."""

    def end(self) -> None:
        """Take the end of the client's session; nothing here may take long."""


def said_by_user(turn: SessionTurn) -> list[Learning]:
    """Return what the user stated, decided, preferred or corrected in a turn."""
    from varves.capture.learnings import learnings

    return [one for one in learnings((*turn.user, *turn.agent)) if one.by == "user"]
