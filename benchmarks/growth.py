"""Whether one more memory costs the same, however many there are."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import varves
from benchmarks.append import padded
from benchmarks.corpus import Writer
from benchmarks.measure import interleave
from benchmarks.row import Row, compared, timed

if TYPE_CHECKING:
    from benchmarks.scene import Scene

AT_MOST = 1.5


def run(scene: Scene) -> list[Row]:
    """Remember in ledgers of different sizes, in turn."""
    sizes = (1000, scene.size(10_000, 3000), scene.size(100_000, 10_000))
    rounds = scene.size(500, 100)
    texts = Writer(2).texts(4 * rounds)
    with ExitStack() as stack:
        ledgers = {}
        for size in sizes:
            root = scene.memories(size)
            scene.settle(root)
            ledgers[f"{size:,}"] = stack.enter_context(varves.open(root))
        found = interleave(
            {
                name: lambda ledger=ledger: ledger.remember(padded(next(texts)))
                for name, ledger in ledgers.items()
            },
            rounds=rounds,
            warmup=10,
        )
    first, *others = found
    return [
        timed(f"one `remember` at {first} memories", found[first]),
        *(
            compared(
                f"one `remember` at {name} memories against {first}",
                found[name],
                found[first],
                at_most=AT_MOST,
            )
            for name in others
        ),
    ]
