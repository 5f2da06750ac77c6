"""The remote in PostgreSQL: one ledger in it, and its copies of logs."""

from __future__ import annotations

from contextlib import contextmanager
from time import monotonic

from varves.errors import NotFound
from varves.log.copies import (
    Heads,
    Run,
    SegmentHead,
    digest_of,
    is_file_of_log,
    is_purged,
)
from varves.remotes.postgres.connection import connected
from varves.remotes.postgres.tables import check_version, errors_of_missing_tables, newest
from varves.values.text import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from psycopg import Connection

    from varves.remotes.known import KnownRemote

_BATCH = 2000  # lines in one statement
_NAMES = 20  # the most names of ledgers that an error lists
_SEGMENTS = 20  # segments read by one statement
# The server announces a push only if it announced none in the last 0.2 seconds, so a follower looks
# once more soon after it heard of one.
_SOON = 0.22
_ASKED = 2.0  # seconds after which a follower looks, even if nothing was announced
GLOBAL = "global"
"""The ledger of everybody's global memories: they belong to a person and not to a project."""


class PostgresRemote:
    """A remote in PostgreSQL."""

    def __init__(self, remote: KnownRemote) -> None:
        self._remote = remote

    @contextmanager
    def open(self, *, write: bool = True) -> Iterator[PostgresLedger]:
        """Connect and find the ledger.

        Raises:
            NotFound: there is no such ledger, or this user may not read it.
        """
        del write  # what is sent is stored at once
        with connected(self._remote.url, self._remote.name) as connection:
            yield PostgresLedger(connection, self._remote)

    def names(self) -> list[str]:
        """Return the names of the ledgers that this user may read."""
        with connected(self._remote.url, self._remote.name) as connection:
            check_version(connection, self._remote.name)
            return names_of(connection)

    def wait(self, position: str, seconds: float) -> str:
        """Wait until the ledger has news, or the time is over; return the new position.

        An announcement only makes the next look earlier; a follower that hears none misses nothing.
        """
        until = monotonic() + seconds
        with self.open() as ledger:
            ledger.listen()
            patience = _SOON
            try:
                while (now := ledger.position()) == position and (left := until - monotonic()) > 0:
                    ledger.hear(min(left, patience))
                    patience = _ASKED
            finally:
                ledger.listen(stop=True)
        return now


def names_of(connection: Connection) -> list[str]:
    """Return the names of the ledgers that this user may read."""
    rows = connection.execute(
        "select name from varves.ledger where name <> %s order by name", (GLOBAL,)
    )
    return [str(row[0]) for row in rows]


class PostgresLedger:
    """One ledger in the database, while connected."""

    def __init__(self, connection: Connection, remote: KnownRemote) -> None:
        self._connection = connection
        try:
            row = connection.execute("select * from varves.greet(%s)", (remote.ledger,)).fetchone()
        except errors_of_missing_tables():
            row = None
        step, ledger, everybody = row or (None, None, None)
        if step != newest():
            check_version(connection, remote.name)
        if ledger is None:
            names = listed(names_of(connection), most=_NAMES)
            raise NotFound(
                f"no ledger {remote.ledger!r} there that you may read",
                f"yours: {names}; name one after #" if names else "varves team init URL makes it",
            )
        self._id = int(ledger)
        self._everybody = None if everybody is None else int(everybody)

    def identity(self, ours: str) -> str:
        """Return the identity of the ledger; if it has none yet, record `ours`."""
        row = self._connection.execute(
            "select varves.identify(%s, %s)", (self._id, ours)
        ).fetchone()
        return str(row[0]) if row else ""

    def others(self) -> list[str]:
        """Return no names: only `team init` makes a ledger, so this one is there."""
        return []

    def logs(self) -> list[str]:
        """Return the names of the logs of which this user may read a copy."""
        rows = self._connection.execute(
            "select distinct log from varves.segment where ledger = %s order by log", (self._id,)
        )
        return [str(row[0]) for row in rows]

    def copy(self, log: str) -> PostgresCopy:
        """Return the database's copy of a log; it may be empty."""
        if log == GLOBAL and self._everybody is None:
            raise NotFound("no ledger for global memories there", "varves team init URL makes it")
        ledger = self._everybody if log == GLOBAL else self._id
        return PostgresCopy(self._connection, ledger or 0, log)

    def position(self) -> str:
        """Return a mark that changes whenever a line is added or erased."""
        row = self._connection.execute(
            "select head, erased from varves.ledger where id = %s", (self._id,)
        ).fetchone()
        return f"{row[0]}:{row[1]}" if row else ""

    def listen(self, *, stop: bool = False) -> None:
        """Ask the server for announcements, or for none; a pooler may lose them."""
        words = "unlisten *" if stop else f"listen varves_{self._id}"
        if not self._connection.closed:
            self._connection.execute(words.encode())

    def hear(self, seconds: float) -> None:
        """Wait for an announcement, at most for this time."""
        for _ in self._connection.notifies(timeout=seconds, stop_after=1):
            pass

    def remains(self) -> str:
        """Return, in words, where the server may still have purged text."""
        return (
            "backups of the database, and its write-ahead log until it is recycled, still have it"
        )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], str)


class PostgresCopy:
    """The database's copy of one log."""

    def __init__(self, connection: Connection, ledger: int, log: str) -> None:
        self._connection = connection
        self._ledger = ledger
        self._log = log
        self.damaged: Sequence[str] = []

    def _rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield rows of a query about this log; its first two values are ledger and log."""
        yield from self._connection.execute(query.encode(), (self._ledger, self._log, *values))

    # Reading

    def heads(self) -> Heads:
        """Return the state of this copy."""
        segments = {
            name: SegmentHead(lines, last, purged)
            for name, lines, last, purged in self._rows(
                "select name, lines, encode(last, 'hex'), purged from varves.segment"
                " where ledger = %s and log = %s"
            )
            if is_file_of_log(name)
        }
        packs = {
            name: header.encode()
            for name, header in self._rows(
                "select name, header from varves.pack where ledger = %s and log = %s"
            )
        }
        blobs = self._rows(
            "select encode(digest, 'hex') from varves.blob where ledger = %s and log = %s"
        )
        return Heads(segments=segments, packs=packs, blobs=frozenset(row[0] for row in blobs))

    def pull(self, wanted: Mapping[str, SegmentHead]) -> Iterator[Run]:
        """Yield the lines of the named segments that another copy lacks, in that order."""
        names = list(wanted)
        for start in range(0, len(names), _SEGMENTS):
            portion = names[start : start + _SEGMENTS]
            # from the last line that the other copy has: its digest shows whether the rest follows
            ends = {name: max(wanted[name].lines - 1, 0) for name in portion}
            found = self._lines(ends)
            for segment in portion:
                lines, there = found.get(segment, []), wanted[segment]
                first = there.lines
                if first and lines and digest_of(lines[0]) == there.last:
                    lines = lines[1:]
                elif first:
                    first, lines = 0, self._lines({segment: 0}).get(segment, [])
                if lines:
                    yield Run(segment, first, lines)

    def _lines(self, ends: Mapping[str, int]) -> dict[str, list[bytes]]:
        """Return the lines of segments, each from a number on."""
        found: dict[str, list[bytes]] = {}
        for segment, line in self._rows(
            "select o.segment, o.line from (select %s::bigint as ledger, %s::text as log) c"
            " cross join unnest(%s::text[], %s::int[]) as w(name, first)"
            " join varves.line o on o.ledger = c.ledger and o.log = c.log"
            " and o.segment = w.name and o.ord >= w.first order by o.segment, o.ord, o.pos",
            list(ends),
            list(ends.values()),
        ):
            found.setdefault(segment, []).append(line.encode())
        return found

    def blob(self, digest: str) -> bytes | None:
        """Return the bytes with this SHA-256, or None if this copy does not have them."""
        for (content,) in self._rows(
            "select content from varves.blob where ledger = %s and log = %s and digest = %s",
            bytes.fromhex(digest),
        ):
            return bytes(content)
        return None

    # Writing

    def push(self, runs: Iterable[Run], packs: Mapping[str, bytes]) -> int:
        """Add lines durably; return how many of them this copy did not have."""
        added = 0
        segments: list[str] = []
        ords: list[int] = []
        lines: list[str] = []
        for run in runs:
            segments += [run.segment] * len(run.lines)
            ords += range(run.first, run.first + len(run.lines))
            lines += [line.decode("ascii") for line in run.lines]
            if len(lines) >= _BATCH:
                added += self._push(segments, ords, lines)
                segments, ords, lines = [], [], []
        if lines:
            added += self._push(segments, ords, lines)
        if packs:
            self._call(
                "put_packs", list(packs), [header.decode("ascii") for header in packs.values()]
            )
        if added:
            self._connection.execute("select varves.announce(%s)", (self._ledger,))
        return added

    def _push(self, segments: list[str], ords: list[int], lines: list[str]) -> int:
        return int(self._call("push", segments, ords, lines))

    def _call(self, name: str, *values: Any) -> Any:
        # texts travel in binary form: psycopg would escape every quote of every line
        marks = ", ".join(["%s", "%s", *("%b" if _are_texts(one) else "%s" for one in values)])
        (found,) = self._rows(f"select varves.{name}({marks})", *values)
        return found[0]

    def purge(self, runs: Iterable[Run]) -> int:
        """Take the content from lines, matched by digest; return how many had it."""
        gone = [
            bytes.fromhex(digest_of(line)) for run in runs for line in run.lines if is_purged(line)
        ]
        return int(self._call("purge", gone)) if gone else 0

    def put_blob(self, digest: str, content: bytes) -> None:
        """Store bytes durably; the server computes their digest."""
        del digest
        self._call("put_blob", content)

    def drop_blobs(self, digests: Iterable[str]) -> int:
        """Delete the given texts; return how many of them this copy had."""
        gone = [bytes.fromhex(digest) for digest in digests]
        return int(self._call("drop_blobs", gone)) if gone else 0
