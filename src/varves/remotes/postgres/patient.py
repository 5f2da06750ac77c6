"""A connection that gives up when the server stops in the middle of an answer.

The limit is on silence and not on a statement: a long transfer over a slow line goes on as long as
bytes come or go. It is kept here and not by the server, because a server or a proxy that has
stopped keeps no limits.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from psycopg import Connection, OperationalError
from psycopg.rows import TupleRow

from varves.values.text import counted

if TYPE_CHECKING:
    from collections.abc import Generator

SILENCE = 20.0
"""Seconds that a server may be silent while it is asked; locks there are waited for at most 5."""


class PatientConnection(Connection[TupleRow]):
    """A connection to PostgreSQL whose every call ends."""

    silence: float | None = None
    """Another limit for this connection than `SILENCE`."""

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        """Wait for the server, at most for the limit.

        Raises:
            OperationalError: the server was silent for too long; the connection is closed.
        """
        try:
            return super().wait(_limited(gen, self.silence or SILENCE), *args, **options)
        except Silent:
            self.close()
            raise


class Silent(OperationalError):
    """The server was silent for too long."""


def _limited(gen: Any, seconds: float) -> Generator[Any, Any, Any]:
    """Run the driver's generator; it is told again and again that nothing is ready."""
    last = monotonic()
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if ready:
                last = monotonic()
            elif monotonic() - last > seconds:
                raise Silent(f"it has been silent for {counted(round(seconds), 'second')}")
            wanted = gen.send(ready)
    except StopIteration as end:
        return end.value
