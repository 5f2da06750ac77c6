"""Group mode: threads share one sync, and each call returns only after its sync.

A call appends under the ledger's lock, without a sync, and gets a ticket. It then releases the
lock, so that other calls can append, and waits until the sync for its ticket is done. The first
caller that waits is the leader. It waits for more callers until there are `EVENTS` events or
`SECONDS` have passed. Then it syncs once for all callers. If there is only one caller, it does not
wait.
"""

from __future__ import annotations

import os
from time import monotonic

from varves.errors import NotDurable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.places.port import FileStore

EVENTS = 8
SECONDS = 0.005


class SyncFailed(Exception):
    """The sync of a write failed, so the segment must no longer be used."""


class Group:
    """The lock of an opened ledger; its release waits until the written lines are synced."""

    def __init__(self, on_failure: Callable[[], None]) -> None:
        self._on_failure = on_failure
        self._begin()

    def _begin(self) -> None:
        from threading import Condition, Lock, RLock

        self.arrivals = Condition(Lock())
        self.inside = 0  # the number of callers that hold the lock or wait for it
        self._pid = os.getpid()
        self._lock = RLock()
        self._depth = 0
        self._owed: list[tuple[Unsynced, int]] = []

    def __enter__(self) -> None:
        # this process was forked, and the other callers are threads of its parent process
        if self._pid != os.getpid():
            self._begin()
        self._count(1)
        try:
            self._lock.acquire()
        except BaseException:
            self._count(-1)
            raise
        self._depth += 1

    def __exit__(self, *exc: object) -> None:
        self._depth -= 1
        owed: list[tuple[Unsynced, int]] = []
        if self._depth == 0:  # nested calls wait only once, when the outermost call ends
            owed, self._owed = self._owed, owed
        self._lock.release()
        self._count(-1)
        for lines, ticket in owed:
            try:
                lines.sync_pending(ticket)
            except SyncFailed as fault:
                with self._lock:
                    lines.abandon()
                    self._on_failure()
                raise NotDurable(f"cannot sync the log: {fault}", "check the disk") from None

    def owe(self, lines: Unsynced, ticket: int) -> None:
        """After the lock is released, make its holder wait until a ticket's sync is done."""
        self._owed.append((lines, ticket))

    def _count(self, step: int) -> None:
        with self.arrivals:
            self.inside += step
            self.arrivals.notify_all()


class Unsynced:
    """The lines of one open file of the log that are not synced yet, counted by ticket."""

    def __init__(
        self, group: Group, store: FileStore, *, file: int, abandon: Callable[[], None]
    ) -> None:
        self.abandon = abandon
        self.failed: str | None = None
        self._group = group
        self._store = store
        self._file = file
        self._written = 0
        self._synced = 0
        self._led = False
        self._pressed = False

    def wrote(self, events: int, *, now: bool) -> None:
        """Count events that were just written.

        Sync at once if `now` is set or the events fill a group.
        """
        with self._group.arrivals:
            self._written += events
            self._group.arrivals.notify_all()
        if now or events >= EVENTS:
            self.sync_pending()
        else:
            self._group.owe(self, self._written)

    def sync_pending(self, ticket: int | None = None) -> None:
        """Wait until the sync for a ticket is done, by any caller.

        Without a ticket, sync everything.

        Raises:
            SyncFailed: this sync, or an earlier one, failed.
        """
        arrivals = self._group.arrivals
        with arrivals:
            wanted = self._written if ticket is None else ticket
            while self._led and self._synced < wanted:
                # the leader may be waiting for callers that need the lock held here
                if ticket is None:
                    self._pressed = True
                    arrivals.notify_all()
                arrivals.wait()
            if self._synced >= wanted:
                return
            if self.failed is not None:  # a later sync could succeed without the lines that failed
                raise SyncFailed(self.failed)
            self._led = True
        reach, failed = self._synced, "interrupted"
        try:
            reach = self._gather(linger=ticket is not None)
            self._store.sync(self._file)
            failed = ""
        except OSError as fault:
            failed = fault.strerror or str(fault)
        finally:
            with arrivals:
                self._led, self._pressed = False, False
                if failed:
                    self.failed = failed
                else:
                    self._synced = reach
                arrivals.notify_all()
        if failed:
            raise SyncFailed(failed)

    def _gather(self, *, linger: bool) -> int:
        """Wait for more callers to share the sync, while another caller may still append.

        Return the number of the last ticket.
        """
        until = monotonic() + SECONDS
        with self._group.arrivals:
            while linger and not self._pressed and self._group.inside:
                if self._written - self._synced >= EVENTS:
                    break
                linger = self._group.arrivals.wait(until - monotonic())
            return self._written
