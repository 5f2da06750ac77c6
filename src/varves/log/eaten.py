"""Events that git took from the work tree, and that something beside the files still has."""

from __future__ import annotations

EATEN = "eaten"  # the rule of a finding about them


class Eaten:
    """Lines that are in no file and in no ref, by the segment they were in."""

    def __init__(self) -> None:
        self.segments: dict[str, list[bytes]] = {}
        self.tracked: set[str] = set()  # those that git tracks, every line of which is gone
        self.events = 0
