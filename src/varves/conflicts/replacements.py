"""Conflicts between a memory of the project and a private memory of a session.

A private memory cannot replace a memory of the project. Until the private memory is shared or
dropped, both are listed as a conflict for a person to decide.
"""

from __future__ import annotations

from varves.errors import Refused
from varves.fold.conflicts import Conflict, conflict_id
from varves.index.where import Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from varves.index.port import Index

KIND = "replaced"
LINK = "replaces"


def replacements(index: Index, now: str) -> Iterator[Conflict]:
    """Yield a conflict for each private memory that would replace a memory of the project."""
    said = Where(linked=LINK, private=True, protocol="core", statuses=("active",), holds_at=now)
    for newer in index.memories(said):
        for name in newer.links.get(LINK, ()):
            older = index.memory(name)
            if older is None or not older.is_current(now) or older.kept == "private":
                continue
            yield Conflict(
                id=conflict_id(KIND, f"{older.id} {newer.id}"),
                kind=KIND,
                members=(newer, older),
                current=newer.id,
                reason="a session's private memory contradicts the project's memory",
            )


def replaced_decisions(index: Index) -> set[str]:
    """Return the decisions of conversations that a later decision has replaced."""
    later = Where(linked=LINK, protocol="deliberation", statuses=("active",))
    return {name for newer in index.memories(later) for name in newer.links.get(LINK, ())}


def resolvable(conflict: Conflict, choice: dict[str, str | None]) -> Conflict:
    """Return the conflict in a form that can be resolved here: the private memory is dropped.

    Raises:
        Refused: the choice would change the project's memory through a private one.
    """
    newer, older = conflict.members
    if choice["keep"] == older.id or choice["delete"] == newer.id:
        choice.update(keep=None, delete=newer.id)
        return conflict.replace(members=(newer,))
    raise Refused(
        f"{newer.id} is private, and {older.id} belongs to the project",
        f"run varves share {newer.id}, then correct or keep either memory; or keep {older.id}",
    )
