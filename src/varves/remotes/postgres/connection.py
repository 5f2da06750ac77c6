"""Connects to PostgreSQL, and turns its errors into ours; no message contains an address.

A connection is used by one call at a time and rests for seconds at most. Every statement is its own
transaction and no state is left in the session, so a pooler may give each statement another server
process.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib.util import find_spec
from time import monotonic

from varves.errors import Busy, Damaged, Refused, UsageError, VarvesError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from psycopg import Connection

    from varves.remotes.postgres.patient import PatientConnection

_SECONDS = 10  # to reach the server
_REST = 30.0  # seconds that a connection may rest
_MOST = 4  # connections that rest


@contextmanager
def connected(url: str, shown: str, *, silence: float | None = None) -> Iterator[Connection]:
    """Connect for the length of a `with` block.

    Args:
        url: the address.
        shown: the name by which messages call it.
        silence: the seconds that the server may be silent, if statements may take long.

    Raises:
        UsageError: the driver is not installed, or the address is not valid.
        Busy: the server cannot be reached, or the connection was lost.
        Refused: the server refuses the user or the statement.
        Damaged: the database has no tables of ours, or those of a newer version.
    """
    if find_spec("psycopg") is None:
        raise UsageError(
            "PostgreSQL needs a driver that is not installed", "pip install 'varves[postgres]'"
        )
    import psycopg

    from varves.remotes.postgres.patient import PatientConnection

    try:
        connection = _idle.take(url) or PatientConnection.connect(
            url, autocommit=True, prepare_threshold=None, connect_timeout=_SECONDS
        )
        connection.silence = silence
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        _idle.give(url, connection)
    except psycopg.Error as fault:
        raise _ours(fault, shown) from None


class _Idle:
    """Connections between two calls of one process: few, and for a short time."""

    def __init__(self) -> None:
        self._held: list[tuple[str, float, int, PatientConnection]] = []
        self._closed_at_exit = False

    def take(self, url: str) -> PatientConnection | None:
        """Return an open connection to an address that no call uses; None if there is none."""
        import select

        now, mine = monotonic(), os.getpid()
        found = None
        for entry in [*self._held]:
            address, since, process, connection = entry
            if process == mine and now - since < _REST and (found or address != url):
                continue
            try:
                self._held.remove(entry)
            except ValueError:
                continue  # another thread took it
            if process != mine:
                continue  # it belongs to the process that this one was forked from
            # the server says something unasked only to end a connection
            if now - since >= _REST or select.select([connection], [], [], 0)[0]:
                connection.close()
            else:
                found = connection
        return found

    def give(self, url: str, connection: PatientConnection) -> None:
        """Keep a connection for the next call, if it is usable and there are few."""
        if connection.closed or connection.info.transaction_status or len(self._held) >= _MOST:
            connection.close()
        else:
            if not self._closed_at_exit:
                import atexit

                self._closed_at_exit = True
                atexit.register(self._close)
            self._held.append((url, monotonic(), os.getpid(), connection))

    def _close(self) -> None:
        """Close what rests, at the end of the process."""
        while self._held:
            _, _, process, connection = self._held.pop()
            if process == os.getpid():
                connection.close()


_idle = _Idle()


def _ours(fault: Exception, shown: str) -> VarvesError:
    """Return our error for one of the driver's."""
    import psycopg
    from psycopg import errors

    said = _first_line(fault)
    if isinstance(
        fault, (errors.InvalidSchemaName, errors.UndefinedTable, errors.UndefinedFunction)
    ):
        return Damaged(f"{shown} has no tables of varves", "varves team init URL makes them")
    if isinstance(fault, errors.InsufficientPrivilege):
        return Refused(f"{shown}: {said}", _who_helps(said))
    if isinstance(fault, (errors.LockNotAvailable, errors.DiskFull, errors.QueryCanceled)):
        return Busy(f"{shown}: {said}", "try again later; what was acknowledged is safe")
    if isinstance(fault, psycopg.ProgrammingError) and fault.sqlstate is None:
        return UsageError(f"{shown}: not a valid address", "write postgresql://HOST/DATABASE")
    if isinstance(fault, psycopg.OperationalError):
        if fault.sqlstate is None and _is_refusal(said):
            return Refused(f"{shown} refuses the connection: {said}", "check user and password")
        return Busy(
            f"{shown} cannot be reached: {said}", "local work is unaffected; try again later"
        )
    return Refused(f"{shown}: {said}", "varves team status URL shows the state of the database")


def _who_helps(said: str) -> str:
    if said.startswith("no right to write to this ledger"):
        return "ask for the right: varves team add URL NAME --write"
    return "use the role of an administrator; it needs CREATEROLE, and CREATE on the database"


def _is_refusal(said: str) -> bool:
    words = ("authentication failed", "no password", "does not exist", "pg_hba.conf", "permission")
    return any(word in said for word in words)


def _first_line(fault: Exception) -> str:
    """Return the reason, without the addresses that the driver puts before it."""
    lines = [line for line in str(fault).splitlines() if line.strip()] or ["unknown error"]
    text = next((line for line in lines if "FATAL:" in line), lines[0])
    for mark in ("FATAL:", "failed:", "ERROR:"):
        text = text.rpartition(mark)[2]
    return " ".join(text.split())[:200]
