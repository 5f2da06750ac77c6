"""The long-term memory of agents of Google's ADK, stored in a ledger.

Each turn of a session that has text becomes one memory. The memories of each user of an app have a
scope of their own and stay in this clone. Searches of other users, and other recalls in the
project, do not find them. The memories can be corrected, forgotten or purged like all others.
"""

from __future__ import annotations

from asyncio import to_thread
from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING, Any

from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.genai.types import Content, Part

from varves.errors import NotFound, Refused, UsageError
from varves.values.ids import is_memory_id, memory_of
from varves.values.instants import instant, iso

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from google.adk.events.event import Event
    from google.adk.sessions.session import Session

    from varves import Hit, Ledger

SOURCE = "adk:"
FOUND = 10  # the most memories in an answer, as in ADK's own service
# the keys of custom metadata that are passed on to the ledger
_PASSED_ON = ("tags", "type", "priority", "ttl", "confidence")
_SHORT = 24


class LedgerMemory(BaseMemoryService):
    """The agents' memory of their users; pass it to the `Runner` as `memory_service`."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger.through("agent")

    async def add_session_to_memory(self, session: Session) -> None:
        """Record the turns of a session as memories; memories of known turns are unchanged."""
        user = _User(session.app_name, session.user_id)
        said = [
            _turn(user, event, session=session.id) | {"turn": turn}
            for turn, event in enumerate(session.events)
            if _text(event.content)
        ]
        await to_thread(self._remember, said)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Record some turns of a session as memories.

        Args:
            app_name: the name of the app.
            user_id: the user of the app.
            events: the turns to record.
            session_id: the session of the turns.
            custom_metadata: the keys tags, type, priority, ttl and confidence are used.
        """
        user, more = _User(app_name, user_id), _passed_on(custom_metadata)
        said = [
            _turn(user, event, session=session_id) | more
            for event in events
            if _text(event.content)
        ]
        await to_thread(self._remember, said)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Record statements that belong to no session, with their metadata."""
        user, more = _User(app_name, user_id), _passed_on(custom_metadata)
        said = [
            _statement(user, entry) | more | _passed_on(entry.custom_metadata)
            for entry in memories
            if _text(entry.content)
        ]
        await to_thread(self._remember, said)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """Return a user's memories that answer a question, best first."""
        if not any(map(str.isalnum, query)):
            return SearchMemoryResponse()
        user = _User(app_name, user_id)
        found = await to_thread(
            self._ledger.recall, query, k=FOUND, scope=user.scope, session=user.name, all=True
        )
        return SearchMemoryResponse(memories=[_entry(user, hit) for hit in found.hits])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Forget one of a user's memories; adding its session again does not record it again."""
        if memory_id:
            await to_thread(self._forget, _User(app_name, user_id), memory_id)

    def _remember(self, statements: Iterable[dict[str, Any]]) -> None:
        done = self._ledger.remember_many(statements)
        for refused in done.refused:
            if refused.code == UsageError.code:
                raise UsageError(refused.message, "everything else was recorded")
            if refused.code == Refused.code:
                raise Refused(refused.message, "everything else was recorded")
            # Otherwise a person has rejected the text: it is left out, and all other texts were
            # recorded.

    def _forget(self, user: _User, key: str) -> None:
        names = [user.memory(key), *([key] if is_memory_id(key) else ())]
        for name in names:
            try:
                memory = self._ledger.show(name)
            except NotFound:
                continue
            if memory.scope == user.scope and memory.status not in ("forgotten", "superseded"):
                self._ledger.forget(name, reason="deleted by its agent", reject=False)
                return


class _User:
    """A user of an app, with the scope of its memories."""

    def __init__(self, app: str, user: str) -> None:
        self._whose = (app, user)
        self.name = f"adk.{_slug(app)}.{_slug(user)}.{self._digest()[:8].hex()}"
        self.scope = f"session:{self.name}"

    def memory(self, key: str) -> str:
        """Return the id of the memory that is made from an event or a statement."""
        return memory_of(self._digest("memory", key)[:16])

    def session(self, name: str) -> str:
        """Return the name that a session of this user has in the ledger."""
        return f"adk.{_slug(name)}.{self._digest('session', name)[:8].hex()}"

    def _digest(self, *parts: str) -> bytes:
        return sha256(dumps([*self._whose, *parts]).encode("ascii")).digest()


def _slug(text: str) -> str:
    """Return the beginning of a name in safe characters, with a digest that makes it unique."""
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in text[:_SHORT])


def _text(content: Content | None) -> str:
    """Return the text of a message's content; function calls and files have no text."""
    parts = (content.parts if content else None) or ()
    return "\n".join(part.text for part in parts if part.text).strip()


def _turn(user: _User, event: Event, *, session: str | None) -> dict[str, Any]:
    """Return the statement that is recorded for a turn of a session."""
    when = iso(int(event.timestamp * 1000))
    said = _statement_of(user, _text(event.content), key=event.id, author=event.author, at=when)
    return said | ({"session": user.session(session)} if session else {})


def _statement(user: _User, entry: MemoryEntry) -> dict[str, Any]:
    when = _moment(entry.timestamp or "")
    return _statement_of(user, _text(entry.content), key=entry.id, author=entry.author, at=when)


def _moment(told: str) -> str | None:
    """Return the time of a statement.

    None if the time cannot be parsed: the framework writes it for a model, in any form.
    """
    try:
        return iso(instant(told))
    except UsageError:
        return None


def _statement_of(
    user: _User, text: str, *, key: str | None, author: str | None, at: str | None
) -> dict[str, Any]:
    key = key or sha256(dumps([text, author, at]).encode("ascii")).hexdigest()[:32]
    named = author if author and author.isprintable() and author.strip() else None
    known = SOURCE + key if key.isprintable() else None
    about = {"id": user.memory(key), "source": known, "speaker": named, "at": at}
    return {"text": text, "scope": user.scope, **about}


def _passed_on(metadata: Mapping[str, object] | None) -> dict[str, Any]:
    return {key: metadata[key] for key in _PASSED_ON if key in metadata} if metadata else {}


def _entry(user: _User, hit: Hit) -> MemoryEntry:
    """Return a hit in the format of ADK.

    Its id is the id of the event, if the memory was made from an event.
    """
    memory = hit.memory
    key = (memory.source or "").removeprefix(SOURCE)
    role = "user" if memory.speaker == "user" else "model"
    about = {"score": hit.score, "stale": hit.stale, "tags": list(memory.tags) or None}
    return MemoryEntry(
        id=key if user.memory(key) == memory.id else memory.id,
        content=Content(role=role, parts=[Part(text=memory.text)]),
        author=memory.speaker,
        timestamp=memory.at or memory.created_at,
        custom_metadata={name: value for name, value in about.items() if value is not None},
    )
