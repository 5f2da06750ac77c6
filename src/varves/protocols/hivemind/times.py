"""Times in the protocol's files: in the published form, without milliseconds if they are zero."""

from __future__ import annotations


def shown(time: str) -> str:
    """Return a time without zero milliseconds: `2025-12-18T00:00:00Z`."""
    return time.removesuffix(".000Z") + "Z" if time.endswith(".000Z") else time
