"""The id of a record that a person wrote into a file, computed from its place and content.

A read shows such a record before it is recorded, and each clone finds it independently. All of them
compute the id that the next write will record.
"""

from __future__ import annotations

from varves.events.codec import canonical
from varves.values.ids import memory_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from varves.protocols.port import Core


def made_id(*parts: str) -> str:
    """Return a memory id computed from the parts: the same parts always give the same id."""
    from hashlib import sha256

    return memory_of(sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest())


def found_id(core: Core, *parts: str) -> str:
    """Return the id of a record found in a file; skip ids that are in use or purged."""
    barred, place = core.barred(), 0
    while True:
        name = made_id("found", *parts, str(place))
        if name not in barred and core.memory(name) is None:
            return name
        place += 1


def said_in(content: Any) -> str:
    """Return a record as a part of an id: the same for the same keys and values."""
    return canonical(content).decode("ascii")
