"""Events that git removed from the work tree and that still exist outside the files."""

from __future__ import annotations

EATEN = "eaten"  # the rule of a finding about such events


class Eaten:
    """Lines that are in no file and in no ref, by the segment that contained them."""

    def __init__(self) -> None:
        self.segments: dict[str, list[bytes]] = {}
        self.tracked: set[str] = set()  # tracked segments of which every line is gone
        self.events = 0
