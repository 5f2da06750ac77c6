"""Scopes and the files of their entries."""

from __future__ import annotations

import re

from varves.errors import UnsafeName, UsageError
from varves.values.names import safe_name
from varves.values.text import quoted

SESSION, PROJECT, GLOBAL, TEAM = LEVELS = ("session", "project", "global", "team")
FOLDERS = ("memory/sessions", "memory/projects", "memory/global", "memory/teams")
RESERVED = ("current", "archive")  # used by the other protocol in the same tree

_STATE = re.compile(
    r"memory/(?:sessions/(?P<session>[^/]+)\.json|projects/(?P<project>[^/]+)/memory\.json"
    r"|teams/(?P<team>[^/]+)/memory\.json|(?P<global>global)/memory\.json)"
)


def scope_in(path: str) -> str | None:
    """Return the scope whose entries a file contains; None if it is not this protocol's file."""
    found = _STATE.fullmatch(path)
    if found is None:
        return None
    level = str(found.lastgroup)
    if level == GLOBAL:
        return GLOBAL
    try:
        return f"{level}:{name_of(found[level], level)}"
    except UnsafeName:
        return None


def path_of(scope: str) -> str:
    """Return the file of a scope."""
    level, _, name = scope.partition(":")
    if level == SESSION:
        return f"memory/sessions/{name}.json"
    if level == GLOBAL:
        return "memory/global/memory.json"
    return f"memory/{level}s/{name}/memory.json"


def logs_of(scope: str) -> tuple[str, ...]:
    """Return the logs from which a scope's file is made; a tracked file uses only the project's."""
    level = scope.partition(":")[0]
    if level == SESSION:
        return ("private",)
    if level == GLOBAL:
        return (GLOBAL,)
    return ("project", scope) if level == TEAM else ("project",)


def name_of(text: str, level: str) -> str:
    """Return an id if it is safe in a path and not reserved for the other protocol."""
    name = safe_name(text, f"{level} id")
    if name[0] == "_" or name.lower() in RESERVED:
        raise UnsafeName(f"reserved {level} id: {quoted(name)}", "take another name")
    return name


def split(scope: str, name: str | None) -> tuple[str, str | None]:
    """Parse a scope word, with its id after a colon or passed separately.

    Raises:
        UsageError: the word is unknown, or the id is given twice or where none is allowed.
        UnsafeName: the id could leave its folder.
    """
    if not isinstance(scope, str):
        raise UsageError("the scope is not a string", "use session, project, team or global")
    level, colon, inside = scope.partition(":")
    if level not in LEVELS:
        raise UsageError(f"unknown scope: {quoted(scope)}", "use session, project, team or global")
    if colon and name is not None:
        raise UsageError("the id is given twice", f"write {level} and the id once")
    given = inside if colon else name
    if given is None:
        return level, None
    if level == GLOBAL:
        raise UsageError("scope global takes no id", "write it as global")
    return level, name_of(given, level)
