"""Why a published file cannot be read, and where in it."""

from __future__ import annotations


class Unreadable(Exception):
    """A file of a protocol cannot be read; it says why, in a few words, and where.

    Args:
        message: what is wrong.
        place: what follows the file's path to name the place: `:3` for a line, which the message
            names too, or `: entries[2].id`.
    """

    def __init__(self, message: str, place: str = "") -> None:
        self.message, self.place = message, place
        within = place[2:] if place.startswith(": ") else ""
        super().__init__(f"{message} ({within})" if within else message)
