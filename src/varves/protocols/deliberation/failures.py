"""Failures of summaries and subscribers, which are logged but do not stop the conversation."""

from __future__ import annotations

import logging
from collections import deque

from varves.values.value import Value

MOST = 100  # the number of failures kept, the newest ones
_traces = logging.getLogger("varves.deliberation")


class Failure(Value):
    """One failure that did not stop the conversation."""

    part: str
    """The part that failed: `summary 0-11`, or `subscriber` and its name."""
    error: str


class Failures:
    """The last failures of a conversation; thread-safe."""

    def __init__(self) -> None:
        self._noted: deque[Failure] = deque(maxlen=MOST)

    def note(self, part: str, error: BaseException) -> None:
        """Log a failure in one line, its traceback at the level debug, and keep it."""
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        _traces.warning("%s failed: %s", part, said)
        _traces.debug("%s failed", part, exc_info=error)
        self._noted.append(Failure(part=part, error=said))

    def all(self) -> tuple[Failure, ...]:
        """Return the failures, oldest first."""
        return tuple(self._noted.copy())
