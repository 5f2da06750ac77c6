"""The error for a published file that cannot be read."""

from __future__ import annotations


class Unreadable(Exception):
    """A file of a protocol cannot be read; the error gives the reason and the place.

    Args:
        message: what is wrong.
        place: the place, written after the file's path: `:3` for a line, or `: entries[2].id`.
    """

    def __init__(self, message: str, place: str = "") -> None:
        self.message, self.place = message, place
        within = place[2:] if place.startswith(": ") else ""
        super().__init__(f"{message} ({within})" if within else message)
