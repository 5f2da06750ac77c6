"""What a protocol traces, taken where nobody else would: Python prints it on stderr otherwise."""

from __future__ import annotations

from contextlib import contextmanager
from logging import Handler, LogRecord, getLogger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class _Traces(Handler):
    """Hands each trace on, as a line."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: LogRecord) -> None:
        """Hand one on."""
        self._tell(record.getMessage())


@contextmanager
def traced(tell: Callable[[str], object]) -> Iterator[None]:
    """Hand on what is traced meanwhile."""
    traces, taking = getLogger("varves"), _Traces(tell)
    traces.addHandler(taking)
    try:
        yield
    finally:
        traces.removeHandler(taking)
