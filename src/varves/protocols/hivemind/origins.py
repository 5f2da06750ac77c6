"""Reads files of other tools: parses their bytes, and finds the scope of their folder."""

from __future__ import annotations

import json

from varves.errors import VarvesError
from varves.events.codec import lawful
from varves.values.names import safe_name
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDERS = {"teams": "team", "agents": "agent", "projects": "project", "sessions": "session"}
_TOPS = (
    *("global", *FOLDERS, "archive", "long-term", "short-term", "episodic", "user"),
    *("learnings", "ops", "schemas"),
)


class UnreadFile(Value):
    """A file that cannot be imported; its bytes are not changed."""

    path: str
    line: int
    message: str


def parsed(raw: bytes) -> tuple[Any, list[str]]:
    """Return the content of a file, and the keys that occur twice in one object."""
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            names = [key for key, _ in found]
            twice.extend(key for key in made if names.count(key) > 1)
        return made

    content = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=pairs)
    lawful(content)
    json.dumps(content, ensure_ascii=False).encode("utf-8")  # refuse lone surrogates
    return content, twice


def unread(path: str, fault: Exception) -> UnreadFile:
    """Return the reason that a file cannot be imported."""
    line = getattr(fault, "lineno", 0)
    if isinstance(fault, VarvesError):
        return UnreadFile(path=path, line=0, message=fault.message)
    if isinstance(fault, UnicodeError):
        return UnreadFile(path=path, line=0, message="not UTF-8 text")
    return UnreadFile(path=path, line=line, message="not JSON" if line else "nested too deep")


def below(path: str) -> list[str]:
    """Return the parts of a path below the root of the memory tree."""
    parts = path.split("/")
    if "memory" in parts[:-1]:
        return parts[len(parts) - parts[::-1].index("memory") :]
    tops = [number for number, part in enumerate(parts[:-1]) if part in _TOPS]
    return parts[tops[0] :] if tops else parts


def folder_scope(path: str) -> str | None:
    """Return the scope that a file's folder stands for, or None."""
    parts = below(path)
    if parts[0] == "global" and len(parts) > 1:
        return "global"
    level = FOLDERS.get(parts[0])
    if level is None or len(parts) < 3 or parts[1] == "archive":
        return None
    try:
        return f"{level}:{safe_name(parts[1], 'scope id')}"
    except VarvesError:
        return None
