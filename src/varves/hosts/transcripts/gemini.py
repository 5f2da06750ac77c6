"""Reads Gemini CLI's chat files, in which a record is written again after its tools answered.

A `$set` record contains the whole chat again, with text that the client added.
"""

from __future__ import annotations

from varves.hosts.transcripts.shapes import ToolCall, answer, arguments, said, texts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.signals import SessionMessage

_ROLES = {"user": "user", "gemini": "assistant"}


def messages(records: list[dict[str, Any]]) -> list[SessionMessage]:
    """Return the messages of the user and of the agent, and the answers of tools."""
    found: list[SessionMessage] = []
    for record in records:
        role = _ROLES.get(str(record.get("type")))
        if role is None:
            continue
        key, at = record.get("id"), record.get("timestamp")
        found += said(role, texts(record.get("content")), key=key, at=at)
        calls = record.get("toolCalls")
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict) and call.get("result") is not None:
                found.append(_answer(call, at))
    return found


def _answer(call: dict[str, Any], at: object) -> SessionMessage:
    told = ToolCall(tool=str(call.get("name")), given=arguments(call.get("args")))
    text = _output(call["result"])
    ok = False if call.get("status") in ("error", "cancelled") else None
    made = answer(told, text, ok=ok, key=word(call.get("id")), at=word(at))
    return made.replace(ok=True) if made.ok is None and call.get("status") == "success" else made


def _output(result: Any) -> str:
    """Return a tool's answer: plain, or inside the provider's function responses."""
    if isinstance(result, str):
        return result
    parts = []
    for one in result if isinstance(result, list) else [result]:
        response = one.get("functionResponse") if isinstance(one, dict) else None
        told = response.get("response") if isinstance(response, dict) else None
        if isinstance(told, dict):
            said_so = told.get("output", told.get("error", ""))
            parts.append(said_so if isinstance(said_so, str) else texts(said_so))
        elif isinstance(one, dict) and isinstance(one.get("text"), str):
            parts.append(one["text"])
    text = "\n".join(parts).strip()
    inner = text.removeprefix("<untrusted_context>").removesuffix("</untrusted_context>")
    return inner.strip("\n")
