"""Finds out which files a tool call wrote, and whether the call failed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_WRITERS = frozenset(
    (
        *("write", "write_file", "writefile", "create", "create_file", "insert", "replace"),
        *("edit", "edit_file", "multiedit", "multi_edit", "notebookedit", "edit_notebook"),
        *("str_replace", "str_replace_editor", "str_replace_based_edit_tool", "text_editor"),
        *("patch", "apply_patch", "search_replace", "afterfileedit"),
    )
)
_PATHS = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "filename")
_READING = ("view", "read", "undo_edit")  # commands of an editor that write no content
_PATCHED = ("*** Update File: ", "*** Add File: ", "*** Move to: ", "+++ b/")
_MOST = 50
_LONGEST = 1000  # the most characters of a path
_STATES = ("failure", "error", "failed", "denied", "rejected")


def written_by(tool: str, call: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files that a tool call has written, with the paths that the agent gave."""
    name = tool.rpartition("__")[2].rpartition(".")[2].lower()
    if name not in _WRITERS or call.get("command") in _READING:
        return ()
    found = dict.fromkeys(_named(call))
    return tuple(found)[:_MOST]


def _named(call: Mapping[str, Any]) -> Iterator[str]:
    for key in _PATHS:
        path = call.get(key)
        if isinstance(path, str) and _is_path(path):
            yield path
    for key in ("input", "patch", "patchText", "command"):
        patch = call.get(key)
        lines = patch if isinstance(patch, list) else [patch]
        for text in lines:
            if isinstance(text, str) and any(mark in text for mark in _PATCHED):
                yield from _patched(text)


def _patched(patch: str) -> Iterator[str]:
    for line in patch.split("\n"):
        for mark in _PATCHED:
            path = line.removeprefix(mark).strip()
            if line.startswith(mark) and _is_path(path):
                yield path


def _is_path(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.isprintable()


def has_failed(result: Any) -> bool:
    """Return whether a tool's answer reports that the call failed."""
    if not isinstance(result, dict):
        return False
    if result.get("is_error") is True or result.get("isError") is True or result.get("error"):
        return True
    if result.get("success") is False or result.get("interrupted") is True:
        return True
    code = next((result[key] for key in ("exit_code", "exitCode", "code") if key in result), 0)
    if isinstance(code, int) and code != 0:
        return True
    return str(result.get("resultType", result.get("status", ""))).lower() in _STATES


def command_of(call: Mapping[str, Any]) -> str:
    """Return the command line that a tool call ran; "" if it ran none."""
    command = next((call[key] for key in ("command", "cmd", "script") if call.get(key)), "")
    command = " ".join(map(str, command)) if isinstance(command, list) else command
    return command if isinstance(command, str) else ""


def said_of(call: Mapping[str, Any], result: Any, error: str) -> str:
    """Return one line with a tool call and its error message."""
    command = command_of(call)
    answer = result if isinstance(result, dict) else {"output": result}
    keys = ("error", "stderr", "textResultForLlm", "output", "stdout")
    said = error or next((text for key in keys if isinstance(text := answer.get(key), str)), "")
    parts = (command, said)
    return " ".join(": ".join(part for part in parts if part).split())
