"""What went wrong beside a conversation: noted and logged, so that nothing has to stop for it."""

from __future__ import annotations

import logging
from collections import deque

from varves.values.value import Value

MOST = 100  # failures that are kept, the last ones
_traces = logging.getLogger("varves.deliberation")


class Failure(Value):
    """One thing that did not work, while the conversation went on."""

    part: str
    """What failed: `summary 0-11`, or `subscriber` and its name."""
    error: str


class Failures:
    """The last failures of a conversation; may be noted from any thread."""

    def __init__(self) -> None:
        self._noted: deque[Failure] = deque(maxlen=MOST)

    def note(self, part: str, error: BaseException) -> None:
        """Log a failure and keep it."""
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        _traces.warning("%s failed: %s", part, said, exc_info=error)
        self._noted.append(Failure(part=part, error=said))

    def all(self) -> tuple[Failure, ...]:
        """Return what was noted, oldest first."""
        return tuple(self._noted.copy())
