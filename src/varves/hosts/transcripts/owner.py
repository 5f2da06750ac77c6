"""Checks, by the content of a transcript, whether the transcript belongs to a session.

Each client names the session near the top of its transcript. A file that names another session, or
none, does not belong to this session.
"""

from __future__ import annotations

from varves.hosts.transcripts import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

# the bytes that are searched for the session's name; Codex may write its instructions first
_TOP = 256 << 10
_HELD = {"codex": ("session_meta", "payload"), "copilot": ("session.start", "data")}


def owners(client: str, path: str) -> frozenset[str] | None:
    """Return the session names in a transcript; None if there is nothing to read yet."""
    found = lines.piece_of(path, 0, _TOP)
    if found is None or (b"\n" not in found[0] and len(found[0]) < _TOP):
        return None  # the file does not exist yet
    return _first(client, lines.parsed(found[0].rpartition(b"\n")[0]))


def _first(client: str, records: Iterable[dict[str, Any]]) -> frozenset[str]:
    kind, within = _HELD.get(client, ("", ""))
    for record in records:
        told = record.get(within) if kind and record.get("type") == kind else record
        if isinstance(told, dict) and (told is not record or not kind):
            names = (told.get(key) for key in ("sessionId", "session_id", "id"))
            named = frozenset(name for name in names if isinstance(name, str) and name)
            if named and (kind or isinstance(record.get("sessionId"), str)):
                return named
    return frozenset()
