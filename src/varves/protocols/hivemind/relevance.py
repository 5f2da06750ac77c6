"""Which scopes a task is about, and which of two memories that disagree is told.

Global is always relevant; a team's scope for a team's task, an agent's where one is assigned, the
project's where there is a project, and the running session's own. Where memories of two scopes
contradict each other the more specific one is told and the other steps back; nothing is written.
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
        "session": session.id if session else None,
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
    """Return the ids that step back, each with the id of the memory that stands.

    What is critical is always told.
    """
    found = shadowed(memories, LEVELS, first=COMPARED)
    may = {one.id for one in memories if one.priority != "critical"}
    for one in memories:  # said before, by a rule or a person
        found |= dict.fromkeys(one.links.get("overrides", ()), one.id)
    return {other: name for other, name in found.items() if other in may}
