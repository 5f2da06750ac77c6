"""Shadowing: a memory steps back where a more specific scope says the same or says otherwise.

So does one that a newer memory names as replaced: that was said otherwise since, in this clone.
It happens at read time, between the memories of one answer, and changes nothing that is stored.
Two guards come before precedence: what is critical steps back only for what is critical, and
nothing steps back for what is trusted less.
"""

from __future__ import annotations

from varves.recall.likeness import relation
from varves.recall.scopes import precedence, rank
from varves.values.gist import gist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.values.gist import Gist
    from varves.values.memory import Memory

FIRST = 30  # memories of an answer that are compared


def shadowed(
    memories: Sequence[Memory], order: tuple[str, ...] | None = None, *, first: int = FIRST
) -> dict[str, str]:
    """Return the ids that are shadowed, each with the id of the memory that stands.

    Args:
        memories: an answer, best first, of what the asker may see.
        order: levels of scope, the most specific first; by default the default profile's.
        first: how many of them are compared.
    """
    order = order or precedence()
    found = _replaced(memories)
    placed = [
        (place, one) for one in memories[:first] if (place := rank(one.scope, order)) is not None
    ]
    if len({place for place, _ in placed}) < 2:
        return found
    placed.sort(key=lambda pair: pair[0])
    gists = {one.id: gist(one.text) for _, one in placed}
    for at, (general, theirs) in enumerate(placed):
        for specific, mine in placed[:at]:
            if specific < general and _stands(mine, theirs) and _speak(mine, theirs, gists):
                found[theirs.id] = mine.id
                break
    return found


def _replaced(memories: Sequence[Memory]) -> dict[str, str]:
    """Return the memories that others of an answer replace, each with the one that does."""
    known = {one.id: one for one in memories}
    return {
        name: mine.id
        for mine in memories
        if mine.protocol == "core" and mine.status == "active"
        for name in mine.links.get("replaces", ())
        if name in known and name != mine.id and _stands(mine, known[name])
    }


def _stands(mine: Memory, theirs: Memory) -> bool:
    """Tell whether neither guard keeps a memory from stepping back."""
    if theirs.priority == "critical" and mine.priority != "critical":
        return False
    return mine.trust >= theirs.trust


def _speak(mine: Memory, theirs: Memory, gists: dict[str, Gist]) -> bool:
    """Tell whether one says the same as the other, updates it or contradicts it."""
    one, other = gists[mine.id], gists[theirs.id]
    if mine.text != theirs.text and one.frame.isdisjoint(other.frame):
        return False
    older, newer = (one, other) if mine.at <= theirs.at else (other, one)
    return mine.text == theirs.text or relation(older, newer) is not None
