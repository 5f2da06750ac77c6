"""Collects a protocol's `logging` records, so that Python does not print them on stderr."""

from __future__ import annotations

from contextlib import contextmanager
from logging import Handler, LogRecord, getLogger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class _Traces(Handler):
    """A logging handler that passes each log record on as a line."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: LogRecord) -> None:
        """Pass one log record on."""
        self._tell(record.getMessage())


@contextmanager
def traced(tell: Callable[[str], object]) -> Iterator[None]:
    """Pass on the log records that are made during a `with` block."""
    traces, taking = getLogger("varves"), _Traces(tell)
    traces.addHandler(taking)
    try:
        yield
    finally:
        traces.removeHandler(taking)
