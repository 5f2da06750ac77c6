"""Packing, seen from the ledger: each log in turn, by hand or when too many segments wait."""

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

MANY = 200  # closed segments of one log are worth packing unasked


def count_waiting(context: Context, key: str) -> int | None:
    """Return how many segments of one log wait to be packed; None where git does not answer."""
    (log,) = (one for one in context.logs.maintained() if one.key == key)
    try:
        return len(log.waiting(_closed(context, key)))
    except OSError:
        return None


def _closed(context: Context, key: str) -> Callable[[], list[str]]:
    return lambda: context.fresh().index.logs().closed(key)


def pack_all(context: Context, *, dry_run: bool = False) -> Packed:
    """Fold the closed segments of every log into packs.

    Raises:
        Busy: another process packs one of the logs.
    """
    check_format(context.places.folder)
    packs: list[Pack] = []
    for log in context.logs.maintained():
        # A shared folder we may only read is for others to pack; our own must not fail unsaid.
        ours = log.key == "project" or os.access(log.root, os.W_OK)
        if ours and log.exists():
            packs += _pack_one(context, log, dry_run=dry_run)
    if not dry_run:
        clear_spool(context)
    return _packed(packs)


def clear_spool(context: Context) -> None:
    """Let go of spooled segments that are safe elsewhere; where git does not answer, of none."""
    try:
        context.logs.tracked().prune(now=context.clock.now())
    except (OSError, ValueError):
        return


def pack_if_many(context: Context) -> Packed:
    """Pack the logs where more than `MANY` segments wait; what hinders it is left for another day.

    Never called where a person or an agent waits for a memory.
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
