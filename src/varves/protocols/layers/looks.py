"""The look of a node in a picture: two lines of text, and a colour for its kind or status."""

from __future__ import annotations

from varves.protocols.layers.grammar import FILE, PACK, SKILL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.protocols.layers.graph import Graph, GraphEntity

DONE, GOING, BLOCKED, OTHER = "done", "going", "blocked", "other"
_GOING = frozenset(("active", "in progress", "in-progress", "ongoing", "started", "wip", "doing"))
_BLOCKED = frozenset(("blocked", "failed", "failing", "broken", "on hold"))


def look(graph: Graph, entity: GraphEntity) -> str:
    """Return what sets an entity's colour: its kind or, for a skill, its status."""
    if entity.kind != SKILL:
        return entity.kind
    status = (entity.status or "").casefold()
    if status in graph.complete:
        return DONE
    if status in _GOING:
        return GOING
    return BLOCKED if status in _BLOCKED else OTHER


def label(entity: GraphEntity) -> tuple[str, str]:
    """Return the two lines of a node: its name and its details."""
    if entity.kind == FILE:
        return entity.id, entity.type or ""
    if entity.kind == PACK:
        known = f"{entity.completion}% of {entity.count}"
    else:
        known = entity.status or ""
    return entity.name, known if entity.name == entity.id else f"{entity.id} · {known}"


def printable(text: str) -> str:
    """Return a text with unprintable characters replaced."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
