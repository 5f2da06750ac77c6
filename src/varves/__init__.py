"""Varves: memory for AI agents, an append-only event log in plain files next to the code."""

from __future__ import annotations

from varves import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.events.event import Event
    from varves.fold.conflicts import Conflict
    from varves.ledger import Ledger, open
    from varves.protocols.deliberation.bus import MessageBus
    from varves.protocols.deliberation.listener import AgentListener, Persona
    from varves.protocols.deliberation.memory import ConversationMemory
    from varves.protocols.deliberation.state import Message
    from varves.recall.recall import Hit, Recall
    from varves.values.memory import Memory

__all__ = [
    "AgentListener",
    "Conflict",
    "ConversationMemory",
    "Event",
    "Hit",
    "Ledger",
    "Memory",
    "Message",
    "MessageBus",
    "Persona",
    "Recall",
    "errors",
    "open",
]

_HOMES = {
    "AgentListener": "varves.protocols.deliberation.listener",
    "Conflict": "varves.fold.conflicts",
    "ConversationMemory": "varves.protocols.deliberation.memory",
    "Event": "varves.events.event",
    "Hit": "varves.recall.recall",
    "Ledger": "varves.ledger",
    "Memory": "varves.values.memory",
    "Message": "varves.protocols.deliberation.state",
    "MessageBus": "varves.protocols.deliberation.bus",
    "Persona": "varves.protocols.deliberation.listener",
    "Recall": "varves.recall.recall",
    "open": "varves.ledger",
}


def __getattr__(name: str) -> object:
    """Import a public name at its first use, so that `import varves` loads almost nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'varves' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found
