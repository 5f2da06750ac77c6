"""Packing, seen from the ledger: each log in turn, by hand or when too many segments wait."""

from __future__ import annotations

import os

from varves.context.live_index import check_format
from varves.errors import Busy
from varves.log.files.layout import is_pack
from varves.log.files.locks import PACKING
from varves.log.files.pack import pack, waiting
from varves.log.files.places import FOLDER
from varves.log.files.rescue import prune
from varves.log.files.verify import segment_files
from varves.values.answers import Pack, Packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context
    from varves.log.files.port import LogStore

MANY = 200  # closed segments of one log are worth packing unasked


def waiting_in(context: Context, key: str, store: LogStore) -> dict[str, str]:
    """Return the segments of one log that wait to be packed."""
    return waiting(context.places, key, store, closed=lambda: context.fresh().index.closed(key))


def count_waiting(context: Context, key: str) -> int | None:
    """Return how many segments of one log wait to be packed; None where git does not answer."""
    try:
        return len(waiting_in(context, key, dict(context.places.sources())[key]))
    except OSError:
        return None


def pack_all(context: Context, *, dry_run: bool = False) -> Packed:
    """Fold the closed segments of every log into packs.

    Raises:
        Busy: another process packs one of the logs.
    """
    check_format(context.places.folder)
    packs: list[Pack] = []
    for key, store in context.places.sources():
        # A shared folder we may only read is for others to pack; our own must not fail unsaid.
        ours = key == "project" or os.access(store.root, os.W_OK)
        if ours and store.stat("log") is not None:
            packs += _pack_one(context, key, store, dry_run=dry_run)
    if not dry_run:
        clear_spool(context)
    return _packed(packs)


def clear_spool(context: Context) -> None:
    """Let go of spooled segments that are safe elsewhere; where git does not answer, of none."""
    try:
        prune(context.places, now=context.clock.now())
    except (OSError, ValueError):
        return


def pack_if_many(context: Context) -> Packed:
    """Pack the logs where more than `MANY` segments wait; what hinders it is left for another day.

    Never called where a person or an agent waits for a memory.
    """
    packs: list[Pack] = []
    for key, store in context.places.sources():
        try:
            loose = sum(not is_pack(name) for name in segment_files(store))
            if loose > MANY and len(waiting_in(context, key, store)) > MANY:
                packs += _pack_one(context, key, store)
        except (OSError, Busy):
            continue
    clear_spool(context)
    return _packed(packs)


def _pack_one(context: Context, key: str, store: LogStore, *, dry_run: bool = False) -> list[Pack]:
    names = waiting_in(context, key, store)
    if not names:
        return []
    lock = store.lock(PACKING)
    if lock is None:
        raise Busy(f"another process packs the log {key}", "let it finish")
    try:
        tree = context.places.tree(key)
        made = list(pack(store, names, word=context.ids.word, tree=tree, dry_run=dry_run))
    finally:
        store.close(lock)
    prefix = FOLDER if key == "project" else store.root
    return [
        Pack(
            log=key.partition("@")[0],
            path=one.name and f"{prefix}/{one.name}",
            segments=len(one.segments),
            lines=one.lines,
            bytes=one.bytes,
        )
        for one in made
    ]


def _packed(packs: list[Pack]) -> Packed:
    return Packed(packs=tuple(packs), segments=sum(one.segments for one in packs))
