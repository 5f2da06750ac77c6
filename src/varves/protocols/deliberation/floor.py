"""A limit on consecutive messages by listeners, until someone else speaks.

Without it, two listeners that always answer would continue forever.
"""

from __future__ import annotations

from threading import Lock


class Floor:
    """Counts the messages of a bus's listeners since the last message of anyone else."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: dict[str, int] = {}
        self._said = 0

    def join(self, agent: str) -> None:
        """Count an agent as a listener."""
        with self._lock:
            self._listeners[agent] = self._listeners.get(agent, 0) + 1

    def leave(self, agent: str) -> None:
        """Stop counting an agent as a listener."""
        with self._lock:
            self._listeners[agent] = self._listeners.get(agent, 1) - 1

    def heard(self, agent: str) -> None:
        """Count a message; a message of anyone who is not a listener resets the count."""
        with self._lock:
            if self._listeners.get(agent, 0) < 1:
                self._said = 0

    def take(self, most: int) -> bool:
        """Reserve a message; return False if listeners have reached the limit."""
        with self._lock:
            if self._said >= most:
                return False
            self._said += 1
            return True

    def give_back(self) -> None:
        """Release a reserved message that was not posted."""
        with self._lock:
            self._said = max(0, self._said - 1)
