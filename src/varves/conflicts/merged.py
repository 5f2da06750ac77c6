"""Compares the memories that a merge or a pull brought, a few in each call.

These memories were not compared when they were recorded elsewhere. The index lists the memories
that were not compared since they last changed; only the newest of them are considered. A write
compares the memories of other clones. A brief or `status` also compares those of this clone,
because one of its other branches may have been merged. Conflicts that the answer to a write listed
are not reported again.
"""

from __future__ import annotations

from varves.conflicts.named import NAMED, seen_by
from varves.values.instants import iso
from varves.values.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from varves.context.context import Context
    from varves.index.port import Index

LOOKED = 200  # the number of waiting memories that are considered, newest first
AT_ONCE = 16  # the most memories that one call compares
BUDGET_MS = 5
SURE = 4  # the number of memories that are compared even after the time limit
_DONE = "merged"  # a note: all memories up to this number were considered


def after_write(context: Context) -> str:
    """Compare merged memories after a write.

    Return a line with the number of conflicts found, or "" if there are none. If the index has not
    changed since the last call, this costs only one query.
    """
    try:
        index = context.recorder.catch_up_merged()
    except Exception:  # noqa: BLE001 - the write is acknowledged, whatever happens here
        return ""
    return told(context, index, own=False) if index is not None else ""


def told(context: Context, index: Index, *, own: bool, most: int = AT_ONCE) -> str:
    """Compare some merged memories; return a line with the number of conflicts, or "" for none.

    Args:
        context: the dependencies.
        index: the index, up to date.
        own: whether memories of this clone are compared too.
        most: the maximum number of memories to compare; if it is above the default, there is no
            time limit.
    """
    index.wait(0)  # if another process is writing, the memories wait for the next call
    try:
        found = _found(context, index, own=own, most=most)
    except Exception:  # noqa: BLE001 - the answer does not depend on it; the memories wait
        return ""
    finally:
        index.wait(None)
    if not found:
        return ""
    came = "conflict came" if found == 1 else "conflicts came"
    return f"{found} {came} with memories that were not compared before: varves conflicts"


def uncompared(context: Context, index: Index) -> str:
    """Return a line about the memories of other clones that are not compared yet; "" for none."""
    waiting = _Waiting(context, index)
    foreign = [] if waiting.is_large else waiting.foreign
    if not foreign:
        return ""
    memories = counted(len(foreign), "memory")
    return f"varves: {memories} of other clones not yet compared (varves conflicts)."


class _Waiting:
    """The newest memories that wait for comparison and that no call has considered yet."""

    def __init__(self, context: Context, index: Index) -> None:
        self._context = context
        self.nearby = index.nearby(iso(context.clock.now()), context.trusted)
        self._done = int(index.notes().get(_DONE) or 0)
        self._rows = self.nearby.writers(self._done, LOOKED)
        self.newest = self._rows[0][0] if self._rows else 0

    @property
    def all(self) -> list[int]:
        """The numbers of all memories that wait for comparison, newest first."""
        return [n for n, _ in self._rows]

    @property
    def foreign(self) -> list[int]:
        """The numbers of the waiting memories that other clones wrote, newest first."""
        clones = self._context.places.own_clones() if self._rows else ()
        return [n for n, writer in self._rows if writer.partition(".")[0] not in clones]

    @property
    def is_large(self) -> bool:
        """Whether the index is so large and new that only `varves conflicts` compares memories."""
        return not self._done and len(self._rows) == LOOKED and self.nearby.unseen() > LOOKED


def _found(context: Context, index: Index, *, own: bool, most: int) -> int:
    clock = context.clock
    until = clock.now() + BUDGET_MS
    waiting = _Waiting(context, index)
    if waiting.is_large:
        index.notes().put(_DONE, str(waiting.newest))
        return 0
    numbers = waiting.all if own else waiting.foreign
    if not numbers:
        return 0
    from varves.conflicts.finders import compare_some, left_standing
    from varves.fold.conflicts import pair_id

    nearby, some = waiting.nearby, waiting.nearby.numbered(numbers[:most])

    def goes_on(done: int) -> bool:
        return done < SURE or most > AT_ONCE or clock.now() < until

    done, pairs = compare_some(nearby, some, goes_on)
    if own and done == len(some) and len(numbers) <= most:
        index.notes().put(_DONE, str(waiting.newest))
    seen = [pair for pair, scope in pairs if seen_by(context, scope)]
    settled = left_standing(index, {frozenset(pair) for pair in seen}) if seen else ()
    named = (index.notes().get(NAMED) or "").split() if seen else ()
    return sum(frozenset(pair) not in settled and pair_id(*pair) not in named for pair in seen)
