"""Determines which memory supersedes which at present; both sides of a link are derived alike.

The links of a record are its history: a restored memory keeps the link to what once superseded it,
and after a merge of two branches two memories may have superseded the same one. A file shows the
present. As long as a memory is out of use, it is superseded by the last memory that replaced it,
and by no other.
"""

from __future__ import annotations

from varves.protocols.hivemind.tree import LIVE
from varves.values.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.values.memory import Memory

    Find = Callable[[str], Memory | None]
    """Returns a memory by id."""

SUPERSEDES, SUPERSEDED_BY = "supersedes", "superseded_by"


class Succession(Value):
    """Which memories a memory supersedes now, and which one supersedes it."""

    supersedes: tuple[str, ...]
    """The oldest link first."""
    superseded_by: str | None
    formerly: tuple[str, ...]
    """The retired memories that another memory superseded later."""


def succession(memory: Memory, find: Find) -> Succession:
    """Return the links of a memory that are true now.

    Only memories of the same scope and log are looked up: a file must not depend on a scope that
    may be stored elsewhere. A link to any other memory is shown as recorded.
    """
    by = _last(memory)
    holds, formerly = [], []
    for name in memory.links.get(SUPERSEDES, ()):
        other = find(name)
        near = other is not None and (other.scope, other.kept) == (memory.scope, memory.kept)
        if other is None or not near:
            holds += [name] if name != by else []
        elif _last(other) == memory.id:
            holds.append(name)
        elif _last(other) is not None:
            formerly.append(name)
    return Succession(supersedes=tuple(holds), superseded_by=by, formerly=tuple(formerly))


def _last(memory: Memory) -> str | None:
    """Return the memory that last superseded a retired memory."""
    names = () if memory.status in LIVE else memory.links.get(SUPERSEDED_BY, ())
    return names[-1] if names else None
