"""Turns the JSON that a coding agent writes to a hook's stdin into a signal.

The option `--client` names the client. Without it, the client is recognised by a field that only
its JSON has, then by its environment variables, which a nested session may have inherited. The
default is Claude Code.
"""

from __future__ import annotations

from varves.errors import UsageError
from varves.hosts.clients import ALSO, CLIENTS, DEFAULT
from varves.values.signals import SessionMessage, Signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_WHITE = " \t\n\r"
_LONGEST_NAME = 100
_LONGEST_PATH = 4096
# the most objects and lists in the JSON; each needs much more memory than its text
_MOST_PARTS = 250_000
# the most characters of an error message that are read; a secret that is cut in two is not masked
_SAID = 4000
_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."


def parse(content: bytes) -> dict[str, Any]:
    """Read the JSON object on stdin.

    Raises:
        UsageError: stdin does not contain a JSON object.
    """
    if content.count(b"{") + content.count(b"[") > _MOST_PARTS:
        raise UsageError("stdin has too many parts", "a coding agent must call this verb")
    try:
        text = content.decode("utf-8-sig")
        found = _loads(text)
    except (ValueError, RecursionError):
        raise UsageError("stdin is not JSON", "a coding agent must call this verb") from None
    if not isinstance(found, dict):
        raise UsageError("stdin is not a JSON object", "a coding agent must call this verb")
    return found


def _loads(text: str) -> Any:
    """Parse a JSON text with the standard library's scanner.

    To import `json` would take half the start-up time.
    """
    try:
        from _json import make_scanner
    except ImportError:
        from json import loads

        return loads(text)
    text = text.strip(_WHITE)
    try:
        found, end = make_scanner(_Reading)(text, 0)  # type: ignore[arg-type]
    except StopIteration:
        raise ValueError("not JSON") from None
    if end != len(text):
        raise ValueError("more than one document")
    return found


class _Reading:
    """The options that the standard library's JSON scanner reads."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def signal_of(
    sent: Mapping[str, Any],
    *,
    event: str | None,
    client: str | None,
    hints: Mapping[str, str],
) -> Signal:
    """Return an agent's call of a hook as a signal, in a form common to all agents.

    Raises:
        UsageError: the client or the event is unknown.
    """
    name = ALSO.get(client or "", client) or _detected(sent, event, hints)
    if name not in CLIENTS:
        raise UsageError(f"unknown client {name!a}", f"use one of {', '.join(CLIENTS)}")
    moments = CLIENTS[name].moments
    said = _text(sent, "hook_event_name", "event") or None
    called = said if said in moments else event or said or ""
    if called not in moments:
        raise UsageError(f"{name} has no event {called!a}", "see varves hook --help")
    moment = moments[called]
    agent = _text(sent, "agent_id", "agentId", "subagent_id") or None
    return Signal(
        client=name,
        moment=moment,
        event=called,
        session=_session(sent, hints if name == "gemini" else {}),
        folder=_folder(sent, name, hints),
        prompt=_prompt(sent, name) if moment == "prompt" else "",
        source=_source(sent, called) if moment in ("start", "end", "compact") else "",
        message=_message(sent, moment, called),
        transcript=_transcript(sent, called),
        agent=clean(agent) if agent else None,
    )


def messages_of(sent: Mapping[str, Any]) -> tuple[SessionMessage, ...]:
    """Return the messages that the plugin of Varves for OpenCode has sent with a call."""
    found = sent.get("messages")
    return tuple(
        SessionMessage(
            role=one["role"],
            text=unquoted(_text(one, "text")) if one["role"] == "user" else _text(one, "text"),
            key=_text(one, "key") or None,
            at=_text(one, "at") or None,
        )
        for one in (found if isinstance(found, list) else ())
        if isinstance(one, dict) and one.get("role") in ("user", "assistant", "tool")
    )


def _prompt(sent: Mapping[str, Any], client: str) -> str:
    text = _text(sent, "prompt", "user_prompt")
    return unquoted(text) if client == "opencode" else text


def unquoted(text: str) -> str:
    """Return a prompt without the quotation marks that the command line of OpenCode adds."""
    inner = text[1:-1]
    whole = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in inner.replace('\\"', "")
    return inner.replace('\\"', '"') if whole else text


def _detected(sent: Mapping[str, Any], event: str | None, hints: Mapping[str, str]) -> str:
    """Return the name of the client that called the hook."""
    if isinstance(sent.get("client"), str):
        return str(sent["client"])
    if "turn_id" in sent or _is_rollout(_text(sent, "transcript_path")):
        return "codex"
    if "cursor_version" in sent or "conversation_id" in sent or "workspace_roots" in sent:
        return "cursor"
    if "sessionId" in sent:
        return "copilot"
    if "event" in sent and "hook_event_name" not in sent:
        return "goose"
    called = _text(sent, "hook_event_name") or event or ""
    if called in CLIENTS["gemini"].moments and called not in CLIENTS[DEFAULT].moments:
        return "gemini"
    return _hinted(hints)


def _hinted(hints: Mapping[str, str]) -> str:
    if "GEMINI_SESSION_ID" in hints:
        return "gemini"
    if "COPILOT_CLI" in hints:
        return "copilot"
    return "cursor" if "CURSOR_PLUGIN_ROOT" in hints else DEFAULT


def _is_rollout(path: str) -> bool:
    return path.rpartition("/")[2].startswith("rollout-")


def _session(sent: Mapping[str, Any], hints: Mapping[str, str]) -> str | None:
    found = _text(sent, "session_id", "sessionId", "conversation_id", "sessionID")
    found = found or hints.get("GEMINI_SESSION_ID", "")
    return clean(found) if found else None


def clean(name: str) -> str:
    """Return a name in a form that is safe in a path; names that are safe are unchanged.

    A changed name gets a digest of the original, so that different names stay different.
    """
    kept = "".join(letter if letter in _SAFE else "-" for letter in name[:_LONGEST_NAME])
    kept = kept.strip(".")
    if kept == name:
        return kept
    from hashlib import blake2b

    drawn = blake2b(name.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return f"{kept[: _LONGEST_NAME - 13]}-{drawn}"


def _folder(sent: Mapping[str, Any], client: str, hints: Mapping[str, str]) -> str | None:
    """Return the folder in which the session started, not the agent's current folder.

    Learnings of one project must not be recorded in another project that the agent visits.
    """
    named = {"claude": "CLAUDE_PROJECT_DIR", "gemini": "GEMINI_PROJECT_DIR"}.get(client, "")
    if client == "cursor":
        named = "CURSOR_PROJECT_DIR"
        roots = sent.get("workspace_roots")
        if isinstance(roots, list) and roots and isinstance(roots[0], str):
            return roots[0]
    return hints.get(named) or _text(sent, "cwd", "working_dir", "workingDir") or None


def _source(sent: Mapping[str, Any], event: str) -> str:
    if event == "session.compacted":
        return "compact"
    return _text(sent, "source", "reason", "trigger")


def _transcript(sent: Mapping[str, Any], event: str) -> str | None:
    names = ("transcript_path", "transcriptPath")
    if event.lower() == "subagentstop":
        names = ("agent_transcript_path", "agentTranscriptPath")
    path = _text(sent, *names)
    return path if 0 < len(path) <= _LONGEST_PATH and "\0" not in path else None


def _message(sent: Mapping[str, Any], moment: str, event: str) -> SessionMessage | None:
    """Return the message in a hook's input: a tool's answer, or the agent's last message."""
    if moment == "tool":
        return _tool(sent, event)
    if moment != "stop":
        return None
    said = _text(sent, "last_assistant_message", "prompt_response", "lastAssistantMessage")
    return SessionMessage(role="assistant", text=said) if said else None


def _tool(sent: Mapping[str, Any], event: str) -> SessionMessage | None:
    """Return the result of a call: the files it wrote, or its failure."""
    from varves.hosts.calls import command_of, has_failed, said_of, written_by

    name = _text(sent, "tool_name", "toolName") or event
    given = sent.get("tool_input", sent.get("toolArgs", sent.get("tool_args")))
    if isinstance(given, str):
        try:
            given = _loads(given)
        except (ValueError, RecursionError):
            given = {"input": given}
    call = given if isinstance(given, dict) else dict(sent)
    result = next(
        (sent[key] for key in ("tool_response", "toolResult", "tool_output") if key in sent), None
    )
    failed = event.endswith("Failure") or sent.get("ok") is False or has_failed(result)
    files = () if failed else written_by(name, call)
    ran = _sound(command_of(call)[:_SAID]) if not files else ""
    if not failed and not files and not ran:
        return None
    text = said_of(call, result, _text(sent, "error"))[:_SAID] if failed else ""
    return SessionMessage(
        role="tool", text=_sound(text), tool=name, call=ran or None, ok=not failed, files=files
    )


def _text(sent: Mapping[str, Any], *names: str) -> str:
    """Return the first of the named fields that is a string and not empty; otherwise ""."""
    for name in names:
        found = sent.get(name)
        if isinstance(found, str) and found:
            return _sound(found)
    return ""


def _sound(text: str) -> str:
    """Return a text without lone surrogates, which are valid in JSON but not in a file."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
