"""How instants stand in the protocol's files: as published, to the second where that is exact."""

from __future__ import annotations


def shown(time: str) -> str:
    """Write an instant without empty milliseconds: `2025-12-18T00:00:00Z`."""
    return time.removesuffix(".000Z") + "Z" if time.endswith(".000Z") else time
