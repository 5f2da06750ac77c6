"""Reads Claude Code's transcripts: messages in the model provider's format, and other records."""

from __future__ import annotations

from varves.hosts.transcripts.shapes import ToolCall, answer, said, texts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.signals import SessionMessage

_NOT_SAID = (
    *("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly"),
    "isApiErrorMessage",
)


def messages(records: list[dict[str, Any]]) -> list[SessionMessage]:
    """Return the messages of the user and of the agent, and the answers of tools."""
    calls: dict[str, ToolCall] = {}
    found: list[SessionMessage] = []
    for record in records:
        kind, message = record.get("type"), record.get("message")
        if kind not in ("user", "assistant") or not isinstance(message, dict):
            continue
        if any(record.get(name) for name in _NOT_SAID):
            continue
        content = message.get("content")
        blocks = content if isinstance(content, list) else []
        for place, block in enumerate(blocks):
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                given = block.get("input")
                calls[block["id"]] = ToolCall(
                    tool=str(block.get("name")), given=given if isinstance(given, dict) else {}
                )
            elif block.get("type") == "tool_result" and kind == "user":
                found.append(_answer(record, block, place, calls))
        found += said(kind, texts(content), key=record.get("uuid"), at=record.get("timestamp"))
    return found


def _answer(
    record: dict[str, Any], block: dict[str, Any], place: int, calls: dict[str, ToolCall]
) -> SessionMessage:
    name = word(block.get("tool_use_id"))
    return answer(
        calls.get(name or ""),
        texts(block.get("content")),
        ok=not block.get("is_error"),
        key=name or f"{record.get('uuid')}.{place}",
        at=word(record.get("timestamp")),
    )
