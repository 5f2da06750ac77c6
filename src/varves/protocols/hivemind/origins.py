"""Foreign files as they are found: what their bytes say, and which scope their folder means."""

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
    """A file that cannot be taken in; its bytes stay where they are."""

    path: str
    line: int
    message: str


def parsed(raw: bytes) -> tuple[Any, list[str]]:
    """Return what a file says, and the keys it says twice in one object."""
    twice: list[str] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(found)
        if len(made) < len(found):
            names = [key for key, _ in found]
            twice.extend(key for key in made if names.count(key) > 1)
        return made

    content = json.loads(raw.decode("utf-8-sig"), object_pairs_hook=pairs)
    lawful(content)
    json.dumps(content, ensure_ascii=False).encode("utf-8")  # no half characters
    return content, twice


def unread(path: str, fault: Exception) -> UnreadFile:
    """Say why a file cannot be taken in."""
    line = getattr(fault, "lineno", 0)
    if isinstance(fault, VarvesError):
        return UnreadFile(path=path, line=0, message=fault.message)
    if isinstance(fault, UnicodeError):
        return UnreadFile(path=path, line=0, message="not UTF-8 text")
    return UnreadFile(path=path, line=line, message="not JSON" if line else "nested too deep")


def below(path: str) -> list[str]:
    """Return a path's parts below the tree's own root, wherever that lies."""
    parts = path.split("/")
    if "memory" in parts[:-1]:
        return parts[len(parts) - parts[::-1].index("memory") :]
    tops = [number for number, part in enumerate(parts[:-1]) if part in _TOPS]
    return parts[tops[0] :] if tops else parts


def folder_scope(path: str) -> str | None:
    """Return the scope that a file's folder means, if it means one."""
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
