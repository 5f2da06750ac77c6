"""Several processes that score stores side by side; processor time is still counted in each."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from benchmarks.scoring import Result, evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from benchmarks.published import Store

    Task = tuple[Callable[[], Any], Store]

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
ASKING = 30  # a question costs as much as this many memories, about


@contextmanager
def results(tasks: Sequence[Task], jobs: int) -> Iterator[list[Callable[[], Result]]]:
    """Give a call for each task that returns its result, and waits for it if need be.

    With one job, nothing is done before the call.
    """
    waiting: list[Callable[[], Result]] = [
        partial(evaluate, system, [store]) for system, store in tasks
    ]
    if jobs == 1:
        yield waiting
        return
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    with ProcessPoolExecutor(jobs) as pool:
        # the longest first, so that none is left to one process at the end
        for place in sorted(range(len(tasks)), key=lambda place: -_cost(tasks[place][1])):
            waiting[place] = pool.submit(waiting[place]).result
        yield waiting


def _cost(store: Store) -> int:
    return sum(len(one.text) for one in store.statements) // 100 + ASKING * len(store.questions)


def together(found: Sequence[Callable[[], Result]]) -> Result:
    """Return the results of a set's stores as one."""
    whole = Result()
    for each in found:
        whole.add(each())
    return whole
