"""How fast a log is read, proved and folded, and how fast the index is made from it."""

from __future__ import annotations

import gc
from time import process_time
from typing import TYPE_CHECKING

import varves
from benchmarks.history import MIX
from benchmarks.measure import Samples, interleave
from benchmarks.row import Row, rated
from varves.events.bulk import decode_quickly
from varves.events.codec import decode
from varves.fold.memories import Memories
from varves.log.files.segments import read_lines
from varves.log.files.verify import segment_files
from varves.places.store import Files
from varves.values.instants import SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.scene import Scene
    from varves.events.event import Event

AT_LEAST = 100_000
LINE_BYTES = (350, 800)  # the lines of a real mix lie between these on average


def run(scene: Scene) -> list[Row]:
    """Replay the same log with both decoders, verify it, and rebuild its index."""
    events = scene.size(100_000, 20_000)
    root = scene.history(events, files=events // 1000)
    store = Files(f"{root}/.varves", private=False)
    sizes = Samples(tuple(float(size) for size in _sizes(store)))
    if not LINE_BYTES[0] <= sizes.median <= LINE_BYTES[1]:
        raise RuntimeError(f"lines of {sizes.median:.0f} bytes are not a real mix")
    with varves.open(root) as ledger:
        if not (proof := ledger.verify()).ok or proof.gaps or proof.events != events:
            raise RuntimeError(f"the history is not whole: {proof}")
        found = interleave(
            {
                "replay": lambda: replay(store, decode_quickly),
                "standard library": lambda: replay(store, decode),
                "verify": ledger.verify,
            },
            rounds=scene.size(5, 3),
            warmup=1,
            heavy=True,
        )
        worked = interleave(
            {"replay": lambda: replay(store, decode_quickly)},
            rounds=scene.size(5, 3),
            warmup=0,
            heavy=True,
            clock=process_time,
        )
        rebuilt = interleave(
            {"rebuild": ledger.rebuild}, rounds=scene.size(2, 1), warmup=0, heavy=True
        )
    low, high = sizes.spread
    mix = f"{events:,} events of {len(MIX)} kinds, lines of {low:.0f} - {high:.0f} bytes"
    return [
        rated(
            f"replay: read, check digests, fold ({mix})",
            found["replay"].rate(events),
            at_least=AT_LEAST,
        ),
        rated("the same, per second of processor time", worked["replay"].rate(events)),
        rated(
            "the same with the standard library's decoder", found["standard library"].rate(events)
        ),
        rated("`verify`: digests, chains and closings", found["verify"].rate(events)),
        rated("`rebuild` of the index", rebuilt["rebuild"].rate(events)),
    ]


def replay(store: Files, read: Callable[[bytes, str], Event]) -> object:
    """Read a whole log from disk, check every digest and fold it to rows."""
    memories = Memories()
    state = memories.empty()
    gc.disable()  # as the ledger does while it reads much: nothing of it is garbage
    for name in segment_files(store):
        reading = read_lines(name, store.read(name), "project", read=read)
        if reading.bad:
            raise RuntimeError(f"bad lines in {name}: {reading.bad[:3]}")
        for event, _ in reading.events:
            memories.apply(state, event)
    rows = memories.rows(state, SystemClock().now())
    gc.enable()
    return rows


def _sizes(store: Files) -> list[int]:
    return [
        len(line)
        for name in segment_files(store)
        for line in store.read(name).splitlines(keepends=True)
    ]
