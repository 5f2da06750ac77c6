"""Who may speak: listeners answer each other only so often before somebody else has to say a word.

Without this rule two listeners that always answer would go on for ever.
"""

from __future__ import annotations

from threading import Lock


class Floor:
    """Counts what the listeners of one bus said since the last word of anybody else."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: dict[str, int] = {}
        self._said = 0

    def join(self, agent: str) -> None:
        """Count an agent as a listener."""
        with self._lock:
            self._listeners[agent] = self._listeners.get(agent, 0) + 1

    def leave(self, agent: str) -> None:
        """Count an agent as a listener no longer."""
        with self._lock:
            self._listeners[agent] = self._listeners.get(agent, 1) - 1

    def heard(self, agent: str) -> None:
        """Take note of a message: one of an outsider gives the floor back to the listeners."""
        with self._lock:
            if self._listeners.get(agent, 0) < 1:
                self._said = 0

    def take(self, most: int) -> bool:
        """Ask for a word; refused where listeners have said so many already."""
        with self._lock:
            if self._said >= most:
                return False
            self._said += 1
            return True

    def give_back(self) -> None:
        """Return a word that was not said."""
        with self._lock:
            self._said = max(0, self._said - 1)
