"""Scopes: where a memory is visible, such as `project`, `agent:alice` or `team:core`."""

from __future__ import annotations

from varves.errors import UsageError
from varves.values.names import safe_name
from varves.values.text import quoted

LEVELS = ("session", "agent", "project", "team", "global")
NAMED = ("session", "agent", "team")
CONVERSING = "deliberation"  # the protocol whose sessions are visible to all agents
PERSON = "USER"  # as an actor: the person for whom all agents work


def scope(text: str, *, session: str | None = None, actor: str | None = None) -> str:
    """Read a scope; a missing id is filled in from the caller's session or actor.

    Raises:
        UsageError: the level is unknown or an id is missing.
        UnsafeName: the id, used as a file name, could lead out of its folder.
    """
    level, _, name = text.partition(":")
    if level not in LEVELS:
        raise UsageError(
            f"unknown scope: {quoted(text)}", "use session, agent, project, team or global"
        )
    if not name:
        name = {"session": session or "", "agent": actor or ""}.get(level, "")
    if level in NAMED and not name:
        raise UsageError(f"scope {level} needs an id", f"write it as {level}:NAME")
    if level == "global" and name:
        raise UsageError("scope global takes no id", "write it as global")
    return f"{level}:{safe_name(name, 'scope id')}" if name else level


def level_of(text: str) -> str:
    """Return the level of a scope, such as `agent` for `agent:alice`."""
    return text.partition(":")[0]


def may_see(scope: str, *, actor: str, session: str | None) -> bool:
    """Return whether a caller may see memories of a scope.

    A session's memories are visible to that session only. An agent's own memories are visible to
    that agent and to the person for whom all agents work. All others are visible to every reader of
    their log.
    """
    level, _, name = scope.partition(":")
    if level == "session":
        return name == session
    return level != "agent" or actor in (PERSON, name)
