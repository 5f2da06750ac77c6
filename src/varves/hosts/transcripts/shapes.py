"""Parses what transcripts of all clients have in common: texts, tools' calls and answers."""

from __future__ import annotations

from varves.values.signals import SessionMessage
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST = 64 << 10  # the most characters of a tool's answer that are kept, half of them from each end
_SHELLS = (
    *("bash", "shell", "exec_command", "run_shell_command", "local_shell", "shell_command"),
    *("terminal", "run_terminal_cmd", "container.exec", "developer__shell", "execute_command"),
)
_WRITERS = (
    *("edit", "write", "multiedit", "notebookedit", "replace", "write_file", "apply_patch"),
    *("create", "str_replace_editor", "text_editor", "writefile", "patch", "edit_file"),
    *("developer__text_editor", "str_replace", "insert", "save_file"),
)
_PATHS = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file")
_COMMANDS = ("command", "cmd", "script")
_PATCHED = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_EXITED = ("Process exited with code ", "Exit code: ", "Exit Code: ", "exit code ")


class ToolCall(Value):
    """A call of a tool by an agent."""

    tool: str
    given: dict[str, Any] = {}  # noqa: RUF012 - values are frozen


def texts(content: Any) -> str:
    """Return the text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    kinds = ("text", "input_text", "output_text", None)
    parts = [
        one.get("text")
        for one in content
        if isinstance(one, dict) and one.get("type") in kinds and not one.get("thought")
    ]
    return "\n".join(part for part in parts if isinstance(part, str))


def arguments(given: Any) -> dict[str, Any]:
    """Return the arguments of a call.

    Some clients write them as JSON in a string.
    """
    if isinstance(given, str):
        from json import loads

        try:
            given = loads(given)
        except (ValueError, RecursionError):
            return {"command": given}
    return given if isinstance(given, dict) else {}


def answer(
    call: ToolCall | None,
    text: str,
    *,
    ok: bool | None,
    key: str | None,
    at: str | None,
    files: tuple[str, ...] = (),
) -> SessionMessage:
    """Return a tool's answer as a message.

    If the tool is a shell, the message has the command.
    """
    if len(text) > MOST:
        text = f"{text[: MOST // 2]}\n{text[-MOST // 2 :]}"
    tool = call.tool if call else None
    command = _command(call) if call else ""
    if ok is None:
        ok = _exit(text)
    if not files and call is not None and ok is not False:
        files = _written(call, command)
    return SessionMessage(
        role="tool",
        text=text,
        tool=tool,
        call=command or None,
        ok=ok,
        key=key,
        at=at,
        files=files,
    )


def said(role: str, text: str, *, key: object, at: object) -> list[SessionMessage]:
    """Return a list with one message, or an empty list if the text is empty."""
    if not text.strip():
        return []
    return [SessionMessage(role=role, text=text, key=word(key), at=word(at))]


def word(value: object) -> str | None:
    """Return the value if it is a non-empty string, otherwise None."""
    return value if isinstance(value, str) and value else None


def _command(call: ToolCall) -> str:
    if call.tool.lower().rpartition("__")[2] not in _SHELLS:
        return ""
    for name in _COMMANDS:
        given = call.given.get(name)
        if isinstance(given, list):
            parts = [part for part in given if isinstance(part, str)]
            given = parts[-1] if parts[1:2] in (["-lc"], ["-c"]) else " ".join(parts)
        if isinstance(given, str) and given.strip():
            return given.strip()
    return ""


def _written(call: ToolCall, command: str) -> tuple[str, ...]:
    """Return the files that a call wrote, if it names them."""
    named = [call.given.get(name) for name in _PATHS]
    if call.tool.lower() in _WRITERS and any(named):
        # this editor can also read files
        looked = call.given.get("command") in ("view", "undo_edit")
        return () if looked else tuple(one for one in named if isinstance(one, str))[:1]
    patches = [command, *(one for one in call.given.values() if isinstance(one, str))]
    found: dict[str, None] = {}
    for patch in patches:
        if "*** Begin Patch" not in patch:
            continue
        for line in patch.splitlines():
            for mark in _PATCHED:
                if line.startswith(mark):
                    found[line.removeprefix(mark).strip()] = None
    return tuple(found)


def _exit(text: str) -> bool | None:
    """Return whether a command succeeded; None if its output does not report the exit code."""
    for part in (text[:400], text[-400:]):
        for mark in _EXITED:
            _, found, rest = part.rpartition(mark)
            digits = rest[:4].strip().rstrip(">").split("\n")[0].split(" ")[0]
            if found and digits.lstrip("-").isdigit():
                return digits == "0"
    return None
