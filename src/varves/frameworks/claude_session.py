"""Stores copies of the transcripts of the Claude Agent SDK in a ledger.

A session can be resumed by any process that opens the same ledger. Each transcript, including each
subagent's, is a talk (a conversation in the ledger). An entry's `uuid` is its key, so a batch that
is sent twice is recorded only once. The SDK's summary of a session is stored as the note of its
newest entry.
"""

from __future__ import annotations

from asyncio import to_thread
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from claude_agent_sdk import SessionStore, fold_session_summary

from varves.values.instants import instant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claude_agent_sdk import (
        SessionKey,
        SessionListSubkeysKey,
        SessionStoreEntry,
        SessionStoreListEntry,
        SessionSummaryEntry,
    )

    from varves import Ledger
    from varves.talks.talk import Talk
    from varves.values.talks import Talked

PREFIX = "claude/"
_KEPT = 64  # the most talks that are cached with their keys
_LONGEST_KEY = 1024


class LedgerSessionStore(SessionStore):
    """The store for the SDK's transcripts; pass it in the options as `session_store`."""

    def __init__(self, ledger: Ledger, *, erase: bool = False) -> None:
        """Store copies of transcripts in a ledger.

        Args:
            ledger: the ledger.
            erase: whether `delete` erases the content from the disk, which takes seconds; otherwise
                it only hides the content.
        """
        self._ledger = ledger.through("agent")
        self._erase = erase
        self._talks: dict[str, Talk] = {}

    def _talk(self, name: str) -> Talk:
        talk = self._talks.pop(name, None) or self._ledger.talk(name)
        self._talks[name] = talk
        while len(self._talks) > _KEPT:
            self._talks.pop(next(iter(self._talks)), None)
        return talk

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Store a batch of entries; leave out entries whose `uuid` is already stored."""
        sums_up = key.get("subpath") is None

        def fold(before: Any, added: list[Any]) -> Any:
            return fold_session_summary(before, key, added)

        talk = self._talk(_name(key))
        keys = [_uuid(entry) for entry in entries]
        await to_thread(talk.append, entries, keys=keys, note=fold if sums_up else None)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Return a transcript, or None if it does not exist."""
        found = await to_thread(self._talk(_name(key)).entries)
        return [entry.value for entry in found] or None

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """Return the sessions of a project, without those of subagents."""
        found = await to_thread(self._mains, project_key)
        return [{"session_id": name, "mtime": instant(one.changed_at)} for name, one in found]

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """Return the summary of each session of a project."""
        found = await to_thread(self._mains, project_key)
        return [
            {"session_id": name, "mtime": instant(one.changed_at), "data": one.note["data"]}
            for name, one in found
            if isinstance(one.note, dict) and "data" in one.note
        ]

    async def delete(self, key: SessionKey) -> None:
        """Delete a transcript; if it is a session's, delete those of its subagents too."""
        await to_thread(self._delete, _name(key), whole=key.get("subpath") is None)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """Return the names of the subagents' transcripts in a session."""
        own = _name({"project_key": key["project_key"], "session_id": key["session_id"]})
        found = await to_thread(self._ledger.talks, own + "/")
        return [unquote(one.name[len(own) + 1 :]) for one in found]

    def _mains(self, project_key: str) -> list[tuple[str, Talked]]:
        prefix = f"{PREFIX}{_part(project_key)}/"
        found = ((one.name[len(prefix) :], one) for one in self._ledger.talks(prefix))
        return [(unquote(name), one) for name, one in found if "/" not in name]

    def _delete(self, name: str, *, whole: bool) -> None:
        for one in (name, *(self._below(name) if whole else ())):
            talk = self._talk(one)
            if self._erase:
                talk.purge(reason="the session was deleted")
            else:
                talk.delete()

    def _below(self, name: str) -> Iterator[str]:
        return (one.name for one in self._ledger.talks(name + "/"))


def _name(key: SessionKey) -> str:
    """Return the name under which a transcript is stored in the ledger.

    The parts of the name are quoted, so that different transcripts have different names.
    """
    parts = [key["project_key"], key["session_id"]]
    if key.get("subpath") is not None:
        parts.append(key["subpath"])
    return PREFIX + "/".join(map(_part, parts))


def _part(text: str) -> str:
    return quote(text, safe="")


def _uuid(entry: SessionStoreEntry) -> str | None:
    """Return the key of an entry; None for the few kinds that have none."""
    found = entry.get("uuid")
    fit = isinstance(found, str) and 0 < len(found) <= _LONGEST_KEY and found.isprintable()
    return found if fit else None
