"""Shadowing: a memory is hidden if a more specific scope repeats or contradicts it.

A memory is also hidden if another has a link which says that it replaces this memory in this clone,
or that a rule or a person prefers it to this memory; such a link comes before the scopes. Shadowing
happens at read time among the memories of one answer and changes nothing that is stored. Two rules
come before precedence: only a critical memory shadows a critical one, and no memory shadows one
with a higher trust.
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

FIRST = 30  # the number of memories of an answer that are compared


def shadowed(
    memories: Sequence[Memory], order: tuple[str, ...] | None = None, *, first: int = FIRST
) -> dict[str, str]:
    """Return the ids of shadowed memories, each with the id of the memory that shadows it.

    Args:
        memories: an answer, best first, of memories the caller may see.
        order: levels of scope, most specific first; by default the default profile's.
        first: how many memories are compared.
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
            decided = found.get(mine.id) == theirs.id
            if decided or specific >= general or not _stands(mine, theirs):
                continue
            if _speak(mine, theirs, gists):
                found.setdefault(theirs.id, mine.id)
                break
    return found


_LINKS = {"core": "replaces", "hivemind": "overrides"}
"""By protocol, the link from a memory to those that are hidden behind it."""


def _replaced(memories: Sequence[Memory]) -> dict[str, str]:
    """Return the memories that other memories of the answer replaced, with the replacements.

    Both are given as ids.
    """
    known = {one.id: one for one in memories}
    return {
        name: mine.id
        for mine in memories
        if mine.protocol in _LINKS and mine.status == "active"
        for name in mine.links.get(_LINKS[mine.protocol], ())
        if name in known and name != mine.id and _stands(mine, known[name])
    }


def _stands(mine: Memory, theirs: Memory) -> bool:
    """Return whether trust and priority allow the first memory to shadow the second."""
    if theirs.priority == "critical" and mine.priority != "critical":
        return False
    return mine.trust >= theirs.trust


def _speak(mine: Memory, theirs: Memory, gists: dict[str, Gist]) -> bool:
    """Return whether one memory repeats, updates or contradicts the other.

    `gists` is a cache of prepared texts.
    """
    one, other = gists[mine.id], gists[theirs.id]
    if mine.text != theirs.text and one.frame.isdisjoint(other.frame):
        return False
    older, newer = (one, other) if mine.at <= theirs.at else (other, one)
    return mine.text == theirs.text or relation(older, newer) is not None
