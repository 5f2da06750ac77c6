"""Conversations: sessions in which agents talk. A conversation has no end."""

from __future__ import annotations

from varves.errors import VarvesError
from varves.events import kinds
from varves.protocols import sessions
from varves.protocols.sessions import CONTINUED, PRIVATE, PROJECT, STARTED, Session
from varves.values.names import safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

    from varves.events.event import Event
    from varves.protocols.port import Core

POSTED = kinds.POSTED
STANCE = kinds.STANCE
PLAIN = (STARTED, CONTINUED, POSTED, STANCE)
DECISION, PROPOSAL, SUMMARY = "decision", "proposal", "summary"


class Conversation(Session):
    """One conversation, as it was started."""

    agents: tuple[str, ...] = ()
    """The agents that may speak; empty if anyone may."""
    topic: str | None = None
    extractor: str | None = None

    @classmethod
    def key(cls, event: Event) -> str | None:
        """Return the name; conversations started in two clones under one name are one."""
        fits = is_name(event.session) and event.log in (PRIVATE, PROJECT)
        return event.session if fits else None

    @property
    def scope(self) -> str:
        """The scope of its records."""
        return scope_of(self.name)

    @property
    def shared(self) -> bool:
        """Whether it is in the project's log."""
        return self.log == PROJECT

    def changes(self, event: Event) -> dict[str, Any]:
        """Return the conversation after another start of it: the agents of all starts may speak.

        If one start is private, the conversation is that one: messages posted here stay private.
        """
        said = event.data
        agents, topic, extractor = said.get("agents"), said.get("topic"), said.get("extractor")
        speakers = tuple(map(str, agents)) if isinstance(agents, list) else ()
        first = event.id == self.start
        if not first:
            both = self.agents and speakers
            speakers = tuple(dict.fromkeys((*self.agents, *speakers))) if both else ()
        if not first and not (self.shared and event.log == PRIVATE):
            return {"agents": speakers}
        return {
            **vars(self._begun(event)),
            "agents": speakers,
            "topic": topic if isinstance(topic, str) else None,
            "extractor": extractor if isinstance(extractor, str) else None,
        }


def scope_of(name: str) -> str:
    """Return the scope of a conversation's records."""
    return f"session:{name}"


def is_name(name: Any) -> TypeGuard[str]:
    """Return whether this is a valid name for a conversation and its folder."""
    try:
        return isinstance(name, str) and safe_name(name, "conversation") == name
    except VarvesError:
        return False


def conversations(core: Core) -> dict[str, Conversation]:
    """Return all conversations known here, in order of their start."""
    found = sessions.fold(Conversation, core.events(STARTED))
    return {one.name: one for one in sorted(found, key=lambda one: one.order)}
