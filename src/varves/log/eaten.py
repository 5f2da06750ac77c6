"""Events that git removed from the work tree and that still exist elsewhere."""

from __future__ import annotations

EATEN = "eaten"  # the name of the rule that reports such events


class Eaten:
    """Lines that are in no file and in no ref any more, by the segment that contained them."""

    def __init__(self) -> None:
        self.segments: dict[str, list[bytes]] = {}
        self.tracked: set[str] = set()  # tracked segments all of whose lines were removed
        self.events = 0
