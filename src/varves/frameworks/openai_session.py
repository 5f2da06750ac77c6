"""A session of the OpenAI Agents SDK, stored in a ledger instead of its own database.

Every run, in any process, reads and continues the conversation. The conversation stays private to
this clone. Items are returned as they were added, with secrets masked.
"""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from agents.memory.session import SessionABC
from agents.memory.session_settings import (
    SessionSettings,
    coerce_session_settings,
    resolve_session_limit,
)

if TYPE_CHECKING:
    from agents.items import TResponseInputItem

    from varves import Ledger

PREFIX = "openai/"


class LedgerSession(SessionABC):
    """One conversation of agents; pass it to `Runner.run` as `session`."""

    session_settings: SessionSettings | None = None

    def __init__(
        self,
        session_id: str,
        ledger: Ledger,
        *,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = (
            SessionSettings()
            if session_settings is None
            else coerce_session_settings(session_settings)
        )
        self.talk = ledger.through("agent").talk(PREFIX + quote(session_id, safe=""))

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the last items, in order; a negative limit means all, as in the SDK."""
        most = resolve_session_limit(limit, self.session_settings)
        most = None if most is not None and most < 0 else most
        found = await to_thread(self.talk.entries, limit=most)
        return [cast("TResponseInputItem", entry.value) for entry in found]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add items at the end; they are durable when this method returns."""
        await to_thread(self.talk.append, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Remove the last item and return it; return None if there is no item."""
        entry = await to_thread(self.talk.pop)
        return None if entry is None else cast("TResponseInputItem", entry.value)

    async def clear_session(self) -> None:
        """Remove all items; their content stays in the log until `talk.purge` erases it."""
        await to_thread(self.talk.delete)
