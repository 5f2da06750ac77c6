"""Compares memories in a process of its own, if more wait than an answer can wait for."""

from __future__ import annotations

from varves.program import start_apart
from varves.values.instants import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context

LOCK = "local/compare.lock"  # one process at a time compares
_NICE = 10
_PORTION_MS = 10_000  # after this time the index is looked up again; it may have been replaced
_COMPARE = """
import sys
from varves import open
with open(sys.argv[1]) as ledger:
    ledger._compare()
"""


def begin(context: Context, *, least: int = 1) -> None:
    """Start a process that compares the memories that wait, if they are so many; return at once.

    If such a process runs already, or if its lock cannot be taken, none is started.
    """
    view = context.fresh()
    if view.index.nearby(iso(view.now), context.trusted).unseen() < least:
        return
    store, settings = context.places.store("project"), context.settings
    try:
        handle = store.lock(LOCK)
    except OSError:
        return  # the verbs that list conflicts compare a portion each time
    if handle is not None:
        store.close(handle)
        start_apart(("-c", _COMPARE, settings.root), root=settings.root, home=settings.home)


def compare(context: Context) -> None:
    """Compare all memories that wait, unless another process does so."""
    from os import nice

    from varves.conflicts.finders import compare_waiting, uncompared

    store = context.places.store("project")
    handle = store.lock(LOCK)
    if handle is None:
        return
    try:
        nice(_NICE)
        before = 0
        while (left := uncompared(context, context.fresh())) and left != before:
            before, view = left, context.fresh()
            nearby = view.index.nearby(iso(view.now), context.trusted)
            compare_waiting(context, nearby, longest=_PORTION_MS)
    finally:
        store.close(handle)
