"""Checks at low cost whether the logs contain events that are not in the index yet."""

from __future__ import annotations

from varves.values.instants import first_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from varves.index.port import Index
    from varves.log.port import Source


def is_stale(index: Index, logs: Sequence[Source], *, now: int, hold_back: bool) -> bool:
    """Return whether the index must be updated before it is queried."""
    read = index.logs()
    if read.is_mistimed(first_held(now if hold_back else None)):
        return True
    by_key = {log.key: log for log in logs}
    for key, digest in read.missing_blobs():
        if key in by_key and by_key[key].blob(digest) is not None:
            return True
    if not read.sources() <= by_key.keys():
        return True  # a worktree was removed, or the user left a team
    return not all(log.is_unchanged(read.known(log.key)) for log in logs)
