"""Events that git removed from the work tree and that another place still has."""

from __future__ import annotations

EATEN = "eaten"  # the name of the rule that reports such events


class Eaten:
    """Lines that no file and no git ref contains any more, by the name of their former file."""

    def __init__(self) -> None:
        self.segments: dict[str, list[bytes]] = {}
        self.tracked: set[str] = set()  # tracked segments all of whose lines were removed
        self.events = 0
