"""Brings an index up to date with the logs, or fills a new one.

An index that has read nothing yet is filled in bulk if the logs are large (`bulk.py`). Otherwise,
what changed in the logs is read, and the affected memories are folded again (`work.py`).
"""

from __future__ import annotations

import gc

from varves.errors import Busy
from varves.index.work import Families, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from varves.index.port import Filling, Index, Past
    from varves.log.port import Blobs, Source
    from varves.log.sources import Lines

    Progress = Callable[[int], None]

BULK_BYTES = 1 << 20


def catch_up(
    index: Index,
    logs: Sequence[Source],
    *,
    now: int,
    hold_back: bool,
    progress: Progress | None,
    most: int | None = None,
) -> None:
    """Bring an index up to date with the logs, in one transaction.

    Raises:
        Busy: more than `most` bytes of the logs must be read.
    """
    filling: Filling | None = None
    by_key = {log.key: log for log in logs}
    limit = now if hold_back else None
    with index.update() as batch:
        # Check again under the lock, because another process may have updated the index meanwhile.
        read = index.logs()
        found = [(log.key, log.since(read.known(log.key))) for log in logs]
        size = sum(changes.behind for _, changes in found)
        if most is not None and size > most:
            raise Busy("the index is far behind the log", "run varves status to update it")
        if size > BULK_BYTES and not read.has_read():
            filling = index.aside()
        with Collecting(wanted=size <= BULK_BYTES):
            if filling is not None:
                _fill(filling, by_key, now=limit, progress=progress)
            else:
                work = Work(index, batch, by_key, now=limit, progress=progress)
                for key in read.sources() - by_key.keys():
                    work.drop_source(key)
                for key, changes in found:
                    work.take(key, changes)
                work.finish(by_key)
    if filling is not None:
        filling.replace()


def rebuild(
    index: Index,
    logs: Sequence[Source],
    *,
    now: int,
    hold_back: bool,
    progress: Progress | None,
    bulk: int = BULK_BYTES,
) -> None:
    """Compute an index again from nothing.

    If the logs have more than `bulk` bytes, the index in use remains until the new one is complete.
    """
    size = sum(log.since(_Unread()).behind for log in logs)
    filling = index.aside() if size > bulk else None
    if filling is None:
        index.remake()
        catch_up(index, logs, now=now, hold_back=hold_back, progress=progress)
        return
    with index.update(), Collecting(wanted=False):  # no other process may do the same
        _fill(
            filling,
            {log.key: log for log in logs},
            now=now if hold_back else None,
            progress=progress,
        )
    filling.replace()


def _fill(
    filling: Filling, logs: Mapping[str, Source], *, now: int | None, progress: Progress | None
) -> None:
    from varves.index.bulk import fill

    fill(filling, logs, now=now, progress=progress)


class Collecting:
    """A `with` block in which garbage is not collected, unless `wanted`: there is none to find."""

    def __init__(self, *, wanted: bool = False) -> None:
        self._again = not wanted and gc.isenabled()

    def __enter__(self) -> None:
        if self._again:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._again:
            gc.enable()


class _Unread:
    """The marks of a reader that has read nothing."""

    def whole(self) -> bytes:
        return b""

    def mark(self, name: str) -> bytes:  # noqa: ARG002
        return b""

    def below(self, prefix: str) -> dict[str, bytes]:  # noqa: ARG002
        return {}

    def recent(self) -> dict[str, bytes]:
        return {}

    def open(self) -> dict[str, bytes]:
        return {}


def load(
    index: Index,
    events: Lines,
    logs: Mapping[str, Blobs],
    *,
    elsewhere: Mapping[str, str],
    progress: Progress | None,
) -> None:
    """Fill an empty index with the given events, for a view of the past.

    Args:
        index: an empty index.
        events: the events to store, with their lines.
        logs: the sources of texts that are not in the lines.
        elsewhere: the source of each event that only another worktree contains.
        progress: called with the number of events stored so far.
    """
    with index.update() as batch:
        work = Work(index, batch, logs, now=None, progress=progress)
        for event, line in events:
            work.where = elsewhere.get(event.id, "")
            work.add(event, line, 0)
        batch.count(work.counted)
        work.families.fold()


def travel(past: Past, logs: Mapping[str, Blobs], progress: Progress | None) -> None:
    """Complete an index of an earlier moment: fold the memories that were different then."""
    past.progress = progress
    past.prepare()
    with past.update() as batch, Collecting(wanted=False):
        families = Families(past, batch, logs)
        families.touched |= dict.fromkeys(past.folded)
        families.free_values(past.freed)
        families.fold()
    past.finish()
