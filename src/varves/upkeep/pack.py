"""Merges the segments (files) of each log into packs, on request or if there are many."""

from __future__ import annotations

import os

from varves.context.live_index import check_format
from varves.errors import Busy
from varves.log.sources import log_of
from varves.places.places import FOLDER
from varves.values.answers import Pack, Packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from varves.context.context import Context
    from varves.log.port import Maintained

MANY = 200  # if one log has this many closed segments, they are packed without a request


def count_waiting(context: Context, key: str) -> int | None:
    """Return how many segments of one log can be packed; None if git does not answer."""
    (log,) = (one for one in context.logs.maintained() if one.key == key)
    try:
        return len(log.waiting(_closed(context, key)))
    except OSError:
        return None


def _closed(context: Context, key: str) -> Callable[[], list[str]]:
    return lambda: context.fresh().index.logs().closed(key)


def pack_all(context: Context, *, dry_run: bool = False) -> Packed:
    """Merge the closed segments of every log into packs.

    Raises:
        Busy: another process packs one of the logs.
    """
    check_format(context.places.folder)
    packs: list[Pack] = []
    for log in context.logs.maintained():
        # A shared log that this user can only read is packed by others; a failure in a log of our
        # own must be reported.
        ours = log.key == "project" or os.access(log.root, os.W_OK)
        if ours and log.exists():
            packs += _pack_one(context, log, dry_run=dry_run)
    if not dry_run:
        clear_spool(context)
    return _packed(packs)


def clear_spool(context: Context) -> None:
    """Delete links to segments that are safe in git's commits; none if git does not answer."""
    try:
        context.logs.tracked().prune(now=context.clock.now())
    except (OSError, ValueError):
        return


def pack_if_many(context: Context) -> Packed:
    """Pack each log with more than `MANY` closed segments; skip logs that cannot be packed now.

    This must not be called while a person or an agent waits for an answer.
    """
    packs: list[Pack] = []
    for log in context.logs.maintained():
        try:
            if log.loose() > MANY and len(log.waiting(_closed(context, log.key))) > MANY:
                packs += _pack_one(context, log)
        except (OSError, Busy):
            continue
    clear_spool(context)
    return _packed(packs)


def _pack_one(context: Context, log: Maintained, *, dry_run: bool = False) -> list[Pack]:
    made = log.pack(_closed(context, log.key), dry_run=dry_run)
    prefix = FOLDER if log.key == "project" else log.root
    return [
        Pack(
            log=log_of(log.key),
            path=one.name and f"{prefix}/{one.name}",
            segments=len(one.segments),
            lines=one.lines,
            bytes=one.bytes,
        )
        for one in made
    ]


def _packed(packs: list[Pack]) -> Packed:
    return Packed(packs=tuple(packs), segments=sum(one.segments for one in packs))
