"""Reads Copilot CLI's events, which contain the user's words before the client adds text."""

from __future__ import annotations

from varves.hosts.transcripts.shapes import ToolCall, answer, arguments, said, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.signals import SessionMessage


def messages(records: list[dict[str, Any]]) -> list[SessionMessage]:
    """Return the messages of the user and of the agent, and the answers of tools."""
    calls: dict[str, ToolCall] = {}
    found: list[SessionMessage] = []
    for record in records:
        kind, told = record.get("type"), record.get("data")
        if not isinstance(told, dict) or told.get("parentToolCallId"):
            continue  # the messages of a subagent are addressed to the agent
        at, content = record.get("timestamp"), told.get("content")
        if kind in ("user.message", "assistant.message") and isinstance(content, str):
            if told.get("source") in (None, "user"):
                key = told.get("messageId") or record.get("id")
                found += said(kind.partition(".")[0], content, key=key, at=at)
        elif kind == "tool.execution_start":
            given = arguments(told.get("arguments"))
            calls[str(told.get("toolCallId"))] = ToolCall(
                tool=str(told.get("toolName")), given=given
            )
        elif kind == "tool.execution_complete":
            found.append(_answer(told, calls.get(str(told.get("toolCallId"))), at))
    return found


def _answer(told: dict[str, Any], call: ToolCall | None, at: object) -> SessionMessage:
    result, ran, edits = told.get("result"), told.get("shellExecution"), told.get("fileEdits")
    text = result.get("content") if isinstance(result, dict) else told.get("error")
    code = ran.get("exitCode") if isinstance(ran, dict) else None
    ok = bool(told.get("success")) and code in (None, 0)
    files = [one.get("path") for one in edits or () if isinstance(one, dict)]
    return answer(
        call,
        text if isinstance(text, str) else "",
        ok=ok,
        key=word(told.get("toolCallId")),
        at=word(at),
        files=tuple(one for one in files if isinstance(one, str)) if ok else (),
    )
