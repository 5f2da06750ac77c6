"""Finds the later decisions that replaced decisions of the same conversation.

Both decisions stay active. The later one has a link to the earlier one, so that the earlier one is
current again if the later one is forgotten. This module finds the later decision of an earlier one.
"""

from __future__ import annotations

from varves.index.where import Where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from varves.index.port import Index
    from varves.recall.recall import Hit
    from varves.values.memory import Memory

PROTOCOL, DECISION = "deliberation", "decision"
LATER, EARLIER = "replaces", "replaced_by"


def replacements(index: Index, memories: Iterable[Memory]) -> dict[str, str]:
    """Return, by id, the decision that replaced each of these memories; others are left out."""
    asked = [one for one in memories if one.protocol == PROTOCOL and one.category == DECISION]
    found: dict[str, str] = {}
    for session in dict.fromkeys(one.session for one in asked):
        wish = Where(session=session, type=DECISION, linked=LATER, statuses=("active",))
        for later in index.memories(wish):
            found.update(dict.fromkeys(later.links.get(LATER, ()), later.id))
    return {one.id: found[one.id] for one in asked if found.get(one.id, one.id) != one.id}


def marked(index: Index, memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """Return the memories; a memory that was replaced gets a link to its replacement."""
    held = tuple(memories)
    found = replacements(index, held)
    return tuple(_marked(one, found[one.id]) if one.id in found else one for one in held)


def _marked(memory: Memory, by: str) -> Memory:
    return memory.replace(links={**memory.links, EARLIER: [by]})


def marked_hits(index: Index, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """Return the hits; a hit that was replaced gets a link, and follows its replacement."""
    found = replacements(index, (hit.memory for hit in hits))
    if not found:
        return hits
    made = [
        hit.replace(memory=_marked(hit.memory, found[hit.memory.id]))
        if hit.memory.id in found
        else hit
        for hit in hits
    ]
    for hit in [one for one in made if one.memory.id in found]:
        later = next((one for one in made if one.memory.id == found[hit.memory.id]), None)
        if later is not None and made.index(hit) < made.index(later):
            made.remove(hit)
            made.insert(made.index(later) + 1, hit)
    return tuple(made)
