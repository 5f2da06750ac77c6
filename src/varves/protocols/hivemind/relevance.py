"""The scopes relevant to a task, and the choice between memories that contradict each other.

The global scope and the scope of the running session are always relevant. A team's scope is
relevant for a team's task, an agent's scope if an agent is assigned, and the project's scope if
there is a project. If memories of two scopes contradict each other, only the more specific one is
shown; nothing is written.
"""

from __future__ import annotations

from varves.recall.shadow import shadowed
from varves.values.names import safe_name
from varves.values.scope import LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.protocols.hivemind.sessions import HivemindSession
    from varves.values.memory import Memory

COMPARED = 40
SENSITIVE = "sensitive"


def scopes_for(
    *,
    project: str | None = None,
    team: str | None = None,
    agent: str | None = None,
    session: HivemindSession | None = None,
) -> tuple[str, ...]:
    """Return the relevant scopes, the most specific first."""
    names = {
        "session": session.name if session else None,
        "agent": agent,
        "project": project,
        "team": team,
    }
    found = [
        f"{level}:{safe_name(name, f'{level} id')}"
        for level in LEVELS
        if (name := names.get(level))
    ]
    return (*found, "global")


def behind(memories: Sequence[Memory]) -> dict[str, str]:
    """Return the ids of memories to hide, each with the id of the memory to show instead.

    A critical memory is always shown.
    """
    found = shadowed(memories, LEVELS, first=COMPARED)
    may = {one.id for one in memories if one.priority != "critical"}
    for one in memories:  # decided earlier, by a rule or a person
        found |= dict.fromkeys(one.links.get("overrides", ()), one.id)
    return {other: name for other, name in found.items() if other in may}
