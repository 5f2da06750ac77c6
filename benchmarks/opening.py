"""Opening a ledger in which nothing happened, however long its log and however many its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import varves
from benchmarks.measure import interleave
from benchmarks.row import Row, compared, timed

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.scene import Scene

AT_MOST = 2.0


def run(scene: Scene) -> list[Row]:
    """Open ledgers of different sizes in turn, and show one memory."""
    many = scene.size(100_000, 20_000)
    shapes = {(1000, 1): "", (many, many // 1000): "", (many, many // 10): ""}
    for events, files in shapes:
        root = scene.history(events, files=files)
        scene.settle(root)
        shapes[events, files] = root
    found = interleave(
        {_named(shape): _open(root) for shape, root in shapes.items()},
        rounds=scene.size(300, 60),
        warmup=5,
    )
    first, *others = found
    return [
        timed(f"open and show one, {first}", found[first]),
        *(
            compared(
                f"open and show one, {name}, against {first}",
                found[name],
                found[first],
                at_most=AT_MOST,
            )
            for name in others
        ),
    ]


def _named(shape: tuple[int, int]) -> str:
    events, files = shape
    return f"{events:,} events in {files:,} {'file' if files == 1 else 'files'}"


def _open(root: str) -> Callable[[], object]:
    with varves.open(root) as ledger:
        name = ledger.list()[-1].id

    def show() -> object:
        with varves.open(root) as opened:
            return opened.show(name)

    return show
