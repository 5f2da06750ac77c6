"""Reads Codex's transcripts, which contain everything twice, as an event and as an item.

Only the items are read.
"""

from __future__ import annotations

from varves.hosts.transcripts.shapes import ToolCall, answer, arguments, said, texts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.values.signals import SessionMessage

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_ANSWERS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


def messages(records: list[dict[str, Any]]) -> list[SessionMessage]:
    """Return the messages of the user and of the agent, and the answers of tools."""
    calls: dict[str, ToolCall] = {}
    found: list[SessionMessage] = []
    for record in records:
        one = record.get("payload")
        if record.get("type") != "response_item" or not isinstance(one, dict):
            continue
        kind, name = one.get("type"), word(one.get("call_id"))
        if kind in _CALLS and name is not None:
            calls[name] = _call(one)
        elif kind in _ANSWERS:
            found.append(_answer(record, one, calls.get(name or "")))
        elif kind == "message" and one.get("role") in ("user", "assistant") and _is_own(one):
            key = one.get("id") or f"{record.get('ordinal')}"
            found += said(
                one["role"], texts(one.get("content")), key=key, at=record.get("timestamp")
            )
    return found


def _call(one: dict[str, Any]) -> ToolCall:
    given = arguments(one.get("arguments") or one.get("input") or one.get("action"))
    return ToolCall(tool=str(one.get("name") or "shell"), given=given)


def _answer(record: dict[str, Any], one: dict[str, Any], call: ToolCall | None) -> SessionMessage:
    output: Any = one.get("output")
    ok: Any = None
    if isinstance(output, str) and output.startswith("{"):
        told = arguments(output)
        meta = told.get("metadata")
        code = meta.get("exit_code") if isinstance(meta, dict) else None
        if isinstance(told.get("output"), str):
            output, ok = told["output"], None if code is None else code == 0
    elif isinstance(output, dict):
        output, ok = output.get("content"), output.get("success")
    return answer(
        call,
        texts(output),
        ok=ok if isinstance(ok, bool) else None,
        key=word(one.get("call_id")) or f"{record.get('ordinal')}",
        at=word(record.get("timestamp")),
    )


def _is_own(one: dict[str, Any]) -> bool:
    """Return whether a user message was typed by the user, and not added by the harness."""
    about = one.get("internal_chat_message_metadata_passthrough")
    told = about.get("content_item_metadata") if isinstance(about, dict) else None
    if one["role"] != "user" or not isinstance(told, list):
        return True
    sources = [part.get("provenance") for part in told if isinstance(part, dict)]
    kinds = [source.get("type") for source in sources if isinstance(source, dict)]
    return not kinds or "user" in kinds
