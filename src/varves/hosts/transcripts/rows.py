"""Reads sessions that a client stores in its own database, which is opened read-only.

The offset is the number of the last row that was read. The database contains the sessions of every
project, so only rows of the current session are selected.
"""

from __future__ import annotations

from varves.hosts.signals import unquoted
from varves.hosts.transcripts.shapes import ToolCall, answer, arguments, said, texts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection
    from typing import Any

    from varves.values.signals import SessionMessage

    Rows = list[tuple[Any, ...]]

MOST = 2000  # the most rows of one read
LARGEST = 1 << 20  # in characters; a longer row is not read as a message
_WAIT = 0.2  # seconds to wait for a database that is being written

_GOOSE = (
    "select id, message_id, role, content_json, created_timestamp, metadata_json, ''"
    " from messages where session_id = ? and id > ? and length(content_json) < ?"
    " order by id limit ?"
)
_OPENCODE = (
    "select p.rowid, p.id, m.data, p.data, p.time_created, '', p.message_id"
    " from part p join message m on m.id = p.message_id"
    " where p.session_id = ? and p.rowid > ? and length(p.data) < ? order by p.rowid limit ?"
)
_NEWEST = "select id from message where session_id = ? order by time_created desc, id desc limit 1"


def rows(
    client: str, path: str, offset: int, *, session: str
) -> tuple[tuple[SessionMessage, ...], int]:
    """Return the messages of one session after a row, and the row to continue from."""
    import sqlite3

    read = _goose if client == "goose" else _opencode
    try:
        db = _opened(path)
    except (sqlite3.Error, OSError, ValueError):
        return (), offset
    try:
        return read(db, session, max(offset, 0))
    except (sqlite3.Error, ValueError, TypeError, RecursionError):
        return (), offset
    finally:
        db.close()


def _opened(path: str) -> Connection:
    import os
    import sqlite3
    from urllib.parse import quote

    if not os.path.isfile(path):
        raise OSError(path)
    return sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True, timeout=_WAIT)


def _instant(value: object, *, scale: int) -> str | None:
    from varves.values.instants import iso

    return iso(value * scale) if isinstance(value, int) and value > 0 else None


def _goose(db: Connection, session: str, offset: int) -> tuple[tuple[SessionMessage, ...], int]:
    found: list[SessionMessage] = []
    calls: dict[str, ToolCall] = {}
    for row in db.execute(_GOOSE, (session, offset, LARGEST, MOST)):
        offset = row[0]
        if _parsed(row[5]).get("userVisible") is False:
            continue  # a summary, or a text from the client to the agent
        blocks = _parsed_list(row[3])
        at, key = _instant(row[4], scale=1000), word(row[1]) or str(row[0])
        for block in blocks:
            _goose_tool(block, calls, found, at=at)
        if row[2] in ("user", "assistant"):
            found += said(row[2], texts(blocks), key=key, at=at)
    return tuple(found), offset


def _goose_tool(
    block: dict[str, Any],
    calls: dict[str, ToolCall],
    found: list[SessionMessage],
    *,
    at: str | None,
) -> None:
    name = str(block.get("id"))
    if block.get("type") == "toolRequest":
        value = _within(block, "toolCall", "value")
        calls[name] = ToolCall(tool=str(value.get("name")), given=arguments(value.get("arguments")))
    elif block.get("type") == "toolResponse":
        told, value = _within(block, "toolResult"), _within(block, "toolResult", "value")
        failed = told.get("status") == "error" or value.get("isError") is True
        text = texts(value.get("content")) or str(told.get("error") or "")
        found.append(answer(calls.get(name), text, ok=not failed, key=name, at=at))


def _opencode(db: Connection, session: str, offset: int) -> tuple[tuple[SessionMessage, ...], int]:
    newest = (db.execute(_NEWEST, (session,)).fetchone() or ("",))[0]
    found: list[SessionMessage] = []
    for row in db.execute(_OPENCODE, (session, offset, LARGEST, MOST)):
        message, part = _parsed(row[2]), _parsed(row[3])
        if row[6] == newest and _is_growing(message, part):
            break  # the row is still being written; the next read returns it
        offset = row[0]
        role, at = message.get("role"), _instant(row[4], scale=1)
        if part.get("synthetic") or part.get("ignored") or message.get("summary") is True:
            continue
        if part.get("type") == "tool":
            found.append(_opencode_tool(part, at=at))
        elif part.get("type") == "text" and role in ("user", "assistant"):
            text = unquoted(str(part.get("text") or "")) if role == "user" else part.get("text")
            found += said(str(role), str(text or ""), key=word(row[1]), at=at)
    return tuple(found), offset


def _is_growing(message: dict[str, Any], part: dict[str, Any]) -> bool:
    if message.get("role") != "assistant" or _within(message, "time").get("completed"):
        return False
    if part.get("type") == "tool":
        return _within(part, "state").get("status") not in ("completed", "error")
    return part.get("type") == "text" and not _within(part, "time").get("end")


def _opencode_tool(part: dict[str, Any], *, at: str | None) -> SessionMessage:
    state, meta = _within(part, "state"), _within(part, "state", "metadata")
    call = ToolCall(tool=str(part.get("tool")), given=_within(part, "state", "input"))
    text = state.get("output") or state.get("error") or ""
    ok = state.get("status") == "completed" and meta.get("exit") in (None, 0)
    return answer(call, str(text), ok=ok, key=word(part.get("callID")), at=at)


def _parsed(text: object) -> dict[str, Any]:
    return arguments(text) if isinstance(text, str) and text.startswith("{") else {}


def _parsed_list(text: object) -> list[dict[str, Any]]:
    from json import loads

    try:
        found = loads(text) if isinstance(text, str) else []
    except (ValueError, RecursionError):
        return []
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _within(value: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the object under nested keys; {} if one of the keys leads to no object."""
    for name in names:
        inner = value.get(name)
        if not isinstance(inner, dict):
            return {}
        value = inner
    return value
