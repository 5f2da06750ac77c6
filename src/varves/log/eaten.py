"""Events that git removed from the work tree and that still exist elsewhere."""

from __future__ import annotations

EATEN = "eaten"  # the name of the rule for such events


class Eaten:
    """Lines that no file and no ref contains any more, by the segment that contained them."""

    def __init__(self) -> None:
        self.segments: dict[str, list[bytes]] = {}
        self.tracked: set[str] = set()  # tracked segments that have lost every line
        self.events = 0
